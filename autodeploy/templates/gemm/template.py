"""The template of matrix products with several rows.

A tile of columns by rows of the result is summed in registers over the inner axis.
"""

from __future__ import annotations

from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.gemm.fetch import overhangs, product_fetch_plan
from autodeploy.templates.gemm.knobs import gemm_conflict, gemm_knobs, gemm_space, tile_of
from autodeploy.templates.gemm.loops import place_tile, split_columns, sum_tile
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.order import BLOCKS, COLUMNS
from autodeploy.templates.gemm.pack import packed_right
from autodeploy.templates.gemm.product import Product, product_dot, product_of, takes_open_tiles
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.narrow import place_weights
from autodeploy.templates.packing import Packing
from autodeploy.templates.runs import summing
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.template import Template
from autodeploy.templates.view import ScheduledPipeline, element_bytes, tail_of


class GemmTemplate(Template):
    """Matrix times matrix."""

    in_runs = True

    def applies(self, kernel: KernelOp) -> bool:
        product = product_of(kernel)
        return product is not None and Product.of(kernel, product).rows != 1

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tell whether open axes are rows, columns, steps or the first axis of a stack."""
        product = product_of(kernel)
        return product is not None and takes_open_tiles(kernel, product)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``gemm/knobs.py``."""
        return gemm_knobs(machine, self._product(kernel, machine), given)

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        return gemm_space(machine, self._product(kernel, machine))

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        return gemm_conflict(machine, self._product(kernel, machine), config)

    def _product(self, kernel: KernelOp, machine: Machine) -> Product:
        assert isinstance(kernel.anchor, MatMulOp)
        dot = product_dot(machine, kernel, kernel.anchor)
        return Product.of(kernel, kernel.anchor, dot)

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return how the right-hand side is laid out."""
        return packed_right(anchor, config) if isinstance(anchor, MatMulOp) else None

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule of a matrix times matrix.

        A tile of columns of the right-hand side stays in the first-level cache while all rows of a
        block are computed with it; a block of rows stays in the second-level cache for all tiles of
        columns.
        """
        out, product = pipeline.output, pipeline.funcs["matmul"]
        row, rows = out.var_names[1], pipeline.extents[1]
        operands = ProductOperands.of(pipeline.updates[summing(pipeline, "matmul")][0])
        tile, (block,) = tile_of(config, machine, element_bytes(product)), config.ints("block", 1)
        split_columns(pipeline, tile, operands)
        tiles = -(-rows // tile.rows)
        below = overhangs(config, rows, pipeline.open_axes[1])
        tail = Tail.GUARD_WITH_IF if below else tail_of(rows, tile.rows)
        pipeline.split(out, row, "mo", "mt", tile.rows, tail)
        if below:
            # Sums below the last row are made and left alone.
            pipeline.bound_extent(product, product.var_names[1], tile.rows)
        loops = _order_loops(pipeline, config, tile, in_blocks=block < tiles)
        pipeline.reorder(out, "nt", "mt", *loops)
        dot = config.number("dot") or 1
        plan = product_fetch_plan(
            pipeline, machine, operands, tile, block, config.number("fetch"), dot
        )
        if plan is not None and tiles % block:
            # Within the condition of a last, partial block, no loop of steps would be partitioned.
            for loop in ("mo", "mb"):
                pipeline.partition_never(out, loop)
        if config.values("parallel") == (COLUMNS, BLOCKS):
            pipeline.fuse(out, "no", "mb", "mb_no")
            pipeline.partition_never(out, "mb_no")
            pipeline.parallel(out, "mb_no")
        place_weights(pipeline, machine, None if "mb" in loops else "no")
        place_tile(pipeline, tile, operands)
        sum_tile(pipeline, tile, plan, dot)


def _order_loops(
    pipeline: ScheduledPipeline, config: ConfigAttr, tile: ProductTile, in_blocks: bool
) -> tuple[str, ...]:
    """Return the loops over tiles, innermost first; ``in_blocks`` there is one over blocks."""
    out = pipeline.output
    tiles, block = -(-pipeline.extents[1] // tile.rows), config.number("block")
    loops = ["mo", "no"]
    if in_blocks:
        tail = Tail.AUTO if tiles % block == 0 else Tail.GUARD_WITH_IF
        pipeline.split(out, "mo", "mb", "mo", block, tail)
        loops.append("mb")
    if config.number("group") > 1:
        loops.insert(loops.index("no") + 1, pipeline.group(out, "no", config.number("group")))
    _share(pipeline, config)
    return (*loops, *out.var_names[2:])


def _share(pipeline: ScheduledPipeline, config: ConfigAttr) -> None:
    """Run the loop in parallel that cores share, if they share one."""
    columns = "nog" if config.number("group") > 1 else "no"
    loops: dict[Knob, str] = {COLUMNS: columns, BLOCKS: "mb"}
    loops |= dict(enumerate(pipeline.output.var_names[2:]))
    if config.values("parallel") == (COLUMNS, BLOCKS):
        # They are fused when they are neighbours.
        return
    for shared in config.values("parallel"):
        pipeline.parallel(pipeline.output, loops[shared])
