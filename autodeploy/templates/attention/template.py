"""The template of a softmax of rows with the products around it, in one kernel.

The rows of the result are cut in bands. For a band, the rows of each matrix on the way are made and
read before others take their place: they stay near. Each matrix is computed as it would be in a
kernel of its own: products by tiles of sums in registers, the softmax row by row. The knob
``divide`` says what is divided by the sums of exponentials: the ``rows`` of the softmax, or the
``result`` of the product that reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from xdsl.dialects.builtin import f32, f64

from autodeploy.dialects.halide.pipeline import ROWS
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.reduction import SoftmaxOp
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.templates.bands import BandsTemplate, Part
from autodeploy.templates.gemm.knobs import band_conflict, band_knobs, tile_of, tile_space
from autodeploy.templates.gemm.loops import place_tile, split_columns, sum_tile
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.row.knobs import row_knobs, row_space
from autodeploy.templates.row.template import place_row
from autodeploy.templates.runs import summing
from autodeploy.templates.sharing import band_group, even_dimension
from autodeploy.templates.space import Knobs, Numbers, Space
from autodeploy.templates.view import ScheduledPipeline, element_bytes, tail_of

BAND = "yo"
"""The loop over bands."""

DIVIDE = "divide"
"""The knob that says what is divided."""

SOFTMAX_ROWS, RESULT = "rows", "result"
"""Its values."""


def is_row_softmax(op: AnchorOp | None) -> bool:
    """Tell whether an op is a softmax of the rows of matrices."""
    if not isinstance(op, SoftmaxOp):
        return False
    shape = bounds_of(op.result.type)
    last = op.axis.value.data == len(shape) - 1
    return last and len(shape) > 1 and shape[-1] > 1 and prod(shape) > 0


def may_divide_result(kernel: KernelOp) -> bool:
    """Tell whether a product reads a softmax as it is, so that the result may be divided.

    Floats of 16 bits are rounded in between.
    """
    if len(kernel.anchors) < 3:
        return False
    _, softmax, reader = kernel.anchors
    assert isinstance(softmax, SoftmaxOp)
    assert isinstance(reader, MatMulOp)
    alone = reader.lhs is softmax.result and softmax.result.has_one_use()
    return alone and element_of(softmax.result.type) in (f32, f64)


class AttentionTemplate(BandsTemplate):
    """A product, the softmax of its rows, and the product with that, in bands of rows."""

    def applies(self, kernel: KernelOp) -> bool:
        return len(kernel.outputs) == 1 and [type(op) for op in kernel.anchors[:2]] == [
            MatMulOp,
            SoftmaxOp,
        ]

    def bands(self, kernel: KernelOp) -> Sequence[Sequence[Knob]]:
        rows = bounds_of(kernel.outputs[0].type)[-2]
        return Numbers(1, rows, times=len(kernel.anchors) + 1)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Divide what has fewer columns."""
        knobs = super().default(kernel, machine, given)
        if not may_divide_result(kernel):
            return knobs
        _, softmax, reader = (bounds_of(anchor.result.type)[-1] for anchor in kernel.anchors)
        return {**knobs, DIVIDE: (RESULT if reader < softmax else SOFTMAX_ROWS,)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the bands, what knobs the parts may have, and what may be divided."""
        space = super().space(kernel, machine)
        return (
            {**space, DIVIDE: [(SOFTMAX_ROWS,), (RESULT,)]} if may_divide_result(kernel) else space
        )

    def parts(self, kernel: KernelOp, machine: Machine, bands: Sequence[int]) -> Sequence[Part]:
        """Return how products and softmax are computed."""
        return [
            _product_part(machine, Product.of(kernel, anchor), bands[-1])
            if isinstance(anchor, MatMulOp)
            else Part(
                "row",
                lambda given, anchor=anchor: row_knobs(machine, anchor, given),
                partial(row_space, machine, anchor),
            )
            for anchor in kernel.anchors
        ]

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        out = pipeline.output
        matrices = [func for func in pipeline.funcs.values() if func.role_name == ROWS]
        matrices.append(out)
        rows = config.ints("bands")[-1]
        column, row, *stack = out.var_names
        before, before_config = None, config
        for matrix, part_config in zip(matrices, config.configs("parts"), strict=True):
            part = pipeline.of_image(matrix, before)
            if matrix is out:
                pipeline.split(out, row, BAND, row, rows, tail_of(pipeline.extents[1], rows))
            else:
                pipeline.compute_at(matrix, out, BAND)
                pipeline.bound(matrix, column, part.extents[0])
                pipeline.bound_extent(matrix, row, rows)
            if "matmul" in part.funcs:
                tile = tile_of(part_config, machine, element_bytes(part.funcs["matmul"]))
                share = part.funcs.get("share")
                if share is not None:
                    # The sums of the exponentials that this product reads.
                    pipeline.compute_at(share, out, BAND)
                    pipeline.bound_extent(share, share.var_names[1], rows)
                    # Else Halide may put them into the tile of sums, which then leaves registers.
                    room = machine.vector_registers * machine.lanes(element_bytes(share))
                    pipeline.bound_storage(share, share.var_names[1], max(rows, room))
                    place_row(pipeline.of_image(share, before), before_config, machine)
                _tile_product(pipeline, part, tile, rows)
            else:
                place_row(part, part_config, machine)
            before, before_config = matrix, part_config
        if machine.cores > 1 and pipeline.work >= machine.costs.parallel_work:
            even = even_dimension(pipeline.extents[2:], machine.cores)
            size = band_group(machine.cores, pipeline.extents[1], rows)
            if even is not None:
                pipeline.parallel(out, stack[even])
            elif size is not None:
                pipeline.parallel(out, BAND if size == 1 else pipeline.group(out, BAND, size))


def _product_part(machine: Machine, product: Product, rows: int) -> Part:
    return Part(
        "gemm",
        partial(band_knobs, machine, product, rows),
        partial(tile_space, machine, product),
        partial(band_conflict, machine, product, rows),
    )


def _tile_product(
    pipeline: ScheduledPipeline, part: ScheduledPipeline, tile: ProductTile, rows: int
) -> None:
    """Tile one product, of which ``rows`` are made for a band."""
    matrix = part.output
    operands = ProductOperands.of(part.updates[summing(part, "matmul")][0])
    row, stack = matrix.var_names[1], matrix.var_names[2:]
    split_columns(part, tile, operands)
    pipeline.split(matrix, row, "mo", "mt", tile.rows, tail_of(rows, tile.rows))
    around = (BAND, *stack) if matrix is pipeline.output else stack
    pipeline.reorder(matrix, "nt", "mt", "mo", "no", *around)
    place_tile(part, tile, operands)
    sum_tile(part, tile)
