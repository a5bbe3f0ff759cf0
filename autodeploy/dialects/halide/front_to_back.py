"""Outputs of pipelines that overlap an input which begins later in the same memory.

A kernel that computes its output from front to back reads less and less of an input that it reads
from front to back, too. The output may therefore take the place of elements that have been read, if
the input begins so late that no iteration of the outermost loop writes elements that it, or a later
one, reads. If an iteration reads all that it needs before it writes its first element, only later
ones matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.in_place import filled_by
from autodeploy.dialects.halide.outer_loop import OuterLoop, outermost_loop
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.reading import first_element_read
from autodeploy.dialects.halide.schedule import ComputeAtOp, FuncScheduleOp, ScheduleOp
from autodeploy.dialects.halide.types import BufferType, buffer_type, dense_strides
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_float

LEAST_BYTES = 4096
"""The least bytes that an iteration writes, so that no compiler merges two of them.

It takes inputs and outputs for memory apart, and could write what the second one computes before it
reads what the first one needs.
"""

MOST_PARTS = 32
"""Parts of an output that are looked at: some iterations together where there are more."""


def least_distance(pipeline: PipelineOp, source: SSAValue, target: SSAValue) -> int | None:
    """Return the least number of elements from the start of an output to an overlapping input.

    ``None`` if no distance is known that is shorter than the output.
    """
    type_, other = buffer_type(target), buffer_type(source)
    func = filled_by(target)
    if (
        len(pipeline.outputs) > 1
        or pipeline.open is not None
        or not (_is_dense(type_) and _is_dense(other) and type_.element == other.element)
        # Padding of a tile may be computed from overwritten elements, which must be no places.
        or not is_float(type_.element)
        # Func, output and its schedule: nothing updates or reads it.
        or any(not isinstance(u.operation, OutputOp | FuncScheduleOp) for u in func.result.uses)
        or _copies(func, source)
    ):
        return None
    size = prod(type_.extents)
    loop = outermost_loop(pipeline, func, type_.extents)
    if loop is None or size * loop.step * ELEMENT_BYTES[type_.element] < (
        LEAST_BYTES * type_.extents[loop.dimension]
    ):
        return None
    extent, distance = type_.extents[loop.dimension], 0
    reads_first = -(-extent // loop.step) <= MOST_PARTS and _reads_first(
        pipeline, source, func, loop
    )
    for part in _parts(loop, extent):
        written = part.start if reads_first else part.end
        box = [(0, whole - 1) for whole in type_.extents]
        box[loop.dimension] = (part.first, part.end - 1)
        read = first_element_read(pipeline, source, func, tuple(box))
        distance = max(distance, _elements_before(type_, loop.dimension, written) - read)
        if distance >= size:
            return None
    return distance


@dataclass(frozen=True)
class _Part:
    """The elements that some iterations compute: coordinates from ``first`` to before ``end``."""

    start: int
    """The end of the iterations before them."""
    end: int
    first: int


def _parts(loop: OuterLoop, extent: int) -> Iterator[_Part]:
    """Yield what some iterations compute each, the last ones first."""
    iterations = -(-extent // loop.step)
    step = -(-iterations // MOST_PARTS) * loop.step
    for start in reversed(range(0, extent, step)):
        end = min(start + step, extent)
        moves = loop.moves_inwards and end == extent
        yield _Part(start, end, min(start, max(extent - loop.step, 0)) if moves else start)


def _elements_before(type_: BufferType, dimension: int, end: int) -> int:
    """Return the end of the elements whose coordinates along a dimension are before ``end``."""
    if end == 0:
        return 0
    lasts = [extent - 1 for extent in type_.extents]
    lasts[dimension] = end - 1
    return 1 + sum(last * stride for last, stride in zip(lasts, type_.strides, strict=True))


def _reads_first(pipeline: PipelineOp, source: SSAValue, func: FuncOp, loop: OuterLoop) -> bool:
    """Return whether an input is read before an iteration of a loop of ``func`` writes."""
    early = {
        op.func
        for schedule in pipeline.body.block.ops
        if isinstance(schedule, ScheduleOp)
        for op in schedule.body.block.ops
        if isinstance(op, ComputeAtOp) and op.consumer is func.result and op.var.data == loop.name
    }
    for use in source.uses:
        reader = use.operation.parent_op()
        if isinstance(use.operation, LoadOp) and isinstance(reader, FuncOp | UpdateOp):
            value = reader.result if isinstance(reader, FuncOp) else reader.func
            if value not in early:
                return False
    return True


def _is_dense(type_: BufferType) -> bool:
    return 0 not in type_.extents and type_.strides == dense_strides(type_.extents)


def _copies(func: FuncOp, source: SSAValue) -> bool:
    """Return whether a func copies elements of an input: a compiler may copy all at once."""
    last = func.body.block.last_op
    assert isinstance(last, YieldOp)
    load = last.value.owner
    if not isinstance(load, LoadOp):
        return False
    before = load.source.owner
    return load.source is source or (isinstance(before, FuncOp) and _copies(before, source))
