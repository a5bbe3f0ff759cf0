"""The memory map of a planned program, as text."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr

from autodeploy.analysis.live_ranges import calls_of, live_ranges, scratch_blocks
from autodeploy.analysis.memory_planner import Block, plan
from autodeploy.analysis.memory_sizes import exact_bytes, readable_bytes
from autodeploy.analysis.overlaps import overlaps_of
from autodeploy.dialects.driver import (
    BufferOp,
    Call,
    CallOp,
    CopyOp,
    JoinOp,
    LibraryCallOp,
    ProgramOp,
    TransferOp,
    root_of,
)
from autodeploy.dialects.memref import ALIGNMENT, aligned


def lower_bound(program: ProgramOp) -> int:
    """Return the largest sum of live bytes of a program, scratch included: no arena is smaller."""
    outside = {op for op, *_ in program.output_allocations()}
    ranges = {op: block for op, block in live_ranges(program).items() if op not in outside}
    scratch = [block for op, block in scratch_blocks(program).items() if op not in outside]
    blocks = [*ranges.values(), *scratch]
    overlaps = overlaps_of(program, ranges)
    return plan(blocks, ALIGNMENT, reuse=False, overlaps=overlaps).lower_bound


def bytes_in_outputs(program: ProgramOp) -> int:
    """Return how many bytes of outputs hold buffers before anything is written to them."""
    ends: dict[int, int] = {}
    for _, output, offset, size in program.output_allocations():
        ends[output] = max(ends.get(output, 0), offset + aligned(size))
    return sum(ends.values())


def memory_map(program: ProgramOp) -> str:
    """Return a table of the arena: a line a buffer by offset, then arena against lower bound.

    Offsets are bytes; a live range is ``first..last`` in numbers of calls, and the kernel is the
    one of the first call. The scratch of a call has a line of its own. Blocks that are not planned
    yet are left out. Blocks in outputs follow those in the arena.
    """
    calls = calls_of(program)
    lines = [f"{'offset':>12} {'size':>12} {'calls':>11}  kernel"]
    outputs = {op: output for op, output, *_ in program.output_allocations()}
    rows: list[tuple[int, int, int, str]] = []

    def add(op: BufferOp | CallOp, offset: IntegerAttr | None, block: Block, name: str) -> None:
        if offset is not None:
            output = outputs.get(op, -1)
            inside = f", in output {output}" if op in outputs else ""
            rows.append((output, offset.value.data, block.first, _row(block, name + inside)))

    for buffer, block in live_ranges(program).items():
        name = _user_name(buffer, calls[block.first : block.first + 1])
        add(buffer, buffer.offset, block, name)
    for call, block in scratch_blocks(program).items():
        add(call, call.scratch, block, f"scratch of {call.callee.string_value()}")
    lines += [f"{offset:>12} {text}" for _, offset, _, text in sorted(rows)]
    arena = program.arena_bytes.value.data if program.arena_bytes is not None else 0
    bound = lower_bound(program)
    ratio = arena / bound if bound else 1.0
    sizes = f"arena {exact_bytes(arena)}, largest live sum {exact_bytes(bound)}"
    if inside := bytes_in_outputs(program):
        sizes += f", {exact_bytes(inside)} in outputs"
    lines.append(f"{sizes}, ratio {ratio:.3f}")
    lines += [f"pool {name} from offset {start}" for name, start in program.pools]
    return "\n".join(lines)


def _row(block: Block, name: str) -> str:
    return f"{readable_bytes(block.bytes):>12} {f'{block.first}..{block.last}':>11}  {name}"


def _user_name(buffer: BufferOp, calls: list[Call]) -> str:
    """Return the kernel of the first of the calls that uses a buffer."""
    users = (c for c in calls if any(root_of(operand) is buffer.result for operand in c.operands))
    return next(map(call_name, users), "unused")


def call_name(call: Call) -> str:
    """Return the kernel or the function that is called, or ``copy``, ``transfer`` or ``join``."""
    match call:
        case CallOp():
            return call.callee.string_value()
        case LibraryCallOp():
            return call.callee.data
        case CopyOp():
            return "copy"
        case TransferOp():
            return "transfer"
        case JoinOp():
            return "join"
