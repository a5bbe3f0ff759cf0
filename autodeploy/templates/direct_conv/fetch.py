"""Which lines of its filter a convolution fetches while it computes, before it needs them.

Without prefetches, the first tile of pixels waits for a filter that is not in the second-level
cache, and the other tiles read nothing new. So each tile of pixels fetches some of the weights of
the next tile of channels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_last, tile_of
from autodeploy.templates.direct_conv.tile import ConvTile, steps_to_fetch
from autodeploy.templates.fetch_plan import FetchPlan, in_runs
from autodeploy.templates.view import PipelineView, element_bytes, loop_extents

PART = "p"
"""The axis of sums whose tiles are of whole groups: the number of the tile."""


def conv_fetch(machine: Machine, sums: ConvSums, config: ConfigAttr, band: int) -> int:
    """Return after how many steps a convolution fetches a line; 0 where nothing is fetched.

    It does where it computes all pixels for a tile of channels, or those of ``band`` rows where
    there are several groups. A line follows from the numbers
    of the tiles, so they must divide the channels, which have to be packed by tiles. They divide
    the rows, too, unless there are several groups: elsewhere fetches gained up to 6 % and cost up
    to 2.5 %. Where only a run knows how wide a row is, a line follows from the number of the row.
    """
    tile = tile_of(config, machine, sums.sum_bytes)
    if sums.groups > 1:
        return _fetch_of_groups(machine, sums, config, tile, band)
    if (
        not is_channels_last(config)
        or sums.channels % tile.channels
        or (sums.width % tile.columns and not sums.open_width)
        or sums.packed != tile.channels
        or sums.parts
    ):
        return 0
    tiles = sums.fewest_rows * (1 if sums.open_width else sums.width // tile.columns)
    return steps_to_fetch(machine, tile, sums.sum_bytes, sums.inputs, tiles)


def _fetch_of_groups(
    machine: Machine, sums: ConvSums, config: ConfigAttr, tile: ConvTile, band: int
) -> int:
    """Return after how many inputs a tile of groups fetches a line of the next; 0 for never."""
    if not fetches_groups(sums, config):
        return 0
    tiles = (band or sums.height) * -(-sums.width // tile.columns)
    return steps_to_fetch(machine, tile, sums.sum_bytes, sums.inputs, tiles, sums.taps[0])


def fetches_groups(sums: ConvSums, config: ConfigAttr) -> bool:
    """Tell whether a tile of groups can fetch the filter of the next one.

    It computes all rows of a band, and unrolls the taps of a row.
    """
    unrolled = config.ints("unroll") == tuple(sums.taps[:1])
    of_groups = sums.tile_groups > 0 and sums.row_taps > 1 and sums.taps[1:2] == (sums.inputs,)
    return of_groups and unrolled and is_channels_last(config) and not sums.open_pixels


def conv_fetch_plan(
    view: PipelineView, machine: Machine, conv: FuncOp, tile: ConvTile, config: ConfigAttr
) -> FetchPlan | None:
    """Return the lines that a convolution fetches every few steps.

    ``None`` where the filter is not packed.
    """
    steps, dot = config.number("fetch"), config.number("dot") or 1
    packed = _packed_filter(view, conv, dot)
    if not steps or packed is None:
        return None
    assert isinstance(packed.type, BufferType)
    line = machine.line_bytes // element_bytes(conv)
    rank = len(packed.type.extents)
    if PART in conv.var_names and dot == 1:
        band = config.number("rows") or view.extents[2]
        return FetchPlan(steps, ((packed, _part_map(view, conv, tile, rank, steps, line, band)),))
    least = view.least_extents[1:]
    columns = 0 if view.open_axes[1] else tile.columns
    tiles = prod(least[1:]) * (least[0] // columns if columns else 1)
    times = max(int(tiles / (steps * tile.channels / line)), 1)
    taps = loop_extents(view.updates[conv][0])
    number = _tile_number(conv, least, columns)
    number = number if times == 1 else number // times
    map_ = _filter_map(conv, tile, taps, rank, steps, number, line, dot)
    return FetchPlan(steps, ((packed, map_),))


def _packed_filter(view: PipelineView, conv: FuncOp, dot: int) -> SSAValue | None:
    """Return the buffer of a filter packed by tiles of channels: it has one axis more.

    Where sums have an axis for the groups of a tile, that is the same one. The neighbours of a dot
    have an axis of their own.
    """
    (update,) = view.updates[conv]
    rank = len(conv.var_names) + (PART not in conv.var_names) + (dot > 1)
    for load in (op for op in update.body.block.ops if isinstance(op, LoadOp)):
        type_ = load.source.type
        if isinstance(type_, BufferType) and len(type_.extents) == rank:
            return load.source
    return None


def _part_map(
    view: PipelineView, conv: FuncOp, tile: ConvTile, rank: int, steps: int, line: int, band: int
) -> AffineMap:
    """Return which line of a filter, [tile, inputs, taps of a row, rows, parts], is fetched.

    The tiles of a band of rows fetch the lines of the next part.
    """
    taps = loop_extents(view.updates[conv][0])
    names = [*conv.var_names, *taps]
    variables = {name: AffineExpr.dimension(i) for i, name in enumerate(names)}
    across, inner, *outer = taps
    number, fetches = variables[inner] // steps, taps[inner] // steps
    for name in outer:
        number += variables[name] * fetches
        fetches *= taps[name]
    lines = prod(taps.values()) * tile.channels // line
    in_row = -(-view.extents[1] // tile.columns)
    row = variables[view.output.var_names[2]]
    # A remainder is written as a difference: over a range, Halide takes one to be anything.
    row = row - row // band * band
    place = variables["x"] // tile.columns + row * in_row
    times = max(band * in_row * fetches // lines, 1)
    number += (place if times == 1 else place // times) * fetches
    sums = tile.channels // tile.lanes * tile.columns
    element = in_runs(number, lines, steps * sums * taps[across]) * line
    zeros = [AffineExpr.constant(0)] * (rank - 2)
    return AffineMap(len(names), 0, (element, *zeros, variables[PART] + 1))


def _tile_number(conv: FuncOp, least: Sequence[int], columns: int) -> AffineExpr:
    """Return the number of a tile of ``columns`` pixels; that of its row where ``columns`` is 0.

    ``least`` are the extents of a row, and of all rows, in the least run. Further rows than that
    begin again.
    """
    pixels = [i for i, name in enumerate(conv.var_names) if name not in ("c", PART)]
    x, *rows = (AffineExpr.dimension(axis) for axis in pixels)
    extents = [conv.known_extents[axis] for axis in pixels]
    number, count = AffineExpr.constant(0), 1
    if columns:
        number, count = x // columns, least[0] // columns
    for row, extent, fewest in zip(rows, extents[1:], least[1:], strict=True):
        # A remainder is written as a difference: over a range, Halide takes one to be anything.
        place = row if extent == fewest else row - row // fewest * fewest
        number, count = number + place * count, count * fewest
    return number


def _filter_map(
    conv: FuncOp,
    tile: ConvTile,
    taps: Mapping[str, int],
    rank: int,
    steps: int,
    number: AffineExpr,
    line: int,
    dot: int,
) -> AffineMap:
    """Return which line of the filter, [tile, inputs, window, channels / tile], is fetched.

    ``dot`` neighbours among the inputs count as one, which takes the bytes of a sum.

    A tile of channels lies in one piece. Its lines are fetched one after the
    other: coordinates of dimension 0 continue beyond its extent. Where there are more tiles of
    pixels than lines, several have the same ``number`` and fetch the same lines, which costs little
    once these are cached.
    """
    fetched, fetches = AffineExpr.constant(0), 1
    for i, extent in enumerate(taps.values()):
        step = AffineExpr.dimension(len(conv.var_names) + i)
        fetched += step * fetches if i else step // (steps * dot)
        fetches *= extent if i else extent // (steps * dot)
    zeros = [AffineExpr.constant(0)] * (rank - 2)
    spacing = steps * tile.channels // tile.lanes * tile.columns
    lines = prod(taps.values()) // dot * tile.channels // line
    element = in_runs(fetched + number * fetches, lines, spacing) * (line * dot)
    if PART in conv.var_names:
        number = AffineExpr.dimension(conv.var_names.index(PART))
    else:
        number = AffineExpr.dimension(0) // tile.channels
    return AffineMap(len(conv.var_names) + len(taps), 0, (element, *zeros, number + 1))
