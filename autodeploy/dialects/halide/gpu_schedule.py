"""Directives for devices: which loops are over blocks, which over threads of a block."""

from __future__ import annotations

from abc import ABC

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.launch import AXES
from autodeploy.dialects.halide.loops import Loops
from autodeploy.dialects.halide.schedule import LoopsOp, StageOp
from autodeploy.dialects.properties import properties


class GpuLoopsOp(LoopsOp, ABC):
    """One directive for up to three loops, innermost first, whose iterations run side by side."""

    def verify_(self) -> None:
        """Check (gpu_c1) that there are one to three loops, which differ."""
        super().verify_()
        names = self.loop_names
        if not 1 <= len(names) <= AXES or len(set(names)) < len(names):
            raise invalid("gpu_c1", f"one to three loops that differ, found {', '.join(names)}")

    def change_loops(self, loops: Loops) -> None:
        """Check that the loops exist, are of no reduction, and write different elements.

        - (gpu_c2) the iterations of a loop over a reduction run one after another
        """
        for name in self.loop_names:
            loops.check(self.func, self.stage_index, [name])
            if loops.is_reduction(self.func, self.stage_index, name):
                raise invalid("gpu_c2", f"loop '{name}' runs over a reduction")
            loops.run_in_parallel(self.func, self.stage_index, name)


@irdl_op_definition
class GpuBlocksOp(GpuLoopsOp):
    """``gpu_blocks(vars…)``: each iteration of the loops is a block of threads."""

    name = "halide.gpu_blocks"


@irdl_op_definition
class GpuThreadsOp(GpuLoopsOp):
    """``gpu_threads(vars…)``: each iteration of the loops is a thread of its block."""

    name = "halide.gpu_threads"


@irdl_op_definition
class GpuSingleThreadOp(StageOp):
    """``gpu_single_thread()``: one thread computes the whole stage."""

    name = "halide.gpu_single_thread"

    assembly_format = "$func attr-dict `:` type($func)"

    def __init__(self, func: SSAValue, stage: int = 0):
        super().__init__(operands=[func], properties=properties(stage=stage))
