"""The template of local response normalisation, channels last.

The squares of some pixels, with zeros around their channels, are computed ahead: what is stored
then is read again as vectors that begin elsewhere, which a processor does quickly only once the
stores have left it. The sums over neighbours are those of a vector of channels, in registers.
"""

from __future__ import annotations

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.normalisation import LrnOp
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
"""Pixels whose squares are computed ahead."""

MAX_UNROLLED = 9
"""More neighbours are a loop."""


class LrnTemplate(Template):
    """Local response normalisation."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return len(kernel.outputs) == 1 and isinstance(kernel.anchor, LrnOp)

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_lrn(view, builder, machine)


def schedule_lrn(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule; layouts other than channels last take the plain one."""
    out, reduced = view.output, view.reduced()
    squares = view.funcs.get("squares")
    names = out.var_names
    if names[:1] != ("c",) or len(names) < 3 or len(reduced) != 1 or squares is None:
        schedule_plain(view, builder, machine)
        return
    (total,) = reduced
    channels, width = view.extents[:2]
    most = machine.lanes(element_bytes(total))
    lanes = vector_lanes(channels, most)
    pixels = best_divisor(width, MAX_PIXELS)
    builder.split(out, "c", "co", "ct", lanes, tail_of(channels, lanes))
    builder.split(out, names[1], "xo", "xt", pixels, tail_of(width, pixels))
    builder.reorder(out, "ct", "co", "xt", "xo", *names[2:])
    builder.vectorize(out, "ct")
    builder.compute_at(squares, out, "xo")
    wide = squares.known_extents[0]
    builder.vectorize_row(squares, "c", wide, vector_lanes(wide, most))
    builder.compute_at(total, out, "co")
    for stage in range(2):
        builder.vectorize(total, "c", lanes, stage)
    ((tap, size),) = loop_extents(view.updates[total][0]).items()
    if size <= MAX_UNROLLED:
        builder.unroll(total, tap, stage=1)
    rows = whole_loops(names[2:], view.extents[2:])
    tiles = OutputLoop.tiles("xo", width, pixels)
    parallelize_output(view, builder, machine, reversed([tiles, *rows]), {"xo"})
