"""Vectors of several pixels, where the channels of a tile fill half a vector or less.

A vector then has some pixels of a row for each channel, pixels innermost. One load brings the
inputs of neighbouring pixels and repeats them for each channel, and one shuffle repeats each weight
for each pixel; with vectors of one pixel half of each is unused, or more. So inputs must lie side
by side, as in an image of one channel that is read with a stride of 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.reduction import unroll_reduction
from autodeploy.templates.direct_conv.sums import ConvSums
from autodeploy.templates.direct_conv.tile import ConvTile, most_columns, vectors_of_pixels
from autodeploy.templates.space import Space
from autodeploy.templates.view import PipelineView, ScheduleBuilder, loop_extents


def most_pixels(machine: Machine, sums: ConvSums, channels: int) -> int:
    """Return the most pixels of a row, a power of two, for which vectors of channels have room."""
    lanes = machine.lanes(sums.sum_bytes)
    if not sums.adjacent or sums.sum_bytes != sums.stored_bytes or lanes % channels:
        return 1
    return min(lanes // channels, 2 ** (sums.width.bit_length() - 1))


def pixel_knobs(
    machine: Machine, sums: ConvSums, config: ConfigAttr, given: ConfigAttr
) -> Mapping[str, Sequence[Knob]]:
    """Choose the pixels of a vector with which a row takes the fewest cycles, and the tile."""
    channels, columns = config.ints("tile", 2)
    most = 1 if config.values("parts") else most_pixels(machine, sums, channels)
    counts = [2**n for n in range(most.bit_length())]
    if "pixels" in given:
        counts = [max(1, given.number("pixels"))]
    if "tile" in given:
        counts = [n for n in counts if columns % n == 0]
    pixels = min(counts, key=lambda n: vectors_of_pixels(machine, sums.widths, n)[1], default=1)
    if pixels == 1:
        return {"pixels": ()}
    columns = vectors_of_pixels(machine, sums.widths, pixels)[0] * pixels
    return {"tile": (channels, columns), "pixels": (pixels,)}


def pixel_space(machine: Machine, sums: ConvSums, tiles: Sequence[Sequence[Knob]]) -> Space:
    """Return the numbers of pixels that a vector may have, and the tiles with those of vectors."""
    lanes = machine.lanes(sums.sum_bytes)
    counts = [2**n for n in range(1, lanes.bit_length()) if 2**n <= lanes]
    wide = (
        (channels, columns)
        for channels in dict.fromkeys(tile[0] for tile in tiles)
        for pixels in counts
        if isinstance(channels, int) and pixels <= most_pixels(machine, sums, channels)
        for columns in range(pixels, _most_columns(machine, sums, pixels) + 1, pixels)
    )
    return {"pixels": [(), *((n,) for n in counts)], "tile": list(dict.fromkeys([*tiles, *wide]))}


def _most_columns(machine: Machine, sums: ConvSums, pixels: int) -> int:
    """Return how many pixels a tile of one vector of channels may have."""
    return most_columns(machine, 1, sums.width // pixels) * pixels


def pixel_conflict(machine: Machine, sums: ConvSums, config: ConfigAttr) -> str | None:
    """Return why pixels of a vector do not go with other knobs; ``None`` where they do."""
    if not sums.adjacent:
        return None
    pixels, (channels, columns) = max(1, config.number("pixels")), config.ints("tile", 2)
    if pixels > 1 and (config.values("parts") or pixels > most_pixels(machine, sums, channels)):
        return f"vectors have no room for {pixels} pixels of {channels} channels in a row"
    if columns % pixels:
        return f"vectors of {pixels} pixels divide the {columns} of a tile"
    if columns > max(1, _most_columns(machine, sums, pixels)):
        return f"a tile of {columns} pixels, {pixels} to a vector, exceeds the registers"
    return None


def store_pixels(builder: ScheduleBuilder, out: FuncOp, tile: ConvTile, pixels: int) -> None:
    """Store a tile: a vector of each few pixels, in which channels are innermost as in memory."""
    builder.split(out, "xt", "xu", "xp", pixels)
    builder.vectorize(out, "ct", tile.lanes)
    builder.vectorize(out, "xp")
    builder.unroll(out, "xu")


def sum_pixels(
    view: PipelineView,
    builder: ScheduleBuilder,
    conv: FuncOp,
    tile: ConvTile,
    config: ConfigAttr,
) -> None:
    """Sum a tile up in registers, in vectors in which pixels are innermost."""
    steps = list(loop_extents(view.updates[conv][0]))
    for stage, outer in enumerate(([], steps)):
        builder.split(conv, "x", "xu", "xp", config.number("pixels"), stage=stage)
        builder.reorder(conv, "xp", "c", "xu", *outer, stage=stage)
        builder.vectorize(conv, "xp", stage=stage)
        builder.vectorize(conv, "c", tile.lanes, stage=stage)
        builder.unroll(conv, "xu", stage=stage)
    unroll_reduction(view, builder, conv, config.ints("unroll"))
