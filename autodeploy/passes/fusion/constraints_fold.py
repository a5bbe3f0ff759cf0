"""Native constraints of the rules that compute within a reduction what it folds."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of, largest_count
from autodeploy.passes.fusion.natives import PatternContext, native_constraint


@native_constraint("folds")
def folds(_ctx: PatternContext, op: Operation, value: SSAValue) -> bool:
    """Return whether an op is a reduction of a value, or a kernel that folds what it makes of it.

    The kernel computes nothing else of the value, which has all elements that are folded. Its
    config is open.
    """
    if isinstance(op, AnchorOp):
        return bool(op.folded_axes) and op.operands[0] is value
    if not isinstance(op, KernelOp) or op.config is not None or len(op.anchors) != 1:
        return False
    (anchor,), ops = op.anchors, op.body_ops
    arguments = zip(op.body.block.args, op.inputs, strict=True)
    users = [use.operation for own, other in arguments if other is value for use in own.uses]
    return (
        bool(anchor.folded_axes)
        and bounds_of(anchor.operands[0].type) == bounds_of(value.type)
        # Ops before the anchor are computed for it.
        and all(user in ops[: ops.index(anchor) + 1] for user in users)
    )


@native_constraint("widens")
def widens(_ctx: PatternContext, op: Operation) -> bool:
    """Return whether elements of the result have more bytes than those of the operand."""
    narrow, wide = (ELEMENT_BYTES[element_of(x.type)] for x in (op.operands[0], op.results[0]))
    return narrow < wide


@native_constraint("is_repeatable")
def is_repeatable(_ctx: PatternContext, producer: Operation, consumer: Operation) -> bool:
    """Return whether a producer takes few instructions, and its reader may repeat it.

    It may where it is the only reader. Else the producer is one op, and reads no more than one
    operand of the size of its result: it is as much to read as the result.
    """
    parts = producer.body_ops if isinstance(producer, KernelOp) else (producer,)
    ops = [part for part in parts if not isinstance(part, ConstantOp)]
    if not all(isinstance(op, PointwiseOp) and not body_cost(op).speed for op in ops):
        return False
    (made,) = producer.results
    if all(use.operation is consumer for use in made.uses):
        return True
    sizes = [largest_count(operand.type) for operand in set(producer.operands)]
    return not isinstance(producer, KernelOp) and sizes.count(largest_count(made.type)) <= 1
