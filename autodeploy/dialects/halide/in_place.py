"""Outputs of pipelines that take the memory of an input, or overlap one that begins later.

An output may take it if each element of the output is computed once, from the element of the input
at the same place alone (other inputs are elsewhere): then that element is read before it is
overwritten, and never later. This follows from the algorithm and from the schedule: a loop whose
last iterations overlap those before computes elements twice, the second time from results.

A kernel that computes its output from front to back reads less and less of an input that it reads
from front to back, too. The output may therefore take the place of elements that have been read, if
the input begins so late that no iteration of the outermost loop writes elements that it, or a later
one, reads. If an iteration reads all that it needs before it writes its first element, only later
ones matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.loops import moves_inwards
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.reading import first_element_read
from autodeploy.dialects.halide.schedule import (
    ComputeAtOp,
    FuncScheduleOp,
    FuseOp,
    LoopOp,
    ParallelOp,
    ReorderOp,
    ScheduleOp,
    SplitOp,
    StageOp,
)
from autodeploy.dialects.halide.types import BufferType, Tail, buffer_type, dense_strides
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_float


def may_fill_in_place(pipeline: PipelineOp, source: SSAValue, target: SSAValue) -> bool:
    """Return whether the output buffer ``target`` may share the memory of the input ``source``."""
    func = filled_by(target)
    return reads_its_place(source, target) and _computes_once(pipeline, func)


def reads_its_place(source: SSAValue, target: SSAValue) -> bool:
    """Return whether an input is only read to compute the elements at the same places of an output.

    Then it may be filled in place, provided that the schedule computes each element once.
    """
    return source.type == target.type and _is_read_at_place(source, target)


def _is_read_at_place(source: SSAValue, target: SSAValue) -> bool:
    func, type_, other = filled_by(target), target.type, source.type
    assert isinstance(type_, BufferType) and isinstance(other, BufferType)
    block = func.body.block
    if (other.element, other.extents) != (type_.element, type_.extents) or any(
        not isinstance(use.operation, OutputOp | FuncScheduleOp) for use in func.result.uses
    ):
        return False
    return all(
        isinstance(load := use.operation, LoadOp)
        and load.parent is block
        and all(
            extent == 1 or index is argument
            for extent, index, argument in zip(type_.extents, load.indices, block.args, strict=True)
        )
        for use in source.uses
    )


def filled_by(target: SSAValue) -> FuncOp:
    """Return the func that fills an output buffer."""
    (func,) = (
        use.operation.func.owner for use in target.uses if isinstance(use.operation, OutputOp)
    )
    assert isinstance(func, FuncOp)
    return func


def _computes_once(pipeline: PipelineOp, func: FuncOp) -> bool:
    """Return whether the loops over the elements of an output visit each of them once."""
    schedule = next((op for op in pipeline.body.block.ops if isinstance(op, ScheduleOp)), None)
    return schedule is None or schedule.loops().computes_once(func.result, 0)


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


@dataclass(frozen=True)
class OuterLoop:
    """A loop over a dimension, ``step`` coordinates an iteration, one iteration after another."""

    name: str | None
    dimension: int
    step: int
    moves_inwards: bool
    """Whether the last iteration may begin earlier, ``step`` coordinates before the end."""


@dataclass(frozen=True)
class _Loop:
    name: str | None
    dimension: int | None
    """``None`` of a loop over several."""
    step: int
    count: int
    in_order: bool = True


def outermost_loop(
    pipeline: PipelineOp, func: FuncOp, extents: tuple[int, ...]
) -> OuterLoop | None:
    """Return the outermost loop of several iterations of a func that has no updates.

    ``None`` if it is no loop over one dimension whose iterations follow each other.
    """
    names_and_extents = enumerate(zip(func.var_names, extents, strict=True))
    loops = [_Loop(name, axis, 1, extent) for axis, (name, extent) in names_and_extents]
    moved: set[int | None] = set()
    schedules = [op for op in pipeline.body.block.ops if isinstance(op, ScheduleOp)]
    for op in [op for schedule in schedules for op in schedule.body.block.ops]:
        if not isinstance(op, StageOp) or op.func is not func.result:
            continue
        if isinstance(op, SplitOp):
            split = op.inner.data, op.outer.data
            moved |= _split(loops, op.old.data, split, op.factor.value.data, op.tail.data)
        elif isinstance(op, LoopOp):
            if op.factor is not None:
                halves = None, op.var.data
                moved |= _split(loops, op.var.data, halves, op.factor.value.data, Tail.AUTO)
            if op.factor is None or isinstance(op, ParallelOp):
                place = _place(loops, op.var.data)
                loops[place] = replace(loops[place], in_order=False)
        elif isinstance(op, ReorderOp):
            chosen = [_place(loops, name.data) for name in op.vars]
            ordered = [loops[place] for place in chosen]
            for place, loop in zip(sorted(chosen), ordered, strict=True):
                loops[place] = loop
        elif isinstance(op, FuseOp):
            _fuse(loops, op.inner.data, op.outer.data, op.fused.data)
    loop = next((loop for loop in reversed(loops) if loop.count > 1), None)
    if loop is None or loop.dimension is None or not loop.in_order:
        return None
    return OuterLoop(loop.name, loop.dimension, loop.step, loop.dimension in moved)


def _place(loops: list[_Loop], name: str) -> int:
    return next(place for place, loop in enumerate(loops) if loop.name == name)


def _split(
    loops: list[_Loop], old: str, names: tuple[str | None, str], factor: int, tail: Tail
) -> set[int | None]:
    """Put an inner and an outer loop in the place of one; return the dimension if a tile moves."""
    place = _place(loops, old)
    loop = loops[place]
    inner, outer = names
    loops[place : place + 1] = [
        replace(loop, name=inner, count=min(factor, loop.count)),
        replace(loop, name=outer, step=loop.step * factor, count=-(-loop.count // factor)),
    ]
    return {loop.dimension} if moves_inwards(tail, 0) and loop.count % factor else set()


def _fuse(loops: list[_Loop], inner: str, outer: str, fused: str) -> None:
    """Make one loop of two; of one that has a single iteration nothing is left."""
    one, other = loops[_place(loops, inner)], loops[_place(loops, outer)]
    alone = next((a for a, b in ((one, other), (other, one)) if b.count == 1), None)
    in_order = one.in_order and other.in_order
    made = (
        _Loop(fused, None, 1, one.count * other.count, in_order)
        if alone is None
        else replace(alone, name=fused, in_order=in_order)
    )
    loops[_place(loops, inner)] = made
    loops.remove(other)
