"""``plan-memory``: every buffer of the program gets its offset in the arena."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass

from autodeploy.dialects.driver import ALIGNMENT, CallOp, ProgramOp
from autodeploy.dialects.halide.algorithm import PipelineOp
from autodeploy.passes.live_ranges import live_ranges
from autodeploy.passes.memory_map import memory_map
from autodeploy.passes.memory_planner import plan


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """Place the buffers of each driver.program in one arena.

    Buffers whose live ranges do not touch share bytes, unless ``reuse`` is false. The program's
    scratch is the largest one of the pipelines that it calls, if any has one. With ``print-map``
    the map is written to standard error.
    """

    name = "plan-memory"

    reuse: bool = True
    print_map: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``offset`` on every buffer, ``arena`` and ``scratch`` on the program."""
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            ranges = live_ranges(program)
            result = plan(list(ranges.values()), ALIGNMENT, reuse=self.reuse)
            for buffer, offset in zip(ranges, result.offsets, strict=True):
                buffer.offset = IntegerAttr(offset, i64)
            program.arena_bytes = IntegerAttr(result.arena_bytes, i64)
            program.scratch_bytes = largest_scratch(op, program)
            if self.print_map:
                print(memory_map(program), file=sys.stderr)


def largest_scratch(module: ModuleOp, program: ProgramOp) -> IntegerAttr | None:
    """Return the largest scratch of the pipelines that a program calls: they run one by one."""
    scratch = {
        pipeline.sym_name.data: pipeline.scratch_bytes
        for pipeline in module.body.block.ops
        if isinstance(pipeline, PipelineOp) and pipeline.scratch_bytes is not None
    }
    calls = [op for op in program.body.block.ops if isinstance(op, CallOp)]
    names = {call.callee.string_value() for call in calls} & scratch.keys()
    return max((scratch[name] for name in names), key=lambda size: size.value.data, default=None)
