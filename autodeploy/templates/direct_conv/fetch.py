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
from autodeploy.templates.direct_conv.blocks import input_block
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_last, tile_of
from autodeploy.templates.direct_conv.tile import ConvTile, steps_to_fetch
from autodeploy.templates.fetch_plan import FetchPlan, in_runs
from autodeploy.templates.view import PipelineView, element_bytes, loop_extents


def conv_fetch(machine: Machine, sums: ConvSums, config: ConfigAttr) -> tuple[int, int]:
    """Return after how many steps a convolution fetches a line, and the inputs of a block.

    It does where it computes all pixels for a tile of channels; both are 0 where nothing is
    fetched. A line follows from the numbers of the tiles, so they must divide the channels and the
    rows, and channels have to be packed by tiles. Where only a run knows how wide a row is, it
    follows from the number of the row alone.
    """
    tile = tile_of(config, machine, sums.sum_bytes)
    if (
        not is_channels_last(config)
        or sums.channels % tile.channels
        or (sums.width % tile.columns and not sums.open_width)
        or sums.packed != tile.channels
        or sums.parts
    ):
        return 0, 0
    tiles = sums.fewest_rows * (1 if sums.open_width else sums.width // tile.columns)
    steps = steps_to_fetch(machine, tile, sums.sum_bytes, sums.inputs, tiles)
    if not steps or sums.open_pixels:
        return steps, 0
    pixels, count = sums.width * sums.rows, sums.channels // tile.channels
    block = input_block(machine, tile, sums.sum_bytes, sums.inputs, pixels, count)
    return steps, block


def conv_fetch_plan(
    view: PipelineView, machine: Machine, conv: FuncOp, tile: ConvTile, steps: int, block: int
) -> FetchPlan | None:
    """Return the lines that a convolution fetches every few steps, with blocks of inputs or none.

    ``None`` where the filter is not packed.
    """
    packed = _packed_filter(view, conv)
    if not steps or packed is None:
        return None
    assert isinstance(packed.type, BufferType)
    bytes_ = element_bytes(conv)
    least = view.least_extents[1:]
    columns = 0 if view.open_axes[1] else tile.columns
    tiles = prod(least[1:]) * (least[0] // columns if columns else 1)
    times = max(int(tiles / (steps * tile.channels * bytes_ / machine.line_bytes)), 1)
    taps = loop_extents(view.updates[conv][0])
    line, rank = machine.line_bytes // bytes_, len(packed.type.extents)
    number = _tile_number(conv.known_extents[1:], least, columns)
    number = number if times == 1 else number // times
    map_ = _filter_map(conv, tile, taps, rank, steps, number, line, block)
    return FetchPlan(steps, ((packed, map_),))


def _packed_filter(view: PipelineView, conv: FuncOp) -> SSAValue | None:
    """Return the buffer of a filter packed by tiles of channels: it has one axis more."""
    (update,) = view.updates[conv]
    for load in (op for op in update.body.block.ops if isinstance(op, LoadOp)):
        type_ = load.source.type
        if isinstance(type_, BufferType) and len(type_.extents) == len(conv.var_names) + 1:
            return load.source
    return None


def _tile_number(extents: Sequence[int], least: Sequence[int], columns: int) -> AffineExpr:
    """Return the number of a tile of ``columns`` pixels; that of its row where ``columns`` is 0.

    ``extents`` are those of a row, and of what rows there are; ``least`` those in the least run.
    Further rows than that begin again.
    """
    x, *rows = (AffineExpr.dimension(1 + axis) for axis in range(len(extents)))
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
    block: int,
) -> AffineMap:
    """Return which line of the filter, [tile, inputs, window, channels / tile], is fetched.

    A tile of channels lies in one piece, block after block. Its lines are fetched one after the
    other: coordinates of dimension 0 continue beyond its extent. Where there are more tiles of
    pixels than lines, several have the same ``number`` and fetch the same lines, which costs little
    once these are cached.
    """
    c = AffineExpr.dimension(0)
    fetched, fetches = AffineExpr.constant(0), 1
    for i, extent in enumerate(taps.values()):
        step = AffineExpr.dimension(len(conv.var_names) + i)
        fetched += step * fetches if i else step // steps
        fetches *= extent if i else extent // steps
    zeros = [AffineExpr.constant(0)] * (rank - 2)
    spacing = steps * tile.channels // tile.lanes * tile.columns
    if block:
        in_block = block // steps
        current = fetched // in_block
        within = fetched - current * in_block + number * in_block
        within = in_runs(within, block * tile.channels // line, spacing)
        element = (current + 1) * (block * tile.channels) + within * line
        next_ = c // tile.channels
    else:
        lines = prod(taps.values()) * tile.channels // line
        element = in_runs(fetched + number * fetches, lines, spacing) * line
        next_ = c // tile.channels + 1
    return AffineMap(len(conv.var_names) + len(taps), 0, (element, *zeros, next_))
