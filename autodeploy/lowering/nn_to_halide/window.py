"""Lowering of pools: a func that folds the elements of each window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.layout import spatial_axes
from autodeploy.dialects.nn.limits import lowest
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp, PoolOp
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import MAX_RUN, fold_axes
from autodeploy.lowering.nn_to_halide.functions import larger
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.padding import image_names, padded_image
from autodeploy.lowering.nn_to_halide.precision import widened
from autodeploy.lowering.nn_to_halide.registry import lowers


def _reach(op: PoolOp, x: Value) -> tuple[int, ...]:
    """Return the pads, those after each axis widened to what the last window reaches."""
    pads, window = ints(op.pads), ints(op.window)
    rank = len(window)
    shape = shape_of(op.result.type)
    after: list[int] = []
    for i, axis in enumerate(spatial_axes(op.layout, len(shape))):
        last = (shape[axis] - 1) * ints(op.strides)[i] + ints(op.dilations)[i] * (window[i] - 1)
        after.append(max(last + 1 - pads[i] - x.shape[axis], 0))
    return (*pads[:rank], *after)


def _fold(
    builder: KernelBuilder,
    name: str,
    op: PoolOp,
    image: Value,
    start: float | int,
    combine: Callable[[Expr, Expr], Expr],
) -> Value:
    """Fold the elements of each window of ``image``, which is padded already."""
    shape, element = shape_of(op.result.type), image.element
    spatial = list(spatial_axes(op.layout, len(shape)))
    window, strides, dilations = ints(op.window), ints(op.strides), ints(op.dilations)
    domain = Domain(tuple((f"k{i}", n) for i, n in enumerate(window)))

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        source: list[Coordinate] = list(point)
        for axis, tap, stride, dilation in zip(spatial, reduced, strides, dilations, strict=True):
            source[axis] = scope.index(point[axis]) * stride + scope.index(tap) * dilation
        return combine(old, image.at(scope, tuple(source)))

    return builder.func(
        name,
        element,
        shape,
        lambda scope, point: scope.const(start, element),
        names=image_names(op.layout.data, len(spatial)),
        update=(domain, step),
    )


@lowers(MaxPoolOp)
def max_pool(builder: KernelBuilder, op: MaxPoolOp, operands: Sequence[Value]) -> Value:
    """The largest element of each window; the padding holds the lowest value there is."""
    x = widened(operands[0])
    low = lowest(x.element)
    image = padded_image(builder, x, op.layout.data, _reach(op, x), low)
    folded = _fold(builder, "max_pool", op, image, low, larger)
    return folded


@lowers(AveragePoolOp)
def average_pool(builder: KernelBuilder, op: AveragePoolOp, operands: Sequence[Value]) -> Value:
    """The sum of each window over how many of its elements count."""
    x = widened(operands[0])
    image = padded_image(builder, x, op.layout.data, _reach(op, x), 0.0)
    total = _sum(builder, op, image)
    spatial = list(spatial_axes(op.layout, len(total.shape)))

    def at(scope: Scope, point: Coordinates) -> Expr:
        count: Coordinate = 1
        for i, axis in enumerate(spatial):
            own = _counted(op, i, x.shape[axis], total.shape[axis], scope.index(point[axis]))
            count = own if isinstance(count, int) and count == 1 else own * count
        divisor = scope.index(count)
        return total.at(scope, point) / divisor.cast(total.element)

    return Value(total.element, total.shape, at)


def _sum(builder: KernelBuilder, op: AveragePoolOp, image: Value) -> Value:
    """Return the sum of each window; that of a large one in parts, as its axes were a tensor's."""
    window = ints(op.window)
    if prod(window) <= MAX_RUN:
        return _fold(builder, "sum_pool", op, image, 0.0, Expr.__add__)
    shape = shape_of(op.result.type)
    spatial = spatial_axes(op.layout, len(shape))

    def at(scope: Scope, point: Coordinates) -> Expr:
        source = list(point[len(window) :])
        for i, axis in enumerate(spatial):
            moved = scope.index(source[axis]) * ints(op.strides)[i]
            source[axis] = moved + scope.index(point[i]) * ints(op.dilations)[i]
        return image.at(scope, tuple(source))

    taps = Value(image.element, (*window, *shape), at)
    folded = fold_axes(builder, "sum_pool", taps, range(len(window)), 0.0, Expr.__add__)
    first = (0,) * len(window)
    return Value(image.element, shape, lambda scope, point: folded.at(scope, (*first, *point)))


def _counted(op: AveragePoolOp, i: int, extent: int, windows: int, position: Expr) -> Coordinate:
    """Return how many taps of a window along spatial axis ``i`` count toward the mean."""
    rank = len(ints(op.window))
    window, stride, dilation = ints(op.window)[i], ints(op.strides)[i], ints(op.dilations)[i]
    before, after = ints(op.pads)[i], ints(op.pads)[rank + i]
    low, high = (-before, extent + after) if op.count_include_pad else (0, extent)

    def taps(number: int) -> int:
        first = number * stride - before
        return sum(low <= first + tap * dilation < high for tap in range(window))

    counts = {taps(number) for number in range(windows)}
    if len(counts) == 1:
        return counts.pop()
    if dilation == 1:
        first = position * stride - before
        return (first + window).minimum(high) - first.maximum(low)
    scope = position.scope
    total = scope.const(0)
    for tap in range(window):
        place = position * stride + (tap * dilation - before)
        total = total + ((place >= low) & (place < high)).select(scope.const(1), 0)
    return total
