"""The template of what slides a window over each channel: depthwise convolution and pools.

Channels last, every channel on its own: a tile of vectors of channels by pixels is kept in
registers while the taps of the window pass. Neighbouring pixels share most of their taps, so the
whole window is unrolled where it is small, and shared elements are loaded once. Each element is
used a handful of times, so padding stays where it is read: a copy of the image would cost more.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.analysis.least_shapes import least_result_shape
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.open_tiles import leaves_pixels, leaves_tiles
from autodeploy.templates.output_knobs import share_knobs, share_space
from autodeploy.templates.output_loops import OutputLoop, parallelize_output, whole_loops
from autodeploy.templates.plain.template import plain_knobs, plain_space, schedule_plain
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    ScheduledPipeline,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)
from autodeploy.templates.window.knobs import (
    Windows,
    tile_of,
    unrolled_taps,
    window_knobs,
    window_space,
)


class WindowTemplate(Template):
    """Pools: reductions over a sliding window."""

    def applies(self, kernel: KernelOp) -> bool:
        return isinstance(kernel.anchor, PoolOp) and len(kernel.outputs) == len(kernel.anchors) == 1

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tiles of pixels have no more of them than each run."""
        tiles = self.applies(kernel) and self._windows(kernel) is not None
        return leaves_pixels(kernel) if tiles else leaves_tiles(kernel)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``window/knobs.py`` and ``shares``; else those of ``plain``."""
        windows = self._windows(kernel)
        if windows is None:
            return plain_knobs(kernel, machine)
        return {**window_knobs(machine, windows), **share_knobs(machine)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        windows = self._windows(kernel)
        if windows is None:
            return plain_space(kernel, machine)
        return {**window_space(machine, windows), **share_space(machine)}

    def _windows(self, kernel: KernelOp) -> Windows | None:
        """Return what is folded where tiles are for it; all else takes the plain schedule."""
        assert kernel.anchor is not None
        return Windows.of(kernel.anchor, least_result_shape(kernel))

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule; layouts other than channels last take the plain one."""
        reduced = pipeline.reduced()
        if "tile" not in config or len(reduced) != 1:
            schedule_plain(pipeline, config, machine)
            return
        rows = whole_loops(pipeline.output.var_names[2:], pipeline.extents[2:])
        loops = tile_window(pipeline, machine, reduced[0], rows, config)
        parallelize_output(pipeline, machine, reversed(loops), {loops[0].name}, config)


def tile_window(
    pipeline: ScheduledPipeline,
    machine: Machine,
    total: FuncOp,
    rows: Sequence[OutputLoop],
    config: ConfigAttr,
) -> Sequence[OutputLoop]:
    """Fold windows in registers, for a tile of channels by pixels; ``total`` is what folds them.

    ``rows`` are the loops around those of a row. Returns all loops over tiles, innermost first.
    """
    out, taps = pipeline.output, loop_extents(pipeline.updates[total][0])
    tile = tile_of(config)
    lanes = vector_lanes(tile["c"], machine.lanes(element_bytes(total)))
    # A tile of one row needs no loop over its rows.
    axes = [axis for axis in tile if axis != "y" or tile[axis] > 1]
    around = {"y": rows[0]} if rows else {}
    for axis, extent in zip(axes, pipeline.extents, strict=False):
        pipeline.split(out, axis, f"{axis}o", f"{axis}t", tile[axis], tail_of(extent, tile[axis]))
        multiple = pipeline.open_axes[pipeline.output.var_names.index(axis)]
        around[axis] = OutputLoop.tiles(f"{axis}o", extent, tile[axis], multiple)
    order = [str(axis) for axis in config.values("order")]
    loops = [*(around[axis] for axis in order), *(rows[1:] if "y" in order else rows)]
    pipeline.reorder(out, *(f"{axis}t" for axis in axes), *(loop.name for loop in loops))
    whole = lanes == tile["c"]
    pipeline.vectorize(out, "ct", None if whole else lanes)
    if not whole:
        pipeline.unroll(out, "ct")
    for axis in axes[1:]:
        pipeline.unroll(out, f"{axis}t")
    pipeline.compute_at(total, out, loops[0].name)
    for stage in range(2):
        if stage:
            pipeline.reorder(total, *axes, *taps, stage=1)
        pipeline.vectorize(total, "c", lanes, stage)
        if lanes != tile["c"]:
            pipeline.unroll(total, "c", stage=stage)
        for axis in axes[1:]:
            pipeline.unroll(total, axis, stage=stage)
    for tap in unrolled_taps(taps, config):
        pipeline.unroll(total, tap, stage=1)
    return loops
