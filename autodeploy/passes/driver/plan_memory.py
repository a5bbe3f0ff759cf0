"""``plan-memory``: every buffer of the program gets its offset in the arena."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.passes import ModulePass

from autodeploy.analysis.live_ranges import (
    exchanged_buffers,
    first_uses,
    live_ranges,
    scratch_blocks,
)
from autodeploy.analysis.memory_limits import largest_tensors
from autodeploy.analysis.memory_map import memory_map
from autodeploy.analysis.memory_planner import Block, plan
from autodeploy.analysis.memory_pools import (
    Pool,
    plan_in_pools,
    pool_starts,
    pools_of_text,
    uses_of,
)
from autodeploy.analysis.memory_sizes import exact_bytes
from autodeploy.analysis.overlaps import overlaps_of
from autodeploy.analysis.spare_memory import FreeInterval, Placement, plan_with_intervals
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import BufferOp, CallOp, ProgramOp
from autodeploy.dialects.memref import ALIGNMENT, aligned, memref_bytes
from autodeploy.machine.devices import DEVICE_ALIGNMENT


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """Place the buffers of each driver.program in one arena.

    Buffers whose live ranges do not touch share bytes, unless ``reuse`` is false; a call may fill
    one buffer over the part of another that it has read. The scratch of a call is placed like a
    buffer that is alive at this call alone; without ``reuse``, all calls share one block of
    scratch. A block that is dead before the first call that names an output is in the output if
    that makes the arena smaller, unless a loop exchanges its memory. Each further thread has
    scratch of its own outside of the arena, as much as the kernel with the most takes, and the
    stack is that of the kernel with the most. Without ``in-outputs``, outputs hold nothing but
    results. ``compile-kernels`` writes how much of each kernels take; before it, the plan has none.
    States have memory of their own, and so has the device, where blocks are apart. With
    ``print-map`` the map is written to standard error.

    ``pools`` are memories that share the arena, the fastest first, with the most bytes that each
    has (``dtcm=128K,sram=512K``): the blocks that calls use most are in the first one.
    """

    name = "plan-memory"

    reuse: bool = True
    in_outputs: bool = True
    print_map: bool = False
    pools: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set the places of buffers and of the scratch of calls, and all sizes on the program."""
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            _place_states(program)
            pools = pools_of_text(self.pools)
            _plan_arena(program, pools, reuse=self.reuse, in_outputs=self.in_outputs)
            _plan_device(program, reuse=self.reuse)
            _size_the_rest(program)
            if self.print_map:
                print(memory_map(program), file=sys.stderr)


def _plan_arena(
    program: ProgramOp, pools: Sequence[Pool], *, reuse: bool, in_outputs: bool
) -> None:
    ranges, scratch = live_ranges(program), scratch_blocks(program)
    largest = max((block.bytes for block in scratch.values()), default=0)
    buffers = list(ranges.values())
    # If every value keeps its bytes, all calls share one block of scratch.
    working = list(scratch.values()) if reuse else [Block(largest, 0, 0)]
    blocks = [*buffers, *working]
    if reuse:
        intervals = _intervals(program) if in_outputs else []
        overlaps = overlaps_of(program, ranges)
        exchanged = exchanged_buffers(program)
        staying = {i for i, buffer in enumerate(ranges) if buffer.result in exchanged}
        found, beside = plan_with_intervals(blocks, intervals, ALIGNMENT, overlaps, staying)
    else:
        overlaps = []
        found, beside = plan(blocks, ALIGNMENT, reuse=False), dict[int, Placement]()
    offsets, arena = found.offsets, found.arena_bytes
    program.pool_names = program.pool_starts = None
    if pools:
        calls = max((block.last for block in blocks), default=0)
        inside = [
            Block(0, 0, 0) if i in beside else block if reuse else Block(block.bytes, 0, calls)
            for i, block in enumerate(blocks)
        ]
        pairs = [p for p in overlaps if not {p.source, p.target} & beside.keys()]
        uses = uses_of(program, [*ranges, *(list(scratch) if reuse else list(scratch)[:1])])
        offsets, used = plan_in_pools(inside, uses, pools, pairs)
        _check_pool(program, used, pools[-1])
        arena = sum(used)
        program.pool_names = ArrayAttr(StringAttr(pool.name) for pool in pools)
        program.pool_starts = DenseArrayBase.from_list(i64, pool_starts(used))
    places = [
        (offsets[i], None) if i not in beside else (beside[i].offset, beside[i].interval)
        for i in range(len(blocks))
    ]
    for buffer, place in zip(ranges, places, strict=False):
        buffer.offset, buffer.output = map(_number, place)
    own = places[len(buffers) :] if reuse else places[len(buffers) :] * len(scratch)
    for call in program.body.walk():
        if isinstance(call, CallOp):
            call.scratch = call.scratch_output = None
    for call, place in zip(scratch, own, strict=reuse):
        call.scratch, call.scratch_output = map(_number, place)
    program.arena_bytes = IntegerAttr(arena, i64)


