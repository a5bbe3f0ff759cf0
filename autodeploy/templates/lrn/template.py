"""The template of local response normalisation, channels last.

The squares of some pixels, with zeros around their channels, are computed ahead: what is stored
then is read again as vectors that begin elsewhere, which a processor does quickly only once the
stores have left it. The sums over neighbours are those of a vector of channels, in registers.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST
from autodeploy.dialects.nn.normalisation import LrnOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import (
    share_knobs,
    share_space,
    vector_knobs,
    vector_space,
    with_vectors,
)
from autodeploy.templates.output_loops import OutputLoop, parallelize_output, whole_loops
from autodeploy.templates.plain.template import plain_knobs, plain_space, schedule_plain
from autodeploy.templates.space import Knobs, Numbers, Space
from autodeploy.templates.template import Template
from autodeploy.templates.tiles import best_divisor
from autodeploy.templates.view import (
    ScheduledPipeline,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)

MAX_PIXELS = 8
"""Pixels whose squares the rule computes ahead."""

MOST_PIXELS = 32
"""Pixels that may be."""

MAX_UNROLLED = 9
"""The rule makes a loop of more neighbours."""

MOST_UNROLLED = 64
"""Neighbours that may be unrolled."""


class LrnTemplate(Template):
    """Local response normalisation."""

    def applies(self, kernel: KernelOp) -> bool:
        return len(kernel.outputs) == 1 and isinstance(kernel.anchor, LrnOp)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs; those of ``plain`` for layouts other than channels last.

        - ``vector``: bytes of a vector
        - ``tile``: pixels whose squares are computed ahead
        - ``unroll``: the neighbours that are unrolled, or nothing
        - ``shares``: iterations for each core, of the loops that cores share
        """
        width, size = _row(kernel)
        if width is None:
            return plain_knobs(kernel, machine)
        return {
            **vector_knobs(machine),
            "tile": (best_divisor(width, MAX_PIXELS),),
            "unroll": (size,) if size <= MAX_UNROLLED else (),
            **share_knobs(machine),
        }

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        width, size = _row(kernel)
        if width is None:
            return plain_space(kernel, machine)
        unroll: list[Sequence[Knob]] = [(), (size,)]
        return {
            **vector_space(machine),
            "tile": Numbers(1, max(1, min(width, MOST_PIXELS))),
            "unroll": unroll if size <= MOST_UNROLLED else unroll[:1],
            **share_space(machine),
        }

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule; layouts other than channels last take the plain one."""
        out, reduced = pipeline.output, pipeline.reduced()
        squares = pipeline.funcs.get("squares")
        names, machine = out.var_names, with_vectors(machine, config)
        if "tile" not in config or len(reduced) != 1 or squares is None:
            schedule_plain(pipeline, config, machine)
            return
        (total,) = reduced
        channels, width = pipeline.extents[:2]
        most = machine.lanes(element_bytes(total))
        lanes = vector_lanes(channels, most)
        (pixels,) = config.ints("tile", 1)
        pipeline.split(out, "c", "co", "ct", lanes, tail_of(channels, lanes))
        pipeline.split(out, names[1], "xo", "xt", pixels, tail_of(width, pixels))
        pipeline.reorder(out, "ct", "co", "xt", "xo", *names[2:])
        pipeline.vectorize(out, "ct")
        pipeline.compute_at(squares, out, "xo")
        wide = squares.known_extents[0]
        pipeline.vectorize_row(squares, "c", wide, vector_lanes(wide, most))
        pipeline.compute_at(total, out, "co")
        for stage in range(2):
            pipeline.vectorize(total, "c", lanes, stage)
        (tap,) = loop_extents(pipeline.updates[total][0])
        if config.values("unroll"):
            pipeline.unroll(total, tap, stage=1)
        rows = whole_loops(names[2:], pipeline.extents[2:])
        tiles = OutputLoop.tiles("xo", width, pixels)
        parallelize_output(pipeline, machine, reversed([tiles, *rows]), {"xo"}, config)


def _row(kernel: KernelOp) -> tuple[int | None, int]:
    """Return the pixels of a row, channels last, ``None`` elsewhere; and how many neighbours."""
    lrn = kernel.anchor
    assert isinstance(lrn, LrnOp)
    shape = bounds_of(kernel.outputs[0].type)
    tiled = lrn.layout == CHANNELS_LAST and len(shape) == len(bounds_of(lrn.result.type)) > 2
    return shape[-2] if tiled else None, lrn.size.value.data
