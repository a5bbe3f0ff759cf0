"""``expand-for-rvv``: selects and products as arithmetic on bits, for RISC-V's vectors.

If a condition is the same for all lanes, Halide 21 hands LLVM a vector select with a scalar
condition, and LLVM ends the process. Which conditions are, only Halide knows. A product of an
unsigned and a signed integer that are widened becomes ``vwmulsu`` with its operands exchanged: the
numbers are wrong.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i16, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.halide.algorithm import LoadOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_bool, ui8, ui16, ui32, ui64
from autodeploy.lowering.nn_to_halide.expression import Before, Expr, replace

_UNSIGNED: Mapping[int, Attribute] = {1: ui8, 2: ui16, 4: ui32, 8: ui64}
_SIGNED = (i16, i32, i64)


class ExpandForRvvPass(ModulePass):
    """Choose between values in all pipelines by arithmetic on their bits, without a select.

    Signed integers are multiplied as unsigned ones: the lower bits of the product are the same, and
    Halide finds no product of two signs. Indices keep both: Halide must see their bounds.
    ``compile-kernels`` does this for kernels for RISC-V with vectors; the pass shows the result.
    """

    name = "expand-for-rvv"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all pipelines of the module."""
        for pipeline in [p for p in op.walk() if isinstance(p, PipelineOp)]:
            expand_for_rvv(pipeline)


def expand_for_rvv(pipeline: PipelineOp) -> None:
    """Rewrite one pipeline in place."""
    in_indices = _in_indices(pipeline)
    for op in [op for op in pipeline.walk() if isinstance(op, h.SelectOp)]:
        if op not in in_indices:
            replace(op, _chosen(op, Before(op)))
    for op in [op for op in pipeline.walk() if isinstance(op, h.MulOp)]:
        if op.result.type in _SIGNED and op not in in_indices:
            replace(op, _wrapped(op, Before(op)))


def _in_indices(pipeline: PipelineOp) -> set[Operation]:
    """Return the ops that indices of loads are computed by."""
    loads = (op for op in pipeline.walk() if isinstance(op, LoadOp))
    waiting: list[SSAValue] = [index for load in loads for index in load.indices]
    found: set[Operation] = set()
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, h.ExpressionOp) and owner not in found:
            found.add(owner)
            waiting.extend(owner.operands)
    return found


def _chosen(op: h.SelectOp, scope: Before) -> Expr:
    condition, yes, no = map(scope.expr, op.operands)
    if is_bool(yes.type):
        return (condition & yes) | (~condition & no)
    unsigned = _UNSIGNED[ELEMENT_BYTES[yes.type]]
    bits, other = (x.reinterpret(unsigned) for x in (yes, no))
    # The difference wraps around, and so does the sum.
    return (other + (bits - other) * condition.cast(unsigned)).reinterpret(op.result.type)


def _wrapped(op: h.MulOp, scope: Before) -> Expr:
    unsigned = _UNSIGNED[ELEMENT_BYTES[op.result.type]]
    lhs, rhs = (scope.expr(x).reinterpret(unsigned) for x in op.operands)
    return (lhs * rhs).reinterpret(op.result.type)
