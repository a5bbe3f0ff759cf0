"""``widen-floats``: 16-bit floats of a model are computed, and kept, in 32 bits."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, bf16, f16, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.analysis.folding_budget import FoldingBudget
from autodeploy.dialects.nn.arithmetic import BitCastOp, CastOp
from autodeploy.dialects.nn.base import MovementOp, NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.lookup import LookupOp
from autodeploy.dialects.nn.marks import states_of
from autodeploy.dialects.nn.types import ELEMENT_NAMES, element_of, shape_of, tensor
from autodeploy.passes.nn.fold_nn_constants import fold_op

STORED_ATTRIBUTE = "nn.stored"
"""Module attribute that names the 16-bit type that weights had in the model."""


class WidenFloatsPass(ModulePass):
    """Make 32-bit floats of 16-bit ones, except of inputs, outputs and casts of the model.

    Values between operators then keep more digits and a larger range than the model says, as they
    do in onnxruntime on processors without arithmetic of 16 bits. The attribute ``nn.stored`` of
    the module names the type that weights had. A state that a join appends rows to keeps its type,
    and so does a constant whose rows are looked up: readers widen the few that are.
    """

    name = "widen-floats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        narrow: dict[SSAValue, Attribute] = {}
        budget = FoldingBudget.of(ctx)
        caches = set(_caches(op))
        for inner in list(op.walk()):
            if inner in caches:
                _narrow_operands(inner, narrow)
            elif isinstance(inner, LookupOp) and isinstance(inner.x.owner, ConstantOp):
                continue
            elif isinstance(inner, NNOp) and not isinstance(inner, CastOp | BitCastOp):
                for index, operand in enumerate(inner.operands):
                    if (element := _half(operand)) is None:
                        continue
                    if isinstance(operand.owner, ConstantOp):
                        op.attributes[STORED_ATTRIBUTE] = StringAttr(ELEMENT_NAMES[element])
                    cast = _widened(operand)
                    inner.operands[index] = cast.result
                    fold_op(ctx, cast, budget)
                if (element := _half(inner.result)) is not None:
                    wide = tensor(f32, shape_of(inner.result.type))
                    narrow[Rewriter.replace_value_with_new_type(inner.result, wide)] = element
            elif not isinstance(inner, CastOp):
                _narrow_operands(inner, narrow)


def _caches(module: ModuleOp) -> Iterator[Operation]:
    """Yield the joins of states and new rows whose results the next run finds."""
    for func in module.body.block.ops:
        if not isinstance(func, FuncOp):
            continue
        returned = func.body.block.last_op
        for state in states_of(func):
            found = func.body.block.args[state.argument]
            join = None if returned is None else returned.operands[state.result].owner
            if not isinstance(join, MovementOp) or join.joined_axis is None:
                continue
            if join.operands[0] is found:
                yield join


def _half(value: SSAValue) -> Attribute | None:
    """Return the element type of a tensor of 16-bit floats; ``None`` of other ones."""
    element = element_of(value.type)
    return element if element in (f16, bf16) else None


def _widened(value: SSAValue) -> CastOp:
    """Return a cast of a value to 32 bits, after its definition, that all readers share."""
    for use in value.uses:
        if isinstance(use.operation, CastOp) and element_of(use.operation.result.type) == f32:
            return use.operation
    cast, owner = CastOp(value, f32), value.owner
    is_argument = isinstance(owner, Block)
    Rewriter.insert_op(
        cast, InsertPoint.at_start(owner) if is_argument else InsertPoint.after(owner)
    )
    return cast


def _narrow_operands(op: Operation, narrow: dict[SSAValue, Attribute]) -> None:
    """Give an op whose types are those of the model operands of these types."""
    for index, operand in enumerate(op.operands):
        if operand in narrow:
            cast = CastOp(operand, narrow[operand])
            Rewriter.insert_op(cast, InsertPoint.before(op))
            op.operands[index] = cast.result
