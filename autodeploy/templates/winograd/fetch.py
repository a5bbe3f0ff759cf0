"""Which lines of its filter a Winograd convolution fetches before it needs them: the rule.

The products of a point and a tile of output channels read one panel of the transformed filter, for
one group of image tiles after another. The weights of other layers have replaced the panel in the
second-level cache. Without prefetches, the first group waits for it, and the others read nothing
new. So all groups fetch lines of the panel of the next point, one every few steps of the reduction.

Where only a run knows how many groups there are, each fetches the whole panel. All but the first
one find it in the cache, and waste instructions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.machine import Machine
from autodeploy.templates.tiles import Tile, best_divisor
from autodeploy.templates.view import element_bytes
from autodeploy.templates.winograd.blocks import WinogradShape, most_tiles
from autodeploy.templates.winograd.products import WinogradProducts

MAX_STEPS = 4
"""Steps of the reduction to a fetch, at most: they are unrolled, and more fill the cache of
instructions."""

WHOLE_COST = 1.1
"""How many times as much as the best groups those may cost that divide a band, for the sake of the
lines that are fetched meanwhile."""

MOST_FETCHED = 2
"""The most panels that are fetched while one is used. Those behind the next one are fetched again
when they are next; where that many groups share a panel, the wait of the first is short, too.
"""

MOST_GROUPS = 8
"""The most groups of which each fetches the whole panel."""

AHEAD_SHARE = 8
"""What is fetched ahead takes at most 1/n of the second-level cache. Of many bands only the first
wait for a filter that stays in the cache, and each fetches further ahead than the one before.
"""


def fetch_knobs(machine: Machine, shape: WinogradShape, rows: int) -> tuple[int, int]:
    """Return how many tiles make a group, and after how many steps a line is fetched.

    Both are 0 where nothing is. Which line is fetched follows from the number of a group, so bands
    of ``rows`` rows of tiles begin and end with one; in each band it lies a panel further ahead
    than in the band before.
    """
    room = most_tiles(machine, shape.tile_channels, shape.element_bytes)
    tiles = rows * shape.tile_columns
    last = (-(-shape.tile_rows // rows) - 1) * tiles
    common = gcd(tiles, last)
    limit = group_cost(tiles, best_divisor(tiles, room)) * WHOLE_COST
    panel_bytes = shape.inputs * shape.tile_channels * shape.element_bytes
    ahead_bytes = (last + tiles) / tiles * panel_bytes
    group = max(n for n in range(1, min(common, room) + 1) if common % n == 0)
    steps = _steps(shape.inputs, panel_bytes // machine.line_bytes, tiles // group)
    if (
        not steps
        or group_cost(tiles, group) > limit
        or not machine.fetches_ahead
        or ahead_bytes * AHEAD_SHARE > machine.l2_bytes
    ):
        return 0, 0
    return group, steps


def open_fetch_steps(
    machine: Machine, products: WinogradProducts, tile: Tile, rows: int, group: int
) -> int:
    """Return after how many steps a group fetches lines where only a run knows how many there are.

    0 where nothing is fetched.
    """
    steps = max(1, machine.line_bytes // (tile.channels * products.sum_bytes))
    groups = -(-rows * products.tile_columns // group)
    if (
        products.inputs % steps
        or steps > MAX_STEPS
        or groups > MOST_GROUPS
        or not machine.fetches_ahead
        or products.packed not in (0, tile.channels)
    ):
        return 0
    return steps


def open_filter_fetches(
    machine: Machine, update: UpdateOp, tile: Tile, steps: int
) -> Sequence[tuple[SSAValue, AffineMap]]:
    """Return the filter, and which lines of it are fetched every few steps, each with its map.

    ``update`` is that of the sums, over channels, tiles, points, and images.
    """
    source, bytes_ = _filter(update)
    c, _, i, j, _, ci = (AffineExpr.dimension(number) for number in range(6))
    count = max(1, tile.channels * bytes_ // machine.line_bytes)
    lines = [ci // steps * count + number for number in range(count)]
    points = [_panel_line(machine, line, bytes_, (i + 1, j, c // tile.channels)) for line in lines]
    return [(source, AffineMap(6, 0, point)) for point in points]


def _panel_line(
    machine: Machine, line: AffineExpr, bytes_: int, place: tuple[AffineExpr, ...]
) -> tuple[AffineExpr, ...]:
    """Return the first element of a line of the panel of a point and its channels.

    Panels of points, and behind the last the first of the next channels, are one run of memory.
    """
    element = line * (machine.line_bytes // bytes_)
    return (element, AffineExpr.constant(0), *place)


def filter_fetch(
    machine: Machine, update: UpdateOp, tile: Tile, group: int, steps: int
) -> tuple[SSAValue, AffineMap]:
    """Return the filter, and which line of it products of ``group`` tiles fetch every few steps.

    ``update`` is that of the sums, over channels, tiles, points, and images. All groups together
    fetch the panel of the next point.
    """
    ((_, _, inner),) = update.rdom
    source, bytes_ = _filter(update)
    c, t, i, j, _, ci = (AffineExpr.dimension(number) for number in range(6))
    line = t // group * (inner // steps) + ci // steps
    point = _panel_line(machine, line, bytes_, (i + 1, j, c // tile.channels))
    return source, AffineMap(6, 0, point)


def _steps(inner: int, lines: int, groups: int) -> int:
    """Return after how many steps a line is fetched; 0 where that is too seldom or too often.

    All lines are fetched: kernels that left an eighth of them took 1.1 times as long.
    """
    steps = min(MAX_STEPS, inner // 4)  # of which the loop makes some iterations
    while steps and (inner % steps or inner // steps * groups < lines):
        steps //= 2
    return steps if steps and inner // steps * groups <= lines * MOST_FETCHED else 0


def _filter(update: UpdateOp) -> tuple[SSAValue, int]:
    """Return the filter that the sums are updated with, and the bytes of a sum."""
    for op in update.body.block.ops:
        if isinstance(op, LoadOp) and isinstance(op.source.type, BufferType):
            assert isinstance(update.func.owner, FuncOp)
            return op.source, element_bytes(update.func.owner)
    raise AssertionError("products take their filter from a buffer")


def group_cost(tiles: int, group: int) -> int:
    """Return what groups cost: each its tiles, and one more for filling the registers."""
    return -(-tiles // group) * (group + 1)
