"""Cleanups of the nn dialect that hold whatever comes next.

Each pattern is exact: the values are the same bit for bit, nan and the sign of zero included (which
zero ``nn.relu`` and ``nn.clip`` return at a bound of zero is theirs to choose). Ops inside
``nn.kernel`` are left alone, since a group must keep at least one op.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from autodeploy.dialects.nn.activation import ClipOp, ReluOp
from autodeploy.dialects.nn.arithmetic import AddOp, CastOp, DivOp, MulOp, SubOp
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.logic import WhereOp
from autodeploy.dialects.nn.movement import (
    BroadcastOp,
)
from autodeploy.dialects.nn.pointwise import BinaryOp
from autodeploy.dialects.nn.types import broadcast_shapes, element_of, is_float, shape_of
from autodeploy.weights import constant_value, numpy_dtype


class Simplify(RewritePattern):
    """Replace an op by the value or the simpler op that it says it equals."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: NNOp, rewriter: PatternRewriter) -> None:
        """Ask the op."""
        new = op.simplified()
        if isinstance(new, NNOp):
            _replace(rewriter, op, new)
        elif new is not None:
            rewriter.replace(op, [], [new])


class DropOperandBroadcast(RewritePattern):
    """A binary op or a where that broadcasts by itself takes the operand of an nn.broadcast."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BinaryOp | WhereOp, rewriter: PatternRewriter) -> None:
        """Replace an operand where the other ones alone give the result its shape."""
        for index, operand in enumerate(op.operands):
            if not isinstance(operand.owner, BroadcastOp):
                continue
            narrow = operand.owner.x
            shapes = [shape_of(v.type) for v in (*op.operands[:index], *op.operands[index + 1 :])]
            if broadcast_shapes(*shapes, shape_of(narrow.type)) == shape_of(op.result.type):
                op.operands[index] = narrow
                rewriter.notify_op_modified(op)
                return


class DropSameCast(RewritePattern):
    """A cast to the type that the operand has becomes its operand."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CastOp, rewriter: PatternRewriter) -> None:
        """Replace a cast of equal types."""
        if op.x.type == op.result.type:
            rewriter.replace(op, [], [op.x])


class MergeClips(RewritePattern):
    """Of relu and clip, two in a row become one; a clip without bounds becomes its operand."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReluOp | ClipOp, rewriter: PatternRewriter) -> None:
        """Merge the intervals; an empty one or a bound of nan is left alone."""
        inner = op.x.owner
        outer_low, outer_high = _interval(op)
        unbounded = outer_low == -math.inf and outer_high == math.inf
        if unbounded or (isinstance(op, ReluOp) and isinstance(inner, ReluOp)):
            rewriter.replace(op, [], [op.x])
        elif isinstance(inner, ReluOp | ClipOp):
            low, high = _interval(inner)
            if not (low <= high and outer_low <= outer_high):
                return
            low, high = (min(max(bound, outer_low), outer_high) for bound in (low, high))
            merged = ClipOp(
                inner.x,
                None if low == -math.inf else low,
                None if high == math.inf else high,
            )
            _replace(rewriter, op, merged)


def _interval(op: ReluOp | ClipOp) -> tuple[float, float]:
    if isinstance(op, ReluOp):
        return 0.0, math.inf
    low = -math.inf if op.min is None else op.min.value.data
    high = math.inf if op.max is None else op.max.value.data
    return low, high


_NEUTRAL: dict[type[BinaryOp], tuple[float, bool]] = {
    AddOp: (-0.0, True), SubOp: (0.0, False), MulOp: (1.0, True), DivOp: (1.0, False)
}  # fmt: skip
"""What changes no operand, and whether on either side: x + 0.0 makes 0.0 of -0.0, so it is -0.0."""


class DropNeutralOperand(RewritePattern):
    """Adding -0.0, subtracting 0.0, multiplying with or dividing by 1 changes nothing."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: AddOp | SubOp | MulOp | DivOp, rewriter: PatternRewriter
    ) -> None:
        """Replace the op by its other operand where the shape stays."""
        number, either = _NEUTRAL[type(op)]
        for kept, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))[: 2 if either else 1]:
            if kept.type == op.result.type and _holds_only(other, number):
                rewriter.replace(op, [], [kept])
                return


def _holds_only(value: SSAValue, number: float) -> bool:
    """Tell whether a value is a constant, all of whose elements are ``number`` bit for bit."""
    attribute = constant_value(value)
    if not isinstance(attribute, DenseAttr):
        return False
    element = element_of(attribute.type)
    one = np.array(number if is_float(element) else int(number), numpy_dtype(element))
    return attribute.data.data == one.tobytes()


def _replace(rewriter: PatternRewriter, op: NNOp, new: NNOp) -> None:
    new.location = op.location
    rewriter.replace(op, new)


@dataclass
class OutsideKernels(RewritePattern):
    """Another pattern, kept away from the ops inside nn.kernel."""

    pattern: RewritePattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Apply the pattern unless the op lies in a fusion group."""
        if not isinstance(op.parent_op(), KernelOp):
            self.pattern.match_and_rewrite(op, rewriter)


@dataclass(frozen=True)
class SimplifyNnPass(ModulePass):
    """Merge and drop nn ops that do nothing, bit for bit, and remove dead ops."""

    name = "simplify-nn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the patterns until none matches."""
        patterns: list[RewritePattern] = [
            Simplify(),
            DropOperandBroadcast(),
            DropSameCast(),
            MergeClips(),
            DropNeutralOperand(),
        ]
        applier = GreedyRewritePatternApplier(patterns)  # which removes dead ops by itself
        PatternRewriteWalker(OutsideKernels(applier)).rewrite_module(op)
