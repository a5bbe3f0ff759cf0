"""The row template, for softmax: what a row of the output needs is computed once a row.

The axis of the softmax is the innermost loop (after the vector along dimension 0, if that is
another axis); maximum, exponentials and sum are computed at the loop around it.
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.machine import Machine
from autodeploy.passes.schedule.plain import (
    output_lanes,
    parallelize_output,
    vectorize_output,
)
from autodeploy.passes.schedule.view import PipelineView, ScheduleBuilder


def schedule_row(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule; the axis is the one that the update of ``largest`` runs over."""
    out, names = view.output, view.output.var_names
    largest, power, total = (view.funcs[name] for name in ("largest", "power", "total"))
    axis = reduced_axis(view.updates[total][0])
    extents = dict(zip(names, view.extents, strict=True))
    vectors = vectorize_output(view, builder, machine)
    lanes = output_lanes(view, machine)
    if axis == 0:
        around = names[1] if len(names) > 1 else None
        loops = list(names[1:])
        if vectors is not None:
            builder.vectorize(power, power.var_names[0], lanes)
    else:
        inner = [f"{names[0]}i"] if vectors is not None else []
        outer = [vectors] if vectors is not None else [names[0]]
        rest = [name for i, name in enumerate(names) if i not in (0, axis)]
        builder.reorder(out, *inner, names[axis], *outer, *rest)
        around = outer[0]
        loops = [around, *rest]
        extents[around] = -(-extents[names[0]] // lanes)
        for func in (largest, power, total):
            for stage in range(len(view.updates[func]) + 1):
                builder.vectorize(func, func.var_names[0], lanes, stage)
    for func in (largest, power, total):
        _place(builder, func, out, around)
    chosen = [(loop, extents[loop]) for loop in reversed(loops)]
    parallelize_output(view, builder, machine, chosen, {around} if around else set())


def reduced_axis(update: UpdateOp) -> int:
    """Return the dimension that a fold along one axis runs over: its variable is r<axis>."""
    (name,) = (name for name, _, _ in update.rdom)
    return len(update.var_names) - 1 - int(name.removeprefix("r"))


def _place(builder: ScheduleBuilder, func: FuncOp, out: FuncOp, around: str | None) -> None:
    if around is None:
        builder.compute_root(func)
    else:
        builder.compute_at(func, out, around)
