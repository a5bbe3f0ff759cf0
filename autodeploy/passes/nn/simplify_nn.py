"""Cleanups of the nn dialect that hold whatever comes next.

Each op says what it equals (``NNOp.simplified``): the values are the same bit for bit, nan and the
sign of zero included (which zero ``nn.relu`` and ``nn.clip`` return at a bound of zero is theirs to
choose). Ops inside ``nn.kernel`` are left alone, since a group must keep at least one op.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.kernel import KernelOp


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
        simplify = GreedyRewritePatternApplier([Simplify()])  # which removes dead ops by itself
        PatternRewriteWalker(OutsideKernels(simplify)).rewrite_module(op)
