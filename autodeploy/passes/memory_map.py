"""The memory map of a planned program, as text."""

from __future__ import annotations

from autodeploy.dialects.driver import ALIGNMENT, BufferOp, CallOp, CopyOp, ProgramOp, storage_of
from autodeploy.passes.live_ranges import calls_of, live_ranges
from autodeploy.passes.memory_planner import plan


def lower_bound(program: ProgramOp) -> int:
    """Return the largest sum of live bytes of a program: no arena is smaller."""
    return plan(list(live_ranges(program).values()), ALIGNMENT, reuse=False).lower_bound


def memory_map(program: ProgramOp) -> str:
    """Return a table of the arena: a line a buffer by offset, then arena against lower bound.

    Sizes are bytes; a live range is ``first..last`` in numbers of calls, and the kernel is the one
    of the first call. Buffers that are not planned yet have no offset and are left out.
    """
    calls = calls_of(program)
    lines = [f"{'offset':>12} {'bytes':>12} {'calls':>11}  kernel"]
    rows: list[tuple[int, int, str]] = []
    for buffer, block in live_ranges(program).items():
        if buffer.offset is not None:
            name = _user_name(buffer, calls[block.first : block.first + 1])
            text = f"{block.bytes:>12} {f'{block.first}..{block.last}':>11}  {name}"
            rows.append((buffer.offset.value.data, block.first, text))
    lines += [f"{offset:>12} {text}" for offset, _, text in sorted(rows)]
    arena = program.arena_bytes.value.data if program.arena_bytes is not None else 0
    bound = lower_bound(program)
    ratio = arena / bound if bound else 1.0
    lines.append(f"arena {arena} bytes, largest live sum {bound} bytes, ratio {ratio:.3f}")
    if program.scratch_bytes is not None:
        lines.append(f"scratch {program.scratch_bytes.value.data} bytes")
    return "\n".join(lines)


def _user_name(buffer: BufferOp, calls: list[CallOp | CopyOp]) -> str:
    """Return the kernel of the first of the calls that uses a buffer."""
    for call in calls:
        if any(storage_of(operand) is buffer.result for operand in call.operands):
            return call.callee.string_value() if isinstance(call, CallOp) else "copy"
    return "unused"
