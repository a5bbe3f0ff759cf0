"""In which order the tiles of a matrix product are computed, and what cores share: the rule.

Prologues are merged with products by the same rule: where rows have to be made first, cores share
no rows, so that each makes its own once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.passes.schedule.product_tile import ProductTile, block_tiles
from autodeploy.passes.schedule.sharing import BALANCED, balance, even_dimension

BLOCKS_PER_CORE = 4
"""Blocks of rows to a core where these are what the cores share."""

COLUMNS, BLOCKS = "no", "mb"
"""The loops over tiles of columns and over blocks of rows."""


@dataclass(frozen=True)
class ProductOrder:
    """The tiles of rows to a block, how many blocks there are, and what the cores share."""

    block: int
    blocks: int
    parallel: str | int | None
    """A loop, or the number of a dimension of the stack of products, innermost first."""


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
) -> ProductOrder:
    """Make blocks of rows where that pays; with ``shared``, choose a loop to run in parallel.

    That is the first that gives all cores the same, of the ``stack`` of products (its extents,
    innermost first), blocks of rows, and tiles of columns; but where rows have to be ``made``
    first, cores share no rows.
    """
    tiles = -(-rows // tile.rows)
    panels = -(-columns // tile.columns)
    block = block_tiles(machine, element_bytes, tile, columns, rows, inner, made=made)
    parallel: str | int | None = None
    if machine.cores > 1 and shared:
        parallel = even_dimension(stack, machine.cores)
    if machine.cores > 1 and shared and parallel is None:
        if block == tiles and not made and balance(panels, machine.cores) >= BALANCED:
            parallel = COLUMNS
        elif tiles > 1:
            block = min(block, -(-tiles // (machine.cores * BLOCKS_PER_CORE)))
            parallel = BLOCKS
        elif panels > 1 and not made:
            parallel = COLUMNS
    # Of no rows there are no tiles, which are one block.
    return ProductOrder(block, -(-tiles // max(block, 1)) or 1, parallel)
