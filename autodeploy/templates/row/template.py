"""The row template: reductions, softmax and normalisations along an axis that is contiguous.

What a row of the output needs (sums, extremes, exponentials) is computed once a row, while the row
is in the first-level cache. Its elements stand side by side in vectors; a fold runs in lanes, of
which there are one or several vectors, and those of a row are folded at last.
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp, is_open
from autodeploy.dialects.nn.normalisation import LayerNormOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, SoftmaxOp
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import share_knobs, share_space, with_vectors
from autodeploy.templates.output_loops import parallelize_output, whole_loops
from autodeploy.templates.placement import place_within
from autodeploy.templates.plain.template import schedule_plain
from autodeploy.templates.row.column import schedule_column
from autodeploy.templates.row.column_fold import folds_columns, schedule_column_fold
from autodeploy.templates.row.knobs import row_knobs, row_space, unrolled_steps
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.template import Template
from autodeploy.templates.view import LANE, ScheduledPipeline, element_bytes, vector_lanes


class RowTemplate(Template):
    """Softmax, normalisations and reductions: folds along axes."""

    def applies(self, kernel: KernelOp) -> bool:
        folds = isinstance(kernel.anchor, SoftmaxOp | LayerNormOp | ReduceOp | ArgReduceOp)
        return folds and len(kernel.outputs) == 1 and len(kernel.anchors) == 1

    def takes_open(self, kernel: KernelOp) -> bool:
        """Rows may be open, and so may be what is around them: the last vector has a guard."""
        return True

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``row/knobs.py``, and ``shares``."""
        (anchor,) = kernel.anchors
        opened = is_open(kernel)
        knobs = row_knobs(machine, anchor, given, is_open=opened)
        return {**knobs, **share_knobs(machine)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        (anchor,) = kernel.anchors
        space = row_space(machine, anchor, is_open=is_open(kernel))
        return {**space, **share_space(machine)}

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule; without lanes that of a fold along other axes, or the plain one."""
        if not any(pipeline.folds_lanes(func) for func in pipeline.funcs.values()):
            if folds_columns(pipeline, config, machine):
                template = schedule_column_fold
            else:
                template = schedule_column if "power" in pipeline.funcs else schedule_plain
            template(pipeline, config, machine)
            return
        levels, row = place_row(pipeline, config, machine)
        loops = whole_loops(pipeline.output.var_names, pipeline.extents)
        if row is not None:
            del loops[row]
        parallelize_output(pipeline, machine, reversed(loops), levels, config)


def place_row(
    pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine
) -> tuple[set[str], int | None]:
    """Vectorise the rows of the output, and compute in its loops what each of them needs.

    Returns the loops in which something is computed, and the dimension of the output that is a row,
    where not every element needs a fold of its own.
    """
    out, names, machine = pipeline.output, pipeline.output.var_names, with_vectors(machine, config)
    folded = [func for func in pipeline.funcs.values() if pipeline.folds_lanes(func)]
    changing = {d for func in folded for found in pipeline.dependences(func) for d in found}
    inner = next((d for d, extent in enumerate(pipeline.extents) if extent > 1), None)
    row = None if inner in changing else inner
    if row is not None:
        lanes = vector_lanes(pipeline.extents[row], machine.lanes(element_bytes(out)))
        pipeline.vectorize_row(out, names[row], pipeline.extents[row], lanes)
    levels: set[str] = set()
    for func in pipeline.funcs.values():
        if func is out:
            continue
        read_by = [found - {row} for found in pipeline.dependences(func)]
        place = place_within(pipeline, read_by, row)
        if place is None:
            pipeline.compute_root(func)
        else:
            levels.add(names[place])
            pipeline.compute_at(func, out, names[place])
        whole = [
            d
            for d, extent in enumerate(func.known_extents)
            if extent > 1 and (place is None or all(loop < place for loop in read_by[d]))
        ]
        if whole:
            _vectorize_all(pipeline, machine, func, whole[0], unrolled_steps(config))
    return levels, row


def _vectorize_all(
    pipeline: ScheduledPipeline, machine: Machine, func: FuncOp, inner: int, most_steps: int
) -> None:
    """Vectorise every stage of a func along a dimension; up to ``most_steps`` are written out."""
    name, extent = func.var_names[inner], func.known_extents[inner]
    lanes = vector_lanes(extent, machine.lanes(element_bytes(func)))
    for stage in range(len(pipeline.updates[func]) + 1):
        if name != LANE or extent == lanes:
            pipeline.vectorize_row(func, name, extent, lanes, stage)
            vectors = [name]
        else:
            vectors = [f"{name}i", f"{name}o"]
            pipeline.split(func, name, vectors[1], vectors[0], lanes, stage=stage)
            pipeline.vectorize(func, vectors[0], stage=stage)
            pipeline.unroll(func, vectors[1], stage=stage)
        if name == LANE and stage:
            update = pipeline.updates[func][stage - 1]
            ((block, _, steps),) = update.rdom
            pipeline.reorder(func, *vectors, block, stage=stage)
            if steps * extent // lanes <= most_steps and not update.ends:
                pipeline.unroll(func, block, stage=stage)
