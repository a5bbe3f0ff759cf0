"""The plain template: right for every kernel, quick for pointwise ones.

The innermost dimension of the output is vectorised. Whatever is reduced is computed where it is
needed and nowhere twice: in the innermost loop of the output with which it changes, unless it stays
the same in one further out; then around that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.placement import place_within
from autodeploy.templates.sharing import PARALLEL_SHARES, tile_group
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    vector_lanes,
)


@dataclass(frozen=True)
class OutputLoop:
    """A loop of the output that may run in parallel, and its iterations.

    ``overlaps`` tells that it is over tiles, of which the last one moves inwards over the one
    before.
    """

    name: str
    extent: int
    overlaps: bool = False

    @staticmethod
    def tiles(name: str, extent: int, tile: int) -> OutputLoop:
        """Return the loop over the tiles of a dimension of the output."""
        return OutputLoop(name, -(-extent // tile), extent % tile != 0)


def whole_loops(names: Iterable[str], extents: Iterable[int]) -> list[OutputLoop]:
    """Return the loops over whole dimensions of the output."""
    return [OutputLoop(name, extent) for name, extent in zip(names, extents, strict=True)]


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
    loops: Iterable[OutputLoop],
    levels: Set[str],
) -> None:
    """Spread the outermost loops of the output over the threads, if it is worth it.

    ``loops`` are those that may run in parallel, outermost first. As many are fused as make enough
    iterations, but none of ``levels``: there something else is computed. Tiles that overlap are
    shared in groups.
    """
    roots = builder.roots
    inside = [func for func in view.funcs.values() if func not in roots]
    if machine.cores == 1 or view.work_within(inside) < machine.costs.parallel_work:
        return
    chosen, iterations = "", 1
    for loop in loops:
        name, extent = loop.name, loop.extent
        if extent == 1:
            continue
        if chosen and iterations >= machine.cores * PARALLEL_SHARES:
            break
        if chosen and levels & {chosen, name}:
            break
        shared = _shareable(view, builder, machine, loop)
        if shared is None and chosen:
            break
        if shared is None:
            continue
        name, extent = shared.name, shared.extent
        if chosen:
            builder.fuse(view.output, name, chosen, f"{chosen}_{name}")
            name = f"{chosen}_{name}"
        chosen, iterations = name, iterations * extent
    if chosen:
        builder.parallel(view.output, chosen)


def share_first(
    view: PipelineView, builder: ScheduleBuilder, machine: Machine, loops: Iterable[OutputLoop]
) -> None:
    """Spread the first of some loops of the output over the threads that they can share."""
    for loop in loops:
        shared = None if loop.extent == 1 else _shareable(view, builder, machine, loop)
        if shared is not None:
            builder.parallel(view.output, shared.name)
            return


def _shareable(
    view: PipelineView, builder: ScheduleBuilder, machine: Machine, loop: OutputLoop
) -> OutputLoop | None:
    """Return a loop, or that over groups of its tiles where these overlap, if there are groups."""
    if not loop.overlaps:
        return loop
    size = tile_group(loop.extent, machine.cores)
    if size is None:
        return None
    return OutputLoop(builder.group(view.output, loop.name, size), -(-loop.extent // size))


def schedule_roots(view: PipelineView, builder: ScheduleBuilder) -> None:
    """Compute whatever is reduced beforehand: right for pipelines with several outputs."""
    for func in view.reduced():
        builder.compute_root(func)
