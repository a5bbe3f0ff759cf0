"""In which order the tiles of a matrix product are computed, and what cores share: the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autodeploy.machine import Machine
from autodeploy.templates.gemm.fetch import fetch_steps
from autodeploy.templates.gemm.tile import ProductSizes, ProductTile, exceeds_l2
from autodeploy.templates.sharing import BALANCED, balance, even_band, even_dimension, tile_group

BLOCK_TILES = 4
"""Tiles of rows to a block where the right-hand side stays in L2: enough to read it seldom. Results
are then stored in nearly whole rows."""

BLOCKS_PER_CORE = 4
"""Blocks of rows to a core where these are what the cores share."""

EVEN_ROWS = 0.95
"""Cores that share rows and columns have this part of the rows at least that the others have."""

COLUMNS, BLOCKS = "columns", "blocks"
"""What cores may share, beside a dimension of the stack: tiles of columns, and blocks of rows."""


@dataclass(frozen=True)
class ProductOrder:
    """The tiles of rows to a block, and what the cores share."""

    block: int
    parallel: tuple[str | int, ...]
    """``COLUMNS``, ``BLOCKS``, both, or the number of a dimension of the stack, innermost first;
    nothing where one core computes all."""
    group: int
    """Tiles of columns to an iteration where cores share these."""


def product_order(
    machine: Machine,
    sizes: ProductSizes,
    tile: ProductTile,
    stack: Sequence[int],
    *,
    shared: bool,
    filled_up: bool,
    packed: bool = False,
) -> ProductOrder:
    """Make blocks of rows where that pays; with ``shared``, choose a loop to run in parallel.

    That is the first that gives all cores the same, of the ``stack`` of products (its extents,
    innermost first), blocks of rows, and tiles of columns. Unless they divide the columns, or the
    last one is ``filled_up``, tiles of columns are shared in groups.

    Of a ``packed`` right-hand side that is far, cores share the tiles of columns of blocks of rows,
    see ``_rows_of_core``.
    """
    columns, rows = sizes.columns, sizes.rows
    tiles, panels = -(-rows // tile.rows), -(-columns // tile.columns)
    ahead = packed and machine.fetches_ahead
    block = block_tiles(machine, sizes, tile, ahead=ahead)
    parallel: str | int | None = None
    several = machine.cores > 1 and shared
    group = 1 if columns % tile.columns == 0 or filled_up else tile_group(panels, machine.cores)
    if several:
        parallel = even_dimension(stack, machine.cores)
    if several and parallel is None and packed and panels > 1 and group == 1:
        own = _rows_of_core(machine, sizes, tile)
        if own is not None:
            return ProductOrder(own, (COLUMNS, BLOCKS), 1)
    if several and parallel is None:
        most = min(block, -(-tiles // (machine.cores * BLOCKS_PER_CORE)))
        shared_block: int | None = even_band(tiles, machine.cores, most)
        if rows % tile.rows:
            shared_block = tile_group(tiles, machine.cores, shared_block)
        by_columns = panels > 1 and group is not None
        even = group is not None and balance(-(-panels // group), machine.cores) >= BALANCED
        if block == tiles and by_columns and even:
            parallel = COLUMNS
        elif tiles > 1 and shared_block is not None:
            block = shared_block
            parallel = BLOCKS
        elif by_columns:
            parallel = COLUMNS
        elif any(extent > 1 for extent in stack):
            parallel = max(range(len(stack)), key=lambda d: (balance(stack[d], machine.cores), d))
    return ProductOrder(
        max(block, 1),
        () if parallel is None else (parallel,),
        group if parallel == COLUMNS and group else 1,
    )


def block_tiles(machine: Machine, sizes: ProductSizes, tile: ProductTile, *, ahead: bool) -> int:
    """Return how many tiles of rows make a block: for each block, all columns are computed.

    A larger right-hand side than stays in the L2 cache is read once a block: as much of the
    left-hand side as stays there makes one. Blocks are as even as they can be. There is one where
    others are too low to fetch the next tile of columns (``ahead``) meanwhile.
    """
    inner, exceeds = sizes.inner, exceeds_l2(machine, sizes)
    tiles, bytes_ = -(-max(sizes.rows, 1) // tile.rows), tile.rows * inner * sizes.element_bytes
    most = max(1, machine.resident_bytes // max(bytes_, 1)) if exceeds else BLOCK_TILES
    block = -(-tiles // -(-tiles // most))
    fetched = (fetch_steps(machine, tile, inner, count) for count in (tiles, block))
    return tiles if exceeds and ahead and next(fetched) and not next(fetched) else block


def _rows_of_core(machine: Machine, sizes: ProductSizes, tile: ProductTile) -> int | None:
    """Return the tiles of a block of rows where each core has rows of its own; ``None`` for none.

    Kernels that compute rows one by one share them in the same way. So each core reads what it
    wrote itself, which no other cache has. The price is that each core reads the whole right-hand
    side: the one that is far, but fetched ahead, while a block is computed. What cores share are
    tiles of columns of all blocks, so that one which is done with its rows helps another.
    """
    tiles = -(-sizes.rows // tile.rows)
    own = -(-tiles // machine.cores)
    if not exceeds_l2(machine, sizes) or tiles < own * machine.cores * EVEN_ROWS:
        return None
    of_core = replace(sizes, rows=own * tile.rows)
    block = block_tiles(machine, of_core, tile, ahead=machine.fetches_ahead)
    overlaps = sizes.rows % tile.rows and (block < 2 or tiles % block == 1)
    fetches = machine.fetches_ahead and fetch_steps(machine, tile, sizes.inner, block)
    return block if not overlaps and fetches else None
