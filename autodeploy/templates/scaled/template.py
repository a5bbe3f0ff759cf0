"""The template of products with weights of few bits, whose blocks have scales.

A tile of columns is one stream of memory. The sums of a block are in registers while its codes are
read; each is then scaled once and added to the total. Several rows share the codes of a tile.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64

from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.dots import split_dots
from autodeploy.templates.gemm.fetch import overhangs
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.tile import (
    ANY,
    ProductSizes,
    ProductTile,
    possible_tiles,
    tile_cost,
)
from autodeploy.templates.narrow import LEAST_TILES, WEIGHTS
from autodeploy.templates.packing import Packing, is_own_constant
from autodeploy.templates.scaled.sums import TileOfSums
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.tiles import best_divisor, gemv_columns
from autodeploy.templates.view import ScheduledPipeline, tail_of, vector_lanes

_SUM_BYTES = 4

BLOCK_SUMS, PAIR_SUMS, ROW_SUMS = "block_sums", "pair_sums", "row_sums"
"""The funcs that sum the products of a block, those of each other two codes of it in 16 bits, and
the elements of a block of a row."""

NEIGHBOURS = 4
"""Bytes of a column that are neighbours where products are summed in 16 bits."""

ROW_VECTORS = 2
"""Vectors of columns of a tile of several rows."""

UNROLL = 4
"""Bytes of codes that are read in a step of the loop over those of a block."""


class ScaledTemplate(Template):
    """Rows times a matrix of codes."""

    def applies(self, kernel: KernelOp) -> bool:
        is_alone = len(kernel.anchors) == len(kernel.outputs) == 1
        return isinstance(kernel.anchor, ScaledMatMulOp) and is_alone

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs.

        - ``pack``: columns that are stored side by side, and those of a vector where bytes of a
          column are neighbours; nothing where weights are not constant
        - ``dot``: neighbours that one instruction sums
        - ``pairs``: bytes of a column whose products are summed in 16 bits; nothing: in 32 bits
        - ``tile``: columns and rows that are summed at a time
        - ``widen``: weights become floats once for all rows of a tile of columns
        - ``parallel``: cores share tiles of ``columns`` or nothing
        """
        product, width = _product(kernel, machine)
        *_, rows, columns = bounds_of(product.result.type)
        wide = _wide_tile(product, machine, width)
        tile = _tile(product, machine, width) if wide is None else (wide.columns, wide.rows)
        knobs: dict[str, Sequence[Knob]] = {"tile": tile}
        if product.x_scales is None:
            knobs["widen"] = () if wide is None else (1,)
        knobs |= _packing(product, machine, width)
        if machine.cores > 1:
            work = rows * columns * bounds_of(product.x.type)[-1]
            shared = columns > width and work >= machine.costs.parallel_work
            whole = _may_pack(product) or columns % width == 0
            knobs["parallel"] = (COLUMNS,) if shared and whole else ()
        return knobs

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        product, width = _product(kernel, machine)
        rows = bounds_of(product.result.type)[-2]
        space: dict[str, Sequence[Sequence[Knob]]] = {
            "tile": [
                (columns, height)
                for columns in powers(width)
                for height in range(1, min(rows, machine.vector_registers) + 1)
            ]
        }
        if product.x_scales is None:
            space["widen"] = [(), (1,)]
        space |= {knob: [values] for knob, values in _packing(product, machine, width).items()}
        if machine.cores > 1:
            space["parallel"] = [(), (COLUMNS,)]
        return space

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        product, _ = _product(kernel, machine)
        (width, _), packed = config.ints("tile", 2), next(iter(config.ints("pack")), 0)
        if packed and packed % width:
            return f"a tile of {width} columns does not divide {packed} packed columns"
        if config.values("parallel") and bounds_of(product.result.type)[-1] % (packed or width):
            return None if packed else "cores share tiles that do not overlap"
        return None

    def packings(self, anchor: AnchorOp, config: ConfigAttr) -> Sequence[Packing]:
        """Return how codes, scales and zero points are laid out: tile after tile."""
        if not isinstance(anchor, ScaledMatMulOp) or not config.values("pack") or anchor.tile:
            return ()
        (width, *lanes), columns = config.ints("pack"), bounds_of(anchor.result.type)[-1]
        tiles, dot = -(-columns // width), config.number("dot")
        packings: list[Packing] = []
        for matrix in (anchor.weights, anchor.scales, anchor.zeros):
            if outer := bounds_of(matrix.type)[:-1]:
                order = (len(outer), *range(len(outer)), len(outer) + 1)
                split = (*outer, tiles, width)
                if dot and matrix is anchor.weights:
                    split = (outer[0], outer[1] // dot, dot, tiles, width // lanes[0], *lanes)
                    order = (3, 0, 1, 4, 5, 2)
                packings.append(
                    Packing(matrix, split, order, {"columns": IntegerAttr(columns, i64)})
                )
        return packings

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        out, total, dot = pipeline.output, pipeline.funcs["matmul"], config.number("dot") or 1
        blocks = [func for func in pipeline.funcs.values() if func.role_name == BLOCK_SUMS]
        pairs = [func for func in pipeline.funcs.values() if func.role_name == PAIR_SUMS]
        columns, rows = pipeline.extents[:2]
        width, height = config.ints("tile", 2)
        lanes = vector_lanes(width, machine.lanes(_SUM_BYTES))
        filled_up = columns % width and config.values("pack")
        (column, row), below = out.var_names[:2], overhangs(config, rows, pipeline.open_axes[1])
        tail = Tail.GUARD_WITH_IF if filled_up else tail_of(columns, width)
        pipeline.split(out, column, "no", "nt", width, tail)
        tail = Tail.GUARD_WITH_IF if below else tail_of(rows, height)
        pipeline.split(out, row, "mo", "mt", height, tail)
        pipeline.reorder(out, "nt", "mt", "mo", "no")
        pipeline.vectorize(out, "nt", lanes)
        pipeline.unroll(out, "nt")
        pipeline.unroll(out, "mt")
        if (weights := pipeline.funcs.get(WEIGHTS)) is not None:
            pipeline.compute_at(weights, out, "no")
            pipeline.bound_extent(weights, weights.var_names[0], width)
            pipeline.vectorize(weights, weights.var_names[0], lanes)
            pipeline.unroll(weights, weights.var_names[0])
        if ROW_SUMS in pipeline.funcs:
            row_sums = pipeline.funcs[ROW_SUMS]
            pipeline.compute_root(row_sums)
            if below:
                # The last tile reads sums of rows that are not there.
                pipeline.bound_storage(row_sums, row_sums.var_names[1], -(-rows // height) * height)
        sums = TileOfSums(pipeline, width, height, lanes)
        sums.place(total, out, "mo")
        sums.sum(total, "block" if weights is None else "k")
        for func in blocks:
            sums.place(func, total, "block")
            if pairs:
                sums.sum(func, "chunk", ("pair",))
                continue
            sums.sum(func, "byte", split_dots(pipeline, func, "byte", dot))
            ((_, _, steps),) = pipeline.updates[func][0].rdom
            pipeline.unroll(func, "byte", vector_lanes(steps // dot, UNROLL), stage=1)
        for func in pairs:
            own = func.var_names[:1]
            sums.place(func, blocks[0], "chunk", own)
            pipeline.bound_extent(func, own[0], 2)
            sums.sum(func, "group", ("neighbour",), own, any_order=True)
            pipeline.unroll(func, "group", stage=1)
        if config.values("parallel"):
            pipeline.parallel(out, "no")


def _product(kernel: KernelOp, machine: Machine) -> tuple[ScaledMatMulOp, int]:
    """Return the product of a kernel, and the columns of a tile of its weights."""
    product = kernel.anchor
    assert isinstance(product, ScaledMatMulOp)
    return product, packed_tile(product, machine)[0]


def _tile(product: ScaledMatMulOp, machine: Machine, width: int) -> tuple[int, int]:
    """Return the columns and rows of a tile that sums blocks."""
    rows = bounds_of(product.result.type)[-2]
    sums = 2 * ROW_VECTORS * (1 if product.x_scales is None else product.parts)
    columns = width if rows == 1 else min(width, machine.lanes(_SUM_BYTES) * ROW_VECTORS)
    return columns, best_divisor(rows, machine.vector_registers // sums)


def _wide_tile(product: ScaledMatMulOp, machine: Machine, width: int) -> ProductTile | None:
    """Return the best tile of sums of weights that are floats; nothing where it is no gain."""
    *_, rows, columns = bounds_of(product.result.type)
    sizes = ProductSizes(columns, rows, bounds_of(product.x.type)[-1], _SUM_BYTES)
    tiles = possible_tiles(machine, sizes, ANY)
    best = min(
        (tile for tile in tiles if tile.columns in powers(width)),
        key=lambda tile: tile_cost(machine, sizes, tile),
        default=None,
    )
    is_gain = best is not None and rows >= LEAST_TILES * best.rows
    return best if is_gain and product.x_scales is None else None


def _packing(product: ScaledMatMulOp, machine: Machine, width: int) -> Knobs:
    """Return the knobs of the packing of constant weights, or of those that are packed."""
    if not _may_pack(product):
        return {}
    (_, lanes, dot), pairs = packed_tile(product, machine), _pairs(product, machine)
    knobs: dict[str, Sequence[Knob]] = {"pack": (width, lanes) if dot > 1 else (width,)}
    if dot > 1:
        knobs["dot"] = (dot,)
    if pairs:
        knobs["pairs"] = (pairs,)
    return knobs


def packed_tile(product: ScaledMatMulOp, machine: Machine) -> tuple[int, int, int]:
    """Return the columns of a tile of packed weights, those of a vector, and neighbours."""
    width = product.tile or gemv_columns(machine, _SUM_BYTES, bounds_of(product.result.type)[-1])
    dot = product.dot
    if not product.tile and product.x_scales is not None:
        dot = NEIGHBOURS if _pairs(product, machine) else machine.dot("ui8", "i8")
        dot = dot if bounds_of(product.weights.type)[-2] % dot == 0 else 1
    return width, min(machine.lanes(_SUM_BYTES), width), dot


def _pairs(product: ScaledMatMulOp, machine: Machine) -> int:
    """Return of how many bytes of a column products are summed in 16 bits; 0 for none.

    The products of the codes of a sum do not exceed 16 bits, even if they are the largest ones.
    """
    if product.x_scales is None or not machine.adds_byte_pairs:
        return 0
    if machine.dot("ui8", "i8") >= NEIGHBOURS or product.dot not in (1, NEIGHBOURS):
        return 0
    largest = ((1 << 8 // product.parts) - 1) * 128
    most = 2 * (0x7FFF // largest) // product.parts
    size = product.block.value.data // product.parts
    fitting = [n for n in range(NEIGHBOURS, min(most, size) + 1, NEIGHBOURS) if size % n == 0]
    return max(fitting, default=0)


def _may_pack(product: ScaledMatMulOp) -> bool:
    """Tell whether weights are constants that nothing else reads, or packed."""
    kernel = product.parent_op()
    matrices = [product.weights, product.scales, product.zeros]
    return isinstance(kernel, KernelOp) and all(
        is_own_constant(kernel, matrix) for matrix in matrices if bounds_of(matrix.type)
    )
