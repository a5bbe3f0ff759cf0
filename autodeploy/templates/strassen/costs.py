"""What a product by Strassen's algorithm costs: the rule by which it is chosen, and its blocks.

A cost is counted in multiply-adds of vectors. The sums of a block of rows stay in the second-level
cache while all columns are computed, so a long inner axis makes low blocks. Each block reads the
weights again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.dialects.nn.config import Knob
from autodeploy.dialects.nn.strassen import ROW_PARTS, Strassen
from autodeploy.dialects.nn.winograd import Matrix
from autodeploy.machine import Machine
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import (
    ANY,
    NEAR_SHARE,
    ProductTile,
    possible_tiles,
    product_tile,
    takes_lines,
    tile_cost,
    vectors_of_line,
)
from autodeploy.templates.space import divisors
from autodeploy.templates.strassen.products import StrassenProducts
from autodeploy.templates.strassen.shares import (
    SURE_LINES,
    Share,
    is_shared,
    least_line_steps,
    passes_l1,
    possible_shares,
    sums_bytes,
    sums_exceed_l2,
)

WORTH_IT = 0.97
"""What it may cost relative to the plain product, whose weights are 4/7 to 8/13 as large, and which
is more exact."""

FEWER_PRODUCTS = 0.975
"""What an algorithm of more sums may cost relative to Strassen's own, which is more exact."""

L3_SHARE = 0.5
"""Which share of the third-level cache weights may take for blocks behind the first to find them
there."""

REREAD_RATE = 2
"""How many times as fast they come from there, where they are fetched ahead. On a Zen 4,
384x3072x768 takes 0.97 of the time of seven products by 26, which fetch a line in six cycles."""

PREFETCH_STEPS = 0.25
"""Multiply-adds that take as long as a prefetch: it takes the place of a load."""

LEFT_STEPS = 2.25
"""Multiply-adds that take as long as a load, a sum or a store of the sums of the left-hand side, of
which a vector of each part takes 16 by Strassen's algorithm. Stores go to the second-level cache.
Measured on a Zen 4 with AVX2."""

LEFT_LINE_STEPS = 6.5
"""The same of a load or a store, where vectors are whole lines: sums take no time beside these. On
a Xeon with AVX-512, those for 26 products of 384x3072x768 take 1.26 times as long as for seven."""

FAR_LEFT = 2.2
"""How many times as long they take where the sums of a block exceed that cache. On a Xeon with
AVX-512, all rows in one block take 1.04 times as long as several blocks for 384x768x768, 1.1 times
for 784x768x192, 1.2 times for 3136x384x96."""

RESULT_STEPS = 1.58
"""Multiply-adds that take as long as a load, a sum or a store of the sums of the products. By
Strassen's algorithm, a vector of each product takes 19 of these. Measured there, too."""

OTHERS_BYTES_PER_CYCLE = 1.0
"""Bytes a cycle that a core reads from the second-level cache of another one: 0.8 where they have
no cache in common, 4 and more where they have one. Measured on two cores of a Zen 4, which are now
near and now far: 197x384x1536 takes 0.92 of the time of the plain product in columns where they are
near, and 1.12 where they are far; in rows, 0.90 to 0.94 in both cases."""

PASSED_STEPS = 5
"""Multiply-adds that take as long as a vector of a product that goes to the second-level cache and
comes back. Measured there, too: 384x768x768 takes 0.945 of the time of seven products by 26 in
blocks that are low enough to stay, 0.965 to 0.98 in others."""

PASSED_COST = 10
"""The same in terms of ``tile_cost``, which counts some 1.4 for a multiply-add, and gives tiles of
24 columns more advantage than short sums show."""

WIDE_VECTORS = 3
"""Vectors of a tile of columns, where vectors are whole lines, that do not make it narrow."""

NARROW_COST = 1.015
"""What narrower tiles cost there beside what ``tile_cost`` says. On a Xeon with AVX-512, tiles of
32x13 take 1.03 times as long as tiles of 64x6 for 128x512x4096, and 1.04 times as tiles of 48x8 for
257x1024x768; tiles of 32x11 take 0.97 to 1.02 times as long as tiles of 64x6 for 196x512x1024."""

NEAR_NARROW = 0.45
"""As ``NEAR_SHARE``, of narrower tiles. That Xeon has 48 KB of the cache. 197x384x1536 takes 0.97
of the time of the plain product in tiles of 32x11, whose weights take 24 KB. It takes 0.92 in tiles
of 48x9. 784x256x512 takes 0.92 in tiles of 64x6, whose weights take 32 KB."""

