"""Live ranges of the buffers of a driver program, and of the scratch memory of its calls."""

from __future__ import annotations

from xdsl.ir import SSAValue

from autodeploy.analysis.memory_planner import Block
from autodeploy.dialects.driver import BufferOp, CallOp, CopyOp, ProgramOp, storage_of
from autodeploy.dialects.memref import memref_bytes


def calls_of(program: ProgramOp) -> list[CallOp | CopyOp]:
    """Return what the program does, in call order."""
    return [op for op in program.body.block.ops if isinstance(op, CallOp | CopyOp)]


def live_ranges(program: ProgramOp) -> dict[BufferOp, Block]:
    """Return size and first and last call of every buffer; uses through views count.

    A buffer that no call names is alive at call 0, so that its offset is still a valid one.
    """
    uses: dict[SSAValue, list[int]] = {}
    for number, call in enumerate(calls_of(program)):
        for operand in call.operands:
            uses.setdefault(storage_of(operand), []).append(number)
    ranges: dict[BufferOp, Block] = {}
    for op in program.body.block.ops:
        if isinstance(op, BufferOp):
            numbers = uses.get(op.result, [0])
            ranges[op] = Block(memref_bytes(op.result.type), min(numbers), max(numbers))
    return ranges


def scratch_blocks(program: ProgramOp) -> dict[CallOp, Block]:
    """Return the scratch memory of each call that needs some: the bytes that its pipeline says."""
    scratch = {
        name: kernel.scratch_bytes.value.data
        for name, kernel in program.pipelines().items()
        if kernel.scratch_bytes is not None
    }
    return {
        call: Block(bytes_, number, number)
        for number, call in enumerate(calls_of(program))
        if isinstance(call, CallOp) and (bytes_ := scratch.get(call.callee.string_value(), 0))
    }
