"""How large a tile of a matrix product is: the rule that packing and scheduling share.

A tile of ``rows`` x ``vectors`` sums stays in registers while the product runs over its inner axis.
A step loads ``vectors`` vectors of the right-hand side, broadcasts ``rows`` elements of the left
one, and takes ``rows`` x ``vectors`` multiply-adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from autodeploy.machine import Machine

MAX_ROWS = 14
"""Higher tiles gain nothing: most of their loads are broadcasts, which no longer get fewer."""

MAX_VECTORS = 4
"""Wider tiles leave too few registers for rows."""

NEAR_SHARE = 2 / 3
"""A tile of columns that takes more of the first-level cache is read from the second-level one."""

NEAR_RIGHT_SHARE = 4
"""A right-hand side of at most 1/n of the second-level cache stays there beside all the rest."""

BLOCK_TILES = 4
"""Tiles of rows to a block where the right-hand side is near: enough to read it seldom."""

FETCH_STEPS = 8
"""Steps of the inner axis to a prefetch, at most, where vectors are lines and there are
``FETCH_REGISTERS`` of them."""

FETCH_REGISTERS = 32
"""Registers for which ``FETCH_STEPS`` is: with half as many, tiles have half as many rows."""

MOST_SURPLUS = 4
"""How many times as many fetches as lines that are wanted there may be, less than that. Fetches go
on behind the last line: some of these lines are wanted soon. More of them take the place of others
on the way, and lie in pages that are not known yet.
"""

CROWDED_SHARE = 7 / 8
"""Sums that fill this part of the registers leave few for the next step's operands: where compilers
load more of these early, a sum or two go to memory and back in each step."""

CROWDED_LEFT = 3
"""So do sums that leave as few registers: with 13 of 16, 169x512x1000 runs at 56 GFLOP/s in tiles
of 8x13 on a Zen 4 with AVX2, where 24x4 reaches 88."""

CROWDED_COST = 1.06
"""How many times as long such tiles are taken to need: most take as long as others of their work,
some 1.15 times."""

IDLE_COST = 0.02
"""Part of a step that each sum costs which a tile has too few, see ``busy_sums``. On a Zen 4 with
AVX2, tiles of 10, 9 and 8 sums take 1.05, 1.07 and 1.09 times as long for their work as 12 do.
"""

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


def packed_lanes(machine: Machine, element_bytes: int, columns: int) -> int:
    """Return how many columns of a right-hand side are packed side by side: those of one vector.

    A matrix that is narrower takes the next power of two. Packed by vectors rather than by tiles,
    a tile reads as many runs of memory as it has vectors, and may be of any width.
    """
    lanes = machine.lanes(element_bytes)
    while lanes > 1 and lanes // 2 >= columns:
        lanes //= 2
    return max(lanes, 1)


def product_tile(
    machine: Machine,
    element_bytes: int,
    columns: int,
    rows: int,
    inner: int,
    *,
    packed_columns: int,
    row_bytes: int = 0,
    whole_rows: bool = False,
) -> ProductTile:
    """Return the tile for which a product of ``rows`` x ``inner`` x ``columns`` costs the least.

    Every tile is counted in full, so that one which leaves less over wins. ``packed_columns`` are
    those of a packed right-hand side with the zeros that fill it up, which the tiles may cover, and
    0 of one that is not packed: there, a tile is no wider than the columns. Where rows of the
    left-hand side lie ``row_bytes``, a multiple of ``set_bytes``, apart, they share the ways of one
    set of the first-level cache, and no more rows than those are taken. With ``whole_rows`` tiles
    divide the rows.
    """
    tiles = possible_tiles(
        machine, element_bytes, columns, rows, packed_columns=packed_columns, row_bytes=row_bytes
    )
    return min(
        (tile for tile in tiles if not whole_rows or rows % tile.rows == 0),
        key=lambda tile: (
            tile_cost(machine, element_bytes, columns, rows, inner, tile),
            -tile.vectors,
        ),
    )


def possible_tiles(
    machine: Machine,
    element_bytes: int,
    columns: int,
    rows: int,
    *,
    packed_columns: int,
    row_bytes: int = 0,
) -> list[ProductTile]:
    """Return the tiles whose sums fit into the registers, see ``product_tile``."""
    lanes = packed_lanes(machine, element_bytes, columns)

    def fits(width: int) -> bool:
        return covers(packed_columns, columns, width)

    while lanes > 1 and not fits(lanes):
        lanes //= 2
    limit = min(MAX_ROWS, rows)
    set_bytes = machine.costs.set_bytes
    if row_bytes and row_bytes % set_bytes == 0:
        limit = min(limit, machine.l1_bytes // set_bytes)
    return [
        ProductTile(height, vectors, lanes)
        for vectors in range(1, MAX_VECTORS + 1)
        if vectors == 1 or fits(vectors * lanes)
        for height in range(1, max(limit, 1) + 1)
        if vectors * (height + 1) < machine.vector_registers
    ]


def covers(packed_columns: int, columns: int, width: int) -> bool:
    """Tell whether tiles of ``width`` columns stay within what is packed, or within a matrix."""
    if packed_columns:
        return -(-columns // width) * width <= packed_columns
    return width <= columns


def tile_cost(
    machine: Machine, element_bytes: int, columns: int, rows: int, inner: int, tile: ProductTile
) -> float:
    """Return what a product costs with a tile, in multiply-adds of vectors."""
    near = is_near_tile(machine, element_bytes, inner, tile)
    costs = machine.costs
    vector = costs.l1_load_steps
    if not near:
        # What is loaded from there is a line, of one vector or several.
        vector += (costs.l2_load_steps - vector) / vectors_of_line(machine)
    # As many loads as multiply-adds start in a cycle.
    started = max(tile.rows * tile.vectors, tile.rows + tile.vectors)
    step = started + costs.l1_load_steps * tile.rows + vector * tile.vectors
    if is_crowded(machine, tile):
        step *= CROWDED_COST
    step *= 1 + IDLE_COST * max(busy_sums(machine) - tile.rows * tile.vectors, 0)
    count = -(-rows // tile.rows) * -(-columns // tile.columns)
    return count * (inner * step + costs.tile_steps)


def is_crowded(machine: Machine, tile: ProductTile) -> bool:
    """Tell whether sums leave few registers, see ``CROWDED_SHARE`` and ``CROWDED_LEFT``."""
    registers = machine.vector_registers
    return tile.rows * tile.vectors >= min(registers * CROWDED_SHARE, registers - CROWDED_LEFT)


def busy_sums(machine: Machine) -> float:
    """Return how many sums keep a core busy: half as many again as start while one is added up.

    With just those, each multiply-add that waits for a load delays the next step.
    """
    return 1.5 * machine.costs.fma_latency * machine.costs.fma_per_cycle


def is_near_tile(machine: Machine, element_bytes: int, inner: int, tile: ProductTile) -> bool:
    """Tell whether a tile of columns of the right-hand side stays in the first-level cache."""
    return inner * tile.columns * element_bytes <= machine.l1_bytes * NEAR_SHARE


def vectors_of_line(machine: Machine) -> int:
    """Return how many vectors share a line of the caches: steps of a panel."""
    return max(machine.line_bytes // machine.vector_bytes, 1)


def fetches_parts(machine: Machine) -> bool:
    """Tell whether vectors share lines on a machine that fetches ahead, such as one with AVX2."""
    return machine.fetches_ahead and vectors_of_line(machine) > 1


def most_fetch_steps(machine: Machine) -> int:
    """Return the steps of the inner axis to a prefetch, at most.

    Where vectors share lines, a step takes less of one, and with fewer registers, a step of as many
    rows is of more tiles.
    """
    few = max(FETCH_REGISTERS // machine.vector_registers, 1)
    return FETCH_STEPS * vectors_of_line(machine) * few


def least_fetch_spacing(machine: Machine) -> float:
    """Return the multiply-adds of vectors between two prefetches of a tile of columns, at least.

    Where vectors share lines, a multiply-add takes less of one. A prefetch each step is too many:
    8x576x1152, whose weights are in the second-level cache, takes twice as long.
    """
    return machine.costs.steps_per_prefetch / vectors_of_line(machine)


def exceeds_l2(machine: Machine, element_bytes: int, columns: int, inner: int) -> bool:
    """Tell whether a right-hand side does not stay in the second-level cache beside the rest."""
    return inner * columns * element_bytes * NEAR_RIGHT_SHARE > machine.l2_bytes


def block_tiles(
    machine: Machine,
    element_bytes: int,
    tile: ProductTile,
    columns: int,
    rows: int,
    inner: int,
    *,
    made: bool = False,
) -> int:
    """Return how many tiles of rows make a block: for each block, all columns are computed.

    A right-hand side that stays in the second-level cache is read for few tiles at a time, so that
    results are stored in nearly whole rows. A larger one is read from a further cache or from
    memory once a block: blocks are then as large as the second-level cache holds of the left-hand
    side. All rows are one block if the core can read the left-hand side from beyond that cache
    while it computes, and blocks have a drawback: there are too few tiles in one to fetch the next
    tile of columns during ``FETCH_STEPS`` steps a line, or blocks do not divide the tiles, and the
    last one is under a condition; but not where one block fetches too often. With a single tile of
    columns there is one block, unless a prologue computes the rows (``made``), a block at a time.
    """
    tiles = -(-rows // tile.rows)
    if columns <= tile.columns and not made:
        return tiles
    if not exceeds_l2(machine, element_bytes, columns, inner):
        return _even_block(tiles, BLOCK_TILES)
    most = max(1, machine.resident_bytes // max(tile.rows * inner * element_bytes, 1))
    block = _even_block(tiles, most)
    if machine.fetches_ahead and not made and _streams(machine, element_bytes, tile):
        few = most < FETCH_STEPS * tile.vectors
        uneven = tiles % block and not fetches_too_often(machine, tile, tiles)
        return tiles if few or uneven else block
    return block


def fetches_too_often(machine: Machine, tile: ProductTile, tiles: int) -> bool:
    """Tell whether ``tiles`` tiles of rows fetch the next tile of columns far too often.

    Where vectors are whole lines, such blocks have not been measured.
    """
    most = MOST_SURPLUS * most_fetch_steps(machine) * tile.vectors // vectors_of_line(machine)
    return fetches_parts(machine) and tiles >= most


def _even_block(tiles: int, most: int) -> int:
    """Return the tiles of a block of up to ``most`` where blocks are as even as they can be."""
    blocks = -(-max(tiles, 1) // most)
    return max(1, -(-tiles // blocks))


def _streams(machine: Machine, element_bytes: int, tile: ProductTile) -> bool:
    """Tell whether rows come from beyond the second-level cache as fast as a tile takes them."""
    taken = element_bytes * machine.costs.steps_per_cycle / tile.vectors
    return taken <= machine.costs.streamed_bytes_per_cycle
