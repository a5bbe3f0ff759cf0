"""Which lines of its filter a convolution fetches while it computes, before it needs them.

Without prefetches, the first tile of pixels waits for a filter that is not in the second-level
cache, and the other tiles read nothing new. So each tile of pixels fetches some of the weights of
the next tile of channels.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.blocks import input_block
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_last, tile_of
from autodeploy.templates.direct_conv.tile import ConvTile
from autodeploy.templates.fetch_plan import LEAST_FETCHED, FetchPlan, in_runs
from autodeploy.templates.view import PipelineView, element_bytes, loop_extents

MAX_STEPS = 4
"""Steps of the reduction to a prefetch, at most: of more, compilers hoist the loads when they are
unrolled, and sums are spilled."""


def conv_fetch(machine: Machine, sums: ConvSums, config: ConfigAttr) -> tuple[int, int]:
    """Return after how many steps a convolution fetches a line, and the inputs of a block.

    It does where it computes all pixels for a tile of channels; both are 0 where nothing is
    fetched. A line follows from the numbers of the tiles, so they must divide the channels and the
    rows, and channels have to be packed by tiles.
    """
    tile = tile_of(config, machine, sums.sum_bytes)
    if (
        not is_channels_last(config)
        or sums.channels % tile.channels
        or sums.width % tile.columns
        or sums.packed != tile.channels
        or sums.parts
    ):
        return 0, 0
    lines = tile.channels * sums.sum_bytes / machine.line_bytes
    tiles = sums.width // tile.columns * sums.rows
    steps = _steps(machine, tile, lines, sums.inputs, tiles)
    if not steps:
        return 0, 0
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
    _, width, *rows = conv.known_extents
    tiles = width // tile.columns * prod(rows)
    times = max(int(tiles / (steps * tile.channels * bytes_ / machine.line_bytes)), 1)
    taps = loop_extents(view.updates[conv][0])
    line, rank = machine.line_bytes // bytes_, len(packed.type.extents)
    map_ = _filter_map(conv, tile, taps, rank, steps, times, line, block)
    return FetchPlan(steps, ((packed, map_),))


def _packed_filter(view: PipelineView, conv: FuncOp) -> SSAValue | None:
    """Return the buffer of a filter packed by tiles of channels: it has one axis more."""
    (update,) = view.updates[conv]
    for load in (op for op in update.body.block.ops if isinstance(op, LoadOp)):
        type_ = load.source.type
        if isinstance(type_, BufferType) and len(type_.extents) == len(conv.var_names) + 1:
            return load.source
    return None


def _steps(machine: Machine, tile: ConvTile, lines: float, inner: int, tiles: int) -> int:
    """Return after how many steps a line is fetched, so that nearly all are when tiles are done.

    ``lines`` are those of the weights of one step. 0 where they would be fetched too often.
    """
    steps = MAX_STEPS
    while steps and (inner % steps or tiles < steps * lines * LEAST_FETCHED):
        steps //= 2
    sums = tile.channels // tile.lanes * tile.columns
    return steps if steps * sums >= machine.costs.steps_per_prefetch else 0


def _filter_map(
    conv: FuncOp,
    tile: ConvTile,
    taps: Mapping[str, int],
    rank: int,
    steps: int,
    times: int,
    line: int,
    block: int,
) -> AffineMap:
    """Return which line of the filter, [tile, inputs, window, channels / tile], is fetched.

    A tile of channels lies in one piece, block after block. Its lines are fetched one after the
    other: coordinates of dimension 0 continue beyond its extent. Where there are more tiles of
    pixels than lines, each line is fetched ``times`` times, which costs little once it is cached.
    """
    c, x, *rows = (AffineExpr.dimension(i) for i in range(len(conv.var_names)))
    number, count = x // tile.columns, conv.known_extents[1] // tile.columns
    for row, extent in zip(rows, conv.known_extents[2:], strict=True):
        number, count = number + row * count, count * extent
    fetched, fetches = AffineExpr.constant(0), 1
    for i, extent in enumerate(taps.values()):
        step = AffineExpr.dimension(len(conv.var_names) + i)
        fetched += step * fetches if i else step // steps
        fetches *= extent if i else extent // steps
    number = number if times == 1 else number // times
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
