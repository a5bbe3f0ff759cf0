"""``elide-copies``: calls write a value where it would be copied to.

A copy of a whole buffer goes if the calls that fill the buffer can fill the target of the copy. The
parts of a concat are then written into the concat, with the strides of their place there, and other
calls read them from there. A concat that is part of another one moves as a whole: a chain of them
becomes one buffer that grows by a slice a step. Heads that a transpose merges are written to their
place in the same way.

Kernels know the strides of their buffers as constants, so a call may need a kernel of its own.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    ForOp,
    JoinOp,
    ProgramOp,
    StateOp,
    ViewOp,
    elements_of,
    shares_memory,
    starts_aligned,
    storage_of,
)
from autodeploy.dialects.halide.algorithm import LoadOp, UpdateOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.memref import ALIGNMENT, MemRef, strided_memref
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.strides import Move, Region, is_row_major
from autodeploy.passes.driver.kernel_variants import specialise

_User: TypeAlias = CallOp | CopyOp | JoinOp
"""Ops that may read or write a buffer at another place."""


class ElideCopiesPass(ModulePass):
    """Make buffers that are copied as a whole parts of the targets of the copies.

    A copy stays if

    - its source is an input, a weight, an output or a part of a buffer, or in another region
    - a loop reads the buffer by rows, or begins with the copied value while the source is read
    - it is copied to or from an argument with an inner open axis, or the library uses it
    - a use has no strides there, or innermost elements or joined rows would not be contiguous
    - a call would read its own output, or find it at an unaligned place
    - it is copied to a state, and a user of the buffer is in a region
    - it is copied to a state that is read after the first user of the buffer
    """

    name = "elide-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pipelines = {p.sym_name.data: p for p in op.body.block.ops if isinstance(p, PipelineOp)}
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            for copy in [c for c in program.body.walk() if isinstance(c, CopyOp)]:
                _elide(copy, pipelines, program)
            _drop_views(program)
            specialise(program, pipelines)


def _elide(copy: CopyOp, pipelines: dict[str, PipelineOp], program: ProgramOp) -> None:
    """Place the source of a copy where it is copied to, if all its uses allow that."""
    source, target = storage_of(copy.source), storage_of(copy.target)
    if source is target or not isinstance(source.owner, BufferOp):
        return
    if source.owner.parent is not copy.parent:
        return
    move = _move(copy)
    if move is None or not move.keeps_vectors:
        return
    places: dict[SSAValue, Region] = {}
    begins = any(isinstance(use.operation, ForOp) for use in target.uses)
    if isinstance(target.owner, StateOp) and not _may_hold(target.owner, source.owner):
        return
    users: dict[_User, None] = {}
    for value in (source, *_views_of(source)):
        uses = [use.operation for use in value.uses if not isinstance(use.operation, ViewOp)]
        here = [user for user in uses if isinstance(user, CallOp | CopyOp | JoinOp)]
        copies = [user for user in here if isinstance(user, CopyOp)]
        if any(program.is_packed(operand) for user in copies for operand in user.operands):
            return
        if len(here) < len(uses) or (begins and not all(_is_before(user, copy) for user in here)):
            return
        users |= dict.fromkeys(user for user in here if user is not copy)
        if here:
            place = move.apply(elements_of(value))
            if place is None or not all(_keeps_rows(user, place) for user in here):
                return
            places[value] = place
    for user in users:
        if not _lies_apart(user, places, target):
            return
        if isinstance(user, CallOp) and not _is_aligned_for(user, places, pipelines, target):
            return
    _replace(copy, source.owner, target, places)


def _may_hold(state: StateOp, buffer: BufferOp) -> bool:
    """Return whether the users of a buffer may have the memory of a state instead.

    They are in no region, and all ops that read what a run finds precede them.
    """
    block = buffer.parent_block()
    assert block is not None
    users = set(_users_of(buffer.result))
    if any(user.parent is not block for user in users):
        return False
    first = next(op for op in block.ops if op in users)
    readers = map(block.find_ancestor_op_in_block, _users_of(state.found))
    return all(op is not None and op.is_before_in_block(first) for op in readers)


def _users_of(storage: SSAValue) -> list[Operation]:
    """Return the ops that name a value or a view of it."""
    uses = [use.operation for value in (storage, *_views_of(storage)) for use in value.uses]
    return [op for op in uses if not isinstance(op, ViewOp)]


def _move(copy: CopyOp) -> Move | None:
    """Return where the elements of the copy's whole source go, ``None`` if it is not all of it."""
    source, target = elements_of(copy.source), elements_of(copy.target)
    whole = elements_of(storage_of(copy.source))
    if source.offset or source.end != whole.end or source.shape != target.shape:
        return None
    try:
        return Move(source.shape, source.strides, target.strides, target.offset)
    except ValueError:
        return None


