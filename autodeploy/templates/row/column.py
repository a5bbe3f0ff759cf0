"""The column template: softmax along an axis that is not the contiguous one.

Vectors stand side by side along the contiguous axis; the axis of the softmax is the innermost loop
around them. Maximum, exponentials and sum are computed at the loop around that.
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import UpdateOp
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
from autodeploy.templates.view import ScheduledPipeline


def schedule_column(pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
    """Write the schedule; the axis is the one that the update of ``largest`` runs over."""
    out, names, machine = pipeline.output, pipeline.output.var_names, with_vectors(machine, config)
    inner = [func for func in pipeline.funcs.values() if func is not out]
    axis = reduced_axis(next(pipeline.updates[func][0] for func in inner if pipeline.updates[func]))
    loops = {loop.name: loop for loop in whole_loops(names, pipeline.extents)}
    vectors = vectorize_output(pipeline, machine)
    lanes = output_lanes(pipeline, machine)
    if axis == 0:
        around = names[1] if len(names) > 1 else None
        order = list(names[1:])
    else:
        vector = [f"{names[0]}i"] if vectors is not None else []
        outer = [vectors] if vectors is not None else [names[0]]
        rest = [name for i, name in enumerate(names) if i not in (0, axis)]
        pipeline.reorder(out, *vector, names[axis], *outer, *rest)
        around = outer[0]
        order = [around, *rest]
        loops[around] = OutputLoop.tiles(around, pipeline.extents[0], lanes)
        for func in inner:
            for stage in range(len(pipeline.updates[func]) + 1):
                pipeline.vectorize(func, func.var_names[0], lanes, stage)
    for func in inner:
        pipeline.compute_at(func, out, around)
    chosen = [loops[name] for name in reversed(order)]
    levels = {around} if around else set[str]()
    parallelize_output(pipeline, machine, chosen, levels, config)


def reduced_axis(update: UpdateOp) -> int:
    """Return the dimension that a fold along one axis runs over: its variable is r<axis>."""
    (name,) = (name for name, _, _ in update.rdom)
    return len(update.var_names) - 1 - int(name.removeprefix("r"))
