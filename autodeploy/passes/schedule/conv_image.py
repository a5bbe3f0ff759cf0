"""How a convolution reads the channels of its image: one behind the other, or shuffled.

Where a channel shuffle is part of the kernel, the place of a channel is computed by remainders: of
channels that have been k lists of them, in turn one of each.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.expression import ConstOp, ModOp
from autodeploy.passes.schedule.view import PipelineView


def image_load(view: PipelineView, conv: FuncOp) -> LoadOp:
    """Return what reads an element of the image."""
    (update,) = view.updates[conv]
    loads = (op for op in update.body.walk() if isinstance(op, LoadOp))
    return next(op for op in loads if op.source is not conv.result)


def shuffle_factors(view: PipelineView, conv: FuncOp) -> set[int]:
    """Return what the places of channels are remainders by; nothing where they are in order."""
    return _divisors(image_load(view, conv).indices[0])


def _divisors(value: SSAValue) -> set[int]:
    owner = value.owner
    if not isinstance(owner, Operation):
        return set()
    found = {factor for operand in owner.operands for factor in _divisors(operand)}
    if isinstance(owner, ModOp) and isinstance(owner.rhs.owner, ConstOp):
        found.add(int(owner.rhs.owner.value.value.data))
    return found
