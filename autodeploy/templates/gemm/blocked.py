"""Blocks of the inner axis: products of few rows whose weights exceed the second-level cache.

The sums of a tile of columns and all rows lie in memory. For a block of the inner axis, every tile
of rows loads its sums, adds to them, and stores them. The code generator keeps in registers what
the loop over a block does not change.
"""

from __future__ import annotations

from autodeploy.templates.gemm.tile import InnerBlocks, ProductTile
from autodeploy.templates.view import PipelineView, ScheduleBuilder, loop_extents


def schedule_blocks(
    view: PipelineView, builder: ScheduleBuilder, tile: ProductTile, blocks: InnerBlocks
) -> None:
    """Write the schedule for an output whose columns are split to ``no`` and ``nt``.

    Tiles of rows divide the rows: an update computes nothing twice.
    """
    out, product = view.output, view.funcs["matmul"]
    n, m = product.var_names[:2]
    builder.reorder(out, "nt", out.var_names[1], "no", *out.var_names[2:])
    builder.vectorize(out, "nt", tile.lanes)
    builder.unroll(out, "nt")
    builder.compute_at(product, out, "no")
    # Of the columns that fill up the last tile, too, sums are made; they are left alone.
    builder.bound_extent(product, n, tile.columns)
    builder.vectorize(product, n, tile.lanes)
    builder.unroll(product, n)
    builder.split(product, m, "mo", "mt", tile.rows, stage=1)
    sections = ["ks"] if blocks.sections > 1 else []
    section = "k"
    if sections:
        (inner,) = loop_extents(view.updates[product][0]).values()
        section = "kr"
        builder.split(product, "k", "ks", section, inner // blocks.sections, stage=1)
    builder.split(product, section, "kb", "kt", blocks.steps, stage=1)
    builder.reorder(product, n, "mt", *sections, "kt", "mo", "kb", stage=1)
    builder.vectorize(product, n, tile.lanes, stage=1)
    builder.unroll(product, n, stage=1)
    builder.unroll(product, "mt", stage=1)
    if sections:
        builder.unroll(product, "ks", stage=1)