def _is_before(user: Operation, copy: CopyOp) -> bool:
    """Return whether what reads the source of a copy does so before it, or is the copy."""
    block = copy.parent
    found = None if block is None else block.find_ancestor_op_in_block(user)
    return user is copy or (found is not None and found.is_before_in_block(copy))


def _views_of(storage: SSAValue) -> list[SSAValue]:
    """Return the views of a value, and the views of those."""
    found: list[SSAValue] = []
    for use in storage.uses:
        if isinstance(use.operation, ViewOp):
            found += [use.operation.result, *_views_of(use.operation.result)]
    return found


def _keeps_rows(user: _User, place: Region) -> bool:
    """Return whether the rows that a user joins are contiguous at the place of an operand."""
    if not isinstance(user, JoinOp):
        return True
    inner = slice(user.axis.value.data + 1, None)
    return is_row_major(place.shape[inner], place.strides[inner])


def _lies_apart(user: _User, places: dict[SSAValue, Region], target: SSAValue) -> bool:
    """Return whether no output of a user overlaps another of its operands at the new places."""

    def region(value: SSAValue) -> Region | None:
        if value in places:
            return places[value]
        return elements_of(value) if shares_memory(storage_of(value), target) else None

    read, written = (
        ([user.source], [user.target])
        if isinstance(user, CopyOp | JoinOp)
        else (list(user.inputs), list(user.outputs))
    )
    others = [region(value) for value in (*read, *written)]
    return not any(
        output is not None and other is not None and output.meets(other)
        for number, output in enumerate(others[len(read) :])
        for other in others[: len(read) + number]
    )


def _is_aligned_for(
    call: CallOp, places: dict[SSAValue, Region], pipelines: dict[str, PipelineOp], target: SSAValue
) -> bool:
    """Return whether the outputs that a kernel reads again are aligned at their new places."""
    callee = pipelines[call.callee.string_value()]
    return all(
        value not in places
        or not _reads_output(callee, number)
        or (
            starts_aligned(target)
            and _is_aligned(places[value], ELEMENT_BYTES[cast(MemRef, value.type).element_type])
        )
        for number, value in enumerate(call.outputs)
    )


def _reads_output(pipeline: PipelineOp, number: int) -> bool:
    """Return whether a kernel reads one of its outputs: Halide takes such a buffer as aligned."""
    buffer = pipeline.outputs[number]
    (bound,) = (use.operation for use in buffer.uses if isinstance(use.operation, OutputOp))
    assert isinstance(bound, OutputOp)
    return any(isinstance(use.operation, LoadOp | UpdateOp) for use in bound.func.uses)


def _is_aligned(region: Region, element_bytes: int) -> bool:
    """Return whether every row along the innermost axis starts at an aligned byte."""
    axes = zip(region.shape[:-1], region.strides[:-1], strict=True)
    steps = [region.offset, *(stride for extent, stride in axes if extent > 1)]
    return all(step * element_bytes % ALIGNMENT == 0 for step in steps)


def _replace(
    copy: CopyOp, buffer: BufferOp, target: SSAValue, places: dict[SSAValue, Region]
) -> None:
    """Replace a buffer and its views by views of the target, which is defined before them."""
    block = buffer.parent_block()
    assert block is not None
    owner = target.owner
    if (
        isinstance(owner, BufferOp)
        and owner.parent is block
        and not owner.is_before_in_block(buffer)
    ):
        owner.detach()
        block.insert_op_before(owner, buffer)
    Rewriter.erase_op(copy)
    for value, place in places.items():
        element = cast(MemRef, value.type).element_type
        view = ViewOp(target, strided_memref(element, place.shape, place.strides), place.offset)
        view.location = cast(Operation, value.owner).location
        view.result.name_hint = value.name_hint
        Rewriter.insert_op(view, InsertPoint.before(buffer))
        for use in list(value.uses):
            if not isinstance(use.operation, ViewOp):
                use.operation.operands[use.index] = view.result
    for old in reversed(_views_of(buffer.result)):
        Rewriter.erase_op(cast(ViewOp, old.owner))
    Rewriter.erase_op(buffer)


def _drop_views(program: ProgramOp) -> None:
    """Remove views without uses, which were the targets of elided copies."""
    for op in reversed(list(program.body.walk())):
        if isinstance(op, ViewOp) and not op.result.uses:
            Rewriter.erase_op(op)
