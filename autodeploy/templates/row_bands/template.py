"""The template of several anchors in one kernel, each the image that the next one reads.

The rows of the result are cut in bands. For a band, each image on the way is made as far as the
band reads it, and is read before another one takes its place: it stays in the second-level cache.
Bands are computed in strips, one after the other: rows that two of them read are kept, and the
first rows of a band take the place of those that are no longer read. Rows between two strips are
made for both. Each image is computed as it would be in a kernel of its own: sums over channels by
the tile of direct convolution, windows over single channels by theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.pipeline import ROWS
from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.bands import BandsTemplate, Part
from autodeploy.templates.direct_conv.knobs import sum_conflict, sum_knobs, sum_space
from autodeploy.templates.direct_conv.sums import ConvSums, conv_dot, tile_of
from autodeploy.templates.direct_conv.template import (
    split_tiles,
    sum_tile,
    unroll_tile,
    vectorize_padded,
)
from autodeploy.templates.narrow import place_weights
from autodeploy.templates.output_loops import OutputLoop
from autodeploy.templates.row_bands.bands import bands_of_strip, has_no_gaps, rows_of_band
from autodeploy.templates.runs import place_runs, summing
from autodeploy.templates.space import Knobs, Numbers, Space
from autodeploy.templates.view import PipelineView, ScheduledPipeline, element_bytes, loop_extents
from autodeploy.templates.window.knobs import Windows, window_knobs, window_space
from autodeploy.templates.window.template import tile_window

BAND, STRIP = "yo", "ys"
"""The loops over bands, and over strips of them."""


class RowBandsTemplate(BandsTemplate):
    """Convolutions and pools, each of the image before, in bands of rows."""

    def applies(self, kernel: KernelOp) -> bool:
        return (
            len(kernel.outputs) == 1
            and len(kernel.anchors) > 1
            and all(isinstance(op, ConvOp | PoolOp) for op in kernel.anchors)
        )

    def bands(self, kernel: KernelOp) -> Sequence[Sequence[Knob]]:
        """Return the bands of all heights of the result."""
        images = [_Image(0), *map(_Image.of, kernel.anchors)]
        return [rows_of_band(images, rows + 1) for rows in range(images[-1].height)]

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the bands, how many of them make a strip, and the config of each anchor."""
        images = [_Image(0), *map(_Image.of, kernel.anchors)]
        strip = bands_of_strip(images, given.ints("bands")[-1], machine.cores)
        return {**super().default(kernel, machine, given), "strip": (strip,)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the bands, how many may make a strip, and what knobs the parts may have."""
        images = [_Image.of(anchor) for anchor in kernel.anchors]
        longest = images[-1].height if has_no_gaps(images) else 1
        return {**super().space(kernel, machine), "strip": Numbers(1, longest)}

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        """Return why knobs do not go together: strips of several bands divide the rows."""
        height, rows = bounds_of(kernel.outputs[0].type)[-3], config.ints("bands")[-1]
        strip = config.number("strip")
        if strip > 1 and height % (strip * rows):
            return f"{height} rows are no strips of {strip} bands of {rows}"
        return super().conflict(kernel, machine, config)

    def parts(self, kernel: KernelOp, machine: Machine, bands: Sequence[int]) -> Sequence[Part]:
        """Return how sums over channels and windows are computed."""
        anchors = kernel.anchors
        results = [op.operands[0] for op in anchors[1:]] + [kernel.outputs[0]]
        return [
            _sums_part(machine, kernel, anchor, bounds_of(result.type))
            if isinstance(anchor, ConvOp) and anchor.filter_shape[1] > 1
            else _window_part(machine, anchor, bounds_of(result.type))
            for anchor, result in zip(anchors, results, strict=True)
        ]

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        images = [func for func in pipeline.funcs.values() if func.role_name == ROWS]
        images.append(pipeline.output)
        rows = config.ints("bands")
        loops = _split_bands(pipeline, rows[-1], max(config.number("strip"), 1))
        parts = [
            pipeline.of_image(image, before)
            for image, before in zip(images, [None, *images], strict=False)
        ]
        for place, config_ in enumerate(config.configs("parts")):
            part, readers = parts[place], parts[place + 1 :]
            if readers:
                _place_image(loops, part, readers, rows[place + 1])
            _tile_image(loops, part, machine, config_)
        _place_padded(loops, parts[0], machine, rows[0])
        if (
            machine.cores > 1
            and pipeline.work >= machine.costs.parallel_work
            and loops.shared is not None
        ):
            pipeline.parallel(pipeline.output, loops.shared)


def _sums_part(machine: Machine, kernel: KernelOp, anchor: ConvOp, shape: Sequence[int]) -> Part:
    sums = ConvSums.of(kernel, anchor, shape, dot=conv_dot(machine, kernel, anchor))
    return Part(
        "direct_conv",
        partial(sum_knobs, machine, sums),
        partial(sum_space, machine, sums),
        partial(sum_conflict, sums),
    )


def _window_part(machine: Machine, anchor: AnchorOp, shape: Sequence[int]) -> Part:
    """Return how windows are folded: tiles are of one row, as the rows are those of a band."""
    windows = Windows.of(anchor, shape)
    assert windows is not None
    flat = replace(windows, spatial=1)
    return Part(
        "window", lambda given: window_knobs(machine, flat), partial(window_space, machine, flat)
    )


@dataclass(frozen=True)
class _Image:
    """What ``rows_of_band`` asks of an image, channels last."""

    height: int
    reach: int = 0
    stride: int = 0

    @staticmethod
    def of(anchor: AnchorOp) -> _Image:
        assert isinstance(anchor, ConvOp | PoolOp)
        window = anchor.filter_shape[2] if isinstance(anchor, ConvOp) else ints(anchor.window)
        reach = (window[0] - 1) * ints(anchor.dilations)[0] + 1
        return _Image(bounds_of(anchor.result.type)[-3], reach, ints(anchor.strides)[0])


@dataclass(frozen=True)
class _BandLoops:
    """The loops around the rows of a band of the result ``out``.

    ``names`` are theirs, innermost first. Images on the way are kept for one iteration of the loop
    ``kept``, which is that over bands where each band makes all of its rows. ``shared`` is the loop
    that cores share, if there is one.
    """

    out: FuncOp
    names: tuple[str, ...]
    kept: str
    shared: str | None


def _split_bands(pipeline: ScheduledPipeline, rows: int, strip: int) -> _BandLoops:
    """Cut the rows of the result in bands of ``rows``, and these in strips of ``strip`` bands."""
    out, height = pipeline.output, pipeline.extents[2]
    outer = tuple(out.var_names[3:])
    if strip * rows < height and strip > 1:
        pipeline.split(out, "y", STRIP, "yi", strip * rows)
        pipeline.split(out, "yi", BAND, "yt", rows)
        return _BandLoops(out, (BAND, STRIP, *outer), STRIP, STRIP)
    # Moved inwards, the last band would be computed beside the one before, by another thread.
    tail = Tail.GUARD_WITH_IF if height % rows else Tail.AUTO
    pipeline.split(out, "y", BAND, "yt", rows, tail)
    if strip == 1:
        return _BandLoops(out, (BAND, *outer), BAND, BAND)
    return _BandLoops(out, (BAND, *outer), outer[0], None)


def _place_image(
    loops: _BandLoops, part: ScheduledPipeline, readers: Sequence[PipelineView], rows: int
) -> None:
    """Make ``rows`` of an image for a band; fewer, where those of the band before are kept.

    Where no window is between an image and the result, all rows of a band are new, and none is
    kept. If some were, Halide could not prove that the bounds of this image move on with the bands.
    It would then keep no rows of the images before it either, and compute them again.
    """
    image = part.output
    part.compute_at(image, loops.out, BAND)
    part.bound(image, "c", part.extents[0])
    part.bound(image, "x", part.extents[1])
    if loops.kept == BAND or all(map(_sums_channels, readers)):
        part.bound_extent(image, "y", rows)
    else:
        part.store_at(image, loops.out, loops.kept)
        part.fold_storage(image, "y", rows)


def _tile_image(
    loops: _BandLoops, part: ScheduledPipeline, machine: Machine, config: ConfigAttr
) -> None:
    """Tile one image."""
    image = part.output
    row, around = "y", tuple(image.var_names[3:])
    if image is loops.out:
        row, around = "yt", loops.names
    if not _sums_channels(part):
        (total,) = part.reduced()
        outer = [OutputLoop(name, 1) for name in (row, *around)]
        tile_window(part, machine, total, outer, config)
        return
    total, conv = part.funcs["conv"], summing(part, "conv")
    tile = tile_of(config, machine, element_bytes(conv))
    tiles = split_tiles(part, tile, total)
    # All rows of a band are computed for each tile of channels.
    part.reorder(image, "ct", "xt", "xo", row, *tiles, *around)
    place_weights(part, machine, None)
    unroll_tile(part, tile)
    part.compute_at(total, image, "xo")
    place_runs(part, total, tile.lanes, ("c", "x"))
    part.unroll(conv, "x")
    sum_tile(part, conv, tile, config)


def _place_padded(loops: _BandLoops, part: ScheduledPipeline, machine: Machine, rows: int) -> None:
    """Pad ``rows`` of the image that a convolution over channels reads; windows pad as they read.

    Below its end there are more zeros. Fewer rows are read where some of what is made are kept.
    """
    padded = part.funcs.get("padded")
    if padded is not None and _sums_channels(part):
        vectorize_padded(part, machine, padded)
        part.compute_at(padded, loops.out, BAND)
        if loops.kept == BAND:
            part.bound_extent(padded, "y", rows)
        else:
            part.store_at(padded, loops.out, loops.kept)
            part.fold_storage(padded, "y", rows)


def _sums_channels(part: PipelineView) -> bool:
    return "conv" in part.funcs and "ci" in loop_extents(part.updates[summing(part, "conv")][0])
