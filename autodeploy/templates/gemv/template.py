"""The template of matrix products with a single row.

Every weight is used once and memory bounds the speed; more columns are summed at a time to read
long runs, and the inner axis is unrolled to keep several loads in flight.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import sum_bytes
from autodeploy.machine import Machine
from autodeploy.templates.gemm.fetch import gemv_fetch, gemv_fetch_plan
from autodeploy.templates.gemm.loops import place_tile, split_columns, sum_tile
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.pack import pack_knobs, pack_space
from autodeploy.templates.gemm.product import Product, product_dot, product_of
from autodeploy.templates.gemm.template import GemmTemplate
from autodeploy.templates.gemm.tile import ProductTile, covers
from autodeploy.templates.runs import summing
from autodeploy.templates.sharing import tile_group
from autodeploy.templates.space import Knobs, Numbers, Space, powers
from autodeploy.templates.tiles import gemv_columns
from autodeploy.templates.view import ScheduledPipeline, element_bytes, vector_lanes

GEMV_UNROLL = 4
"""Steps of the inner axis of a GEMV that are unrolled."""

MOST_UNROLLED = 16
"""Steps that may be."""


class GemvTemplate(GemmTemplate):
    """Vector times matrix."""

    def applies(self, kernel: KernelOp) -> bool:
        product = product_of(kernel)
        return product is not None and Product.of(kernel, product).rows == 1

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether tiles of open columns are vectors."""
        product, widest = self._widest(kernel, machine)
        return not product.open_columns or widest >= machine.lanes(product.sum_bytes)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs.

        - ``tile``: columns that are summed at a time
        - ``pack``: as of ``gemm``
        - ``fetch``: the steps of the inner axis to a prefetch of weights; nothing where none are
          fetched
        - ``unroll``: the steps that are unrolled where nothing is fetched, 1 of open ones
        - ``parallel``, ``group``: as of ``gemm``; cores share tiles of ``columns`` or nothing
        """
        product, widest = self._widest(kernel, machine)
        tile = given.number("tile") or widest
        stored = gemv_columns(machine, product.stored_bytes, product.columns)
        knobs: dict[str, Sequence[Knob]] = {"tile": (tile,)}
        knobs |= pack_knobs(machine, product, given, stored)
        product = product.packed_by(given if "pack" in given else ConfigAttr("gemv", knobs))
        if _may_fetch(machine, product):
            knobs["fetch"] = gemv_fetch(machine, product, tile)
        steps = vector_lanes(product.inner, GEMV_UNROLL)
        knobs["unroll"] = (1 if product.open_inner else steps,)
        if machine.cores > 1:
            tiles = -(-product.columns // tile)
            group = tile_group(tiles, machine.cores) if _overlaps(product, tile) else 1
            shared = tiles > 1 and product.work >= machine.costs.parallel_work
            knobs["parallel"] = (COLUMNS,) if shared and group is not None else ()
            knobs["group"] = (group if knobs["parallel"] and group else 1,)
        return knobs

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knobs; tiles have the powers of two of columns."""
        product, widest = self._widest(kernel, machine)
        space: dict[str, Sequence[Sequence[Knob]]] = {
            "tile": [(n,) for n in powers(widest)],
            **pack_space(machine, product),
            "unroll": [
                (n,)
                for n in powers(max(1, min(product.inner, MOST_UNROLLED)))
                if n == 1 or not product.open_inner
            ],
        }
        if machine.cores > 1:
            space["parallel"] = [(), (COLUMNS,)]
            space["group"] = Numbers(1, max(product.columns, 1))
        if _may_fetch(machine, product):
            space["fetch"] = [(), *((n,) for n in powers(MOST_UNROLLED) if product.inner % n == 0)]
        return space

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        product, _ = self._widest(kernel, machine)
        product, tile = product.packed_by(config), config.number("tile")
        if not product.open_columns and not covers(product.packed_columns, product.columns, tile):
            return f"a tile of {tile} columns exceeds {product.packed_columns} packed columns"
        if config.values("fetch") and (not product.packed or tile % product.packed[0]):
            return "what is fetched is packed by columns that divide a tile"
        tiles, group = -(-product.columns // tile), config.number("group")
        if not config.values("parallel") or not _overlaps(product, tile):
            return "groups are of tiles that overlap, and that cores share" if group > 1 else None
        if group < 2 or tiles % group == 1:
            return "two tiles that overlap are in one group"
        return None

    def _widest(self, kernel: KernelOp, machine: Machine) -> tuple[Product, int]:
        """Return the product of a kernel, and the columns of the widest tile.

        Where tiles of whole vectors divide the largest number of open columns, none reads the last
        column again.
        """
        product = product_of(kernel)
        assert product is not None
        dot = product_dot(machine, kernel, product)
        found, element = Product.of(kernel, product, dot), product.sum_element
        widest = dividing = gemv_columns(machine, sum_bytes(element), found.columns)
        while found.open_columns and found.columns % dividing:
            dividing //= 2
        if dividing >= machine.lanes(found.sum_bytes):
            return found, dividing
        return found, widest

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule of a single row times a matrix.

        Weights from memory are packed by vectors, so that a tile reads several runs side by side;
        in each of them lines are fetched ahead, since the prefetchers of a core fetch fewer lines
        at a time than it can. A tile that a run fills in part is computed as a whole; columns
        beyond the largest number repeat the last one.
        """
        out, product = pipeline.output, pipeline.funcs["matmul"]
        (wide,), dot = config.ints("tile", 1), config.number("dot") or 1
        lanes = vector_lanes(wide, machine.lanes(element_bytes(product)))
        tile = ProductTile(1, wide // lanes, lanes)
        operands = ProductOperands.of(pipeline.updates[summing(pipeline, "matmul")][0])
        split_columns(pipeline, tile, operands)
        place_tile(pipeline, tile, operands, has_rows=False)
        plan = None
        if steps := config.number("fetch"):
            plan = gemv_fetch_plan(pipeline, operands, steps, wide, dot)
        unrolled = config.number("unroll")
        sum_tile(pipeline, tile, plan, dot, unrolled=unrolled, has_rows=False)
        if config.values("parallel"):
            group = config.number("group")
            pipeline.parallel(out, pipeline.group(out, "no", group) if group > 1 else "no")


def _may_fetch(machine: Machine, product: Product) -> bool:
    is_packed = product.packed or product.packable
    return machine.fetches_ahead and bool(is_packed)


def _overlaps(product: Product, tile: int) -> bool:
    """Tell whether the last tile moves inwards over the one before."""
    return product.columns % tile != 0 and not (product.packed or product.open_columns)
