"""The knobs of a product by Strassen's algorithm: the rule, the space, and what goes together.

- ``parts``: those of the inner axis and of the columns, which say what algorithm it is
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
    machine: Machine, possible: Sequence[StrassenProducts], given: ConfigAttr
) -> Mapping[str, Sequence[Knob]]:
    """Choose the knobs that are not given."""
    wanted = _with_parts(possible, given) if "parts" in given else possible
    tile: ProductTile | None = None
    if "tile" in given:
        columns, rows = given.ints("tile", 2)
        tile = ProductTile.of(columns, rows, machine.lanes(possible[0].element_bytes))
    parallel = given.values("parallel") if "parallel" in given else None
    # Parts that are not possible are said to be so later, with all that is wrong.
    order = best_order(machine, wanted or possible, tile, given.number("block"), parallel)
    products, block = order.products, order.share.block
    steps = fetch_steps(machine, products, order.tile, block)
    knobs: dict[str, Sequence[Knob]] = {
        "parts": products.algorithm.parts,
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


def _with_parts(possible: Sequence[StrassenProducts], config: ConfigAttr) -> list[StrassenProducts]:
    """Return those of the algorithm that a config names."""
    parts = config.ints("parts")
    return [products for products in possible if products.algorithm.parts == parts]


def strassen_space(machine: Machine, possible: Sequence[StrassenProducts]) -> Space:
    """Return the values of the knobs, those of any of the algorithms."""
    tiles = [
        (tile.columns, tile.rows)
        for products in possible
        for tile in strassen_tiles(machine, products)
    ]
    steps = {n for products in possible for n in divisors(products.inner) if n <= MAX_STEPS}
    space: dict[str, Sequence[Sequence[Knob]]] = {
        "parts": [products.algorithm.parts for products in possible],
        "tile": list(dict.fromkeys(tiles)),
        "block": Numbers(1, possible[0].pairs),
    }
    if machine.fetches_ahead:
        space["fetch"] = [(), *((n,) for n in sorted(steps))]
    if machine.cores > 1:
        space["parallel"] = [(), ROWS, COLUMNS_OF_BLOCKS]
        space["group"] = Numbers(1, max(products.columns for products in possible))
    return space


def strassen_conflict(
    machine: Machine, possible: Sequence[StrassenProducts], config: ConfigAttr
) -> str | None:
    """Return why knobs that each are in the space do not go together; ``None`` where they do."""
    (products,) = _with_parts(possible, config)
    columns, rows = config.ints("tile", 2)
    if (columns, rows) not in strassen_space(machine, [products])["tile"]:
        return f"a tile of {columns} x {rows} is none of parts {list(products.algorithm.parts)}"
    steps = config.number("fetch")
    if steps and products.inner % steps:
        return f"{steps} steps to a prefetch do not divide the {products.inner} of a product"
    tiles, block = -(-products.pairs // rows), config.number("block")
    if block > tiles:
        return f"a block of {block} tiles of rows exceeds the {tiles} that there are"
    panels, group = -(-products.columns // columns), config.number("group")
    if group > 1 and COLUMNS not in config.values("parallel"):
        return "groups are of columns that cores share"
    if group > panels:
        return f"a group of {group} tiles of columns exceeds the {panels} that there are"
    return None
