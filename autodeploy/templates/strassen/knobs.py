"""The knobs of a product by Strassen's algorithm: the rule, the space, and what goes together.

- ``tile``: columns and pairs of rows of a product whose sums are in registers at a time; columns as
  they lie in the right-hand side
- ``block``: tiles of pairs of rows for which the sums of the left-hand side are made at a time
- ``fetch``: the steps of the inner axis to a prefetch of the right-hand side; nothing where none is
  fetched
- ``parallel``: what cores share: ``blocks`` of rows, or ``[blocks, columns]``, the blocks of a
  group of columns and then those of the next one
- ``group``: tiles of columns to such a group
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.space import Numbers, Space, divisors
from autodeploy.templates.strassen.costs import (
    MAX_STEPS,
    best_order,
    fetch_steps,
    strassen_tiles,
)
from autodeploy.templates.strassen.products import StrassenProducts
from autodeploy.templates.strassen.shares import COLUMNS_OF_BLOCKS, ROWS, column_group


def strassen_knobs(
    machine: Machine, products: StrassenProducts, given: ConfigAttr
) -> Mapping[str, Sequence[Knob]]:
    """Choose the knobs that are not given."""
    tile: ProductTile | None = None
    if "tile" in given:
        columns, rows = given.ints("tile", 2)
        tile = ProductTile.of(columns, rows, machine.lanes(products.element_bytes))
    parallel = given.values("parallel") if "parallel" in given else None
    order = best_order(machine, products, tile, given.number("block"), parallel)
    block = order.share.block
    steps = fetch_steps(machine, products, order.tile, block)
    knobs: dict[str, Sequence[Knob]] = {
        "tile": (order.tile.columns, order.tile.rows),
        "block": (block,),
    }
    if machine.fetches_ahead:
        knobs["fetch"] = (steps,) if steps else ()
    if machine.cores > 1:
        shared = order.share.parallel if parallel is None else parallel
        knobs["parallel"] = shared
        columns = COLUMNS in shared
        knobs["group"] = (column_group(machine, products, order.tile) if columns else 1,)
    return knobs


def strassen_space(machine: Machine, products: StrassenProducts) -> Space:
    """Return the values of the knobs."""
    space: dict[str, Sequence[Sequence[Knob]]] = {
        "tile": [(tile.columns, tile.rows) for tile in strassen_tiles(machine, products)],
        "block": Numbers(1, products.pairs),
    }
    if machine.fetches_ahead:
        space["fetch"] = [(), *((n,) for n in divisors(products.inner) if n <= MAX_STEPS)]
    if machine.cores > 1:
        space["parallel"] = [(), ROWS, COLUMNS_OF_BLOCKS]
        space["group"] = Numbers(1, products.columns)
    return space


def strassen_conflict(products: StrassenProducts, config: ConfigAttr) -> str | None:
    """Return why knobs that each are in the space do not go together; ``None`` where they do."""
    columns, rows = config.ints("tile", 2)
    tiles, block = -(-products.pairs // rows), config.number("block")
    if block > tiles:
        return f"a block of {block} tiles of rows exceeds the {tiles} that there are"
    panels, group = -(-products.columns // columns), config.number("group")
    if group > 1 and COLUMNS not in config.values("parallel"):
        return "groups are of columns that cores share"
    if group > panels:
        return f"a group of {group} tiles of columns exceeds the {panels} that there are"
    return None
