"""The template of what slides a window over each channel: depthwise convolution and pools.

Channels last, every channel on its own: a tile of vectors of channels by pixels of a row is kept
in registers while the taps of the window pass. Neighbouring pixels share most of their taps, so
the whole window is unrolled where it is small, and shared elements are loaded once. Each element is
used a handful of times, so padding stays where it is read: a copy of the image would cost more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.output_loops import OutputLoop, parallelize_output, whole_loops
from autodeploy.templates.plain.template import schedule_plain
from autodeploy.templates.template import Template
from autodeploy.templates.tiles import best_divisor
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)

MAX_PIXELS = 8
"""Pixels of a tile: more share no more taps."""

MAX_UNROLLED_TAPS = 9
"""Larger windows are loops over their rows."""


class WindowTemplate(Template):
    """Pools: reductions over a sliding window."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return isinstance(kernel.anchor, PoolOp) and len(kernel.outputs) == len(kernel.anchors) == 1

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_window(view, builder, machine)


def schedule_window(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule; layouts other than channels last take the plain one."""
    out, reduced = view.output, view.reduced()
    if out.var_names[:1] != ("c",) or len(out.var_names) < 3 or len(reduced) != 1:
        schedule_plain(view, builder, machine)
        return
    tile_window(view, builder, machine, reduced[0], out.var_names[2:])
    channels, width = view.extents[:2]
    lanes, pixels = _tile(view, machine, reduced[0])
    rows = whole_loops(out.var_names[2:], view.extents[2:])
    tiles = [OutputLoop.tiles("co", channels, lanes), OutputLoop.tiles("xo", width, pixels)]
    parallelize_output(view, builder, machine, reversed([*tiles, *rows]), {"co"})


def tile_window(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    total: FuncOp,
    rows: Sequence[str],
) -> None:
    """Fold windows in registers, for a tile of channels by pixels; ``total`` is what folds them.

    ``rows`` are the loops around those of a row.
    """
    out, (channels, width) = view.output, view.extents[:2]
    lanes, pixels = _tile(view, machine, total)
    taps = loop_extents(view.updates[total][0])
    builder.split(out, "c", "co", "ct", lanes, tail_of(channels, lanes))
    builder.split(out, "x", "xo", "xt", pixels, tail_of(width, pixels))
    builder.reorder(out, "ct", "xt", "co", "xo", *rows)
    builder.vectorize(out, "ct")
    builder.unroll(out, "xt")
    builder.compute_at(total, out, "co")
    for stage in range(2):
        if stage:
            builder.reorder(total, "c", "x", *taps, stage=1)
        builder.vectorize(total, "c", lanes, stage)
        builder.unroll(total, "x", stage=stage)
    if prod(taps.values()) <= MAX_UNROLLED_TAPS:
        for tap in taps:
            builder.unroll(total, tap, stage=1)
    else:
        builder.unroll(total, next(iter(taps)), stage=1)


def _tile(view: PipelineView, machine: Machine, total: FuncOp) -> tuple[int, int]:
    """Return the lanes of a vector of channels, and the pixels of a tile."""
    channels, width = view.extents[:2]
    lanes = vector_lanes(channels, machine.lanes(element_bytes(total)))
    return lanes, best_divisor(width, min(MAX_PIXELS, machine.vector_registers // 3))
