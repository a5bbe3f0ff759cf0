"""In which order the tiles of a matrix product are computed, and what cores share: the rule.

Prologues are merged with products by the same rule: where rows have to be made first, cores share
no rows, so that each makes its own once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.templates.gemm.tile import ProductTile, block_tiles
from autodeploy.templates.sharing import BALANCED, balance, even_dimension, tile_group

BLOCKS_PER_CORE = 4
"""Blocks of rows to a core where these are what the cores share."""

COLUMNS, BLOCKS = "columns", "blocks"
"""What cores may share, beside a dimension of the stack: tiles of columns, and blocks of rows."""


@dataclass(frozen=True)
class ProductOrder:
    """The tiles of rows to a block, and what the cores share."""

    block: int
    parallel: str | int | None
    """``COLUMNS``, ``BLOCKS``, or the number of a dimension of the stack, innermost first."""
    group: int
    """Tiles of columns to an iteration where cores share these."""


def product_order(
    machine: Machine,
    element_bytes: int,
    tile: ProductTile,
    columns: int,
    rows: int,
    inner: int,
    stack: Sequence[int],
    *,
    shared: bool,
    made: bool,
    filled_up: bool,
) -> ProductOrder:
    """Make blocks of rows where that pays; with ``shared``, choose a loop to run in parallel.

    That is the first that gives all cores the same, of the ``stack`` of products (its extents,
    innermost first), blocks of rows, and tiles of columns; but where rows have to be ``made``
    first, cores share no rows. Unless they divide the columns, or the last one is ``filled_up``,
    tiles of columns are shared in groups.
    """
    tiles = -(-rows // tile.rows)
    panels = -(-columns // tile.columns)
    block = block_tiles(machine, element_bytes, tile, columns, rows, inner, made=made)
    parallel: str | int | None = None
    group = 1 if columns % tile.columns == 0 or filled_up else tile_group(panels, machine.cores)
    if machine.cores > 1 and shared:
        parallel = even_dimension(stack, machine.cores)
    if machine.cores > 1 and shared and parallel is None:
        shared_block: int | None = min(block, -(-tiles // (machine.cores * BLOCKS_PER_CORE)))
        if rows % tile.rows:
            shared_block = tile_group(tiles, machine.cores, shared_block)
        by_columns = panels > 1 and not made and group is not None
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
    return ProductOrder(max(block, 1), parallel, group if parallel == COLUMNS and group else 1)
