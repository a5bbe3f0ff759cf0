"""The template of matrix products with several rows.

A tile of columns by rows of the result is summed in registers over the inner axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import WHOLE_COST, FetchPlan
from autodeploy.templates.gemm.blocked import schedule_blocks
from autodeploy.templates.gemm.fetch import product_fetch_plan
from autodeploy.templates.gemm.loops import place_tile, split_columns, sum_tile
from autodeploy.templates.gemm.operands import ProductOperands, product_rows
from autodeploy.templates.gemm.order import ProductOrder, product_order
from autodeploy.templates.gemm.pack import pack_knobs
from autodeploy.templates.gemm.prologue import make_rows
from autodeploy.templates.gemm.tile import (
    ProductTile,
    inner_blocks,
    inner_sections,
    product_tile,
    tile_cost,
)
from autodeploy.templates.sharing import BALANCED
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PROLOGUE,
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
)


class GemmTemplate(Template):
    """Matrix times matrix."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return product_rows(kernel) not in (None, 1)

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return how weights are packed."""
        assert isinstance(kernel.anchor, MatMulOp)
        return pack_knobs(kernel, kernel.anchor, machine)

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_gemm(view, builder, machine)


def schedule_gemm(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule of a matrix times matrix.

    A tile of columns of the right-hand side stays in the first-level cache while all rows of a
    block are computed with it; a block of rows stays in the second-level cache for all tiles of
    columns.
    """
    out, product = view.output, view.funcs["matmul"]
    row = out.var_names[1]
    columns, rows = view.extents[:2]
    bytes_ = element_bytes(product)
    update = view.updates[product][0]
    (inner,) = loop_extents(update).values()
    operands = ProductOperands.of(update)
    tile, order, plan = _choose_tile(view, machine, operands, inner)
    split_columns(view, builder, tile, operands)
    blocks = None
    made = PROLOGUE in view.funcs
    if operands.packed_columns and order.blocks == 1 and plan is None and not made:
        blocks = inner_blocks(machine, bytes_, tile, columns, rows, inner)
    if blocks is not None:
        schedule_blocks(view, builder, tile, blocks)
        _share(view, builder, order)
        return
    builder.split(out, row, "mo", "mt", tile.rows, tail_of(rows, tile.rows))
    loops = _order_loops(view, builder, tile, order, in_blocks=order.blocks > 1 or made)
    builder.reorder(out, "nt", "mt", *loops)
    if made:
        make_rows(view, builder, machine, "mb", min(order.block * tile.rows, rows))
    if plan is not None and -(-rows // tile.rows) % order.block:
        # Within the condition of a last, partial block, no loop of steps would be partitioned.
        for loop in ("mo", "mb"):
            builder.partition_never(out, loop)
    place_tile(view, builder, tile, operands)
    steps, unrolled = ("k",), None
    if plan is not None:
        steps, unrolled = ("kt", "kb"), "kt"
        builder.split(product, "k", "kb", "kt", plan.steps, stage=1)
        for buffer, map_ in plan.fetches:
            builder.fetch_ahead(product, "kb", buffer, map_, stage=1)
    elif operands.packed is not None:
        sections = inner_sections(machine, bytes_, tile, columns, inner)
        if sections > 1:
            steps, unrolled = ("ks", "kt"), "ks"
            builder.split(product, "k", "ks", "kt", inner // sections, stage=1)
    sum_tile(view, builder, tile, steps, unrolled)


def _choose_tile(
    view: PipelineView, machine: Machine, operands: ProductOperands, inner: int
) -> tuple[ProductTile, ProductOrder, FetchPlan | None]:
    """Choose the tile, the order of tiles, and how weights are fetched ahead, where they are.

    Which line is fetched follows from the number of the tile of rows, so tiles divide the rows
    there; where only small ones do, nothing is fetched.
    """
    bytes_ = element_bytes(view.funcs["matmul"])
    columns, rows = view.extents[:2]
    made = PROLOGUE in view.funcs

    def tile_of(whole_rows: bool) -> ProductTile:
        return product_tile(
            machine,
            bytes_,
            columns,
            rows,
            inner,
            packed_columns=operands.packed_columns,
            row_bytes=0 if operands.transposed_left or made else inner * bytes_,
            whole_rows=whole_rows,
        )

    best, whole = tile_of(False), tile_of(True)
    costs = [tile_cost(machine, bytes_, columns, rows, inner, tile) for tile in (whole, best)]
    order = _choose_order(view, machine, whole, inner)
    plan = product_fetch_plan(view, machine, operands, whole, order.block, inner)
    if plan is not None and costs[0] <= costs[1] * WHOLE_COST:
        return whole, order, plan
    best_order = _choose_order(view, machine, best, inner)
    # Few tiles that overlap cannot be shared.
    serial = best_order.parallel is None and order.parallel is not None
    if serial and costs[0] <= costs[1] * machine.cores * BALANCED:
        return whole, order, None
    return best, best_order, None


def _choose_order(
    view: PipelineView, machine: Machine, tile: ProductTile, inner: int
) -> ProductOrder:
    """Choose the order of tiles; cores share what is worth it."""
    operands = ProductOperands.of(view.updates[view.funcs["matmul"]][0])
    columns, rows, *stack = view.extents
    return product_order(
        machine,
        element_bytes(view.funcs["matmul"]),
        tile,
        columns,
        rows,
        inner,
        stack,
        shared=view.work >= machine.costs.parallel_work,
        made=PROLOGUE in view.funcs,
        filled_up=operands.packed_columns > 0,
    )


def _order_loops(
    view: PipelineView,
    builder: ScheduleBuilder,
    tile: ProductTile,
    order: ProductOrder,
    in_blocks: bool,
) -> tuple[str, ...]:
    """Return the loops over tiles, innermost first; ``in_blocks`` there is one over blocks."""
    out = view.output
    tiles = -(-view.extents[1] // tile.rows)
    loops = ["mo", "no"]
    if in_blocks:
        tail = Tail.AUTO if tiles % order.block == 0 else Tail.GUARD_WITH_IF
        builder.split(out, "mo", "mb", "mo", order.block, tail)
        loops.append("mb")
    if order.group > 1:
        loops.insert(loops.index("no") + 1, builder.group(out, "no", order.group))
    _share(view, builder, order)
    return (*loops, *out.var_names[2:])


def _share(view: PipelineView, builder: ScheduleBuilder, order: ProductOrder) -> None:
    """Run the loop in parallel that cores share, if they share one."""
    if order.parallel is not None:
        stack = view.output.var_names[2:]
        loop = stack[order.parallel] if isinstance(order.parallel, int) else order.parallel
        builder.parallel(view.output, f"{loop}g" if order.group > 1 else loop)
