"""The knobs of a matrix product of several rows: the rule, the space, and what goes together.

- ``tile``: columns and rows whose sums are in registers at a time
- ``pack``: columns of the right-hand side that lie side by side, and all columns with the zeros
  that fill up the last tile; nothing where it stays as it is
- ``block``: tiles of rows that are computed for all columns before the next ones
- ``parallel``: what cores share: tiles of ``columns``, ``blocks`` of rows, tiles of columns of
  all blocks, or a dimension of the stack of products, by its number, innermost first
- ``group``: tiles of columns to an iteration that cores share
- ``widen``: 1 where the right-hand side of a tile of columns is widened before its rows are
  computed; nothing where each step widens what it reads, or where it is as wide as the sums
- ``fetch``: the steps of the inner axis to a prefetch of the right-hand side, all unrolled; nothing
  where none is fetched
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import most_fetch_steps
from autodeploy.templates.gemm.fetch import product_fetch
from autodeploy.templates.gemm.order import BLOCKS, COLUMNS, ProductOrder, product_order
from autodeploy.templates.gemm.pack import pack_knobs, pack_space
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ANY, ProductTile, covers, possible_tiles, product_tile
from autodeploy.templates.narrow import LEAST_TILES
from autodeploy.templates.space import Knobs, Numbers, Space, divisors


def tile_of(config: ConfigAttr, machine: Machine, element_bytes: int) -> ProductTile:
    """Return the tile that a config says."""
    columns, rows = config.ints("tile", 2)
    return ProductTile.of(columns, rows, machine.lanes(element_bytes))


def band_knobs(machine: Machine, product: Product, rows: int, given: ConfigAttr) -> Knobs:
    """Choose packing and tile of a product of which ``rows`` rows are computed at a time."""
    packing = pack_knobs(machine, product, given)
    packed = product.packed_by(given if "pack" in given else ConfigAttr("gemm", packing))
    band = replace(packed, rows=rows)
    tile = _given_tile(machine, band, given) or _best_tile(machine, band)
    return {"tile": (tile.columns, tile.rows), **packing}


def gemm_knobs(machine: Machine, product: Product, given: ConfigAttr) -> Knobs:
    """Choose the knobs that are not given."""
    packing = pack_knobs(machine, product, given)
    product = product.packed_by(given if "pack" in given else ConfigAttr("gemm", packing))
    tile = _given_tile(machine, product, given) or _best_tile(machine, product)
    order = _order(machine, product, tile, given)
    knobs: dict[str, Sequence[Knob]] = {"tile": (tile.columns, tile.rows), **packing}
    knobs["block"] = (order.block,)
    if machine.cores > 1:
        knobs["parallel"] = order.parallel
        knobs["group"] = (order.group,)
    if product.narrow and product.packed:
        knobs["widen"] = (1,) if product.rows >= LEAST_TILES * tile.rows else ()
    if machine.fetches_ahead and (product.packed or product.packable):
        steps = 0 if _is_open(product) else product_fetch(machine, product, tile, order.block)
        knobs["fetch"] = (steps,) if steps else ()
    return knobs


def _is_open(product: Product) -> bool:
    """Tell whether only a run knows how many steps or columns there are."""
    return product.open_inner or bool(product.open_columns)


def _given_tile(machine: Machine, product: Product, given: ConfigAttr) -> ProductTile | None:
    return tile_of(given, machine, product.sum_bytes) if "tile" in given else None


def _best_tile(machine: Machine, product: Product) -> ProductTile:
    return product_tile(machine, product.sizes(product.sum_bytes), product.room(machine))


def _order(
    machine: Machine, product: Product, tile: ProductTile, given: ConfigAttr
) -> ProductOrder:
    """Choose the order of tiles; cores share what is worth it."""
    order = product_order(
        machine,
        product.sizes(product.sum_bytes),
        tile,
        product.stack,
        shared=product.work >= machine.costs.parallel_work,
        filled_up=bool(product.packed or product.open_columns),
        packed=bool(product.packed),
    )
    return ProductOrder(given.number("block") or order.block, order.parallel, order.group)


def tile_space(machine: Machine, product: Product) -> Space:
    """Return the values of packing and tile."""
    may_pack = product.packable and not product.open_columns
    packed = ANY if may_pack else product.room(machine)
    tiles = possible_tiles(machine, product.sizes(product.sum_bytes), packed)
    return {"tile": [(tile.columns, tile.rows) for tile in tiles], **pack_space(machine, product)}


def gemm_space(machine: Machine, product: Product) -> Space:
    """Return the values that the knobs may have."""
    space = {**tile_space(machine, product), "block": Numbers(1, max(product.rows, 1))}
    if machine.cores > 1:
        shared: list[Sequence[Knob]] = [(), (COLUMNS,), (BLOCKS,), (COLUMNS, BLOCKS)]
        space["parallel"] = [*shared, *((d,) for d in range(len(product.stack)))]
        space["group"] = Numbers(1, max(product.columns, 1))
    if product.narrow:
        space["widen"] = [(), (1,)]
    if machine.fetches_ahead and (product.packed or product.packable):
        steps = [n for n in divisors(product.inner) if n <= most_fetch_steps(machine)]
        space["fetch"] = [(), *((n,) for n in steps)]
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
    if block > max(tiles, 1):
        return f"a block of {block} tiles of rows exceeds the {tiles} that there are"
    if _is_open(product) and fetch:
        return "nothing is fetched where columns or steps are open"
    if group > 1 and parallel != (COLUMNS,):
        return "groups are of columns that cores share"
    overlaps = columns % tile.columns and not product.room(machine)
    if COLUMNS in parallel and overlaps and (group < 2 or panels % group == 1):
        return "two tiles that overlap are in one group"
    if BLOCKS in parallel and not several_blocks:
        return "cores share several blocks of rows"
    if BLOCKS in parallel and rows % tile.rows and (block < 2 or tiles % block == 1):
        return "two tiles that overlap are in one block"
    if fetch and not product.packed:
        return "what is fetched of the right-hand side is packed by several columns"
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
    if tile.columns == 1 or covers(product.room(machine), product.columns, tile.columns):
        return None
    room = f"{product.packed_columns} packed" if product.packed else f"{product.columns}"
    return f"tiles of {tile.columns} columns exceed {room} columns"
