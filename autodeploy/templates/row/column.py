"""The column template: softmax along an axis that is not the contiguous one.

Vectors stand side by side along the contiguous axis; the axis of the softmax is the innermost loop
around them. Maximum, exponentials and sum are computed at the loop around that.
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import with_vectors
from autodeploy.templates.output_loops import (
    OutputLoop,
    output_lanes,
    parallelize_output,
    vectorize_output,
    whole_loops,
)
from autodeploy.templates.view import PipelineView, ScheduleBuilder


def schedule_column(
    view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
) -> None:
    """Write the schedule; the axis is the one that the update of ``largest`` runs over."""
    out, names, machine = view.output, view.output.var_names, with_vectors(machine, config)
    inner = [func for func in view.funcs.values() if func is not out]
    axis = reduced_axis(next(view.updates[func][0] for func in inner if view.updates[func]))
    loops = {loop.name: loop for loop in whole_loops(names, view.extents)}
    vectors = vectorize_output(view, builder, machine)
    lanes = output_lanes(view, machine)
    if axis == 0:
        around = names[1] if len(names) > 1 else None
        order = list(names[1:])
    else:
        vector = [f"{names[0]}i"] if vectors is not None else []
        outer = [vectors] if vectors is not None else [names[0]]
        rest = [name for i, name in enumerate(names) if i not in (0, axis)]
        builder.reorder(out, *vector, names[axis], *outer, *rest)
        around = outer[0]
        order = [around, *rest]
        loops[around] = OutputLoop.tiles(around, view.extents[0], lanes)
        for func in inner:
            for stage in range(len(view.updates[func]) + 1):
                builder.vectorize(func, func.var_names[0], lanes, stage)
    for func in inner:
        _place(builder, func, out, around)
    chosen = [loops[name] for name in reversed(order)]
    levels = {around} if around else set[str]()
    parallelize_output(view, builder, machine, chosen, levels, config)


def reduced_axis(update: UpdateOp) -> int:
    """Return the dimension that a fold along one axis runs over: its variable is r<axis>."""
    (name,) = (name for name, _, _ in update.rdom)
    return len(update.var_names) - 1 - int(name.removeprefix("r"))


def _place(builder: ScheduleBuilder, func: FuncOp, out: FuncOp, around: str | None) -> None:
    if around is None:
        builder.compute_root(func)
    else:
        builder.compute_at(func, out, around)
