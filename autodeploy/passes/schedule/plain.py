"""The plain template: right for every kernel, quick for pointwise ones.

The innermost dimension of the output is vectorised. Whatever is reduced is computed where it is
needed and nowhere twice: in the innermost loop of the output with which it changes, unless it stays
the same in one further out; then around that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule import Tail
from autodeploy.machine import Machine
from autodeploy.passes.schedule.placement import place_within
from autodeploy.passes.schedule.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    vector_lanes,
)

PARALLEL_WORK = 1 << 16
"""Work that makes it worth sharing a loop: a microsecond or two on one core.

That is hardly more than waking the others takes. But a serial kernel fetches what they have written
from their caches, and the next kernels fetch it back, at a tenth of the speed of their own.
"""

PARALLEL_SHARES = 4
"""Iterations for each core that keep all of them busy to the end."""


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
    loops = list(zip(names, view.extents, strict=True))[:0:-1]
    if inner is not None:
        loops.append((inner, -(-view.extents[0] // output_lanes(view, machine))))
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


def output_lanes(view: PipelineView, machine: Machine) -> int:
    """Return the vector width for the innermost dimension of the output; 1 where it is tiny."""
    if not view.extents:
        return 1
    return vector_lanes(view.extents[0], machine.vector_bytes // element_bytes(view.output))


def vectorize_output(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> str | None:
    """Vectorise the innermost dimension of the output; return the loop around the vectors."""
    lanes, out = output_lanes(view, machine), view.output
    if lanes == 1:
        return None
    name = out.var_names[0]
    builder.split(out, name, f"{name}o", f"{name}i", lanes, Tail.SHIFT_INWARDS)
    builder.vectorize(out, f"{name}i")
    return f"{name}o"


def outer_loop(names: tuple[str, ...], vectors: str | None) -> str:
    """Return the innermost loop of the output that is not inside a vector."""
    return vectors if vectors is not None else (names[0] if names else "")


def parallelize_output(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    loops: Iterable[tuple[str, int]],
    levels: Set[str],
) -> None:
    """Spread the outermost loops of the output over the threads, if it is worth it.

    ``loops`` are those that may run in parallel, with their extents, outermost first. As many are
    fused as make enough iterations, but none of ``levels``: there something else is computed.
    """
    roots = builder.roots
    inside = [func for func in view.funcs.values() if func not in roots]
    if machine.cores == 1 or view.work_within(inside) < PARALLEL_WORK:
        return
    chosen, iterations = "", 1
    for name, extent in loops:
        if extent == 1:
            continue
        if chosen:
            if iterations >= machine.cores * PARALLEL_SHARES or levels & {chosen, name}:
                break
            builder.fuse(view.output, name, chosen, f"{chosen}_{name}")
            name = f"{chosen}_{name}"
        chosen, iterations = name, iterations * extent
    if chosen:
        builder.parallel(view.output, chosen)


def schedule_roots(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Compute whatever is reduced beforehand: right for pipelines with several outputs."""
    for func in view.reduced():
        builder.compute_root(func)
