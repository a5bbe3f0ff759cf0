"""The template of several anchors in one kernel, each the image that the next one reads.

The rows of the result are cut in bands. For a band, each image on the way is made as far as the
band reads it, and is read before another one takes its place: it stays in the second-level cache.
Rows between two bands are made for both. Each image is computed as it would be in a kernel of its
own: sums over channels by the tile of direct convolution, windows over single channels by theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from autodeploy.dialects.halide.pipeline import ROWS
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.bands import BandsTemplate, Part
from autodeploy.templates.direct_conv.knobs import sum_conflict, sum_knobs, sum_space
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_first, tile_of
from autodeploy.templates.direct_conv.template import (
    split_tiles,
    sum_tile,
    unroll_tile,
    vectorize_padded,
)
from autodeploy.templates.output_loops import OutputLoop
from autodeploy.templates.row_bands.bands import rows_of_band
from autodeploy.templates.view import PipelineView, ScheduleBuilder, element_bytes, loop_extents
from autodeploy.templates.window.knobs import Windows, window_knobs, window_space
from autodeploy.templates.window.template import tile_window

BAND = "yo"
"""The loop over bands."""


class RowBandsTemplate(BandsTemplate):
    """Convolutions and pools, each of the image before, in bands of rows."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return (
            len(kernel.outputs) == 1
            and len(kernel.anchors) > 1
            and all(isinstance(op, ConvOp | PoolOp) for op in kernel.anchors)
        )

    def bands(self, kernel: KernelOp) -> Sequence[Sequence[Knob]]:
        """Return the bands of all heights of the result."""
        images = [_Image(0), *map(_Image.of, kernel.anchors)]
        return [rows_of_band(images, rows + 1) for rows in range(images[-1].height)]

    def parts(self, kernel: KernelOp, machine: Machine, bands: Sequence[int]) -> Sequence[Part]:
        """Return how sums over channels and windows are computed."""
        anchors = kernel.anchors
        results = [op.operands[0] for op in anchors[1:]] + [kernel.outputs[0]]
        return [
            _sums_part(machine, ConvSums.of(kernel, anchor, shape_of(result.type)))
            if isinstance(anchor, ConvOp) and anchor.filter_shape[1] > 1
            else _window_part(machine, anchor, shape_of(result.type))
            for anchor, result in zip(anchors, results, strict=True)
        ]

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_row_bands(view, builder, config, machine)


def _sums_part(machine: Machine, sums: ConvSums) -> Part:
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
        return _Image(shape_of(anchor.result.type)[-3], reach, ints(anchor.strides)[0])


def schedule_row_bands(
    view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
) -> None:
    """Write the schedule of bands."""
    images = [func for func in view.funcs.values() if func.role_name == ROWS]
    images.append(view.output)
    rows = config.ints("bands")
    before = None
    for image, count, config_ in zip(images, rows[1:], config.configs("parts"), strict=True):
        part = view.of_image(image, before)
        _place(view, part, builder, machine, count, config_)
        if before is None:
            _place_padded(view, part, builder, machine, rows[0])
        before = image
    if machine.cores > 1 and view.work >= machine.costs.parallel_work:
        builder.parallel(view.output, BAND)


def _place(
    view: PipelineView,
    part: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    rows: int,
    config: ConfigAttr,
) -> None:
    """Tile one image, of which ``rows`` are made for a band."""
    image, out = part.output, view.output
    row = "y"
    if image is out:
        row = "yt"
        # Moved inwards, the last band would be computed beside the one before, by another thread.
        tail = Tail.GUARD_WITH_IF if part.extents[2] % rows else Tail.AUTO
        builder.split(out, "y", BAND, row, rows, tail)
    else:
        builder.compute_at(image, out, BAND)
        builder.bound(image, "c", part.extents[0])
        builder.bound(image, "x", part.extents[1])
        builder.bound_extent(image, "y", rows)
    around = (BAND, *image.var_names[3:]) if image is out else image.var_names[3:]
    if not _sums_channels(part):
        (total,) = part.reduced()
        loops = [OutputLoop(name, 1) for name in (row, *around)]
        tile_window(part, builder, machine, total, loops, config)
        return
    conv = part.funcs["conv"]
    tile = tile_of(config, machine, element_bytes(conv))
    tiles = split_tiles(part, builder, tile, conv)
    near = is_channels_first(config)
    # For each tile of a large filter, all rows of a band; of a small one, all channels of a pixel.
    loops = (*tiles, "xo", row) if near else ("xo", row, *tiles)
    builder.reorder(image, "ct", "xt", *loops, *around)
    unroll_tile(part, builder, tile)
    builder.compute_at(conv, image, tiles[0] if near else "xo")
    builder.unroll(conv, "x")
    sum_tile(part, builder, conv, tile, config)


def _place_padded(
    view: PipelineView, part: PipelineView, builder: ScheduleBuilder, machine: Machine, rows: int
) -> None:
    """Pad ``rows`` of the image that a convolution over channels reads; windows pad as they read.

    Below its end there are more zeros.
    """
    padded = part.kept_image
    if padded is not None and _sums_channels(part):
        vectorize_padded(builder, machine, padded)
        builder.compute_at(padded, view.output, BAND)
        builder.bound_extent(padded, "y", rows)


def _sums_channels(part: PipelineView) -> bool:
    conv = part.funcs.get("conv")
    return conv is not None and "ci" in loop_extents(part.updates[conv][0])
