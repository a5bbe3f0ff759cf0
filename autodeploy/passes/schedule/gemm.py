"""The templates of matrix products.

GEMM: a tile of columns by rows of the result is summed in registers over the inner axis. GEMV: a
single row, so every weight is used once and memory bounds the speed; more columns are summed at a
time to read long runs, and the inner axis is unrolled to keep several loads in flight.
"""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.passes.schedule.plain import PARALLEL_WORK
from autodeploy.passes.schedule.tiles import RESIDENT_SHARE, accumulator_tile, gemv_columns
from autodeploy.passes.schedule.view import (
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

    A right-hand side that stays in the second-level cache is swept for every tile of rows, so that
    results leave in whole rows. Of a larger one each tile of columns is fetched once, and the rows
    are swept for it.
    """
    out, product = view.output, view.funcs["matmul"]
    column, row = out.var_names[:2]
    columns, rows = view.extents[:2]
    bytes_ = element_bytes(product)
    (inner,) = loop_extents(view.updates[product][0]).values()
    tile = accumulator_tile(machine, bytes_, columns, rows, inner * bytes_)
    builder.split(out, column, "no", "nt", tile.channels, tail_of(columns, tile.channels))
    builder.split(out, row, "mo", "mt", tile.columns, tail_of(rows, tile.columns))
    resident = inner * columns * bytes_ * RESIDENT_SHARE <= machine.l2_bytes
    swept, outer = ("no", "mo") if resident else ("mo", "no")
    builder.reorder(out, "nt", "mt", swept, outer, *out.var_names[2:])
    builder.vectorize(out, "nt", tile.lanes)
    builder.unroll(out, "nt")
    builder.unroll(out, "mt")
    builder.compute_at(product, out, swept)
    n, m = product.var_names[:2]
    for stage in range(2):
        if stage:
            builder.reorder(product, n, m, "k", stage=1)
        builder.vectorize(product, n, tile.lanes, stage)
        builder.unroll(product, n, stage=stage)
        builder.unroll(product, m, stage=stage)
    if machine.cores > 1 and view.work >= PARALLEL_WORK:
        builder.parallel(out, outer)


def schedule_gemv(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule of a single row times a matrix."""
    out, product = view.output, view.funcs["matmul"]
    columns = view.extents[0]
    wide = gemv_columns(machine, element_bytes(product), columns)
    lanes = vector_lanes(wide, machine.lanes(element_bytes(product)))
    column, n = out.var_names[0], product.var_names[0]
    builder.split(out, column, "no", "nt", wide, tail_of(columns, wide))
    builder.vectorize(out, "nt", lanes)
    builder.unroll(out, "nt")
    builder.compute_at(product, out, "no")
    (inner,) = loop_extents(view.updates[product][0]).values()
    for stage in range(2):
        if stage:
            builder.reorder(product, n, "k", stage=1)
        builder.vectorize(product, n, lanes, stage)
        builder.unroll(product, n, stage=stage)
    builder.unroll(product, "k", vector_lanes(inner, GEMV_UNROLL), stage=1)
    if machine.cores > 1 and view.work >= PARALLEL_WORK:
        builder.parallel(out, "no")
