"""Folds along outer axes: each element of a row has a sum of its own, and rows are added to it.

So it is with the mean of each channel of a channels-last image. Several vectors of sums stand side
by side, so that one addition does not wait for the one before. A long sum has a part for each row
of the image; where there are few channels, the parts of several rows are summed side by side, too.
Cores share the vectors of sums, or else the rows of the image: then each makes sums of some rows at
a time, and one core adds these up.
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.types import Tail
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
from autodeploy.templates.row.knobs import ROWS, SUMS_AT_A_TIME, VECTORS
from autodeploy.templates.view import PipelineView, ScheduledPipeline

SHARED = "_shares"
"""The end of the name of a func whose elements cores share."""


def folds_columns(view: PipelineView, config: ConfigAttr, machine: Machine) -> bool:
    """Tell whether all that a pipeline folds has the innermost dimension of its output."""
    inner = [func for func in view.funcs.values() if func is not view.output]
    folds = [func for func in inner if not _is_shared(func)]
    return (
        VECTORS in config
        and view.op.open is None
        and output_lanes(view, with_vectors(machine, config)) > 1
        and all(len(view.updates[func]) == 1 for func in folds)
        and all(view.dependences(func)[0] == {0} for func in inner)
    )


def schedule_column_fold(pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
    """Write the schedule."""
    out, machine = pipeline.output, with_vectors(machine, config)
    lanes = output_lanes(pipeline, machine)
    # The knob counts vectors of what is folded; of a narrower result a vector holds more elements.
    vectors = max(1, min(config.number(VECTORS), pipeline.extents[0] // lanes))
    around = vectorize_output(pipeline, machine, vectors)
    assert around is not None  # there are lanes
    part, at, shared = None, around, out
    if config.number(ROWS):
        shared = next(func for func in pipeline.funcs.values() if _is_shared(func))
        part, at = _share_rows(pipeline, shared, lanes, vectors)
    for func in pipeline.funcs.values():
        if func is out:
            continue
        if func is shared:
            part, at, shared = None, around, out
            continue
        pipeline.compute_at(func, shared, at)
        pipeline.bound_extent(func, func.var_names[0], lanes * vectors)
        _fold(pipeline, func, lanes, vectors, part)
    if config.number(ROWS):
        return
    loops = whole_loops(out.var_names, pipeline.extents)[:0:-1]
    loops.append(
        OutputLoop.tiles(around, pipeline.extents[0], lanes * vectors, pipeline.open_axes[0])
    )
    parallelize_output(pipeline, machine, loops, {around}, config)


def _is_shared(func: FuncOp) -> bool:
    return func.role_name.endswith(SHARED)


def _share_rows(
    pipeline: ScheduledPipeline, shared: FuncOp, lanes: int, vectors: int
) -> tuple[str, str]:
    """Let cores share the parts of a sum, each of some rows.

    Returns the loop over the parts, and that over some vectors of one within which it is summed up.
    """
    name, *others = shared.var_names
    (part,) = (
        other for other, extent in zip(others, shared.known_extents[1:], strict=True) if extent > 1
    )
    around = f"{name}o"
    pipeline.compute_root(shared)
    pipeline.split(shared, name, around, f"{name}i", lanes * vectors, Tail.SHIFT_INWARDS)
    pipeline.split(shared, f"{name}i", f"{name}v", f"{name}i", lanes)
    pipeline.unroll(shared, f"{name}v")
    pipeline.vectorize(shared, f"{name}i")
    pipeline.parallel(shared, part)
    return part, around


def _fold(
    pipeline: ScheduledPipeline, func: FuncOp, lanes: int, vectors: int, part: str | None
) -> None:
    """Keep the sums of some vectors, and of some rows, in registers while they are added up."""
    (update,), (name, *others) = pipeline.updates[func], func.var_names
    whole = [
        axis
        for axis, read_by in enumerate(pipeline.dependences(func))
        if axis and not read_by and func.known_extents[axis] > 1 and func.var_names[axis] != part
    ]
    rows = 1
    if whole:
        most = max(1, SUMS_AT_A_TIME // vectors)
        extent = func.known_extents[whole[0]]
        rows = max(n for n in range(1, most + 1) if extent % n == 0)
    for stage in range(2):
        pipeline.split(func, name, f"{name}o", f"{name}i", lanes, stage=stage)
        pipeline.vectorize(func, f"{name}i", stage=stage)
        pipeline.unroll(func, f"{name}o", stage=stage)
    # Halide has no loop of one iteration whose variable a broadcast operand does not read.
    folded = [variable for variable, _, extent in update.rdom if extent > 1]
    if rows == 1:
        pipeline.reorder(func, f"{name}i", f"{name}o", *folded, *others, stage=1)
        return
    row = func.var_names[whole[0]]
    pipeline.split(func, row, f"{row}o", f"{row}i", rows, stage=1)
    rest = [f"{row}o" if other == row else other for other in others]
    pipeline.reorder(func, f"{name}i", f"{name}o", f"{row}i", *folded, *rest, stage=1)
    pipeline.unroll(func, f"{row}i", stage=1)