MAX_STEPS = 8
"""Steps of the inner axis to a prefetch, at most: they are unrolled."""


@dataclass(frozen=True)
class StrassenOrder:
    """An algorithm, a tile, and the order in which tiles are computed."""

    products: StrassenProducts
    tile: ProductTile
    """Columns and pairs of rows of a product."""
    share: Share
    """Blocks of rows, and what each core computes."""
    cost: float
    """With the cost of tiles (``tile_cost``), as that of plain products."""
    counted: float
    """With multiply-adds and prefetches as they are. It tells algorithms apart: what tiles cost
    beyond that was measured of longer sums."""


def best_order(
    machine: Machine,
    possible: Sequence[StrassenProducts],
    given: ProductTile | None = None,
    block: int = 0,
    parallel: Sequence[Knob] | None = None,
) -> StrassenOrder:
    """Return the order that costs the least, with the tile, block and ``parallel`` that are given.

    ``possible`` has the products of one algorithm or more. Strassen's own is taken unless another
    one is worth it, see ``FEWER_PRODUCTS``.

    Where the cores cannot share what ``parallel`` says, as a single block of rows, it is ignored.
    """
    own, *others = [_order(machine, products, given, block, parallel) for products in possible]
    worth_it = [
        order
        for order in others
        if order.counted < own.counted * FEWER_PRODUCTS and order.cost < own.cost
    ]
    return min(worth_it, key=lambda order: order.counted, default=own)


