"""Lowering of pointwise ops: their body at one point, of operands that broadcast."""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import compute_type, element_of, shape_of
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.precision import computed
from autodeploy.lowering.nn_to_halide.registry import lowers


@lowers(PointwiseOp)
def pointwise(builder: KernelBuilder, op: PointwiseOp, operands: Sequence[Value]) -> Value:
    """Apply the op's body to the operands' elements at one point, each broadcast.

    Halves are computed in single precision, which the result has, too.
    """
    result = element_of(op.result.type)
    if not isinstance(op, CastOp):
        result = compute_type(result)

    def element(scope: Scope, point: Coordinates) -> Expr:
        elements = [computed(operand.broadcast(scope, point)) for operand in operands]
        value: Expr = op.body(functions, *elements)
        return value.cast(result)

    def at(scope: Scope, point: Coordinates) -> Expr:
        # An element that is read twice is worked out once: else a chain doubles at each step.
        return scope.once((op, point), lambda: element(scope, point))

    return Value(result, shape_of(op.result.type), at)
