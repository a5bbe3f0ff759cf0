"""Lowering of a convolution whose output channels are packed in equal parts, one tile each.

The sum has a dimension for the channel within the tile and one for the part, so that a tile is
always whole; the result leaves out channels that only fill it up. Filters for instructions that sum
products of neighbours are packed in the same way.
"""

from __future__ import annotations

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, CHANNELS_LAST, input_layout, result_layout
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    narrowed,
)
from autodeploy.lowering.nn_to_halide.padding import (
    dotted_image,
    image_names,
    padded_image,
    padding_of,
)


def conv_in_parts(
    builder: KernelBuilder, op: ConvOp, x: Value, w: Value, bias: Value | None
) -> Value:
    """Return sum and bias; ``x`` is an image in either order.

    ``w`` is P x window x I x t, or P x window x I/d x t x d where ``d`` neighbours are summed at a
    time.
    """
    assert op.filter_layout is not None
    dot = op.filter_layout.dot
    parts, *window, steps, tile = w.shape[: len(w.shape) - (dot > 1)]
    channels = steps * dot
    parts_of_group = parts // op.groups.value.data
    strides, dilations = ints(op.strides), ints(op.dilations)
    batch, *spatial, outputs = bounds_of(op.result.type)
    used = outputs // parts
    layout = input_layout(op.layout)
    element = op.sum_element
    padding = padding_of(builder, op)
    image = narrowed(
        padded_image(builder, x, layout.data, padding)
        if channels == op.filter_shape[1]
        else dotted_image(builder, x, layout.data, padding, channels),
        element,
    )
    if channels != op.filter_shape[1]:
        layout = CHANNELS_LAST
    w = narrowed(w, element)
    axes = [(f"k{name}", n) for name, n in zip("zyx"[-len(window) :], window, strict=False)]
    # A reduction variable of extent 1 would only hide structure.
    domain = Domain(tuple((name, n) for name, n in (*axes, ("ci", channels)) if n > 1))

    # The bias of a tile that is not full would be read beyond its end.
    starts = bias if used == tile else None

    def start(scope: Scope, point: Coordinates) -> Expr:
        if starts is None:
            return scope.const(0, element)
        *_, part, position = point
        return starts.at(scope, (scope.index(part) * tile + position,))

    def add(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        named = dict(zip((name for name, _ in domain.axes), reduced, strict=True))
        taps = tuple(named.get(name, 0) for name, _ in axes)
        within = scope.index(named.get("ci", 0))
        image_index, *place, part, position = point
        moved = [
            scope.index(at) * stride + tap * dilation
            for at, tap, stride, dilation in zip(place, taps, strides, dilations, strict=True)
        ]
        channel = scope.index(part) // parts_of_group * channels + within
        first = layout == CHANNELS_FIRST
        at = (image_index, channel, *moved) if first else (image_index, *moved, channel)
        pixel = image.at(scope, at)
        weight = (within // dot, position, *((within % dot,) if dot > 1 else ()))
        return old + pixel * w.at(scope, (part, *taps, *weight))

    total = builder.func(
        "conv",
        element,
        (batch, *spatial, parts, tile),
        start,
        names=(*image_names(result_layout(op.layout).data, len(spatial))[:-1], "p", "c"),
        update=(domain, add),
        contracts=True,
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        *place, channel = point
        position = scope.index(channel)
        part = position // used if parts > 1 else 0
        result = total.at(scope, (*place, part, position % used))
        added = bias if starts is None else None
        return result if added is None else result + added.at(scope, (channel,))

    return Value(element, (batch, *spatial, outputs), at)
