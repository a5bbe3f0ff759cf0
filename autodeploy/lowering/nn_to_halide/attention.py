"""Lowering of a softmax that a product reads before its rows are divided.

The product of exponentials and values is divided by the sum of the exponentials: a row of the
result is shorter than one of the softmax.
"""

from __future__ import annotations

from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.reduction import SoftmaxOp
from autodeploy.lowering.nn_to_halide.contraction import is_opaque
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.reduction import share_of_rows
from autodeploy.templates.attention.template import DIVIDE, RESULT


def undivided_softmax(kernel: KernelOp) -> SoftmaxOp | None:
    """Return the softmax of a kernel whose result is divided in its place, if there is one."""
    config = kernel.config
    if config is None or config.template_name != "attention" or config.values(DIVIDE) != (RESULT,):
        return None
    return next((op for op in kernel.anchors if isinstance(op, SoftmaxOp)), None)


def divided(
    builder: KernelBuilder, softmax: SoftmaxOp, power: Value, op: MatMulOp, sums: Value
) -> Value:
    """Return the sums of a product, each times the share of its row of exponentials."""
    share = share_of_rows(builder, softmax, power)
    hidden = sums if is_opaque(op, power.element) else builder.opaque(sums)

    def at(scope: Scope, point: Coordinates) -> Expr:
        return hidden.at(scope, point) * share.at(scope, (*point[:-1], 0))

    return Value(sums.element, sums.shape, at)
