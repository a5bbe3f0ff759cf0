"""The loops of an output: which of them are vectors, and which cores share."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.output_knobs import shares_of
from autodeploy.templates.sharing import tile_group
from autodeploy.templates.view import PipelineView, ScheduledPipeline, element_bytes, vector_lanes


@dataclass(frozen=True)
class OutputLoop:
    """A loop of the output that may run in parallel, and its iterations.

    ``overlaps`` tells that it is over tiles, of which the last one moves inwards over the one
    before. Cores cannot share one that is not ``shareable``: which tiles overlap, only a run knows.
    """

    name: str
    extent: int
    overlaps: bool = False
    shareable: bool = True

    @staticmethod
    def tiles(name: str, extent: int, tile: int, multiple: int = 0) -> OutputLoop:
        """Return the loop over the tiles of a dimension of the output.

        ``multiple`` divides all extents of an open dimension; it is 0 of another one.
        """
        return OutputLoop(name, -(-extent // tile), extent % tile != 0, multiple % tile == 0)


def whole_loops(names: Iterable[str], extents: Iterable[int]) -> list[OutputLoop]:
    """Return the loops over whole dimensions of the output."""
    return [OutputLoop(name, extent) for name, extent in zip(names, extents, strict=True)]


def output_lanes(view: PipelineView, machine: Machine) -> int:
    """Return the vector width for the innermost dimension of the output.

    It is 1 where that dimension is tiny. Of an open one each run has as many elements.
    """
    if not view.extents:
        return 1
    return vector_lanes(view.least_extents[0], machine.lanes(element_bytes(view.output)))


def vectorize_output(pipeline: ScheduledPipeline, machine: Machine, vectors: int = 1) -> str | None:
    """Vectorise the innermost dimension of the output; return the loop around the vectors.

    Each iteration of that loop computes ``vectors`` vectors. The dimension has at least as many.
    """
    lanes, out = output_lanes(pipeline, machine), pipeline.output
    if lanes == 1:
        return None
    name = out.var_names[0]
    pipeline.split(out, name, f"{name}o", f"{name}i", lanes * vectors, Tail.SHIFT_INWARDS)
    if vectors > 1:
        pipeline.split(out, f"{name}i", f"{name}v", f"{name}i", lanes)
        pipeline.unroll(out, f"{name}v")
    pipeline.vectorize(out, f"{name}i")
    return f"{name}o"


def parallelize_output(
    pipeline: ScheduledPipeline,
    machine: Machine,
    loops: Iterable[OutputLoop],
    levels: Set[str],
    config: ConfigAttr,
) -> None:
    """Spread the outermost loops of the output over the threads, if it is worth it.

    ``loops`` are those that may run in parallel, outermost first. As many are fused as make enough
    iterations by the ``shares`` of the config, but none of ``levels``: there something else is
    computed. Tiles that overlap are shared in groups.
    """
    roots = pipeline.roots
    inside = [func for func in pipeline.funcs.values() if func not in roots]
    shares = shares_of(config)
    if (
        machine.cores == 1
        or not shares
        or pipeline.work_within(inside) < machine.costs.parallel_work
    ):
        return
    chosen, iterations = "", 1
    for loop in loops:
        name, extent = loop.name, loop.extent
        if extent == 1:
            continue
        if chosen and iterations >= machine.cores * shares:
            break
        if chosen and levels & {chosen, name}:
            break
        shared = _shareable(pipeline, machine, loop)
        if shared is None and chosen:
            break
        if shared is None:
            continue
        name, extent = shared.name, shared.extent
        if chosen:
            pipeline.fuse(pipeline.output, name, chosen, f"{chosen}_{name}")
            name = f"{chosen}_{name}"
        chosen, iterations = name, iterations * extent
    if chosen:
        pipeline.parallel(pipeline.output, chosen)


def _shareable(
    pipeline: ScheduledPipeline, machine: Machine, loop: OutputLoop
) -> OutputLoop | None:
    """Return a loop, or that over groups of its tiles where these overlap, if there are groups."""
    if not loop.shareable:
        return None
    if not loop.overlaps:
        return loop
    size = tile_group(loop.extent, machine.cores)
    if size is None:
        return None
    return OutputLoop(pipeline.group(pipeline.output, loop.name, size), -(-loop.extent // size))
