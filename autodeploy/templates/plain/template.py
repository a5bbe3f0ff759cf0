"""The plain template: right for every kernel, quick for pointwise ones.

The innermost dimension of the output is vectorised. Whatever is reduced is computed where it is
needed and nowhere twice: in the innermost loop of the output with which it changes, unless it stays
the same in one further out; then around that one.

Other templates have kernels that they leave to it, with its knobs.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import (
    share_knobs,
    share_space,
    vector_knobs,
    vector_space,
    with_vectors,
)
from autodeploy.templates.output_loops import (
    OutputLoop,
    output_lanes,
    parallelize_output,
    vectorize_output,
    whole_loops,
)
from autodeploy.templates.placement import place_within
from autodeploy.templates.runs import RUN
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduledPipeline,
    element_bytes,
    func_of,
    loads_of,
    loop_extents,
    vector_lanes,
)

UNROLL = "unroll"

MOST_VECTORS = 8
"""Vectors that a step may compute."""


class PlainTemplate(Template):
    """Right for every kernel."""

    in_runs = True
    rank = -1

    def applies(self, kernel: KernelOp) -> bool:
        return True

    def takes_open(self, kernel: KernelOp) -> bool:
        """Loops over open dimensions have no vectors."""
        return True

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``plain_knobs``."""
        return plain_knobs(kernel, machine)

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        return plain_space(kernel, machine)

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        if not _is_pointwise(kernel):
            return None
        vectors, lanes = config.number(UNROLL), _lanes(kernel, machine, config)
        extent = bounds_of(kernel.outputs[0].type)[-1]
        if vectors > 1 == lanes:
            return "single elements are not unrolled"
        if vectors > 1 and vectors * lanes > extent:
            return f"{vectors} vectors have {vectors * lanes} elements, and a row has {extent}"
        return None

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        if len(pipeline.outputs) > 1:
            schedule_roots(pipeline)
        else:
            schedule_plain(pipeline, config, machine)


def plain_knobs(kernel: KernelOp, machine: Machine) -> Knobs:
    """Return the knobs that the rule chooses; kernels of several results have none.

    - ``vector``: bytes of a vector
    - ``unroll``: vectors that a step computes, of kernels that apply ops to each element
    - ``shares``: iterations for each core, of the loops that cores share
    """
    if len(kernel.outputs) > 1:
        return {}
    unroll = {UNROLL: (1,)} if _is_pointwise(kernel) else {}
    return {**vector_knobs(machine), **unroll, **share_knobs(machine)}


def plain_space(kernel: KernelOp, machine: Machine) -> Space:
    """Return the values of the knobs."""
    if len(kernel.outputs) > 1:
        return {}
    unroll = {UNROLL: [(n,) for n in powers(MOST_VECTORS)]} if _is_pointwise(kernel) else {}
    return {**vector_space(machine), **unroll, **share_space(machine)}


def _is_pointwise(kernel: KernelOp) -> bool:
    """Tell whether a kernel folds nothing, and has whole rows, so that a step may be longer."""
    if kernel.anchor is not None or len(kernel.outputs) != 1:
        return False
    axes = [axes_of_type(value.type) for value in kernel.outputs]
    return bool(bounds_of(kernel.outputs[0].type)) and not any(axes[0][-1:] if axes else ())


def _lanes(kernel: KernelOp, machine: Machine, config: ConfigAttr) -> int:
    """Return the elements of a vector of the result."""
    type_ = kernel.outputs[0].type
    lanes = with_vectors(machine, config).lanes(ELEMENT_BYTES[element_of(type_)])
    return vector_lanes(bounds_of(type_)[-1], lanes)


def schedule_plain(pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
    """Write the plain schedule."""
    out, machine = pipeline.output, with_vectors(machine, config)
    names, vectors = out.var_names, config.number(UNROLL) or 1
    inner = vectorize_output(pipeline, machine, vectors)
    level = outer_loop(names, inner)
    levels: set[str] = set()
    for func in pipeline.reduced():
        read_by = pipeline.dependences(func)
        place = place_within(pipeline, read_by)
        if func.role_name == RUN:
            _place_run(pipeline, func)
        elif place is None:
            pipeline.compute_root(func)
        else:
            loop = names[place] if place else level
            levels.add(loop)
            pipeline.compute_at(func, out, loop)
        lanes = _func_lanes(pipeline, machine, func, read_by)
        row = func.known_extents[0] if read_by else 1
        for stage in range(len(pipeline.updates[func]) + 1):
            # Where a vector of the output asks for just as many, Halide drops the guard of an
            # update; anywhere else that would read operands behind their end without it.
            pipeline.vectorize_row(func, func.var_names[0], row, lanes, stage)
    loops = whole_loops(names, pipeline.extents)[:0:-1]
    if inner is not None:
        step = output_lanes(pipeline, machine) * vectors
        loops.append(OutputLoop.tiles(inner, pipeline.extents[0], step, pipeline.open_axes[0]))
    parallelize_output(pipeline, machine, loops, levels, config)


def _place_run(pipeline: ScheduledPipeline, run: FuncOp) -> None:
    """Add up the runs of a vector of totals side by side."""
    ((_, reader),) = loads_of(run)
    total = func_of(reader)
    runs = loop_extents(pipeline.updates[total][0])
    pipeline.reorder(total, total.var_names[0], *runs, stage=1)
    pipeline.compute_at(run, total, next(iter(runs)))


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


def schedule_roots(pipeline: ScheduledPipeline) -> None:
    """Compute whatever is reduced beforehand: right for pipelines with several outputs."""
    for func in pipeline.reduced():
        pipeline.compute_root(func)
