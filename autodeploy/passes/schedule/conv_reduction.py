"""How the reduction of a convolution is taken: the steps of its loops that are unrolled."""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.machine import Machine
from autodeploy.passes.schedule.view import PipelineView, ScheduleBuilder, loop_extents

UNROLLED_STEPS = 4
"""Steps of the reduction that are unrolled; of more than that, compilers hoist the loads."""


def unroll_reduction(
    view: PipelineView, builder: ScheduleBuilder, machine: Machine, conv: FuncOp
) -> None:
    """Unroll a few steps of the innermost loops of a reduction, whose loops then cost less.

    Loops that are but a few steps are unrolled as a whole. Of a longer one, as many steps are where
    instructions take an operand from memory: where they do not, as on ARM, the inputs of several
    steps are loaded at once, and the sums no longer fit into the registers beside them.
    """
    steps = 1
    for name, extent in loop_extents(view.updates[conv][0]).items():
        steps *= extent
        if steps > UNROLLED_STEPS:
            if steps == extent and extent % UNROLLED_STEPS == 0 and machine.memory_operands:
                builder.unroll(conv, name, UNROLLED_STEPS, stage=1)
            break
        builder.unroll(conv, name, stage=1)
