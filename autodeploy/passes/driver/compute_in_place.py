"""``compute-in-place``: a kernel writes its result over an operand that no later call reads.

An activation, or the addition of a residual, reads an element of its operand and writes the element
of the result at the same place. If both are the same memory, each line of the result is in the
cache when it is written, and the arena needs one buffer less at this call.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    ForOp,
    ProgramOp,
    RowOp,
    ViewOp,
    elements_of,
    may_overlap,
    storage_of,
)
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide.in_place import may_fill_in_place
from autodeploy.dialects.halide.pipeline import PipelineOp


class ComputeInPlacePass(ModulePass):
    """Let calls write over one of their inputs, where their kernel allows it.

    The input is a whole buffer, and the call is its last use; the output is a whole buffer, and the
    call is its first use; both are in the block of the call. In a loop, the new value of a carried
    one may take its place, too: then nothing is exchanged after the step. Kernels must have their
    schedules.
    """

    name = "compute-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pipelines = {p.sym_name.data: p for p in op.body.block.ops if isinstance(p, PipelineOp)}
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            order = _Order(program)
            for call in [c for c in program.body.walk() if isinstance(c, CallOp)]:
                callee = pipelines[call.callee.string_value()]
                if callee.on_device is not None:
                    continue  # its buffers are apart
                _share(call, callee, order)
                _keep_in_place(call, callee, order)


class _Order:
    """The positions of the ops of a program, which do not move, and the last uses of buffers."""

    def __init__(self, program: ProgramOp):
        self._places = {op: place for place, op in enumerate(program.body.walk())}
        self._last_uses: dict[SSAValue, int] = {}

    def is_before(self, first: Operation, second: Operation) -> bool:
        """Return whether an op precedes another one."""
        return self._places[first] < self._places[second]

    def is_last_use(self, storage: SSAValue, call: CallOp) -> bool:
        """Return whether nothing after a call names a buffer or a view of it."""
        return self._last_use(storage) <= self._places[call]

    def replaces(self, kept: SSAValue, gone: SSAValue) -> None:
        """Record that the uses of the buffer ``gone`` become uses of ``kept``."""
        self._last_uses[kept] = max(self._last_use(kept), self._last_use(gone))

    def _last_use(self, storage: SSAValue) -> int:
        if storage not in self._last_uses:
            self._last_uses[storage] = max(self._places[user] for user in _users(storage))
        return self._last_uses[storage]


def _share(call: CallOp, callee: PipelineOp, order: _Order) -> None:
    """Replace outputs of a call by inputs, where the kernel allows it."""
    for output, target in zip(call.outputs, callee.outputs, strict=True):
        for value, source in zip(call.inputs, callee.inputs, strict=True):
            if (
                _begins(output, call, order)
                and _ends(value, call, order)
                and may_fill_in_place(callee, source, target)
                and not _is_elsewhere(value, call)
                and _open_axes(value) == _open_axes(output)
                and all(_is_behind(value, use.operation, order) for use in output.uses)
                and (not _is_exchanged(output) or _may_be_exchanged(value))
            ):
                buffer = output.owner
                assert isinstance(buffer, BufferOp)
                order.replaces(storage_of(value), output)
                output.replace_all_uses_with(value)
                Rewriter.erase_op(buffer)
                break


def _keep_in_place(call: CallOp, callee: PipelineOp, order: _Order) -> None:
    """Let a step of a loop write what the next one reads over what this one reads."""
    loop = call.parent_op()
    if not isinstance(loop, ForOp):
        return
    for value, output in loop.exchanged:
        if value in call.inputs and output in call.outputs:
            source = callee.inputs[list(call.inputs).index(value)]
            target = callee.outputs[list(call.outputs).index(output)]
            inside = [user for user in _users(value) if loop.is_ancestor(user) and user is not loop]
            if (
                may_fill_in_place(callee, source, target)
                and not _is_elsewhere(value, call)
                and all(user is call or order.is_before(user, call) for user in inside)
                and all(user is loop or not order.is_before(user, call) for user in _users(output))
            ):
                loop.exchange([pair for pair in loop.exchanged if pair != (value, output)])
                output.replace_all_uses_with(value)
                Rewriter.erase_op(cast(BufferOp, output.owner))


def _open_axes(value: SSAValue) -> Sequence[tuple[int, Growth]]:
    """Return where in a buffer a run has elements: the first ones of each part of a length.

    Each entry is that length, and how many elements there are.
    """
    owner = storage_of(value).owner
    if not isinstance(owner, BufferOp):
        return ()
    shape = elements_of(owner.result).shape
    return sorted(
        (
            (prod(shape[axis:]), growth.scaled(prod(shape[axis + 1 :])))
            for axis, growth in enumerate(owner.open_axes)
            if growth
        ),
        key=lambda part: part[0],
    )


def _is_exchanged(value: SSAValue) -> bool:
    """Return whether a loop exchanges a buffer."""
    return any(isinstance(use.operation, ForOp) for use in value.uses)


def _may_be_exchanged(value: SSAValue) -> bool:
    """Return whether a loop may exchange a buffer in the place of another one."""
    return isinstance(value.owner, BufferOp) and not _is_exchanged(value)


def _users(storage: SSAValue) -> list[Operation]:
    """Return the calls, copies, loops and choices that name a value, a view or a row of it."""
    found: list[Operation] = []
    for use in storage.uses:
        user = use.operation
        found += _users(user.result) if isinstance(user, ViewOp | RowOp) else [user]
    return found


def _begins(output: SSAValue, call: CallOp, order: _Order) -> bool:
    """Return whether an output is a buffer next to the call that no earlier call names."""
    return (
        isinstance(output.owner, BufferOp)
        and output.owner.parent is call.parent
        and not any(order.is_before(user, call) for user in _users(output))
    )


def _ends(value: SSAValue, call: CallOp, order: _Order) -> bool:
    """Return whether an input is all of a buffer next to the call that no later call names."""
    storage, elements = storage_of(value), elements_of(value)
    return (
        isinstance(storage.owner, BufferOp)
        and storage.owner.parent is call.parent
        and (elements.offset, elements.end) == (0, elements_of(storage).end)
        and order.is_last_use(storage, call)
    )


def _is_elsewhere(value: SSAValue, call: CallOp) -> bool:
    """Return whether the call names the bytes of an input a second time."""
    return sum(may_overlap(value, other) for other in call.operands) > 1


def _is_behind(value: SSAValue, user: Operation, order: _Order) -> bool:
    """Return whether a value is defined before a user."""
    owner = value.owner
    return isinstance(owner, Operation) and order.is_before(owner, user)
