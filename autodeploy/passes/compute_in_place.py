"""``compute-in-place``: a kernel writes its result over an operand that nobody reads any more.

A residual that is added, or what an activation is applied to, is read element by element while the
result is written. In the same memory, every line of the result is in the cache when it is written,
and the arena needs one buffer less at this call.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ProgramOp,
    ViewOp,
    elements_of,
    may_overlap,
    storage_of,
)
from autodeploy.dialects.halide.algorithm import PipelineOp
from autodeploy.dialects.halide.in_place import may_fill_in_place


@dataclass(frozen=True)
class ComputeInPlacePass(ModulePass):
    """Let calls fill an input of theirs, where their kernel may.

    The input is all of a buffer of which this is the last use, the output all of one of which it is
    the first. Kernels must have their schedules.
    """

    name = "compute-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all programs of the module."""
        pipelines = {p.sym_name.data: p for p in op.body.block.ops if isinstance(p, PipelineOp)}
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            for call in [c for c in program.body.block.ops if isinstance(c, CallOp)]:
                _share(call, pipelines[call.callee.string_value()])


def _share(call: CallOp, callee: PipelineOp) -> None:
    """Replace the outputs of a call by inputs, where that may be."""
    for output, target in zip(call.outputs, callee.outputs, strict=True):
        for value, source in zip(call.inputs, callee.inputs, strict=True):
            if (
                _begins(output, call)
                and _ends(value, call)
                and may_fill_in_place(callee, source, target)
                and not _is_elsewhere(value, call)
                and all(_is_behind(value, use.operation) for use in output.uses)
            ):
                buffer = output.owner
                assert isinstance(buffer, BufferOp)
                output.replace_all_uses_with(value)
                Rewriter.erase_op(buffer)
                break


def _users(storage: SSAValue) -> list[Operation]:
    """Return the calls and copies that name a value or a view of it."""
    found: list[Operation] = []
    for use in storage.uses:
        user = use.operation
        if isinstance(user, ViewOp):
            found += _users(user.result)
        elif isinstance(user, CallOp | CopyOp):
            found.append(user)
    return found


def _begins(output: SSAValue, call: CallOp) -> bool:
    """Tell whether an output is a buffer that no earlier call names."""
    return isinstance(output.owner, BufferOp) and not any(
        user.is_before_in_block(call) for user in _users(output)
    )


def _ends(value: SSAValue, call: CallOp) -> bool:
    """Tell whether an input is all of a buffer that no later call names."""
    storage, elements = storage_of(value), elements_of(value)
    return (
        isinstance(storage.owner, BufferOp)
        and (elements.offset, elements.end) == (0, elements_of(storage).end)
        and not any(call.is_before_in_block(user) for user in _users(storage))
    )


def _is_elsewhere(value: SSAValue, call: CallOp) -> bool:
    """Tell whether the call names the bytes of an input a second time."""
    return sum(may_overlap(value, other) for other in call.operands) > 1


def _is_behind(value: SSAValue, user: Operation) -> bool:
    """Tell whether a value is defined before a user."""
    owner = value.owner
    return isinstance(owner, Operation) and owner.is_before_in_block(user)
