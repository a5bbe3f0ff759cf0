"""The template of direct convolution, channels last.

A tile of channels by pixels of a row is summed in registers over window and channels, then goes
through the epilogue straight to memory. The padded image, where there is one, is made once: a band
of rows at a time where the filter stays in the second-level cache from band to band, otherwise as
a whole, so that the loop over tiles of channels can be the outermost one and each tile of the
filter is fetched once.
"""

from __future__ import annotations

from math import prod

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.machine import Machine
from autodeploy.passes.schedule.plain import PARALLEL_WORK, schedule_plain
from autodeploy.passes.schedule.tiles import accumulator_tile
from autodeploy.passes.schedule.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)

FILTER_SHARE = 2
"""The filter counts as resident where it takes at most 1/n of the second-level cache."""

BAND_ROWS = 4
"""Rows of output to a band of padded rows: the rows above and below are padded twice."""


def schedule_direct_conv(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule; layouts other than channels last take the plain one."""
    out, conv = view.output, view.funcs.get("conv")
    if conv is None or out.var_names[0] != "c" or len(out.var_names) < 3:
        schedule_plain(view, builder, machine)
        return
    channels, width = view.extents[0], view.extents[1]
    tile = accumulator_tile(machine, element_bytes(conv), channels, width)
    builder.split(out, "c", "co", "ct", tile.channels, tail_of(channels, tile.channels))
    builder.split(out, "x", "xo", "xt", tile.columns, tail_of(width, tile.columns))
    padded = view.funcs.get("padded")
    bands = _place_rows(view, builder, machine, padded)
    builder.vectorize(out, "ct", tile.lanes)
    builder.unroll(out, "ct")
    builder.unroll(out, "xt")
    builder.compute_at(conv, out, "xo")
    for stage in range(2):
        if stage:
            taps = [name for name, _, _ in view.updates[conv][0].rdom]
            builder.reorder(conv, "c", "x", *taps, stage=1)
        builder.vectorize(conv, "c", tile.lanes, stage)
        builder.unroll(conv, "c", stage=stage)
        builder.unroll(conv, "x", stage=stage)
    if machine.cores > 1 and view.work >= PARALLEL_WORK:
        builder.parallel(out, bands)


def _place_rows(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    padded: FuncOp | None,
) -> str:
    """Order the outer loops, place the padded image in them; return the outermost loop."""
    out, conv = view.output, view.funcs["conv"]
    first_row, *more = out.var_names[2:]
    rows = (first_row, *more)
    bytes_ = element_bytes(conv)
    taps = prod(loop_extents(view.updates[conv][0]).values())
    resident = taps * view.extents[0] * bytes_ * FILTER_SHARE <= machine.l2_bytes
    height = view.extents[2] if len(view.extents) > 3 else 1
    if padded is None or not resident or height <= BAND_ROWS:
        order = ("ct", "xt", "xo", *rows, "co") if not resident else ("ct", "xt", "xo", "co", *rows)
        builder.reorder(out, *order)
        if padded is not None:
            _vectorize_padded(builder, machine, padded)
            builder.compute_root(padded)
        return order[-1] if not resident else first_row if height > 1 else "co"
    builder.split(out, first_row, "yo", "yt", BAND_ROWS, tail_of(height, BAND_ROWS))
    builder.reorder(out, "ct", "xt", "xo", "yt", "co", "yo", *more)
    _vectorize_padded(builder, machine, padded)
    builder.compute_at(padded, out, "yo")
    return "yo"


def _vectorize_padded(builder: ScheduleBuilder, machine: Machine, padded: FuncOp) -> None:
    """Copy vectors of channels, or of a row where there is one channel; else single elements."""
    extents = padded.known_extents
    dimension = 1 if extents[0] == 1 else 0
    lanes = vector_lanes(extents[dimension], machine.lanes(element_bytes(padded)))
    builder.vectorize(padded, padded.var_names[dimension], lanes)
