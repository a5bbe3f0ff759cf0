"""What of a product by Strassen's algorithm each core computes: what there is to choose from.

Either each core has blocks of rows of its own, and reads all weights, or columns of its own, and
makes the sums of all rows of the left-hand side itself. It never reads sums of another core: these
are 7/4 as many bytes as the rows, or more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.templates.gemm.order import BLOCKS, COLUMNS
from autodeploy.templates.gemm.tile import ProductTile, takes_lines
from autodeploy.templates.sharing import busiest_of_bands, even_band
from autodeploy.templates.strassen.products import StrassenProducts

LOW_BLOCK = 4
"""Tiles of rows to a block below which weights come too late: few steps for each line."""

WHOLE_SUMS = 1.25
"""How many times as large as the second-level cache the sums of all rows may be for the sake of a
single block where blocks are low. 49x3072x768 takes 0.95 of the time of the plain product in one
block on a Zen 4 whose cache has 1 MB, 1.03 in three."""

FEW_PRODUCTS = 7
"""Products that may leave the first-level cache: higher blocks gain as much. On a Zen 4, blocks of
6 tiles of 24 x 4 take 1.01 of the time of blocks of 12 for 384x768x3072."""

SURE_LINES = 2
"""How many times ``least_line_steps`` a line takes where the sums come from beyond the second-level
cache, too."""

BLOCKS_PER_CORE = 2
"""Blocks of rows to a core where cores share these: one that is done sooner helps another."""

ROWS = (BLOCKS,)
COLUMNS_OF_BLOCKS = (BLOCKS, COLUMNS)
"""What cores share, innermost first: blocks of rows, or those of some columns, then of others."""


@dataclass(frozen=True)
class Share:
    """A way to share the work, and what the core does that has most to do."""

    parallel: tuple[str, ...]
    """``ROWS``, ``COLUMNS_OF_BLOCKS``, or nothing where one core computes all."""
    block: int
    """Tiles of pairs of rows to a block."""
    group: int
    """Tiles of columns to an iteration where cores share these."""
    pairs: int
    """Pairs of rows that the core computes."""
    columns: int
    """Columns of a product that it computes for each of its rows."""


def possible_shares(
    machine: Machine, products: StrassenProducts, tile: ProductTile, given: int = 0
) -> Iterator[Share]:
    """Return the ways to share a product with a tile, in blocks as high as ``given`` or of those
    heights that caches suggest."""
    tiles, cores = -(-products.pairs // tile.rows), machine.cores
    shared = is_shared(machine, products)
    group = column_group(machine, products, tile)
    most_shared = _most_shared(tiles, cores)
    limits = [(most, most_shared) for most in _most_tiles(machine, products, tile, tiles)]
    enough = min(_enough_tiles(machine, tile), tiles)
    if enough and sums_exceed_l2(machine, products, tile, enough):
        # The core fetches sums itself, as they are read row by row.
        limits.append((enough, -(-tiles // cores)))
    for most, limit in limits:
        block = given or -(-tiles // -(-tiles // most))
        if not shared:
            yield Share((), block, 1, products.pairs, products.columns)
            continue
        own = given or even_band(tiles, cores, min(most, limit))
        if own < tiles:
            busiest = busiest_of_bands(tiles, own, cores)
            pairs = min(busiest * tile.rows, products.pairs)
            yield Share(ROWS, own, 1, pairs, products.columns)
        yield Share(COLUMNS_OF_BLOCKS, block, group, products.pairs, group * tile.columns)


def _most_shared(tiles: int, cores: int) -> int:
    """Return the most tiles of rows to a block where cores share these: several to a core, unless
    that makes them low."""
    most = -(-tiles // (cores * BLOCKS_PER_CORE))
    return most if most >= LOW_BLOCK else -(-tiles // cores)


def column_group(machine: Machine, products: StrassenProducts, tile: ProductTile) -> int:
    """Return how many tiles of columns make an iteration, so that there is one to a core."""
    panels = -(-products.columns // tile.columns)
    return -(-panels // machine.cores)


def is_shared(machine: Machine, products: StrassenProducts) -> bool:
    """Tell whether several cores compute a product."""
    return machine.cores > 1 and products.work >= machine.costs.parallel_work


def passes_l1(machine: Machine, products: StrassenProducts, tile: ProductTile, block: int) -> bool:
    """Tell whether the products of a block and a tile of columns, and the weights of one of them,
    exceed the first-level cache. So few as Strassen's own do not count."""
    if products.algorithm.products <= FEW_PRODUCTS:
        return False
    results = products.algorithm.products * block * tile.rows
    elements = (results + products.inner) * tile.columns
    return elements * products.element_bytes > machine.l1_bytes


def sums_bytes(products: StrassenProducts, tile: ProductTile) -> int:
    """Return the bytes of the sums of the left-hand side for a tile of rows."""
    sums = products.algorithm.products * products.inner
    return sums * products.element_bytes * tile.rows


def sums_exceed_l2(
    machine: Machine, products: StrassenProducts, tile: ProductTile, block: int
) -> bool:
    """Tell whether the sums of a block leave the second-level cache between two tiles of columns.

    Beside them it holds the weights of such a tile, and those of the next one. Where vectors share
    lines, the heights of blocks were measured without this distinction.
    """
    panel = products.inner * tile.columns * products.element_bytes
    bytes_ = sums_bytes(products, tile) * block + 2 * panel
    return takes_lines(machine) and bytes_ > machine.resident_bytes


def least_line_steps(machine: Machine) -> float:
    """Return the multiply-adds of vectors that a line of weights takes to come, if it is fetched.

    A line that is on its way holds one of few buffers. Where vectors are whole lines, too few rows
    ask for more lines than there are buffers: on a Xeon with AVX-512, 384x3072x768 takes 1.5 times
    as long as the plain product where a line comes every 24 multiply-adds, and 0.95 where it comes
    every 192; 384x768x768 takes 1.02 and 0.94, every 24 and 48.
    """
    return machine.costs.steps_per_prefetch if takes_lines(machine) else 0


def _most_tiles(
    machine: Machine, products: StrassenProducts, tile: ProductTile, tiles: int
) -> list[int]:
    """Return the most tiles of rows to a block: as many as caches hold the sums or products of.

    - As many as the second-level cache holds the sums of, so that weights are read less often. All
      rows are one block where these are few, see ``WHOLE_SUMS``. Where vectors are whole lines, few
      more than are enough to fetch weights: the program keeps memory for the sums of a block.
    - As many as the first-level cache holds the products of, where these are fewer.
    """
    bytes_ = sums_bytes(products, tile)
    most = max(machine.resident_bytes // bytes_, 1)
    fits = tiles * bytes_ <= machine.l2_bytes * WHOLE_SUMS
    most = tiles if most < LOW_BLOCK and fits else min(most, tiles)
    if enough := _enough_tiles(machine, tile):
        most = min(most, -(-tiles // max(tiles // enough, 1)))
    if not passes_l1(machine, products, tile, most):
        return [most]
    near = [block for block in range(1, most) if not passes_l1(machine, products, tile, block)]
    return [most, *near[-1:]]


def _enough_tiles(machine: Machine, tile: ProductTile) -> int:
    """Return the tiles of rows to a block that are enough to fetch the weights meanwhile, wherever
    they come from; 0 where vectors share lines."""
    steps = math.ceil(least_line_steps(machine) * SURE_LINES / tile.sums)
    return steps * tile.vectors
