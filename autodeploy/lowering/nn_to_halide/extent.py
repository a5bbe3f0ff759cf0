"""Extents of a run as values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64

from autodeploy.dialects.nn.extent import EndedOp, ExtentOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.registry import lowers


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
