"""The loops of one tile of a matrix product, which all templates of products share.

A tile of the output is taken at once, from sums that are in registers over the inner axis. The
output has a loop over tiles of columns, ``no``, and one over tiles of rows, ``mo``.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.templates.dots import split_dots, vectorize_dots
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.view import PipelineView, ScheduleBuilder, tail_of


def split_columns(
    view: PipelineView, builder: ScheduleBuilder, tile: ProductTile, operands: ProductOperands
) -> None:
    """Split the columns of the output to ``no`` and ``nt``."""
    out, columns = view.output, view.extents[0]
    padded = _is_filled_up(view, tile, operands)
    tail = Tail.GUARD_WITH_IF if padded else tail_of(columns, tile.columns)
    builder.split(out, out.var_names[0], "no", "nt", tile.columns, tail)


def place_tile(
    view: PipelineView,
    builder: ScheduleBuilder,
    tile: ProductTile,
    operands: ProductOperands,
) -> None:
    """Take all of a tile of the output, ``nt`` by ``mt``, at once, and sum it up for that."""
    out, product = view.output, view.funcs["matmul"]
    builder.vectorize(out, "nt", tile.lanes)
    builder.unroll(out, "nt")
    builder.unroll(out, "mt")
    builder.compute_at(product, out, "mo")
    if _is_filled_up(view, tile, operands):
        # The sums of the columns that fill up the last tile are made and left alone.
        builder.bound_extent(product, product.var_names[0], tile.columns)


def sum_tile(
    view: PipelineView,
    builder: ScheduleBuilder,
    tile: ProductTile,
    steps: Sequence[str] = ("k",),
    unrolled: str | None = None,
    dot: int = 1,
) -> None:
    """Sum a tile up in registers; ``steps`` are the loops over the inner axis, innermost first.

    ``dot`` steps are summed at once.
    """
    product = view.funcs["matmul"]
    n, m = product.var_names[:2]
    for stage in range(2):
        if stage:
            inner = split_dots(builder, product, steps[0], dot)
            builder.reorder(product, *inner, n, m, *steps, stage=1)
            vectorize_dots(builder, product, dot)
        builder.vectorize(product, n, tile.lanes, stage)
        builder.unroll(product, n, stage=stage)
        builder.unroll(product, m, stage=stage)
    if unrolled is not None:
        builder.unroll(product, unrolled, stage=1)


def _is_filled_up(view: PipelineView, tile: ProductTile, operands: ProductOperands) -> bool:
    """Tell whether the last tile of a right-hand side has columns that are not there.

    One that is packed may be filled up; of open columns a run has fewer than are read.
    """
    return bool(view.open_axes[0]) or (
        operands.packed_columns > 0 and view.extents[0] % tile.columns != 0
    )
