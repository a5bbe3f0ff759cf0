"""How large a tile of a matrix product is: the rule that packing and scheduling share.

A tile of ``rows`` x ``vectors`` sums stays in registers while the product runs over its inner axis.
A step loads ``vectors`` vectors of the right-hand side, broadcasts ``rows`` elements of the left
one, and takes ``rows`` x ``vectors`` multiply-adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from autodeploy.machine import Machine
from autodeploy.templates.cache_sets import lines_that_stay
from autodeploy.templates.dots import most_dot_sums
from autodeploy.templates.fetch_plan import vectors_of_line
from autodeploy.templates.tiles import packed_lanes

MAX_ROWS = 14
"""Higher tiles gain nothing: most of their loads are broadcasts, which no longer get fewer."""

MAX_VECTORS = 4
"""Wider tiles leave too few registers for rows."""

NEAR_RIGHT_SHARE = 4
"""A right-hand side of at most 1/n of the second-level cache stays there beside all the rest."""

NUMBERS_PER_CYCLE = 2
"""Elements of a left-hand side that a core loads in a cycle."""

ANY = 1 << 62
"""As ``packed_columns`` of a matrix that is not packed yet: a tile may have any width."""


@dataclass(frozen=True)
class ProductTile:
    """A tile of ``rows`` rows by ``vectors`` vectors of ``lanes`` columns."""

    rows: int
    vectors: int
    lanes: int

    @staticmethod
    def of(columns: int, rows: int, lanes: int) -> ProductTile:
        """Return the tile of as many columns, in the widest vectors of up to ``lanes``."""
        width = gcd(columns, lanes)
        return ProductTile(rows, columns // width, width)

    @property
    def columns(self) -> int:
        """Return the columns of the tile."""
        return self.vectors * self.lanes


@dataclass(frozen=True)
class ProductSizes:
    """A product of ``rows`` x ``inner`` x ``columns``, of elements of some bytes.

    Rows of the left-hand side lie ``row_bytes`` apart (0: side by side). ``held`` registers hold
    products on their way to the sums. A tile has ``least_vectors`` vectors or more, where it can be
    as wide.
    """

    columns: int
    rows: int
    inner: int
    element_bytes: int
    row_bytes: int = 0
    held: int = 0
    least_vectors: int = 1


def product_tile(machine: Machine, sizes: ProductSizes, packed_columns: int) -> ProductTile:
    """Return the tile for which a product costs the least.

    Every tile is counted in full, so that one which leaves less over wins. ``packed_columns`` are
    those of a packed right-hand side with the zeros that fill it up, which the tiles may cover, and
    0 of one that is not packed: there, a tile is no wider than the columns. No more
    rows are taken than stay in the first-level cache.
    """
    tiles = possible_tiles(machine, sizes, packed_columns)
    return min(
        [tile for tile in tiles if tile.vectors >= sizes.least_vectors] or tiles,
        key=lambda tile: (tile_cost(machine, sizes, tile), -tile.vectors),
    )


def possible_tiles(machine: Machine, sizes: ProductSizes, packed_columns: int) -> list[ProductTile]:
    """Return the tiles whose sums fit into the registers, see ``product_tile``."""
    lanes, held = packed_lanes(machine, sizes.element_bytes, sizes.columns), sizes.held

    def fits(width: int) -> bool:
        return covers(packed_columns, sizes.columns, width)

    while lanes > 1 and not fits(lanes):
        lanes //= 2
    limit = min(MAX_ROWS, sizes.rows)
    if sizes.row_bytes:
        limit = min(limit, lines_that_stay(machine, sizes.row_bytes))
    most = (held and most_dot_sums(machine)) or most_sums(machine)
    return [
        ProductTile(height, vectors, lanes)
        for vectors in range(1, MAX_VECTORS + 1)
        if vectors == 1 or fits(vectors * lanes)
        for height in range(1, max(limit, 1) + 1)
        if vectors * (height + 1) + held < machine.vector_registers and vectors * height <= most
    ]


def most_sums(machine: Machine) -> int:
    """Return how many accumulators a tile has at most: with few other registers some are spilled.

    Compilers load operands of the next step early. On a Zen 4 with AVX2, tiles of 13 accumulators
    reach 56 GFLOP/s, those of 12 reach 88; with AVX-512, 28 cost up to 15 %.
    """
    registers = machine.vector_registers
    return max(min(registers * 7 // 8, registers - 3) - 1, 1)


def covers(packed_columns: int, columns: int, width: int) -> bool:
    """Tell whether tiles of ``width`` columns stay within what is packed, or within a matrix."""
    if packed_columns:
        return -(-columns // width) * width <= packed_columns
    return width <= columns


def tile_cost(machine: Machine, sizes: ProductSizes, tile: ProductTile) -> float:
    """Return what a product costs with a tile, in multiply-adds of vectors."""
    costs, sums = machine.costs, tile.rows * tile.vectors
    vector = costs.l1_load_steps
    if not is_near_tile(machine, sizes, tile):
        # What is loaded from there is a line, of one vector or several.
        vector += (costs.l2_load_steps - vector) / vectors_of_line(machine)
    # A core that starts one multiply-add in a cycle loads one vector meanwhile, or two numbers.
    share = costs.fma_per_cycle / NUMBERS_PER_CYCLE
    step = max(sums, tile.vectors + tile.rows * share, costs.fma_latency * costs.fma_per_cycle)
    step += vector * tile.vectors + costs.l1_load_steps * tile.rows * share**2
    step *= 1 + costs.idle_accumulator * max(costs.busy_accumulators - sums, 0)
    end = costs.end_cycles * costs.fma_per_cycle * max(sums - costs.overlapped_sums, 0)
    tiles = -(-sizes.rows // tile.rows) * -(-sizes.columns // tile.columns)
    return tiles * (sizes.inner * step + end)


def is_near_tile(machine: Machine, sizes: ProductSizes, tile: ProductTile) -> bool:
    """Tell whether a tile of columns of the right-hand side stays in L1: it takes at most half."""
    return sizes.inner * tile.columns * sizes.element_bytes * 2 <= machine.l1_bytes


def exceeds_l2(machine: Machine, sizes: ProductSizes) -> bool:
    """Tell whether a right-hand side does not stay in the second-level cache beside the rest."""
    right_bytes = sizes.inner * sizes.columns * sizes.element_bytes
    return right_bytes * NEAR_RIGHT_SHARE > machine.l2_bytes
