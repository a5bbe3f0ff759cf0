"""How the reduction of a convolution is taken: its loops, and the steps that are unrolled."""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.fetch import ConvFetchPlan
from autodeploy.templates.direct_conv.image import shuffle_factors
from autodeploy.templates.direct_conv.tile import ConvTile
from autodeploy.templates.view import PipelineView, ScheduleBuilder, loop_extents

UNROLLED_STEPS = 4
"""Steps of the reduction that are unrolled; of more than that, compilers hoist the loads."""


def order_reduction(
    view: PipelineView,
    builder: ScheduleBuilder,
    conv: FuncOp,
    tile: ConvTile,
    plan: ConvFetchPlan | None,
) -> str:
    """Sum up a tile of channels by pixels, with a prefetch every few steps.

    Returns the loop over the pixels of a tile. With blocks, all tiles of pixels are computed for
    each block.
    """
    steps = list(loop_extents(view.updates[conv][0]))
    if plan is None:
        builder.reorder(conv, "c", "x", *steps, stage=1)
        return "x"
    if not plan.block:
        builder.split(conv, "ci", "cb", "cs", plan.steps, stage=1)
        order = ["x", "cs", "cb", *steps[1:]]
    else:
        builder.split(conv, "x", "uo", "ut", tile.columns, stage=1)
        builder.split(conv, "ci", "ck", "cr", plan.block, stage=1)
        builder.split(conv, "cr", "cb", "cs", plan.steps, stage=1)
        # The loop that has to be partitioned is that of the steps.
        builder.partition_never(conv, "ck", stage=1)
        order = ["ut", "cs", "cb", "uo", *conv.var_names[2:], "ck", *steps[1:]]
    for buffer, map_ in plan.fetches:
        builder.fetch_ahead(conv, "cb", buffer, map_, stage=1)
    builder.reorder(conv, "c", *order, stage=1)
    return order[0]


def unroll_reduction(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    conv: FuncOp,
    plan: ConvFetchPlan | None,
) -> None:
    """Unroll a few steps of the innermost loops of a reduction, whose loops then cost less.

    Loops that are but a few steps are unrolled as a whole. Of a longer one, as many steps are where
    instructions take an operand from memory: where they do not, as on ARM, the inputs of several
    steps are loaded at once, and the sums no longer fit into the registers beside them. They are
    neither where every step computes the places of its inputs anew: of shuffled channels, unless
    the steps that are unrolled make whole turns, or parts of one.
    """
    if plan is not None:
        builder.unroll(conv, "cs", stage=1)
        return
    steps = 1
    for name, extent in loop_extents(view.updates[conv][0]).items():
        steps *= extent
        if steps > UNROLLED_STEPS:
            whole = steps == extent and extent % UNROLLED_STEPS == 0
            if whole and machine.memory_operands and _turns(view, conv):
                builder.unroll(conv, name, UNROLLED_STEPS, stage=1)
            break
        builder.unroll(conv, name, stage=1)


def _turns(view: PipelineView, conv: FuncOp) -> bool:
    """Tell whether unrolled steps read channels in order, or make whole turns or parts of one."""
    factors = shuffle_factors(view, conv)
    return all(0 in (factor % UNROLLED_STEPS, UNROLLED_STEPS % factor) for factor in factors)
