"""``plan-memory``: every buffer of the program gets its offset in the arena."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from autodeploy.dialects.driver import ALIGNMENT, CallOp, ProgramOp
from autodeploy.passes.live_ranges import live_ranges, scratch_blocks
from autodeploy.passes.memory_map import memory_map
from autodeploy.passes.memory_planner import Block, plan


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """Place the buffers of each driver.program in one arena.

    Buffers whose live ranges do not touch share bytes, unless ``reuse`` is false. The scratch of a
    call, where its pipeline has some, is placed like a buffer that is alive at this call alone; all
    calls share it where nothing else is shared. The program's scratch is the largest one. With
    ``print-map`` the map is written to standard error.
    """

    name = "plan-memory"

    reuse: bool = True
    print_map: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``offset`` on every buffer, ``scratch`` on calls, both sizes on the program."""
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            plan_program(program, reuse=self.reuse)
            if self.print_map:
                print(memory_map(program), file=sys.stderr)


def plan_program(program: ProgramOp, *, reuse: bool = True) -> None:
    """Place the buffers of a program and the scratch of its calls in its arena."""
    ranges, scratch = live_ranges(program), scratch_blocks(program)
    largest = max((block.bytes for block in scratch.values()), default=0)
    buffers = list(ranges.values())
    # One block for all calls, as before them all, where every value keeps its bytes.
    working = list(scratch.values()) if reuse else [Block(largest, 0, 0)]
    found = plan([*buffers, *working], ALIGNMENT, reuse=reuse)
    places = [IntegerAttr(offset, i64) for offset in found.offsets]
    for buffer, place in zip(ranges, places, strict=False):
        buffer.offset = place
    own = places[len(buffers) :] if reuse else places[len(buffers) :] * len(scratch)
    for call in program.body.block.ops:
        if isinstance(call, CallOp):
            call.scratch = None
    for call, place in zip(scratch, own, strict=reuse):
        call.scratch = place
    program.arena_bytes = IntegerAttr(found.arena_bytes, i64)
    program.scratch_bytes = IntegerAttr(largest, i64) if largest else None
