"""Which lines of its filter a Winograd convolution fetches before it needs them: the rule.

The products of a point and a tile of output channels read one panel of the transformed filter, for
one group of image tiles after another. The weights of other layers have replaced the panel in the
second-level cache. Without prefetches, the first group waits for it, and the others read nothing
new. So all groups fetch lines of the panel of the next point, one every few steps of the reduction.
"""

from __future__ import annotations

from math import gcd

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import LEAST_FETCHED, WHOLE_COST, in_runs
from autodeploy.templates.tiles import Tile, best_divisor
from autodeploy.templates.view import element_bytes
from autodeploy.templates.winograd.products import WinogradProducts

MAX_STEPS = 4
"""Steps of the reduction to a fetch, at most: they are unrolled, and more fill the cache of
instructions."""

MOST_FETCHED = 2
"""The most panels that are fetched while one is used. Those behind the next one are fetched again
when they are next; where that many groups share a panel, the wait of the first is short, too.
"""

AHEAD_SHARE = 8
"""What is fetched ahead takes at most 1/n of the second-level cache. Of many bands only the first
wait for a filter that stays in the cache, and each fetches further ahead than the one before.
"""


def fetch_knobs(
    machine: Machine, products: WinogradProducts, tile: Tile, rows: int, room: int
) -> tuple[int, int]:
    """Return how many tiles make a group, ``room`` at most, and after how many steps a line is
    fetched; both are 0 where nothing is.

    Which line is fetched follows from the number of a group, so bands of ``rows`` rows of tiles
    begin and end with one; in each band it lies a panel further ahead than in the band before.
    """
    tiles = rows * products.tile_columns
    last = (-(-products.tile_rows // rows) - 1) * tiles
    common = gcd(tiles, last)
    limit = group_cost(tiles, best_divisor(tiles, room)) * WHOLE_COST
    panel_bytes = products.inputs * tile.channels * products.sum_bytes
    ahead_bytes = (last + tiles) / tiles * panel_bytes
    group = max(n for n in range(1, min(common, room) + 1) if common % n == 0)
    steps = _steps(products.inputs, panel_bytes // machine.line_bytes, tiles // group)
    if (
        not steps
        or products.is_open
        or group_cost(tiles, group) > limit
        or not machine.fetches_ahead
        or products.packed not in (0, tile.channels)
        or ahead_bytes * AHEAD_SHARE > machine.l2_bytes
    ):
        return 0, 0
    return group, steps


def filter_fetch(
    machine: Machine, update: UpdateOp, tile: Tile, tiles: int, group: int, steps: int
) -> tuple[SSAValue, AffineMap]:
    """Return the filter, and which line of it products of ``group`` tiles fetch every few steps.

    ``update`` is that of the sums, over channels, tiles, points, and images.
    """
    ((_, _, inner),) = update.rdom
    source, bytes_ = _filter(update)
    c, t, i, j, _, ci = (AffineExpr.dimension(number) for number in range(6))
    number = t // group * (inner // steps) + ci // steps
    fetched = tiles // group * (inner // steps)
    line = in_runs(number, fetched, steps * tile.channels // tile.lanes * group)
    # Panels of points, and behind the last the first of the next channels, are one run of memory.
    element = line * (machine.line_bytes // bytes_)
    point = (element, AffineExpr.constant(0), i + 1, j, c // tile.channels)
    return source, AffineMap(6, 0, point)


def _steps(inner: int, lines: int, groups: int) -> int:
    """Return after how many steps a line is fetched; 0 where that is too seldom or too often."""
    steps = min(MAX_STEPS, inner // 4)  # of which the loop makes some iterations
    while steps and (inner % steps or inner // steps * groups < lines * LEAST_FETCHED):
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
