"""Lowering of lookups: the index is read first, then what it points at."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32

from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp, LookupOp
from autodeploy.dialects.nn.types import bounds_of, highest, is_unsigned
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.registry import lowers


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
