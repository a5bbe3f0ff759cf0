"""The templates of matrix products.

GEMM: a tile of columns by rows of the result is summed in registers over the inner axis. GEMV: a
single row, so every weight is used once and memory bounds the speed; more columns are summed at a
time to read long runs, and the inner axis is unrolled to keep several loads in flight.
"""

from __future__ import annotations

from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.machine import Machine
from autodeploy.templates.blocked_gemm import schedule_blocks
from autodeploy.templates.fetch_plan import WHOLE_COST, FetchPlan
from autodeploy.templates.plain import PARALLEL_WORK, OutputLoop, share_first
from autodeploy.templates.product_fetch import gemv_fetch_plan, product_fetch_plan
from autodeploy.templates.product_loops import place_tile, split_columns, sum_tile
from autodeploy.templates.product_operands import ProductOperands
from autodeploy.templates.product_order import ProductOrder, product_order
from autodeploy.templates.product_prologue import make_rows
from autodeploy.templates.product_tile import (
    ProductTile,
    inner_blocks,
    inner_sections,
    product_tile,
    tile_cost,
)
from autodeploy.templates.sharing import BALANCED
from autodeploy.templates.tiles import gemv_columns
from autodeploy.templates.view import (
    PROLOGUE,
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)

GEMV_UNROLL = 4
"""Steps of the inner axis of a GEMV that are unrolled."""


def schedule_gemm(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule of a matrix times matrix.

    A tile of columns of the right-hand side stays in the cache while all rows of a block are swept
    for it; a block of rows stays in the second-level cache while all tiles of columns are.
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
        # Within the condition of a last block that is not full, no loop of steps would be parted.
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
        shared=view.work >= PARALLEL_WORK,
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


def schedule_gemv(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule of a single row times a matrix.

    Weights from memory are packed by vectors, so that a tile reads several runs side by side; in
    each of them lines are fetched ahead, since what prefetchers do by themselves is not enough for
    all that a core can have on the way.
    """
    out, product = view.output, view.funcs["matmul"]
    columns = view.extents[0]
    wide = gemv_columns(machine, element_bytes(product), columns)
    lanes = vector_lanes(wide, machine.lanes(element_bytes(product)))
    column, n = out.var_names[0], product.var_names[0]
    operands = ProductOperands.of(view.updates[product][0])
    padded = operands.packed_columns > 0 and columns % wide != 0
    tail = Tail.GUARD_WITH_IF if padded else tail_of(columns, wide)
    builder.split(out, column, "no", "nt", wide, tail)
    builder.vectorize(out, "nt", lanes)
    builder.unroll(out, "nt")
    builder.compute_at(product, out, "no")
    if padded:
        builder.bound_extent(product, n, wide)
    (inner,) = loop_extents(view.updates[product][0]).values()
    plan = gemv_fetch_plan(view, machine, operands, inner)
    steps, unrolled, factor = ("k",), "k", vector_lanes(inner, GEMV_UNROLL)
    if plan is not None:
        steps, unrolled, factor = ("kt", "kb"), "kt", None
        builder.split(product, "k", "kb", "kt", plan.steps, stage=1)
        for buffer, map_ in plan.fetches:
            builder.fetch_ahead(product, "kb", buffer, map_, stage=1)
    for stage in range(2):
        if stage:
            builder.reorder(product, n, *steps, stage=1)
        builder.vectorize(product, n, lanes, stage)
        builder.unroll(product, n, stage=stage)
    builder.unroll(product, unrolled, factor, stage=1)
    if machine.cores > 1 and view.work >= PARALLEL_WORK:
        tiles = OutputLoop("no", -(-columns // wide), tail is Tail.SHIFT_INWARDS)
        share_first(view, builder, machine, [tiles])
