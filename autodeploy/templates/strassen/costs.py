"""What a product by Strassen's algorithm costs: the rule by which it is chosen, and its blocks.

A cost is counted in multiply-adds of vectors. The sums of a block of rows stay in the second-level
cache while all columns are computed, so a long inner axis makes low blocks. Each block reads the
weights again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.dialects.nn.config import Knob
from autodeploy.dialects.nn.strassen import PRODUCTS
from autodeploy.machine import Machine
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import (
    ANY,
    ProductTile,
    possible_tiles,
    product_tile,
    tile_cost,
)
from autodeploy.templates.strassen.products import StrassenProducts
from autodeploy.templates.strassen.shares import Share, is_shared, possible_shares

WORTH_IT = 0.97
"""What it may cost relative to the plain product, whose weights are 4/7 as large, and which is more
exact."""

LEFT_STEPS = 36
"""Multiply-adds that take as long as the sums of a vector of each quarter of the left-hand side:
4 loads, 5 sums and 7 stores that go to the second-level cache. Measured on a Zen 4."""

RESULT_STEPS = 30
"""Those that take as long as the sums of a vector of each product: 7 loads, 8 sums and 4 stores,
which lie in two rows. Measured there, too."""

OTHERS_BYTES_PER_CYCLE = 1.0
"""Bytes a cycle that a core reads from the second-level cache of another one: 0.8 where they have
no cache in common, 4 and more where they have one. Measured on two cores of a Zen 4, which are now
near and now far: 197x384x1536 takes 0.92 of the time of the plain product in columns where they are
near, and 1.12 where they are far; in rows, 0.90 to 0.94 in both cases."""

MAX_STEPS = 8
"""Steps of the inner axis to a prefetch, at most: they are unrolled."""


@dataclass(frozen=True)
class StrassenOrder:
    """A tile, and the order in which tiles are computed."""

    tile: ProductTile
    """Columns and pairs of rows of a product."""
    share: Share
    """Blocks of rows, and what each core computes."""
    cost: float


def best_order(
    machine: Machine,
    products: StrassenProducts,
    given: ProductTile | None = None,
    block: int = 0,
    parallel: Sequence[Knob] | None = None,
) -> StrassenOrder:
    """Return the order that costs the least, with the tile, block and ``parallel`` that are given.

    Where the cores cannot share what ``parallel`` says, as a single block of rows, it is ignored.
    """
    tiles = [given] if given is not None else strassen_tiles(machine, products)
    orders = [
        StrassenOrder(tile, share, _cost(machine, products, tile, share))
        for tile in tiles
        for share in possible_shares(machine, products, tile, block)
    ]
    wanted = [order for order in orders if order.share.parallel == parallel] or orders
    return min(wanted, key=lambda order: (order.cost, -order.tile.vectors))


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
    """Tell whether it costs less than the plain product, on cores that fetch ahead.

    Weights are 7/4 as large. On a Zen 4, 384x768x3072 takes 0.90 of the time of the plain product
    where they are fetched ahead, and 0.93 to 1.00 without. Of several cores, the plain product
    gives each as much to do.
    """
    if not machine.fetches_ahead:
        return False
    order = best_order(machine, products)
    sizes = plain.columns, plain.rows, plain.inner
    tile = product_tile(
        machine, plain.sum_bytes, *sizes, packed_columns=ANY, row_bytes=plain.row_bytes
    )
    arithmetic = tile_cost(machine, plain.sum_bytes, *sizes, tile)
    cores = machine.cores if is_shared(machine, products) else 1
    fetched = fetched_steps(machine, plain.columns * plain.inner * plain.stored_bytes)
    return order.cost * cores < max(arithmetic, fetched) * WORTH_IT


def fetch_steps(machine: Machine, products: StrassenProducts, tile: ProductTile, block: int) -> int:
    """Return after how many steps a line of the next panel is fetched, so that all are in time.

    0 where there are too few tiles of rows to a block: each step would have to fetch several lines.
    """
    lines = tile.columns * products.element_bytes / machine.line_bytes
    steps = MAX_STEPS if machine.fetches_ahead else 0
    while steps and (products.inner % steps or steps * lines > block):
        steps //= 2
    return steps


def _cost(machine: Machine, products: StrassenProducts, tile: ProductTile, share: Share) -> float:
    """Return what the core does that has most to do."""
    computed = _products_cost(machine, products, tile, share)
    left = share.pairs * -(-products.inner // tile.lanes) * LEFT_STEPS
    result = share.pairs * share.columns / tile.lanes * RESULT_STEPS
    waited = _others_steps(machine, products) if COLUMNS in share.parallel else 0
    return computed + left + result + waited


def _others_steps(machine: Machine, products: StrassenProducts) -> float:
    """Return the multiply-adds during which a core reads what others wrote, if it has columns.

    Kernels before and behind share rows: one core has written the left-hand side that all read,
    and one reads the result that all write.
    """
    elements = 4 * products.pairs * (products.inner + products.columns)
    bytes_ = elements * products.element_bytes * (machine.cores - 1) / machine.cores
    return bytes_ / OTHERS_BYTES_PER_CYCLE * machine.costs.steps_per_cycle


def _products_cost(
    machine: Machine, products: StrassenProducts, tile: ProductTile, share: Share
) -> float:
    """Return what the products cost, block by block, with the weights that come meanwhile.

    A block that is lower than the others fetches as much less of its weights, and waits for the
    rest.
    """
    bytes_, inner = products.element_bytes, products.inner
    one = PRODUCTS * tile_cost(machine, bytes_, share.columns, tile.rows, inner, tile)
    weights = PRODUCTS * inner * share.columns * bytes_
    sums = PRODUCTS * inner * share.block * tile.rows * bytes_
    stay = weights + sums <= machine.l2_bytes
    ahead = fetch_steps(machine, products, tile, share.block) > 0
    tiles = -(-share.pairs // tile.rows)
    cost = 0.0
    for first in range(0, tiles, share.block):
        height = min(share.block, tiles - first)
        come = 0 if first and stay else fetched_steps(machine, weights)
        fetched = come * height / share.block if ahead else 0
        cost += max(one * height, fetched) + come - fetched
    return cost


def fetched_steps(machine: Machine, weights: float) -> float:
    """Return the multiply-adds during which bytes come from beyond the second-level cache."""
    return weights / machine.costs.far_bytes_per_cycle * machine.costs.steps_per_cycle
