"""Lowering of pools: a func that folds the elements of each window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from xdsl.ir.affine import AffineMap

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.layout import spatial_axes
from autodeploy.dialects.nn.open_extent import Axes
from autodeploy.dialects.nn.types import MAX_RUN, bounds_of
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp, PoolOp
from autodeploy.dialects.nn.window_steps import pads_at
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.accumulation import coordinates
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import Fold
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
    widened,
)
from autodeploy.lowering.nn_to_halide.padding import (
    image_ends,
    image_names,
    image_pads_before,
    padded_image,
    padding_of,
)


def _reach(op: PoolOp, x: Value, growths: Axes) -> tuple[int, ...]:
    """Return the pads, those after each axis widened to the end of the last window of a run."""
    pads, window = ints(op.pads), ints(op.window)
    rank = len(window)
    shape = bounds_of(op.result.type)
    after: list[int] = []
    for i, axis in enumerate(spatial_axes(op.layout, len(shape))):
        last = (shape[axis] - 1) * ints(op.strides)[i] + ints(op.dilations)[i] * (window[i] - 1)
        beyond = last + 1 - pads[i] - x.shape[axis]
        if growths[axis]:
            beyond = op.window_steps()[i].beyond(growths[axis])
        after.append(max(beyond, 0))
    return (*pads[:rank], *after)


def _fold(builder: KernelBuilder, name: str, op: PoolOp, image: Value) -> Value:
    """Fold the elements of each window of ``image``, which is padded already."""
    shape, element = bounds_of(op.result.type), image.element
    rank = len(shape) - 2
    domain = Domain(tuple((f"k{i}", n) for i, n in enumerate(ints(op.window))))
    places = _within_padded(op)

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        place = coordinates(places, scope, (*point, *reduced))
        return op.body(functions, old, image.at(scope, place))

    return builder.func(
        name,
        element,
        shape,
        lambda scope, point: scope.const(op.start(element), element),
        names=image_names(op.layout.data, rank),
        update=(domain, step),
    )


def _within_padded(op: PoolOp) -> AffineMap:
    """Return where a padded image is read."""
    places = list(op.indexing_maps[0].results)
    spatial, strides = spatial_axes(op.layout, len(places)), ints(op.strides)
    extents = [bounds_of(op.x.type)[axis] for axis in spatial]
    before = pads_at(op.pads_by_remainder, ints(op.pads), strides, extents)
    for axis, pad in zip(spatial, before, strict=True):
        places[axis] = places[axis] + pad
    return AffineMap(op.indexing_maps[0].num_dims, 0, tuple(places))


@lowers(MaxPoolOp)
def max_pool(builder: KernelBuilder, op: MaxPoolOp, operands: Sequence[Value]) -> Value:
    """The largest element of each window; the padding holds the lowest value there is."""
    return _fold(builder, "max_pool", op, _padded(builder, op, widened(operands[0])))


@lowers(AveragePoolOp)
def average_pool(builder: KernelBuilder, op: AveragePoolOp, operands: Sequence[Value]) -> Value:
    """The sum of each window, divided by the number of its elements that count."""
    x = widened(operands[0])
    total = _sum(builder, op, _padded(builder, op, x))
    spatial = list(spatial_axes(op.layout, len(total.shape)))
    ends, growths = image_ends(builder, op.x, op.layout), builder.open_axes(op.x)
    pads_before = image_pads_before(builder, op)

    def at(scope: Scope, point: Coordinates) -> Expr:
        count: Coordinate = 1
        for i, axis in enumerate(spatial):
            position = scope.index(point[axis])
            if axis in ends:
                before = pads_before[axis](scope) if axis in pads_before else ints(op.pads)[i]
                own = _counted_open(op, i, growths[axis], position, ends[axis](scope), before)
            else:
                own = _counted(op, i, x.shape[axis], total.shape[axis], position)
            count = own if isinstance(count, int) and count == 1 else own * count
        divisor = scope.index(count)
        return op.finish(functions, total.at(scope, point), divisor)

    return Value(total.element, total.shape, at)


def _padded(builder: KernelBuilder, op: PoolOp, x: Value) -> Value:
    """Return the image with neutral elements around it."""
    pads = _reach(op, x, builder.open_axes(op.x))
    padding = padding_of(builder, op, pads, op.start(x.element))
    return padded_image(builder, x, op.layout.data, padding)


def _sum(builder: KernelBuilder, op: AveragePoolOp, image: Value) -> Value:
    """Return the sum of each window; a large one is summed in parts, like the axes of a tensor."""
    window = ints(op.window)
    if prod(window) <= MAX_RUN:
        return _fold(builder, "sum_pool", op, image)
    shape, places = bounds_of(op.result.type), _within_padded(op)

    def at(scope: Scope, point: Coordinates) -> Expr:
        taps, window_at = point[: len(window)], point[len(window) :]
        return image.at(scope, coordinates(places, scope, (*window_at, *taps)))

    taps = Value(image.element, (*window, *shape), at)
    fold = Fold(builder, "sum_pool", 0.0, partial(op.body, functions))
    folded = fold.in_order(taps, range(len(window)))
    first = (0,) * len(window)
    return Value(image.element, shape, lambda scope, point: folded.at(scope, (*first, *point)))


def _counted(op: AveragePoolOp, i: int, extent: int, windows: int, position: Expr) -> Coordinate:
    """Return how many taps of a window along spatial axis ``i`` count toward the mean."""
    window, stride, dilation = ints(op.window)[i], ints(op.strides)[i], ints(op.dilations)[i]
    low, after = _counted_margins(op, i)

    def taps(number: int) -> int:
        first = number * stride - ints(op.pads)[i]
        return sum(low <= first + tap * dilation < extent + after for tap in range(window))

    counts = {taps(number) for number in range(windows)}
    if len(counts) == 1:
        return counts.pop()
    return _counted_between(op, i, position, low, extent + after, ints(op.pads)[i])


def _counted_open(
    op: AveragePoolOp, i: int, growth: Growth, position: Expr, end: Expr, before: Coordinate
) -> Coordinate:
    """Return how many taps count of an axis that is open, with the extent ``end``.

    ``before`` is the number of elements there.
    """
    low, after = _counted_margins(op, i)
    if low <= -ints(op.pads)[i] and op.window_steps()[i].beyond(growth) <= after:
        return ints(op.window)[i]
    return _counted_between(op, i, position, low, end + after, before)


def _counted_margins(op: AveragePoolOp, i: int) -> tuple[int, int]:
    """Return the first place that counts, and how many places do after the image."""
    margins = op.counted_margins
    before, after = margins[spatial_axes(op.layout, len(margins))[i]]
    return -before, after


def _counted_between(
    op: AveragePoolOp, i: int, position: Expr, low: int, last: Coordinate, before: Coordinate
) -> Coordinate:
    """Return the number of taps of a window from ``low`` to before ``last``.

    The first window begins at as many elements ``before`` the image.
    """
    window, stride, dilation = ints(op.window)[i], ints(op.strides)[i], ints(op.dilations)[i]
    if dilation == 1:
        first = position * stride - before
        return (first + window).minimum(last) - first.maximum(low)
    scope = position.scope
    total = scope.const(0)
    for tap in range(window):
        place = position * stride + (tap * dilation - before)
        total = total + ((place >= low) & (place < last)).select(scope.const(1), 0)
    return total