def _order(
    machine: Machine,
    products: StrassenProducts,
    given: ProductTile | None,
    block: int,
    parallel: Sequence[Knob] | None,
) -> StrassenOrder:
    """Return the tile and the order of an algorithm that cost the least."""
    orders = [
        StrassenOrder(products, tile, share, *_costs(machine, products, tile, share))
        for tile in ([given] if given is not None else strassen_tiles(machine, products))
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


def strassen_pays(machine: Machine, possible: Sequence[StrassenProducts], plain: Product) -> bool:
    """Tell whether one of them costs less than the plain product, on cores that fetch ahead.

    Weights are 13/8 to 7/4 as large. On a Zen 4, 384x768x3072 takes 0.90 of the time of the plain
    product by seven products where they are fetched ahead, and 0.93 to 1.00 without. Of several
    cores, the plain product gives each as much to do.
    """
    if not machine.fetches_ahead or not possible:
        return False
    first, order = best_order(machine, possible[:1]), best_order(machine, possible)
    cost = first.cost * order.counted / first.counted
    sizes = plain.columns, plain.rows, plain.inner
    tile = product_tile(
        machine, plain.sum_bytes, *sizes, packed_columns=ANY, row_bytes=plain.row_bytes
    )
    arithmetic = tile_cost(machine, plain.sum_bytes, *sizes, tile)
    cores = machine.cores if is_shared(machine, order.products) else 1
    fetched = fetched_steps(machine, plain.columns * plain.inner * plain.stored_bytes)
    return cost * cores < max(arithmetic, fetched) * WORTH_IT


def fetch_steps(machine: Machine, products: StrassenProducts, tile: ProductTile, block: int) -> int:
    """Return after how many steps a line of the next panel is fetched, so that all are in time.

    As many as there can be, so that few lines behind the panel are fetched for nothing. 0 where
    there are too few tiles of rows to a block: each step would have to fetch several lines.
    """
    lines = tile.columns * products.element_bytes / machine.line_bytes
    most = MAX_STEPS if machine.fetches_ahead else 0
    fitting = [n for n in divisors(products.inner) if n <= most and n * lines <= block]
    return max(fitting, default=0)


def _costs(
    machine: Machine, products: StrassenProducts, tile: ProductTile, share: Share
) -> tuple[float, float]:
    """Return what the core does that has most to do: with the cost of tiles, and counted."""
    inner, number = products.inner, products.algorithm.products
    sizes = share.columns, tile.rows, inner
    narrow = takes_lines(machine) and tile.vectors < WIDE_VECTORS
    near = NEAR_NARROW if narrow else NEAR_SHARE
    rows = number * tile_cost(machine, products.element_bytes, *sizes, tile, near)
    rows *= NARROW_COST if narrow else 1
    vectors = -(-share.columns // tile.columns) * tile.vectors
    multiplied = number * tile.rows * vectors * inner
    fetches = number * -(-share.columns // tile.columns) * inner * PREFETCH_STEPS
    steps = fetch_steps(machine, products, tile, share.block)
    counted = multiplied + (fetches / steps if steps else 0)
    around = _around_cost(machine, products, tile, share)
    passed = 0.0
    if passes_l1(machine, products, tile, share.block):
        passed = number * share.pairs * share.columns / tile.lanes * _passed_lines(machine)
    return (
        _products_cost(machine, products, tile, share, rows) + around + passed * PASSED_COST,
        _products_cost(machine, products, tile, share, counted) + around + passed * PASSED_STEPS,
    )


def _around_cost(
    machine: Machine, products: StrassenProducts, tile: ProductTile, share: Share
) -> float:
    """Return what the sums before and behind the products cost, and what comes from others."""
    left = share.pairs * -(-products.inner // tile.lanes) * _left_steps(machine, products.algorithm)
    if sums_exceed_l2(machine, products, tile, share.block):
        left *= FAR_LEFT
    result = share.pairs * share.columns / tile.lanes * _result_steps(products.algorithm)
    waited = _others_steps(machine, products) if COLUMNS in share.parallel else 0
    return left + result * _passed_lines(machine) + waited


def _passed_lines(machine: Machine) -> float:
    """Return how many times as long a vector passes to another cache as one of half a line.

    It does so line by line, while multiply-adds take as long as of shorter vectors.
    """
    return max(2 / vectors_of_line(machine), 1)


def _left_steps(machine: Machine, algorithm: Strassen) -> float:
    """Return the multiply-adds that the sums of a vector of each part of a pair of rows take."""
    passed = ROW_PARTS * algorithm.steps + algorithm.products
    if takes_lines(machine):
        return passed * LEFT_LINE_STEPS
    sums = _terms(algorithm.left) - algorithm.products
    return (passed + sums) * LEFT_STEPS


def _result_steps(algorithm: Strassen) -> float:
    """Return those that the sums of a vector of each product take."""
    parts = ROW_PARTS * algorithm.columns
    sums = _terms(algorithm.result) - parts
    return (algorithm.products + sums + parts) * RESULT_STEPS


def _terms(matrix: Matrix) -> int:
    """Return how many factors are not zero."""
    return sum(factor != 0 for row in matrix for factor in row)


def _others_steps(machine: Machine, products: StrassenProducts) -> float:
    """Return the multiply-adds during which a core reads what others wrote, if it has columns.

    Kernels before and behind share rows: one core has written the left-hand side that all read,
    and one reads the result that all write.
    """
    elements = ROW_PARTS * products.pairs * (products.whole_inner + products.whole_columns)
    bytes_ = elements * products.element_bytes * (machine.cores - 1) / machine.cores
    return bytes_ / OTHERS_BYTES_PER_CYCLE * machine.costs.steps_per_cycle


def _products_cost(
    machine: Machine, products: StrassenProducts, tile: ProductTile, share: Share, one: float
) -> float:
    """Return what the products cost, block by block, with the weights that come meanwhile.

    ``one`` is the cost of a tile of rows. A block that is lower than the others fetches as much
    less of its weights, and waits for the rest.
    """
    bytes_, inner, number = products.element_bytes, products.inner, products.algorithm.products
    weights = number * inner * share.columns * bytes_
    stay = weights + sums_bytes(products, tile) * share.block <= machine.l2_bytes
    again = REREAD_RATE if weights <= machine.l3_bytes * L3_SHARE else 1
    ahead = fetch_steps(machine, products, tile, share.block)
    lines = weights / machine.line_bytes
    waited = lines * max(_line_steps(machine, products, tile, share.block) - ahead * tile.sums, 0)
    tiles = -(-share.pairs // tile.rows)
    cost = 0.0
    for first in range(0, tiles, share.block):
        height = min(share.block, tiles - first)
        if first and stay:
            cost += one * height
            continue
        come = fetched_steps(machine, weights)
        part = height / share.block if ahead else 0
        streamed = come / (again if first else 1) * part
        cost += max(one * height + waited * part, streamed) + come * (1 - part)
    return cost


def _line_steps(
    machine: Machine, products: StrassenProducts, tile: ProductTile, block: int
) -> float:
    """Return the multiply-adds that a line of weights takes to come."""
    far = sums_exceed_l2(machine, products, tile, block)
    return least_line_steps(machine) * (SURE_LINES if far else 1)


def fetched_steps(machine: Machine, weights: float) -> float:
    """Return the multiply-adds during which bytes come from beyond the second-level cache."""
    return weights / machine.costs.far_bytes_per_cycle * machine.costs.steps_per_cycle
