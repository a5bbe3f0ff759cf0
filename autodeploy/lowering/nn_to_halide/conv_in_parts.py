"""Lowering of a convolution whose output channels are packed in equal parts, one tile each.

The sum has a dimension for the channel within the tile and one for the part, so that a tile is
always whole; the result reads of it the channels that there are.
"""

from __future__ import annotations

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, input_layout, result_layout
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.padding import (
    image_names,
    padded_image,
    padding_of,
)


def conv_in_parts(
    builder: KernelBuilder, op: ConvOp, x: Value, w: Value, bias: Value | None
) -> Value:
    """Return sum and bias; ``w`` is P x window x I x t, ``x`` an image in either order."""
    parts, *window, channels, tile = w.shape
    parts_of_group = parts // op.groups.value.data
    strides, dilations = ints(op.strides), ints(op.dilations)
    batch, *spatial, outputs = bounds_of(op.result.type)
    used = outputs // parts
    layout = input_layout(op.layout)
    image = padded_image(builder, x, layout.data, padding_of(builder, op))
    axes = [(f"k{name}", n) for name, n in zip("zyx"[-len(window) :], window, strict=False)]
    # A reduction variable of extent 1 would only hide structure.
    domain = Domain(tuple((name, n) for name, n in (*axes, ("ci", channels)) if n > 1))

    def start(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(0, x.element)

    def add(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        named = dict(zip((name for name, _ in domain.axes), reduced, strict=True))
        taps = tuple(named.get(name, 0) for name, _ in axes)
        within: Coordinate = named.get("ci", 0)
        image_index, *place, part, position = point
        moved = [
            scope.index(at) * stride + tap * dilation
            for at, tap, stride, dilation in zip(place, taps, strides, dilations, strict=True)
        ]
        channel = scope.index(part) // parts_of_group * channels + within
        first = layout == CHANNELS_FIRST
        at = (image_index, channel, *moved) if first else (image_index, *moved, channel)
        pixel = image.at(scope, at)
        return old + pixel * w.at(scope, (part, *taps, within, position))

    total = builder.func(
        "conv",
        x.element,
        (batch, *spatial, parts, tile),
        start,
        names=(*image_names(result_layout(op.layout).data, len(spatial))[:-1], "p", "c"),
        update=(domain, add),
        contracts=True,
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        *place, channel = point
        position = scope.index(channel)
        # The bias would be read beyond its end, were it in the sum of a tile that overhangs.
        part = position // used if parts > 1 else 0
        result = total.at(scope, (*place, part, position % used))
        return result if bias is None else result + bias.at(scope, (channel,))

    return Value(x.element, (batch, *spatial, outputs), at)
