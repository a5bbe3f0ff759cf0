"""The plain template: right for every kernel, quick for pointwise ones.

The innermost dimension of the output is vectorised. Whatever is reduced is computed where it is
needed and nowhere twice: in the innermost loop of the output with which it changes, unless it stays
the same in one further out; then around that one.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.output_loops import (
    OutputLoop,
    output_lanes,
    parallelize_output,
    vectorize_output,
    whole_loops,
)
from autodeploy.templates.placement import place_within
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    vector_lanes,
)


class PlainTemplate(Template):
    """Right for every kernel."""

    rank = -1

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return True

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        if len(view.outputs) > 1:
            schedule_roots(view, builder)
        else:
            schedule_plain(view, builder, machine)


def schedule_plain(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the plain schedule."""
    out = view.output
    names = out.var_names
    inner = vectorize_output(view, builder, machine)
    level = outer_loop(names, inner)
    levels: set[str] = set()
    for func in view.reduced():
        read_by = view.dependences(func)
        place = place_within(view, read_by)
        if place is None:
            builder.compute_root(func)
        else:
            loop = names[place] if place else level
            levels.add(loop)
            builder.compute_at(func, out, loop)
        lanes = _func_lanes(view, machine, func, read_by)
        row = func.known_extents[0] if read_by else 1
        for stage in range(len(view.updates[func]) + 1):
            # Where a vector of the output asks for just as many, Halide drops the guard of an
            # update; anywhere else that would read operands behind their end without it.
            builder.vectorize_row(func, func.var_names[0], row, lanes, stage)
    loops = whole_loops(names, view.extents)[:0:-1]
    if inner is not None:
        loops.append(OutputLoop.tiles(inner, view.extents[0], output_lanes(view, machine)))
    parallelize_output(view, builder, machine, loops, levels)


def _func_lanes(
    view: PipelineView, machine: Machine, func: FuncOp, read_by: Sequence[Set[int]]
) -> int:
    """Return the vector width of a reduced func; 1 where its innermost dimension is short.

    Where that is read by the vectors of the output it is as wide as these. A whole row that is read
    (by a further reduction) has vectors of its own.
    """
    if not read_by or not read_by[0] <= {0}:
        return 1
    own = vector_lanes(func.known_extents[0], machine.lanes(element_bytes(func)))
    return min(own, output_lanes(view, machine)) if read_by[0] else own


def outer_loop(names: tuple[str, ...], vectors: str | None) -> str:
    """Return the innermost loop of the output that is not inside a vector."""
    return vectors if vectors is not None else (names[0] if names else "")


def schedule_roots(view: PipelineView, builder: ScheduleBuilder) -> None:
    """Compute whatever is reduced beforehand: right for pipelines with several outputs."""
    for func in view.reduced():
        builder.compute_root(func)
