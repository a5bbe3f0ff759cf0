"""The outermost loop over a func, as its schedule has it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.loops import moves_inwards
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import (
    FuseOp,
    LoopOp,
    ParallelOp,
    ReorderOp,
    ScheduleOp,
    SplitOp,
    StageOp,
)
from autodeploy.dialects.halide.schedule_attributes import Tail


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
