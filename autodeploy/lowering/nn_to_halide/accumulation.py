"""Lowering of ops that know their structure: a body at each point of an iteration space.

Pointwise ops compute each element on its own; others fold over the iterators that are not parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod

from xdsl.dialects.builtin import i32
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.arithmetic import BitCastOp, CastOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.structure import AccumulatingOp, IteratorKind, StructuredOp
from autodeploy.dialects.nn.types import bounds_of, compute_type, element_of
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import Fold
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    KernelBuilder,
    Value,
    computed,
    lowers,
    narrowed,
    rounded,
)


@lowers(AccumulatingOp)
def accumulate(builder: KernelBuilder, op: AccumulatingOp, operands: Sequence[Value]) -> Value:
    """Fold the elements that the maps of the operands say, then finish each result."""
    sums, start = op.sum_element, op.start(op.sum_element)
    values = [narrowed(x, sums) for x in operands]
    axes = [d for d, own in enumerate(op.iterators) if own.kind != IteratorKind.PARALLEL]
    ends = _open_ends(builder, op, axes)
    # An op without a combination of its own takes an element for a partial result.
    is_partial = type(op).combine is AccumulatingOp.combine

    def element(scope: Scope, point: Coordinates) -> Expr:
        read = [_read(builder, op, i, values[i], scope, point) for i in range(op.ACCUMULATED)]
        elements = [x if inside is None else inside.select(x, start) for x, inside in read]
        return (
            elements[0] if is_partial else op.body(functions, scope.const(start, sums), *elements)
        )

    fold = Fold(
        builder,
        op.role,
        start,
        partial(op.combine, functions),
        contracts=op.CONTRACTS,
        ends=ends,
        rows=builder.shared_rows,
    )
    space = Value(sums, op.extents, element)
    folded = fold.along(space, axes) if axes else space
    folded = builder.opaque(folded) if op.CONTRACTS else folded
    counted = _counted(builder, op, axes, ends)
    result = op.indexing_maps[len(operands)]
    assert result is not None

    def at(scope: Scope, point: Coordinates) -> Expr:
        # The coordinate of an axis that stays with extent 1 is 0, and tells Halide more.
        aligned = len(point) == len(op.extents)
        source: list[Coordinate] = list(point) if aligned else [0] * len(op.extents)
        for place, coordinate in zip(result.results, point, strict=True):
            if isinstance(place, AffineDimExpr):
                source[place.position] = coordinate
        count: Expr | int = prod(op.extents[axis] for axis in axes if axis not in ends)
        if counted is not None:
            count = counted.at(scope, tuple(source))
        else:
            for growth in ends.values():
                count = builder.open_extent(scope, growth) * count
        total = folded.at(scope, tuple(source))
        others = [
            _read(builder, op, i, values[i], scope, tuple(source))[0]
            for i in range(op.ACCUMULATED, len(values))
        ]
        return op.finish(functions, total, count, *others)

    return Value(compute_type(element_of(op.result.type)), bounds_of(op.result.type), at)


def _open_ends(
    builder: KernelBuilder, op: AccumulatingOp, axes: Sequence[int]
) -> dict[int, Growth]:
    """Return the growth of each of the axes along which an open axis is read from end to end."""
    found: dict[int, Growth] = {}
    for value, map_ in zip(op.operands, op.indexing_maps, strict=False):
        for place, growth in zip(
            map_.results if map_ else (), builder.open_axes(value), strict=False
        ):
            if isinstance(place, AffineDimExpr) and place.position in axes and growth:
                found[place.position] = growth
    return {axis: found[axis] for axis in axes if axis in found}


def _read(
    builder: KernelBuilder,
    op: AccumulatingOp,
    index: int,
    x: Value,
    scope: Scope,
    point: Coordinates,
) -> tuple[Expr, Expr | None]:
    """Return the element of an operand, and whether there is one; else it is the nearest one.

    ``None`` if there always is one.
    """
    map_ = op.indexing_maps[index]
    assert map_ is not None
    places = list(coordinates(map_, scope, point))
    ends, inside = builder.open_ends(op.operands[index], range(len(places))), None
    for axis, extent in enumerate(x.shape):
        if not _leaves(map_.results[axis], op.extents, (0, extent)):
            continue
        end = ends[axis](scope) if axis in ends else scope.const(extent)
        place = scope.index(places[axis])
        within = (place >= 0) & (place < end)
        inside = within if inside is None else inside & within
        places[axis] = place.maximum(0).minimum(end - 1)
    return x.at(scope, tuple(places)), inside


def _leaves(place: AffineExpr, extents: Sequence[int], bounds: tuple[int, int]) -> bool:
    """Return whether a place may be out of bounds, of those that there are."""
    if 0 in extents:
        return False
    parts = list(place.dfs())
    if any(isinstance(e, AffineBinaryOpExpr) and e.kind == AffineBinaryOpKind.Mod for e in parts):
        return True
    used = place.used_dims()
    ends = [(0, max(n - 1, 0)) if d in used else (0,) for d, n in enumerate(extents)]
    return any(not bounds[0] <= place.eval(corner, ()) < bounds[1] for corner in product(*ends))


def _counted(
    builder: KernelBuilder, op: AccumulatingOp, axes: Sequence[int], ends: dict[int, Growth]
) -> Value | None:
    """Return the number of elements in each result; ``None`` if all count, or if no op asks."""
    shape, map_ = bounds_of(op.operands[0].type), op.indexing_maps[0]
    assert map_ is not None
    bounds = [
        (-before, n + after) for (before, after), n in zip(op.counted_margins, shape, strict=True)
    ]
    checked = [a for a, place in enumerate(map_.results) if _leaves(place, op.extents, bounds[a])]
    if type(op).finish is AccumulatingOp.finish or not checked:
        return None

    def one(scope: Scope, point: Coordinates) -> Expr:
        counts = scope.const(1)
        for axis, place in enumerate(coordinates(map_, scope, point)):
            if axis in checked:
                low, high = bounds[axis]
                own = scope.index(place)
                counts = ((own >= low) & (own < high)).select(counts, 0)
        return counts

    space = Value(i32, op.extents, one)
    return Fold(builder, "count", 0, Expr.__add__, ends=ends).along(space, axes)


@lowers(PointwiseOp)
def pointwise(builder: KernelBuilder, op: PointwiseOp, operands: Sequence[Value]) -> Value:
    """Apply the op's body to the operands' elements at one point, each broadcast.

    Halves are computed in single precision, which the result has, too.
    """
    result = element_of(op.result.type)
    if not isinstance(op, CastOp | BitCastOp):
        result = compute_type(result)
    types = [element_of(operand.type) for operand in op.operands]

    def element(scope: Scope, point: Coordinates) -> Expr:
        read = [operand.broadcast(scope, point) for operand in operands]
        if op.READS_BITS:
            elements = [rounded(x, type_) for x, type_ in zip(read, types, strict=True)]
        else:
            elements = [computed(x) for x in read]
        value: Expr = op.body(functions, *elements)
        return value.cast(result)

    def at(scope: Scope, point: Coordinates) -> Expr:
        # An element that is read twice is worked out once: else a chain doubles at each step.
        return scope.once((op, point), lambda: element(scope, point))

    return Value(result, bounds_of(op.result.type), at)


@lowers(StructuredOp)
def structured(builder: KernelBuilder, op: StructuredOp, operands: Sequence[Value]) -> Value:
    """Apply the op's body to the elements that its maps say."""

    def at(scope: Scope, point: Coordinates) -> Expr:
        elements = [
            computed(x.at(scope, coordinates(map_, scope, point)))
            for x, map_ in zip(operands, op.indexing_maps, strict=False)
            if map_ is not None
        ]
        return op.body(functions, *elements)

    return Value(compute_type(element_of(op.result.type)), bounds_of(op.result.type), at)


def coordinates(map_: AffineMap, scope: Scope, point: Coordinates) -> Coordinates:
    """Return where a map leads from a point."""
    return tuple(_coordinate(place, scope, point) for place in map_.results)


def _coordinate(place: AffineExpr, scope: Scope, point: Coordinates) -> Coordinate:
    match place:
        case AffineDimExpr():
            return point[place.position]
        case AffineConstantExpr():
            return place.value
        case AffineBinaryOpExpr():
            left, right = (_coordinate(part, scope, point) for part in (place.lhs, place.rhs))
            return _OPERATORS[place.kind](scope.index(left), right)
        case _:
            raise AssertionError(f"no coordinate: {place}")


_OPERATORS: dict[AffineBinaryOpKind, Callable[[Expr, Coordinate], Expr]] = {
    AffineBinaryOpKind.Add: Expr.__add__,
    AffineBinaryOpKind.Mul: Expr.__mul__,
    AffineBinaryOpKind.FloorDiv: Expr.__floordiv__,
    AffineBinaryOpKind.Mod: Expr.__mod__,
}
