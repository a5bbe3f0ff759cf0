"""Live ranges of the buffers of a driver program, and of the scratch memory of its calls.

Calls and copies are numbered in the order of the text, those of regions included. A loop or a
choice has all the numbers of its body: outer memory that it uses is live from its first call to its
last, since each of them may run again."""

from __future__ import annotations

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from autodeploy.analysis.memory_planner import Block as Bytes
from autodeploy.dialects.driver import (
    CALLS,
    BufferOp,
    Call,
    CallOp,
    ForOp,
    IfOp,
    ProgramOp,
    is_on_device,
    root_of,
)
from autodeploy.dialects.memref import memref_bytes


def calls_of(program: ProgramOp) -> list[Call]:
    """Return what the program does, in the order of the text."""
    return [op for op in program.body.walk() if isinstance(op, CALLS)]


def live_ranges(program: ProgramOp, *, on_device: bool = False) -> dict[BufferOp, Bytes]:
    """Return size and first and last call of every buffer; uses through views and rows count.

    They are the buffers of the processor's arena, or those of the device's.

    Buffers that a loop exchanges have one range, that of both. A buffer that no call names is alive
    at call 0, so that its offset is still a valid one.
    """
    spans = _spans(program)
    found: dict[BufferOp, tuple[int, int]] = {}
    partners: list[tuple[BufferOp, BufferOp]] = []
    for op in spans:
        for operand in op.operands:
            buffer = root_of(operand).owner
            if isinstance(buffer, BufferOp):
                first, last = spans[_beside(buffer, op)]
                known = found.get(buffer, (first, last))
                found[buffer] = min(known[0], first), max(known[1], last)
        if isinstance(op, ForOp):
            for one, other in op.exchanged:
                assert isinstance(one.owner, BufferOp) and isinstance(other.owner, BufferOp)
                partners.append((one.owner, other.owner))
    for one, other in partners:
        ends = found[one], found[other]
        found[one] = found[other] = min(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1])
    return {
        op: Bytes(memref_bytes(op.result.type), *found.get(op, (0, 0)))
        for op in program.body.walk()
        if isinstance(op, BufferOp) and is_on_device(op.result) == on_device
    }


def first_uses(program: ProgramOp) -> dict[SSAValue, int]:
    """Return the first call that names each output, through views and rows too."""
    spans = _spans(program)
    found: dict[SSAValue, int] = {}
    for op in spans:
        for root in map(root_of, op.operands):
            if isinstance(root, BlockArgument):
                # All values that a loop computes are live together with it.
                outermost = program.body.block.find_ancestor_op_in_block(op)
                assert outermost is not None
                first = spans[outermost][0]
                found[root] = min(found.get(root, first), first)
    return {output: found[output] for output in program.outputs if output in found}


def exchanged_buffers(program: ProgramOp) -> set[SSAValue]:
    """Return the buffers whose memory loops exchange.

    A program does not undo that: from run to run, each may have the memory of the other one.
    """
    loops = (op for op in program.body.walk() if isinstance(op, ForOp))
    return {buffer for loop in loops for pair in loop.exchanged for buffer in pair}


def _spans(program: ProgramOp) -> dict[Operation, tuple[int, int]]:
    """Return the numbers of the first and the last call of each op that uses memory.

    A loop or a choice without a call has the number of the next call.
    """
    spans: dict[Operation, tuple[int, int]] = {}
    number = 0

    def visit(block: Block) -> None:
        nonlocal number
        for op in block.ops:
            first = number
            for region in op.regions:
                visit(region.block)
            if isinstance(op, CALLS):
                number += 1
            if isinstance(op, (*CALLS, ForOp, IfOp)):
                spans[op] = first, max(first, number - 1)

    visit(program.body.block)
    return spans


def _beside(buffer: BufferOp, op: Operation) -> Operation:
    """Return the op of a buffer's block that a user of the buffer is, or is a part of."""
    block = buffer.parent
    assert block is not None
    found = block.find_ancestor_op_in_block(op)
    assert found is not None  # what a region defines is not seen outside
    return found


def scratch_blocks(program: ProgramOp, *, on_device: bool = False) -> dict[CallOp, Bytes]:
    """Return the scratch memory of each call that needs some: the bytes that its pipeline says.

    They are the calls of kernels on the processor, or of those on the device.
    """
    scratch = {
        name: kernel.scratch_bytes.value.data
        for name, kernel in program.pipelines().items()
        if kernel.scratch_bytes is not None and (kernel.on_device is not None) == on_device
    }
    return {
        call: Bytes(bytes_, number, number)
        for number, call in enumerate(calls_of(program))
        if isinstance(call, CallOp) and (bytes_ := scratch.get(call.callee.string_value(), 0))
    }
