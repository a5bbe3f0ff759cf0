"""What a product by Strassen's algorithm costs: the rule by which it is chosen, and its blocks.

A cost is counted in multiply-adds of vectors. The sums of a block of rows stay in the second-level
cache while all columns are computed, so a long inner axis makes low blocks. Each block reads the
weights again.
"""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.dialects.nn.strassen import PRODUCTS
from autodeploy.machine import Machine
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import (
    ANY,
    ProductTile,
    possible_tiles,
    product_tile,
    tile_cost,
)
from autodeploy.templates.strassen.products import StrassenProducts

WORTH_IT = 0.97
"""What it may cost relative to the plain product, whose weights are 4/7 as large, and which is more
exact."""

LEFT_STEPS = 36
"""Multiply-adds that take as long as the sums of a vector of each quarter of the left-hand side:
4 loads, 5 sums and 7 stores that go to the second-level cache. Measured on a Zen 4."""

RESULT_STEPS = 30
"""Those that take as long as the sums of a vector of each product: 7 loads, 8 sums and 4 stores,
which lie in two rows. Measured there, too."""

MAX_STEPS = 8
"""Steps of the inner axis to a prefetch, at most: they are unrolled."""


@dataclass(frozen=True)
class StrassenOrder:
    """A tile, and the order in which tiles are computed."""

    tile: ProductTile
    """Columns and pairs of rows of a product."""
    block: int
    """Tiles of pairs to a block."""
    cost: float


def best_order(
    machine: Machine, products: StrassenProducts, given: ProductTile | None = None
) -> StrassenOrder:
    """Return the order that costs the least, of the tile that is ``given`` or of any."""
    tiles = [given] if given is not None else strassen_tiles(machine, products)
    orders = (_order(machine, products, tile) for tile in tiles)
    return min(orders, key=lambda order: (order.cost, -order.tile.vectors))


def strassen_tiles(machine: Machine, products: StrassenProducts) -> list[ProductTile]:
    """Return the tiles whose sums fit into the registers.

    They divide the columns, where one of whole vectors does; else zeros fill up the last tile. Of a
    right-hand side that has the sums already, they are as wide as it is packed. Where that is
    too wide for the registers, as of one that was packed for another machine, there is one of a
    single pair of rows.
    """
    bytes_ = products.element_bytes
    tiles = possible_tiles(
        machine,
        bytes_,
        products.columns,
        products.pairs,
        packed_columns=ANY,
        row_bytes=products.inner * bytes_,
    )
    if products.packed:
        fitting = [tile for tile in tiles if products.packed == tile.columns]
    else:
        fitting = [tile for tile in tiles if products.columns % tile.columns == 0] or tiles
    return fitting or [ProductTile.of(products.packed, 1, machine.lanes(bytes_))]


def strassen_pays(machine: Machine, products: StrassenProducts, plain: Product) -> bool:
    """Tell whether it costs less than the plain product, on a single core that fetches ahead.

    Weights are 7/4 as large. On a Zen 4, 384x768x3072 takes 0.90 of the time of the plain product
    where they are fetched ahead, and 0.93 to 1.00 without. Where two cores share blocks of rows,
    each reads all weights, and BERT-base takes as long as with plain products.
    """
    if machine.cores > 1 or not machine.fetches_ahead:
        return False
    order = best_order(machine, products)
    sizes = plain.columns, plain.rows, plain.inner
    tile = product_tile(
        machine, plain.sum_bytes, *sizes, packed_columns=ANY, row_bytes=plain.row_bytes
    )
    arithmetic = tile_cost(machine, plain.sum_bytes, *sizes, tile)
    fetched = fetched_steps(machine, plain.columns * plain.inner * plain.stored_bytes)
    return order.cost < max(arithmetic, fetched) * WORTH_IT


def fetch_steps(machine: Machine, products: StrassenProducts, tile: ProductTile, block: int) -> int:
    """Return after how many steps a line of the next panel is fetched, so that all are in time.

    0 where there are too few tiles of rows to a block: each step would have to fetch several lines.
    """
    lines = tile.columns * products.element_bytes / machine.line_bytes
    steps = MAX_STEPS if machine.fetches_ahead else 0
    while steps and (products.inner % steps or steps * lines > block):
        steps //= 2
    return steps


def _order(machine: Machine, products: StrassenProducts, tile: ProductTile) -> StrassenOrder:
    """Return the order of a tile: blocks as high as the cache holds their sums, and even."""
    bytes_ = products.element_bytes
    tiles = -(-products.pairs // tile.rows)
    sums_bytes = PRODUCTS * products.inner * bytes_ * tile.rows
    most = max(machine.resident_bytes // sums_bytes, 1)
    blocks = -(-tiles // most)
    if machine.cores > 1 and products.work >= machine.costs.parallel_work:
        blocks = min(-(-blocks // machine.cores) * machine.cores, tiles)
    block = -(-tiles // blocks)
    arithmetic = PRODUCTS * tile_cost(
        machine, bytes_, products.columns, products.pairs, products.inner, tile
    )
    weights = PRODUCTS * products.inner * products.columns * bytes_
    if weights + block * sums_bytes > machine.l2_bytes:
        weights *= blocks
    fetched = fetched_steps(machine, weights)
    ahead = fetch_steps(machine, products, tile, block) > 0
    computed = max(arithmetic, fetched) if ahead else arithmetic + fetched
    left = products.pairs * -(-products.inner // tile.lanes) * LEFT_STEPS
    result = products.pairs * products.columns / tile.lanes * RESULT_STEPS
    return StrassenOrder(tile, block, computed + left + result)


def fetched_steps(machine: Machine, weights: float) -> float:
    """Return the multiply-adds during which bytes come from beyond the second-level cache."""
    return weights / machine.costs.far_bytes_per_cycle * machine.costs.steps_per_cycle
