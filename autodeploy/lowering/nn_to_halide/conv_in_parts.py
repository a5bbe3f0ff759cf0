"""Lowering of a convolution whose output channels are packed in equal parts, one tile each.

The sum has a dimension for the channel within the tile and one for the part, so that a tile is
always whole; the result leaves out channels that only fill it up. Filters for instructions that sum
products of neighbours are packed in the same way.

A tile may hold whole groups. The image is then copied, padded, so that the channels of a tile's
groups are adjacent for all pixels of a row: in place, the pixels of a row may share few sets of a
cache. A tile of several groups has them interleaved in image, filter and sums. A vector of sums
takes the same channel of each group, one after the other, and again: one load from memory repeats
them. The result reads the sums in order.
"""

from __future__ import annotations

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, CHANNELS_LAST, input_layout, result_layout
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
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
    padded_value,
    padding_of,
)
from autodeploy.lowering.nn_to_halide.sums_in_runs import sums_in_runs


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

    names = *image_names(result_layout(op.layout).data, len(spatial))[:-1], "p", "c"
    kind = element, (batch, *spatial, parts, tile), names
    total = sums_in_runs(builder, "conv", kind, start, domain, add)

    def at(scope: Scope, point: Coordinates) -> Expr:
        *place, channel = point
        position = scope.index(channel)
        part = position // used if parts > 1 else 0
        result = total.at(scope, (*place, part, position % used))
        added = bias if starts is None else None
        return result if added is None else result + added.at(scope, (channel,))

    return Value(element, (batch, *spatial, outputs), at)


def is_of_groups(op: ConvOp) -> bool:
    """Return whether tiles of the filter hold whole groups, of which the image is copied."""
    tiling = None if op.filter_layout is None else op.filter_layout.tiling
    outputs, inputs, _ = op.filter_shape
    groups = op.groups.value.data
    return (
        op.winograd is None
        and tiling is not None
        and not op.filled_up
        and groups > 1 < inputs
        and tiling.size * groups == outputs * tiling.groups
        and groups % tiling.groups == 0
        and (tiling.groups > 1 or any(ints(op.pads)))
        and result_layout(op.layout) == CHANNELS_LAST
    )


def conv_of_groups(
    builder: KernelBuilder, op: ConvOp, x: Value, w: Value, bias: Value | None
) -> Value:
    """Return sum and bias; ``w`` is P x window x I x t, ``x`` an image in either order."""
    parts, *window, channels, tile = w.shape
    size = op.groups.value.data // parts
    outputs_of_group = tile // size
    strides, dilations = ints(op.strides), ints(op.dilations)
    batch, *spatial, outputs = bounds_of(op.result.type)
    names = image_names(result_layout(op.layout).data, len(spatial))
    element = op.sum_element
    image, w = narrowed(_image_of_parts(builder, op, x, parts), element), narrowed(w, element)
    axes = [(f"k{name}", n) for name, n in zip("zyx"[-len(window) :], window, strict=False)]
    # The taps of a row are innermost: neighbouring pixels read the same elements by them. A
    # reduction variable of extent 1 would only hide structure.
    loops = (*axes[:-1], ("ci", channels), axes[-1])
    domain = Domain(tuple((name, n) for name, n in loops if n > 1))

    def start(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(0, element)

    def add(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        named = dict(zip((name for name, _ in domain.axes), reduced, strict=True))
        taps = tuple(named.get(name, 0) for name, _ in axes)
        within = scope.index(named["ci"])
        image_index, *place, part, position = point
        *rows, column = [
            scope.index(at) * stride + tap * dilation
            for at, tap, stride, dilation in zip(place, taps, strides, dilations, strict=True)
        ]
        channel = within if size == 1 else within * size + scope.index(position) % size
        pixel = image.at(scope, (image_index, *rows, part, column, channel))
        return old + pixel * w.at(scope, (part, *taps, within, position))

    kind = element, (batch, *spatial, parts, tile), (*names[:-1], "p", "c")
    total = sums_in_runs(builder, "conv", kind, start, domain, add)

    def at(scope: Scope, point: Coordinates) -> Expr:
        *place, channel = point
        index = scope.index(channel)
        part: Coordinate = index // tile if parts > 1 else 0
        position = index % tile
        if size > 1:
            position = index % outputs_of_group * size + index // outputs_of_group % size
        # A tile of sums starts from 0, as the bias has the order of the result.
        result = total.at(scope, (*place, part, position))
        return result if bias is None else result + bias.at(scope, (channel,))

    return Value(element, (batch, *spatial, outputs), at)


def _image_of_parts(builder: KernelBuilder, op: ConvOp, x: Value, parts: int) -> Value:
    """Return the padded image as func N x rows x parts x columns x channels of a part."""
    layout = input_layout(op.layout)
    wide = padded_value(x, layout.data, padding_of(builder, op))
    first = layout == CHANNELS_FIRST
    channels = wide.shape[1] if first else wide.shape[-1]
    spatial = wide.shape[2:] if first else wide.shape[1:-1]
    of_part = channels // parts
    size = op.groups.value.data // parts
    of_group = of_part // size

    def at(scope: Scope, point: Coordinates) -> Expr:
        image_index, *rows, part, column, position = point
        channel = scope.index(position)
        if size > 1:
            channel = channel % size * of_group + channel // size
        if parts > 1:
            channel = scope.index(part) * of_part + channel
        place = (*rows, column)
        source = (image_index, channel, *place) if first else (image_index, *place, channel)
        return wide.at(scope, source)

    names = image_names(CHANNELS_LAST.data, len(spatial))
    return builder.func(
        "padded",
        wide.element,
        (wide.shape[0], *spatial[:-1], parts, spatial[-1], of_part),
        at,
        names=(*names[:-2], "p", *names[-2:]),
    )
