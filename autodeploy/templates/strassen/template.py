"""The template of products by Strassen's algorithm.

The left-hand side is worked on in blocks of pairs of rows. For a block, the sums of its parts are
made once, one for each product. Then, for each tile of columns, come the products, a matrix product
each with its sums in registers, and the sums of the products with the epilogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.strassen import ROW_PARTS, STRASSEN
from autodeploy.machine import Machine
from autodeploy.templates.cache_sets import l1_ways, lines_of_set
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.packing import Packing
from autodeploy.templates.space import Space
from autodeploy.templates.strassen.costs import strassen_pays
from autodeploy.templates.strassen.fetch import panel_fetch
from autodeploy.templates.strassen.knobs import (
    strassen_conflict,
    strassen_knobs,
    strassen_space,
)
from autodeploy.templates.strassen.pack import sums_of_right
from autodeploy.templates.strassen.products import possible_products
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)


class StrassenTemplate(Template):
    """Matrix times constant matrix by fewer products of parts, as by 7 in place of 8."""

    exact = False
    rank = 1

    def error(self, config: ConfigAttr) -> float:
        """Return the error of the sums."""
        return STRASSEN[config.ints("parts", 2)].error

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return bool(possible_products(kernel))

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether it costs less than the plain product."""
        assert isinstance(kernel.anchor, MatMulOp)
        plain = Product.of(kernel, kernel.anchor)
        return strassen_pays(machine, possible_products(kernel), plain)

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return the knobs of ``strassen/knobs.py``."""
        return strassen_knobs(machine, possible_products(kernel), given)

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knobs."""
        return strassen_space(machine, possible_products(kernel))

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        """Return why knobs do not go together."""
        return strassen_conflict(machine, possible_products(kernel), config)

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return the sums of the right-hand side."""
        return sums_of_right(anchor, config) if isinstance(anchor, MatMulOp) else None

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_strassen(view, builder, config, machine)


def schedule_strassen(
    view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
) -> None:
    """Write the schedule."""
    out, left, parts = view.output, view.funcs["left_sums"], view.funcs["parts"]
    products, sums = view.funcs["products"], view.funcs["sums"]
    columns, height = config.ints("tile", 2)
    tile = ProductTile.of(columns, height, machine.lanes(element_bytes(sums)))
    column, row = out.var_names[:2]
    pairs = -(-view.extents[1] // ROW_PARTS)
    turns = _turns(config, tile)
    block = config.number("block") * tile.rows
    (inner,) = loop_extents(view.updates[sums][0]).values()

    filled_up = view.extents[0] % turns != 0
    tail = Tail.GUARD_WITH_IF if filled_up else Tail.AUTO
    builder.split(out, column, "no", "nj", turns, tail)
    builder.split(out, "nj", "j", "nt", tile.columns)
    builder.split(out, "nt", "nv", "nl", tile.lanes)
    builder.split(out, row, "ro", "i", ROW_PARTS, Tail.GUARD_WITH_IF)
    builder.split(out, "ro", "rb", "ro", block, Tail.GUARD_WITH_IF)
    tasks = _order_tasks(view, builder, tile, config, ("nl", "nv", "j", "i", "ro"))
    builder.vectorize(out, "nl", tile.lanes)
    for loop in ("nv", "j", "i"):
        builder.unroll(out, loop)
    if pairs % block:
        # The last block has fewer tiles; its last one is computed as a whole.
        for loop in ("ro", tasks):
            builder.partition_never(out, loop)
    if pairs % block or tasks != "rb":
        for func in (left, products):
            builder.bound_storage(func, "r", block)

    _sum_left(builder, machine, left, inner, block)
    builder.compute_at(left, out, tasks)
    builder.compute_at(products, out, "no")
    builder.split(products, "c", "co", "ct", tile.columns)
    builder.split(products, "r", "to", "tt", tile.rows, Tail.ROUND_UP)
    # The tile of columns of one product serves all rows before that of the next one is fetched.
    builder.reorder(products, "ct", "tt", "to", "p", "co")
    builder.vectorize(products, "ct", tile.lanes)
    builder.unroll(products, "ct")
    builder.unroll(products, "tt")
    builder.compute_at(sums, products, "to")
    _order_steps(view, builder, machine, tile, config)
    for stage in range(2):
        builder.vectorize(sums, "c", tile.lanes, stage)
        builder.unroll(sums, "c", stage=stage)
        builder.unroll(sums, "r", stage=stage)

    builder.compute_at(parts, out, "ro")
    builder.bound_extent(parts, "r", 1)
    if filled_up:
        # What fills up the last tile is computed and left alone.
        for func in (products, parts):
            builder.bound_extent(func, "c", tile.columns)
    builder.split(parts, "c", "co", "ct", tile.lanes)
    builder.reorder(parts, "ct", "q", "co", "r")
    builder.vectorize(parts, "ct")
    for loop in ("q", "co"):
        builder.unroll(parts, loop)
    if config.values("parallel"):
        builder.parallel(out, tasks)


def _turns(config: ConfigAttr, tile: ProductTile) -> int:
    """Return the columns of the result that a tile of each part makes."""
    _, columns = config.ints("parts", 2)
    return columns * tile.columns


def _order_tasks(
    view: PipelineView,
    builder: ScheduleBuilder,
    tile: ProductTile,
    config: ConfigAttr,
    inner: Sequence[str],
) -> str:
    """Order the loops behind the ``inner`` ones; return that over blocks of rows.

    Where cores share groups of columns, too, it is one over the blocks of all groups, those of a
    group one after another.
    """
    out, group = view.output, config.number("group")
    stack = out.var_names[2:]
    if COLUMNS not in config.values("parallel"):
        builder.reorder(out, *inner, "no", "rb", *stack)
        return "rb"
    builder.split(out, "no", "ng", "no", group, Tail.GUARD_WITH_IF)
    builder.reorder(out, *inner, "no", "rb", "ng", *stack)
    builder.fuse(out, "rb", "ng", "ng_rb")
    if -(-view.extents[0] // _turns(config, tile)) % group:
        # The last group has fewer tiles.
        for loop in ("no", "ng_rb"):
            builder.partition_never(out, loop)
    return "ng_rb"


def _sum_left(
    builder: ScheduleBuilder, machine: Machine, left: FuncOp, inner: int, rows: int
) -> None:
    """One vector of steps at a time, all sums of the parts unrolled.

    These lie as far apart as ``rows`` rows take. Where they share few sets of the first-level
    cache, a line behind each row sets them apart.
    """
    bytes_, (_, _, products) = element_bytes(left), left.known_extents
    if lines_of_set(machine, products, rows * inner * bytes_) > l1_ways(machine):
        builder.align_storage(left, "k", inner + machine.line_bytes // bytes_)
    lanes = vector_lanes(inner, machine.lanes(bytes_))
    builder.split(left, "k", "ko", "kt", lanes, tail_of(inner, lanes))
    builder.reorder(left, "kt", "p", "ko", "r")
    builder.vectorize(left, "kt")
    builder.unroll(left, "p")


def _order_steps(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    tile: ProductTile,
    config: ConfigAttr,
) -> None:
    """Take the steps of the inner axis one after another, fetching ahead."""
    sums, steps = view.funcs["sums"], config.number("fetch")
    if not steps:
        builder.reorder(sums, "c", "r", "k", stage=1)
        return
    (update,) = view.updates[sums]
    source, map_ = panel_fetch(machine, update, tile, config.number("block"), steps)
    builder.split(sums, "k", "kb", "ks", steps, stage=1)
    builder.fetch_ahead(sums, "kb", source, map_, stage=1)
    builder.reorder(sums, "c", "r", "ks", "kb", stage=1)
    builder.unroll(sums, "ks", stage=1)
