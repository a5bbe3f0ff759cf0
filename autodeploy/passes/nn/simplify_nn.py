"""Cleanups of the nn dialect that hold whatever comes next.

Each op says what it equals (``NNOp.simplified``): the values are the same bit for bit, nan and the
sign of zero included (which zero ``nn.relu`` and ``nn.clip`` return at a bound of zero is theirs to
choose). Ops inside ``nn.kernel`` are left alone, since a group must keep at least one op.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr
from autodeploy.dialects.nn.control_flow import COUNTER, ForOp, row_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import shape_of


class Simplify(RewritePattern):
    """Replace an op by the value or the simpler op that it says it equals."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: NNOp, rewriter: PatternRewriter) -> None:
        """Ask the op."""
        new = op.simplified()
        if isinstance(new, NNOp):
            new.location = op.location
            rewriter.replace(op, new)
        elif new is not None:
            rewriter.replace(op, [], [new])


class InlineSingleStep(RewritePattern):
    """Replace a loop of one step by the ops of this step."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForOp, rewriter: PatternRewriter) -> None:
        """Leave loops that a run may end before the step."""
        if (
            op.steps is None
            or op.steps.value.data != 1
            or not (op.open is op.trips is op.conditional is None)
        ):
            return
        step = ConstantOp(DenseAttr(bytes(8), COUNTER))
        rows = [_reshaped(op, x, row_type(x)) for x in op.tensors]
        rewriter.insert([step, *rows], InsertPoint.before(op))
        given = (step.result, *op.inits, *(row.result for row in rows), *op.captured)
        rewriter.inline_block(op.body.block, InsertPoint.before(op), given)
        end = op.prev_op
        assert end is not None
        carried, made = end.operands[: len(op.inits)], end.operands[len(op.inits) :]
        rewriter.erase(end)
        stacked = [_reshaped(op, x, y.type) for x, y in zip(made, op.stacked, strict=True)]
        rewriter.replace(op, stacked, [*carried, *(row.result for row in stacked)])


def _reshaped(op: Operation, x: SSAValue, type_: Attribute) -> ReshapeOp:
    new = ReshapeOp(x, shape_of(type_))
    new.location = op.location
    return new


@dataclass
class OutsideKernels(RewritePattern):
    """Another pattern, kept away from the ops inside nn.kernel."""

    pattern: RewritePattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Apply the pattern unless the op is in a fusion group."""
        if not isinstance(op.parent_op(), KernelOp):
            self.pattern.match_and_rewrite(op, rewriter)


class SimplifyNnPass(ModulePass):
    """Merge and drop nn ops that do nothing, bit for bit, and remove dead ops."""

    name = "simplify-nn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the patterns until none matches."""
        patterns: list[RewritePattern] = [Simplify(), InlineSingleStep()]
        simplify = GreedyRewritePatternApplier(patterns)  # which removes dead ops by itself
        PatternRewriteWalker(OutsideKernels(simplify)).rewrite_module(op)
