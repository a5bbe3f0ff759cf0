"""The template of copies, whose time is that of memory: nothing is computed.

Where source and target are contiguous along the same axis, vectors are copied as they lie, by the
plain schedule. Else the innermost axis x of the target and the axis t along which the source is
contiguous change places:

- A short x (the groups of a channel shuffle, the colours of an image) is unrolled: vectors along t
  are loaded as they lie and woven into each other in registers, which makes whole rows of memory.
- Long rows become long columns by blocks of vectors: each vector of the target has its elements in
  as many lines of the source, and a block uses those up while they are in the first-level cache.
- What no block divides is gathered element by element where the first-level cache keeps the lines
  of a row of the target for the next one; else the last block moves inwards over the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.cache_sets import l1_ways, lines_of_set
from autodeploy.templates.output_loops import OutputLoop, parallelize_output, whole_loops
from autodeploy.templates.plain.template import schedule_plain
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduledPipeline,
    element_bytes,
    tail_of,
    vector_lanes,
)

MAX_WOVEN = 4
"""Vectors that are woven into each other in registers."""

MOST_COMPUTED = 4 / 3
"""How many times the elements of an axis blocks may copy, those included that overlap."""

NO_KNOBS = ConfigAttr("copy")
"""Copies are made when configs have long been written."""


class CopyTemplate(Template):
    """Copies of elements from one place to another: no nn.kernel is one."""

    def applies(self, kernel: KernelOp) -> bool:
        return False

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        out, extents = pipeline.output, pipeline.extents
        lanes = machine.lanes(element_bytes(out))
        contiguous = _source_axis(pipeline)
        if contiguous and 1 < extents[0] <= MAX_WOVEN and not pipeline.open_axes[0]:
            _weave(pipeline, machine, contiguous)
            return
        if not contiguous or not _has_blocks(pipeline, machine, contiguous):
            schedule_plain(pipeline, NO_KNOBS, machine)
            return
        x, t = out.var_names[0], out.var_names[contiguous]
        others = [name for name in out.var_names if name not in (x, t)]
        pipeline.split(out, x, f"{x}o", f"{x}i", lanes, tail_of(extents[0], lanes))
        pipeline.split(out, t, f"{t}o", f"{t}i", lanes, tail_of(extents[contiguous], lanes))
        pipeline.reorder(out, f"{x}i", f"{t}i", f"{x}o", f"{t}o", *others)
        pipeline.vectorize(out, f"{x}i")
        pipeline.unroll(out, f"{t}i")
        _share(pipeline, machine, OutputLoop.tiles(f"{t}o", extents[contiguous], lanes), others)


def _has_blocks(view: PipelineView, machine: Machine, contiguous: int) -> bool:
    """Tell whether rows become columns by blocks.

    Where blocks do not divide both extents, the last ones overlap those before. That is worth it
    where the first-level cache does not keep the lines of a row of the target for the next row.
    """
    lanes = machine.lanes(element_bytes(view.output))
    axes = 0, contiguous
    if any(view.extents[axis] < lanes for axis in axes):
        return False
    # The last block of an open extent ends with the run, whatever divides the largest one.
    if all(view.extents[axis] % lanes == 0 or view.open_axes[axis] for axis in axes):
        return True
    if any(view.open_axes[axis] for axis in axes):
        return False
    extent = view.extents[contiguous]
    computed = -(-extent // lanes) * lanes
    return computed <= extent * MOST_COMPUTED and not _row_stays(view, machine)


def _row_stays(view: PipelineView, machine: Machine) -> bool:
    """Tell whether the first-level cache keeps all lines of the source of a row of the target.

    Lines that are a multiple of a line apart share sets of the cache.
    """
    (source,) = view.op.inputs
    assert isinstance(source.type, BufferType)
    step = source.type.strides[0] * element_bytes(view.output)
    apart = max(step, machine.line_bytes)
    lines = -(-view.extents[0] * step // apart)
    return lines_of_set(machine, lines, apart) <= l1_ways(machine)


def _weave(pipeline: ScheduledPipeline, machine: Machine, contiguous: int) -> None:
    """Load a vector for each element of x, and store them as one row of memory."""
    out, extents = pipeline.output, pipeline.extents
    x, t = out.var_names[0], out.var_names[contiguous]
    others = [name for name in out.var_names if name not in (x, t)]
    lanes = vector_lanes(pipeline.least_extents[contiguous], machine.lanes(element_bytes(out)))
    pipeline.split(out, t, f"{t}o", f"{t}i", lanes, tail_of(extents[contiguous], lanes))
    pipeline.reorder(out, x, f"{t}i", f"{t}o", *others)
    pipeline.vectorize(out, f"{t}i")
    pipeline.unroll(out, x)
    _share(pipeline, machine, OutputLoop.tiles(f"{t}o", extents[contiguous], lanes), others)


def _share(
    pipeline: ScheduledPipeline, machine: Machine, blocks: OutputLoop, others: Sequence[str]
) -> None:
    """Spread the loops around a block over the threads; the one over blocks is the innermost."""
    extents = dict(zip(pipeline.output.var_names, pipeline.extents, strict=True))
    loops = [blocks, *whole_loops(others, (extents[name] for name in others))]
    parallelize_output(pipeline, machine, reversed(loops), set(), NO_KNOBS)


def _source_axis(view: PipelineView) -> int | None:
    """Return the axis of the target along which the source is contiguous."""
    (source,) = view.op.inputs
    assert isinstance(source.type, BufferType)
    strides = source.type.strides
    return strides.index(1) if 1 in strides else None
