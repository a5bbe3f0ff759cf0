"""How the left-hand side of a product is made that the kernel itself computes: its prologue.

A block of rows is made before the tiles of columns are swept for it, and stays in the second-level
cache until they are. Rows lie a little apart, lest those of a tile share the ways of one set of the
first-level cache.
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
    """Compute so many rows of the left-hand side for each iteration of a loop of the output."""
    func, bytes_ = view.funcs[PROLOGUE], element_bytes(view.funcs[PROLOGUE])
    inner, row = func.var_names[:2]
    extent = func.known_extents[0]
    builder.compute_at(func, view.output, loop)
    builder.bound(func, inner, extent)
    # Below the last row there may be more, which nobody reads.
    builder.bound_extent(func, row, rows)
    if not extent * bytes_ % machine.costs.set_bytes:
        builder.align_storage(func, inner, extent + machine.line_bytes // bytes_)
    lanes = vector_lanes(extent, machine.lanes(bytes_))
    builder.vectorize_row(func, inner, extent, lanes)