def _check_pool(program: ProgramOp, used: Sequence[int], last: Pool) -> None:
    """Raise ``UserError`` if the last pool is too small for the rest of the arena and states."""
    needed = used[-1]
    if program.state_bytes is not None:  # no state begins with the arena
        needed += program.state_bytes.value.data + (0 if any(used) else ALIGNMENT)
    if needed > last.bytes:
        raise UserError(
            f"pool '{last.name}' has {exact_bytes(last.bytes)}, the rest of the arena takes "
            f"{exact_bytes(needed)}; its largest parts are {largest_tensors(program)}"
        )


def _plan_device(program: ProgramOp, *, reuse: bool) -> None:
    """Place the buffers on the device, and the arrays that its kernels pass on."""
    ranges = live_ranges(program, on_device=True)
    scratch = scratch_blocks(program, on_device=True)
    found = plan([*ranges.values(), *scratch.values()], DEVICE_ALIGNMENT, reuse=reuse)
    for op, offset in zip((*ranges, *scratch), found.offsets, strict=True):
        if isinstance(op, BufferOp):
            op.offset = IntegerAttr(offset, i64)
        else:
            op.scratch = IntegerAttr(offset, i64)
    used = bool(found.offsets)
    program.device_arena_bytes = IntegerAttr(found.arena_bytes, i64) if used else None


def _place_states(program: ProgramOp) -> None:
    """Place what is kept from run to run in memory of its own, each state after the one before."""
    end = 0
    for state in program.states:
        state.offset = IntegerAttr(end, i64)
        end += aligned(memref_bytes(state.found.type))
    program.state_bytes = IntegerAttr(end, i64) if program.states else None


def _number(value: int | None) -> IntegerAttr | None:
    return None if value is None else IntegerAttr(value, i64)


def _intervals(program: ProgramOp) -> list[FreeInterval]:
    """Return the free bytes of each output, and the last call before its first use."""
    first = first_uses(program)
    return [
        FreeInterval(program.free_bytes_of(output), first.get(output, 0) - 1)
        for output in program.outputs
    ]


def _size_the_rest(program: ProgramOp) -> None:
    """Set the scratch memory of further threads, and the bytes on the stack."""
    called = {op.callee.string_value() for op in program.body.walk() if isinstance(op, CallOp)}
    kernels = [kernel for name, kernel in program.pipelines().items() if name in called]
    workers = (k.worker_scratch_bytes for k in kernels)
    arrays = (k.stack_bytes for k in kernels)
    program.worker_scratch_bytes = _largest([w.value.data for w in workers if w is not None])
    program.stack_bytes = _largest([a.value.data for a in arrays if a is not None])


def _largest(sizes: Sequence[int]) -> IntegerAttr | None:
    return IntegerAttr(max(sizes), i64) if sizes else None
