"""The loops of one tile of a matrix product, which all templates of products share.

A tile of the output is taken at once, from sums that are in registers over the inner axis. The
output has a loop over tiles of columns, ``no``, and one over tiles of rows, ``mo``, unless it has a
single row.
"""

from __future__ import annotations

from autodeploy.dialects.halide.types import Tail
from autodeploy.templates.dots import split_dots, vectorize_dots
from autodeploy.templates.fetch_plan import FetchPlan
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.runs import in_run, place_runs, summing
from autodeploy.templates.view import PipelineView, ScheduledPipeline, tail_of


def split_columns(
    pipeline: ScheduledPipeline, tile: ProductTile, operands: ProductOperands
) -> None:
    """Split the columns of the output to ``no`` and ``nt``."""
    out, columns = pipeline.output, pipeline.extents[0]
    padded = _is_filled_up(pipeline, tile, operands)
    tail = Tail.GUARD_WITH_IF if padded else tail_of(columns, tile.columns)
    pipeline.split(out, out.var_names[0], "no", "nt", tile.columns, tail)


def place_tile(
    pipeline: ScheduledPipeline,
    tile: ProductTile,
    operands: ProductOperands,
    *,
    has_rows: bool = True,
) -> None:
    """Take all of a tile of the output, ``nt`` by ``mt``, at once, and sum it up for that."""
    out, product = pipeline.output, pipeline.funcs["matmul"]
    pipeline.vectorize(out, "nt", tile.lanes)
    pipeline.unroll(out, "nt")
    if has_rows:
        pipeline.unroll(out, "mt")
    pipeline.compute_at(product, out, "mo" if has_rows else "no")
    place_runs(pipeline, product, tile.lanes, product.var_names[: 1 + has_rows])
    if _is_filled_up(pipeline, tile, operands):
        # The sums of the columns that fill up the last tile are made and left alone.
        pipeline.bound_extent(product, product.var_names[0], tile.columns)


def sum_tile(
    pipeline: ScheduledPipeline,
    tile: ProductTile,
    plan: FetchPlan | None = None,
    dot: int = 1,
    *,
    unrolled: int = 1,
    has_rows: bool = True,
) -> None:
    """Sum a tile up in registers, ``dot`` steps of the inner axis at once.

    Lines are fetched as ``plan`` says, whose steps are all unrolled; without a plan ``unrolled``
    steps are.
    """
    product = summing(pipeline, "matmul")
    steps: tuple[str, ...] = ("k",)
    if plan is not None:
        steps = "kt", "kb"
        pipeline.split(product, "k", "kb", "kt", plan.steps * dot, stage=1)
        for buffer, map_ in plan.fetches:
            pipeline.prefetch_line(product, "kb", buffer, in_run(pipeline, map_))
    n, *rows = product.var_names[: 1 + has_rows]
    for stage in range(2):
        if stage:
            inner = split_dots(pipeline, product, steps[0], dot)
            pipeline.reorder(product, *inner, n, *rows, *steps, stage=1)
            vectorize_dots(pipeline, product, dot)
        pipeline.vectorize(product, n, tile.lanes, stage)
        for loop in (n, *rows):
            pipeline.unroll(product, loop, stage=stage)
    pipeline.unroll(product, steps[0], unrolled if plan is None else None, stage=1)


def _is_filled_up(view: PipelineView, tile: ProductTile, operands: ProductOperands) -> bool:
    """Tell whether the last tile of a right-hand side has columns that are not there.

    One that is packed may be filled up; of open columns a run has fewer than are read.
    """
    return bool(view.open_axes[0]) or (
        operands.packed_columns > 0 and view.extents[0] % tile.columns != 0
    )
