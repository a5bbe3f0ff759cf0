"""The prologue of a product: the kernel computes the left-hand side itself.

A block of rows is computed before all tiles of columns that read it, and stays in the second-level
cache meanwhile. Rows are stored with a gap, so that those of a tile do not share the ways of one
set of the first-level cache.
"""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.templates.view import (
    PROLOGUE,
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    vector_lanes,
)


def make_rows(
    view: PipelineView, builder: ScheduleBuilder, machine: Machine, loop: str, rows: int
) -> None:
    """Compute ``rows`` rows of the left-hand side in each iteration of a loop of the output."""
    func, bytes_ = view.funcs[PROLOGUE], element_bytes(view.funcs[PROLOGUE])
    inner, row = func.var_names[:2]
    extent = func.known_extents[0]
    builder.compute_at(func, view.output, loop)
    builder.bound(func, inner, extent)
    # There may be rows below the last one, which have no readers.
    builder.bound_extent(func, row, rows)
    if not extent * bytes_ % machine.costs.set_bytes:
        builder.align_storage(func, inner, extent + machine.line_bytes // bytes_)
    lanes = vector_lanes(extent, machine.lanes(bytes_))
    builder.vectorize_row(func, inner, extent, lanes)
