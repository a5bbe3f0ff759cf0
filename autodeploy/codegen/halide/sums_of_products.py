"""The arrays of a kernel that hold sums of products, by their names in Halide's C."""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import SSAValue

from autodeploy.codegen.c.names import c_identifier
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.expression import AddOp, MulOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.types import is_float


def sums_of_products(pipeline: PipelineOp) -> Set[str]:
    """Return the names of the funcs to which updates add products, each rounded as one may.

    A pipeline without ``fast_math`` has none, nor are there any in ``halide.strict``.
    """
    if not pipeline.fast_math:
        return frozenset()
    prefix = c_identifier(pipeline.sym_name.data)
    return frozenset(
        f"_{prefix}_{c_identifier(op.func.owner.func_name.data)}"
        for op in pipeline.body.block.ops
        if isinstance(op, UpdateOp) and isinstance(op.func.owner, FuncOp) and _adds_product(op)
    )


def _adds_product(update: UpdateOp) -> bool:
    last = update.body.block.last_op
    if not isinstance(last, YieldOp) or not is_float(last.value.type):
        return False
    added = last.value.owner
    if not isinstance(added, AddOp):
        return False
    operands = (added.lhs, added.rhs)
    return any(_is_own(value, update) for value in operands) and any(
        isinstance(value.owner, MulOp) for value in operands
    )


def _is_own(value: SSAValue, update: UpdateOp) -> bool:
    return isinstance(value.owner, LoadOp) and value.owner.source is update.func
