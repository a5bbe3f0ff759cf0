"""Lowering of movements and look-ups: each only says where an element of the result comes from."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import i32, i64

from autodeploy.dialects.nn import movement as nn
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.extent import EndedOp, ExtentOp
from autodeploy.dialects.nn.extent_attr import ExtentsAttr, axes_of_type
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp, LookupOp
from autodeploy.dialects.nn.open_extent import Axes, volume
from autodeploy.dialects.nn.padding import PadMode, PadOp
from autodeploy.dialects.nn.types import bounds_of, highest, is_float, is_unsigned
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Ends,
    KernelBuilder,
    Value,
    lowers,
)


def linear_index(shape: Sequence[int], point: Coordinates) -> Coordinate:
    """Return the row-major number of a point; axes of extent 1 add nothing."""
    index: Coordinate = 0
    for extent, coordinate in zip(shape, point, strict=True):
        if extent != 1:
            index = coordinate if isinstance(index, int) else index * extent + coordinate
    return index


def point_of(shape: Sequence[int], index: Coordinate) -> Coordinates:
    """Return the point with a row-major number."""
    point: list[Coordinate] = []
    wide = [axis for axis, extent in enumerate(shape) if extent != 1]
    for axis in reversed(range(len(shape))):
        if shape[axis] == 1 or isinstance(index, int):
            point.append(0)
        elif axis == wide[0]:
            point.append(index)
        else:
            point.append(index % shape[axis])
            index = index // shape[axis]
    return tuple(reversed(point))


def common_axes(first: Sequence[int], second: Sequence[int]) -> list[tuple[slice, slice]]:
    """Return the shortest runs of axes of two shapes that hold equally many elements, in order.

    The shapes have as many elements, and at least one.
    """
    runs: list[tuple[slice, slice]] = []
    starts, ends, counts = (0, 0), (0, 0), (1, 1)
    while ends != (len(first), len(second)):
        behind = ends[1] < len(second) and (counts[1] < counts[0] or ends[0] == len(first))
        if behind:
            ends, counts = (ends[0], ends[1] + 1), (counts[0], counts[1] * second[ends[1]])
        else:
            ends, counts = (ends[0] + 1, ends[1]), (counts[0] * first[ends[0]], counts[1])
        if counts[0] == counts[1]:
            runs.append((slice(starts[0], ends[0]), slice(starts[1], ends[1])))
            starts, counts = ends, (1, 1)
    return runs


@lowers(nn.ReshapeOp)
def reshape(builder: KernelBuilder, op: nn.ReshapeOp, operands: Sequence[Value]) -> Value:
    """The element with the same row-major number; axes that stay as they are have their own."""
    x, shape = operands[0], bounds_of(op.result.type)
    if not op.is_view:
        return _grown_reshape(builder, op, x)
    whole = [(slice(len(x.shape)), slice(len(shape)))]
    runs = whole if 0 in shape else common_axes(x.shape, shape)

    def at(scope: Scope, point: Coordinates) -> Expr:
        source: list[Coordinate] = []
        for from_, to in runs:
            source += point_of(x.shape[from_], linear_index(shape[to], point[to]))
        return x.at(scope, tuple(source))

    return Value(x.element, shape, at)


def _grown_reshape(builder: KernelBuilder, op: nn.ReshapeOp, x: Value) -> Value:
    """The element with the same row-major number among those of a run."""
    shape = bounds_of(op.result.type)
    before, after = axes_of_type(op.x.type), axes_of_type(op.result.type)
    runs: list[tuple[slice, slice]] = []
    start = (0, 0)
    whole = [(slice(len(x.shape)), slice(len(shape)))]
    # There may be room for other numbers of elements than a run has: of the largest derived ones.
    for from_, to in common_axes(x.shape, shape) if prod(x.shape) == prod(shape) else whole:
        joined = slice(start[0], from_.stop), slice(start[1], to.stop)
        one = volume(x.shape[joined[0]], before[joined[0]])
        # Forms may differ where the numbers of all runs agree, as those of all elements do.
        rest = (from_.stop, to.stop) == (len(x.shape), len(shape))
        if rest or one == volume(shape[joined[1]], after[joined[1]]):
            runs.append(joined)
            start = (from_.stop, to.stop)

    def extents(scope: Scope, shape: Sequence[int], axes: Axes) -> list[Expr | int]:
        pairs = zip(shape, axes, strict=True)
        return [builder.open_extent(scope, growth) if growth else n for n, growth in pairs]

    def at(scope: Scope, point: Coordinates) -> Expr:
        source: list[Coordinate] = []
        for from_, to in runs:
            if before[from_] == after[to] and x.shape[from_] == shape[to]:
                source += point[to]
                continue
            number = _linear_index(extents(scope, shape[to], after[to]), point[to])
            ends = extents(scope, x.shape[from_], before[from_])
            # Halide knows no extent of a run; thus no place is after the last one.
            source += _point_of(ends, scope.index(number))
        return x.at(scope, tuple(source))

    return Value(x.element, shape, at)


def _linear_index(extents: Sequence[Expr | int], point: Coordinates) -> Coordinate:
    """Return the row-major number of a point; extents of 1 add nothing."""
    index: Coordinate = 0
    for extent, coordinate in zip(extents, point, strict=True):
        if isinstance(extent, int) and extent == 1:
            continue
        if isinstance(index, int) and not index:
            index = coordinate
        else:
            index = _sum(index * extent, coordinate)
    return index


def _point_of(extents: Sequence[Expr | int], index: Expr) -> Coordinates:
    """Return the point with a row-major number, within the extents."""
    point: list[Coordinate] = []
    wide = [
        axis for axis, extent in enumerate(extents) if not isinstance(extent, int) or extent > 1
    ]
    for axis in reversed(range(len(extents))):
        if axis not in wide:
            point.append(0)
        elif axis == wide[0]:
            point.append(index.clamp(0, extents[axis] - 1))
        else:
            point.append((index % extents[axis]).clamp(0, extents[axis] - 1))
            index = index // extents[axis]
    return tuple(reversed(point))


@lowers(nn.TransposeOp)
def transpose(builder: KernelBuilder, op: nn.TransposeOp, operands: Sequence[Value]) -> Value:
    """The element whose coordinates are permuted back."""
    (x,), permutation = operands, ints(op.permutation)

    def at(scope: Scope, point: Coordinates) -> Expr:
        return x.at(scope, tuple(point[permutation.index(axis)] for axis in range(len(point))))

    return Value(x.element, bounds_of(op.result.type), at)


@lowers(nn.BroadcastOp)
def broadcast(builder: KernelBuilder, op: nn.BroadcastOp, operands: Sequence[Value]) -> Value:
    """The element at the same place, index 0 along repeated axes."""
    return Value(operands[0].element, bounds_of(op.result.type), operands[0].broadcast)


@lowers(nn.SliceOp)
def slice_(builder: KernelBuilder, op: nn.SliceOp, operands: Sequence[Value]) -> Value:
    """The element ``start + i * step`` along each axis."""
    (x,), starts, steps = operands, ints(op.starts), ints(op.steps)
    growths = op.starts.growths if isinstance(op.starts, ExtentsAttr) else ()
    grown = {axis: growth for axis, growth in enumerate(growths) if growth}

    def at(scope: Scope, point: Coordinates) -> Expr:
        first = {axis: builder.open_extent(scope, growth) for axis, growth in grown.items()}
        moved = (
            scope.index(c) * step + first.get(axis, start)
            for axis, (c, start, step) in enumerate(zip(point, starts, steps, strict=True))
        )
        return x.at(scope, tuple(moved))

    return Value(x.element, bounds_of(op.result.type), at)


def padded(
    x: Value,
    before: Sequence[int],
    after: Sequence[int],
    value: float,
    ends: Ends | None = None,
    pads_before: Ends | None = None,
) -> Value:
    """Return ``x`` with a constant around it: the element where there is one, else the constant.

    ``ends`` give the extents of open axes. ``pads_before`` give the number of constants before an
    axis whose padding depends on its extent; ``before`` has the largest number there.
    Coordinates are clamped before they are used, so nothing outside ``x`` is ever read.
    """
    low, ends, pads_before = tuple(before), ends or {}, pads_before or {}
    shape = tuple(b + n + a for b, n, a in zip(before, x.shape, after, strict=True))

    def at(scope: Scope, point: Coordinates) -> Expr:
        inside: list[Expr] = []
        source: list[Coordinate] = []
        for axis, coordinate in enumerate(point):
            extent = x.shape[axis]
            if low[axis] == 0 and after[axis] == 0:
                source.append(coordinate)
                continue
            first = pads_before[axis](scope) if axis in pads_before else low[axis]
            own = scope.index(coordinate) - first
            if axis in ends:
                end = ends[axis](scope)
                inside.append((own >= 0) & (own < end))
                source.append(own.minimum(end - 1).maximum(0))
                continue
            inside.append((own >= 0) & (own < extent))
            source.append(own.clamp(0, max(extent - 1, 0)))
        constant = scope.const(value if is_float(x.element) else int(value), x.element)
        if 0 in x.shape:
            return constant
        element = x.at(scope, tuple(source))
        # A choice an axis, the innermost last: the inner part of each loop then has no border.
        for within in reversed(inside):
            element = within.select(element.likely(), constant)
        return element

    return Value(x.element, shape, at)


@lowers(PadOp)
def pad(builder: KernelBuilder, op: PadOp, operands: Sequence[Value]) -> Value:
    """The element within; around it the constant, or the element that the mode says."""
    (x,), pads, mode = operands, ints(op.pads), op.mode.data
    before, after = pads[: len(x.shape)], pads[len(x.shape) :]
    ends = builder.open_ends(op.x, [a for a in range(len(x.shape)) if before[a] or after[a]])
    if mode == PadMode.CONSTANT:
        return padded(x, before, after, op.value.value.data, ends)

    def at(scope: Scope, point: Coordinates) -> Expr:
        source: list[Coordinate] = []
        for axis, (c, low, high) in enumerate(zip(point, before, after, strict=True)):
            if low or high:
                extent = ends[axis](scope) if axis in ends else x.shape[axis]
                c = folded(mode, scope.index(c) - low, extent)
            source.append(c)
        return x.at(scope, tuple(source))

    return Value(x.element, bounds_of(op.result.type), at)


def folded(mode: PadMode, position: Expr, extent: Expr | int) -> Expr:
    """Return the place of the element that a pad shows at a position along an axis."""
    if mode == PadMode.EDGE:
        return position.clamp(0, extent - 1)
    if mode == PadMode.WRAP:
        return position % extent
    # A reflection repeats after going there and back. Its distance from the last element has bounds
    # that Halide knows; of a min of two it would take those of either.
    last = extent - 1
    there_and_back = last * 2
    period = (
        max(there_and_back, 1) if isinstance(there_and_back, int) else there_and_back.maximum(1)
    )
    return last - (position % period - last).abs()


@lowers(nn.ConcatOp)
def concat(builder: KernelBuilder, op: nn.ConcatOp, operands: Sequence[Value]) -> Value:
    """The element of whichever operand the coordinate along the axis falls into."""
    axis = op.axis.value.data
    kept = [i for i, value in enumerate(operands) if value.shape[axis]] or [0]
    growths = [builder.open_axes(op.inputs[i])[axis] for i in kept]
    parts = [operands[i] for i in kept]

    def at(scope: Scope, point: Coordinates) -> Expr:
        position = scope.index(point[axis])
        starts: list[Coordinate] = [0]
        extents: list[Coordinate] = []
        for part, growth in zip(parts, growths, strict=True):
            extents.append(builder.open_extent(scope, growth) if growth else part.shape[axis])
            starts.append(_sum(starts[-1], extents[-1]))
        result: Expr | None = None
        for part, growth, start, end, extent in reversed(
            list(zip(parts, growths, starts, starts[1:], extents, strict=False))
        ):
            last = extent - 1
            if not isinstance(last, int) and builder.may_be_empty(growth):
                # A run that has none of a part has room for some: what is read does not count.
                last = last.maximum(0)
            own = (position - start).clamp(0, last)
            element = part.at(scope, (*point[:axis], own, *point[axis + 1 :]))
            result = element if result is None else (position < end).select(element, result)
        assert result is not None  # a concat has at least one operand
        return result

    return Value(parts[0].element, bounds_of(op.result.type), at)


def _sum(one: Coordinate, other: Coordinate) -> Coordinate:
    return other + one if isinstance(one, int) else one + other


@lowers(ExtentOp)
def extent(builder: KernelBuilder, op: ExtentOp, operands: Sequence[Value]) -> Value:
    """The extent of the buffer, or a constant where the axis is not open."""
    axis = op.axis.value.data
    growth = builder.open_axes(op.x)[axis]

    def at(scope: Scope, point: Coordinates) -> Expr:
        if not growth:
            return scope.const(bounds_of(op.x.type)[axis], i64)
        return builder.open_extent(scope, growth).cast(i64)

    return Value(i64, (), at)


@lowers(EndedOp)
def ended(builder: KernelBuilder, op: EndedOp, operands: Sequence[Value]) -> Value:
    """The element at the same place."""
    return operands[0]


def place(index: Expr, extent: int, end: Expr | None = None) -> Expr:
    """Return the place that an index of any integer type means along an axis.

    It is clamped in its own type: narrowed first, one far outside could become any place. If an
    axis is open, a run has the elements before the ``end``.
    """
    if end is not None:
        return _place_before(index, extent, end)
    last = min(extent - 1, int(highest(index.type)))
    if is_unsigned(index.type):
        return index.minimum(last).cast(i32)
    bounded = index.maximum(-last - 1).minimum(last).cast(i32)
    return (bounded < 0).select(bounded + extent, bounded).clamp(0, extent - 1)


def _place_before(index: Expr, extent: int, end: Expr) -> Expr:
    last = min(extent - 1, int(highest(index.type)))
    if is_unsigned(index.type):
        return index.minimum(last).cast(i32).minimum(end - 1)
    bounded = index.maximum(-last - 1).minimum(last).cast(i32)
    return (bounded < 0).select(bounded + end, bounded).clamp(0, end - 1)


def _end(builder: KernelBuilder, op: LookupOp, scope: Scope) -> Expr | None:
    """Return how many elements a run has along the axis, if it is open."""
    axis = op.axis.value.data
    ends = builder.open_ends(op.x, [axis])
    return ends[axis](scope) if axis in ends else None


@lowers(GatherOp)
def gather(builder: KernelBuilder, op: GatherOp, operands: Sequence[Value]) -> Value:
    """The element of x in the slice that the index names."""
    x, indices = operands
    axis, rank, layout = op.axis.value.data, len(indices.shape), op.x_layout
    extent = op.logical_shape(x.shape)[axis]

    def at(scope: Scope, point: Coordinates) -> Expr:
        index = indices.at(scope, point[axis : axis + rank])
        own = place(index, extent, _end(builder, op, scope))
        row = (*point[:axis], own, *point[axis + rank :])
        if layout is not None:
            row = tuple(layout.index([scope.index(place) for place in row]))
        return x.at(scope, row)

    return Value(x.element, bounds_of(op.result.type), at)


@lowers(GatherElementsOp)
def gather_elements(
    builder: KernelBuilder, op: GatherElementsOp, operands: Sequence[Value]
) -> Value:
    """The element of x at the point, moved along the axis to where the index says."""
    x, indices = operands
    axis = op.axis.value.data

    def at(scope: Scope, point: Coordinates) -> Expr:
        index = place(indices.at(scope, point), x.shape[axis], _end(builder, op, scope))
        return x.at(scope, (*point[:axis], index, *point[axis + 1 :]))

    return Value(x.element, bounds_of(op.result.type), at)
