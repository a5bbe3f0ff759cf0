"""Which lines of its weights a product by Strassen's algorithm fetches before it needs them."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import in_runs
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.view import element_bytes


def panel_fetch(
    machine: Machine, update: UpdateOp, tile: ProductTile, block: int, steps: int
) -> tuple[SSAValue, AffineMap]:
    """Return the weights, and which line of them is fetched every few steps: one of the next panel.

    A panel has a tile of columns of a product. It is fetched while the ``block`` tiles of pairs of
    rows of a block are multiplied by the one before. ``update`` is that of the sums, over columns,
    pairs and products.
    """
    ((_, _, inner),) = update.rdom
    assert isinstance(update.func.owner, FuncOp)
    bytes_ = element_bytes(update.func.owner)
    (source,) = (
        op.source
        for op in update.body.block.ops
        if isinstance(op, LoadOp) and isinstance(op.source.type, BufferType)
    )
    column, pair, number, k = (AffineExpr.dimension(axis) for axis in range(4))
    # A remainder, written as a difference: over a range, Halide takes one to be anything.
    group = pair // tile.rows - pair // (block * tile.rows) * block
    line = group * (inner // steps) + k // steps
    fetched = block * (inner // steps)
    line = in_runs(line, fetched, steps * tile.vectors * tile.rows)
    element = line * (machine.line_bytes // bytes_)
    zero = AffineExpr.constant(0)
    place = (element, zero, number + 1, column // tile.columns)
    return source, AffineMap(4, 0, place)
