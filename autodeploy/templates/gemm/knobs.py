"""The knobs of a matrix product of several rows: the rule, the space, and what goes together.

- ``tile``: columns and rows whose sums are in registers at a time
- ``pack``: columns of the right-hand side that lie side by side, and all columns with the zeros
  that fill up the last tile; nothing where it stays as it is
- ``block``: tiles of rows that are computed for all columns before the next ones
- ``parallel``: what cores share: tiles of ``columns``, ``blocks`` of rows, tiles of columns of
  all blocks, or a dimension of the stack of products, by its number, innermost first
- ``group``: tiles of columns to an iteration that cores share
- ``fetch``: the steps of the inner axis to a prefetch, and what is fetched: lines of ``rhs``, of
  the ``addend`` or of ``lhs``; or lines ahead in each ``stream`` of the right-hand side
- ``unroll``: those of the steps to a prefetch that are unrolled
- ``epilogue``: whether a ``row`` of the tile is taken at a time by the ops behind the sums
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.epilogue import (
    epilogue_knob,
    epilogue_space,
    lacks_registers,
    takes_rows,
)
from autodeploy.templates.fetch_plan import WHOLE_COST
from autodeploy.templates.gemm.fetch import (
    ADDEND,
    LHS,
    RHS,
    STREAM,
    fetch_steps,
    product_fetch,
    product_unroll,
    streamed,
)
from autodeploy.templates.gemm.order import BLOCKS, COLUMNS, ProductOrder, product_order
from autodeploy.templates.gemm.pack import pack_knobs, pack_space
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import (
    ANY,
    ProductTile,
    covers,
    fetches_parts,
    most_fetch_steps,
    possible_tiles,
    product_tile,
    tile_cost,
    vectors_of_line,
)
from autodeploy.templates.sharing import BALANCED
from autodeploy.templates.space import Numbers, Space, divisors

SHARED_WHOLE_COST = 1.03
"""As ``WHOLE_COST`` where vectors share lines: in tiles that divide the rows, 729x192x960 takes
1.05 times as long (24x3 in place of 24x4), 225x64x384 1.03 times (16x5)."""


def tile_of(config: ConfigAttr, machine: Machine, element_bytes: int) -> ProductTile:
    """Return the tile that a config says."""
    columns, rows = config.ints("tile", 2)
    return ProductTile.of(columns, rows, machine.lanes(element_bytes))


def band_knobs(
    machine: Machine, product: Product, rows: int, given: ConfigAttr
) -> Mapping[str, Sequence[Knob]]:
    """Choose packing and tile of a product of which ``rows`` rows are computed at a time."""
    packing = pack_knobs(machine, product, given)
    packed = product.packed_by(given if "pack" in given else ConfigAttr("gemm", packing))
    band = replace(packed, rows=rows, made=False)
    tile = _given_tile(machine, band, given) or _best_tile(machine, band)
    return {"tile": (tile.columns, tile.rows), **packing}


def gemm_knobs(
    machine: Machine, product: Product, given: ConfigAttr
) -> Mapping[str, Sequence[Knob]]:
    """Choose the knobs that are not given."""
    packing = pack_knobs(machine, product, given)
    product = product.packed_by(given if "pack" in given else ConfigAttr("gemm", packing))
    tile, order, fetch = _choose_tile(machine, product, given)
    knobs: dict[str, Sequence[Knob]] = {"tile": (tile.columns, tile.rows), **packing}
    knobs["block"] = (order.block,)
    if machine.cores > 1:
        knobs["parallel"] = order.parallel
        knobs["group"] = (order.group,)
    if machine.fetches_ahead:
        knobs |= {"fetch": fetch, "unroll": product_unroll(machine, tile, fetch)}
    if product.slow_behind and lacks_registers(machine):
        knobs |= epilogue_knob(rows=tile.vectors > 1 and _fills_tiles(product, tile))
    return knobs


def _fills_tiles(product: Product, tile: ProductTile) -> bool:
    """Tell whether all columns of each tile are those of the result."""
    filled_up = product.packed and product.columns % tile.columns
    return not filled_up and not product.open_columns


def _choose_tile(
    machine: Machine, product: Product, given: ConfigAttr
) -> tuple[ProductTile, ProductOrder, Sequence[Knob]]:
    """Choose the tile, the order of tiles, and what is fetched ahead.

    Of tiles that cost about the same, those are taken that divide the rows.
    """
    chosen = _given_tile(machine, product, given)
    best = chosen or _best_tile(machine, product)
    whole = chosen or _best_tile(machine, product, whole_rows=True)
    sizes = product.columns, product.rows, product.inner
    costs = [tile_cost(machine, product.sum_bytes, *sizes, tile) for tile in (whole, best)]
    order = _order(machine, product, whole, given)
    fetch = _fetch(machine, product, whole, order, given)
    most = SHARED_WHOLE_COST if fetches_parts(machine) else WHOLE_COST
    if fetch and costs[0] <= costs[1] * most:
        return whole, order, fetch
    best_order = _order(machine, product, best, given)
    # Few tiles that overlap cannot be shared.
    serial = order.parallel and not best_order.parallel
    if serial and costs[0] <= costs[1] * machine.cores * BALANCED:
        return whole, order, ()
    return best, best_order, _fetch(machine, product, best, best_order, given)


def _is_open(product: Product) -> bool:
    """Tell whether only a run knows how many steps or columns there are."""
    return product.open_inner or bool(product.open_columns)


def _fetch(
    machine: Machine, product: Product, tile: ProductTile, order: ProductOrder, given: ConfigAttr
) -> Sequence[Knob]:
    if "fetch" in given:
        return given.values("fetch")
    if _is_open(product):
        return ()
    own_rows = order.parallel == (COLUMNS, BLOCKS)
    return product_fetch(machine, product, tile, order.block, own_rows=own_rows)


def _given_tile(machine: Machine, product: Product, given: ConfigAttr) -> ProductTile | None:
    return tile_of(given, machine, product.sum_bytes) if "tile" in given else None


def _best_tile(machine: Machine, product: Product, *, whole_rows: bool = False) -> ProductTile:
    return product_tile(
        machine,
        product.sum_bytes,
        product.columns,
        product.rows,
        product.inner,
        packed_columns=product.packed_columns,
        row_bytes=product.row_bytes,
        whole_rows=whole_rows,
    )


def _order(
    machine: Machine, product: Product, tile: ProductTile, given: ConfigAttr
) -> ProductOrder:
    """Choose the order of tiles; cores share what is worth it."""
    order = product_order(
        machine,
        product.sum_bytes,
        tile,
        product.columns,
        product.rows,
        product.inner,
        product.stack,
        shared=product.work >= machine.costs.parallel_work,
        made=product.made,
        filled_up=bool(product.packed or product.open_columns),
        packed=bool(product.packed),
        ahead=bool(product.packed) and not (product.made or _is_open(product)),
    )
    return ProductOrder(given.number("block") or order.block, order.parallel, order.group)


def tile_space(machine: Machine, product: Product) -> Space:
    """Return the values of packing and tile."""
    tiles = possible_tiles(
        machine,
        product.sum_bytes,
        product.columns,
        product.rows,
        packed_columns=ANY
        if product.packable and not product.open_columns
        else product.packed_columns,
        row_bytes=product.row_bytes,
    )
    return {
        "tile": [(tile.columns, tile.rows) for tile in tiles],
        **pack_space(machine, product),
    }


def gemm_space(machine: Machine, product: Product) -> Space:
    """Return the values that the knobs may have."""
    space = {**tile_space(machine, product), "block": Numbers(1, max(product.rows, 1))}
    if machine.cores > 1:
        shared: list[Sequence[Knob]] = [(), (COLUMNS,), (BLOCKS,), (COLUMNS, BLOCKS)]
        space["parallel"] = [*shared, *((d,) for d in range(len(product.stack)))]
        space["group"] = Numbers(1, max(product.columns, 1))
    if machine.fetches_ahead:
        there = (RHS, product.packed or product.packable), (ADDEND, product.reads_addend)
        names = [name for name, is_there in (*there, (LHS, product.reads_left)) if is_there]
        some = chain.from_iterable(combinations(names, n + 1) for n in range(len(names)))
        steps = [n for n in divisors(product.inner) if n <= most_fetch_steps(machine)]
        space["fetch"] = [(), *((n, *chosen) for chosen in some for n in steps)]
        line = vectors_of_line(machine)
        if RHS in names and product.inner % line == 0:
            space["fetch"].append((line, STREAM))
        space["unroll"] = [(), *((n,) for n in steps)]
    if product.slow_behind and lacks_registers(machine):
        space |= epilogue_space()
    return space


def gemm_conflict(machine: Machine, product: Product, config: ConfigAttr) -> str | None:
    """Return why knobs that each are in the space do not go together; ``None`` where they do."""
    if (found := tile_conflict(machine, product, config)) is not None:
        return found
    product = product.packed_by(config)
    tile = tile_of(config, machine, product.sum_bytes)
    columns, rows = product.columns, product.rows
    tiles, panels = -(-rows // tile.rows), -(-columns // tile.columns)
    (block,) = config.ints("block", 1)
    several_blocks = block < tiles
    group = config.number("group")
    parallel, fetch = config.values("parallel"), config.values("fetch")
    unroll = config.number("unroll")
    if block > max(tiles, 1):
        return f"a block of {block} tiles of rows exceeds the {tiles} that there are"
    if _is_open(product) and fetch:
        return "nothing is fetched where columns or steps are open"
    if bool(unroll) != bool(fetch) or (unroll and fetch_steps(fetch) % unroll):
        return "the steps that are unrolled divide those to a prefetch"
    if group > 1 and parallel != (COLUMNS,):
        return "groups are of columns that cores share"
    overlaps = columns % tile.columns and not product.packed_columns
    if COLUMNS in parallel and overlaps and (group < 2 or panels % group == 1):
        return "two tiles that overlap are in one group"
    if BLOCKS in parallel and not several_blocks:
        return "cores share several blocks of rows"
    if BLOCKS in parallel and rows % tile.rows and (block < 2 or tiles % block == 1):
        return "two tiles that overlap are in one block"
    if COLUMNS in parallel and product.made:
        return "rows that the kernel computes are for all columns"
    if RHS in fetch and not product.packed:
        return "what is fetched of the right-hand side is packed by several columns"
    if STREAM in fetch and not streamed(product, tile):
        return "streams are of a right-hand side that is packed by the vectors of a tile"
    if ADDEND in fetch and columns % tile.columns:
        return "an addend is fetched for tiles that divide the columns"
    if takes_rows(config) and not _fills_tiles(product, tile):
        return "a row of a tile is taken at a time of whole tiles"
    if LHS in fetch and (not several_blocks or product.stack):
        return "a left-hand side is fetched for the next block of rows of a single product"
    return None


def band_conflict(machine: Machine, product: Product, rows: int, config: ConfigAttr) -> str | None:
    """Return why the knobs of ``band_knobs`` do not go together; ``None`` where they do."""
    height = config.ints("tile", 2)[1]
    if height > max(rows, 1):
        return f"a tile of {height} rows exceeds a band of {rows}"
    return tile_conflict(machine, product, config)


def tile_conflict(machine: Machine, product: Product, config: ConfigAttr) -> str | None:
    """Return why a tile and a packing do not go together; ``None`` where they do."""
    product = product.packed_by(config)
    tile = tile_of(config, machine, product.sum_bytes)
    if tile.columns == 1 or covers(product.packed_columns, product.columns, tile.columns):
        return None
    room = f"{product.packed_columns} packed" if product.packed else f"{product.columns}"
    return f"tiles of {tile.columns} columns exceed {room} columns"
