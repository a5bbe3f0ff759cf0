"""How the reduction of a convolution is taken: its loops, and the steps that are unrolled."""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.sums import ConvSums
from autodeploy.templates.view import ScheduledPipeline, loop_extents

UNROLLED_STEPS = 4
"""Steps of the reduction that are unrolled; of more than that, compilers hoist the loads."""


def order_reduction(pipeline: ScheduledPipeline, conv: FuncOp, inner: Sequence[str] = ()) -> None:
    """Sum up a tile of channels by pixels.

    Loops that are ``inner`` come before those over the channels.
    """
    steps = list(loop_extents(pipeline.updates[conv][0]))
    pipeline.reorder(conv, *inner, "c", "x", *steps, stage=1)


def unroll_reduction(pipeline: ScheduledPipeline, conv: FuncOp, steps: Sequence[int]) -> None:
    """Unroll as many steps of each loop, innermost first."""
    extents = loop_extents(pipeline.updates[conv][0])
    for (name, extent), factor in zip(extents.items(), steps, strict=False):
        pipeline.unroll(conv, name, None if factor == extent else factor, stage=1)


def unrolled_steps(machine: Machine, sums: ConvSums) -> Sequence[int]:
    """Return how many steps of each loop of a sum are unrolled, innermost first: the rule.

    Loops then cost less. A short loop is unrolled as a whole. A longer one is unrolled by a few
    steps where instructions take an operand from memory. Elsewhere, as on ARM, the inputs of
    several steps are loaded at once, and the sums no longer fit into the registers beside them.
    """
    factors: list[int] = []
    steps = 1
    for extent in sums.taps:
        steps *= extent
        if steps <= UNROLLED_STEPS:
            factors.append(extent)
            continue
        whole = steps == extent and extent % UNROLLED_STEPS == 0
        return [*factors, UNROLLED_STEPS] if whole and machine.memory_operands else factors
    return factors
