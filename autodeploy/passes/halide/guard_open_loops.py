"""``guard-open-loops``: schedules are right for every extent that an open dimension may have.

A split of a loop over an open dimension may find fewer iterations than its factor. Then the last
tile must not move inwards, as there is no tile before it. If the factor divides all extents that
the dimension may have, all tiles are full. If each run has as many iterations of a loop that
threads do not share, the last tile moves inwards. Else a condition guards it. Funcs that are kept
whole get memory for the largest extent, and so do those that a reduction walks that ends with a
call. A dimension whose memory the template has bounded is the template's: its loops stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.analysis.least_shapes import least_of
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.gpu_schedule import GpuLoopsOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import Tail, TailAttr
from autodeploy.passes.halide.loop_nest import LoopNest
from autodeploy.templates.open_dimensions import ANY, ended_dimensions, open_dimensions
from autodeploy.templates.view import PipelineView

_GUARDED = (Tail.GUARD_WITH_IF, Tail.PREDICATE)


class GuardOpenLoopsPass(ModulePass):
    """Guard the last tiles of loops over open dimensions, and bound their stored parts.

    Pipelines without open dimensions stay as they are.
    """

    name = "guard-open-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for pipeline in [p for p in op.body.block.ops if isinstance(p, PipelineOp)]:
            schedule = next(
                (o for o in pipeline.body.block.ops if isinstance(o, h.ScheduleOp)), None
            )
            if pipeline.open is not None and schedule is not None:
                _guard(pipeline, schedule)


@dataclass(frozen=True)
class _Loop:
    """A loop over an open dimension: a number that divides its iterations, and their least.

    ``may_overlap`` tells that what its last iterations compute may be computed twice.
    """

    multiple: int
    least: int
    may_overlap: bool

    def tail(self, factor: int, given: Tail) -> Tail:
        """Return the tail of a split by a factor."""
        if factor == 1 or given in _GUARDED:
            return given
        if self.multiple % factor == 0:
            return Tail.ROUND_UP
        shifts = self.may_overlap and self.least >= factor
        return Tail.SHIFT_INWARDS if shifts else Tail.GUARD_WITH_IF

    def split(self, factor: int) -> _Loop:
        """Return the loop over its tiles."""
        rest = self.multiple % factor
        multiple = 1 if rest else self.multiple // factor
        return replace(self, multiple=multiple, least=-(-self.least // factor))


_Loops: TypeAlias = dict[tuple[Operation, int, str], _Loop]
"""Open loops by their func, stage and name."""


def _guard(pipeline: PipelineOp, schedule: h.ScheduleOp) -> None:
    view, least = PipelineView(pipeline), least_of(pipeline)
    ops = list(schedule.body.block.ops)
    roots = {op.func.owner for op in ops if isinstance(op, h.ComputeRootOp)}
    loops: _Loops = {}
    placed = {op.func.owner: op for op in ops if isinstance(op, h.ComputeAtOp)}
    ended, shared = ended_dimensions(view), _shared_loops(ops)
    bounded = {(op.func.owner, op.var.data) for op in ops if isinstance(op, h.BoundStorageOp)}
    for func in view.funcs.values():
        is_output = any(func is out for out, _ in view.outputs)
        axes = dict.fromkeys(ended[func], ANY)
        if func in roots or is_output:
            axes |= open_dimensions(view, func)
        elif func in placed:
            axes |= _whole_dimensions(view, func, placed[func], ops)
        axes = {a: growth for a, growth in axes.items() if (func, func.var_names[a]) not in bounded}
        if func in roots or (func in placed and not is_output):
            for axis in axes:
                name, extent = func.var_names[axis], func.known_extents[axis]
                schedule.body.block.add_op(h.BoundStorageOp(func.result, name, extent))
        if func in roots or func in placed or is_output:
            for axis, growth in axes.items():
                name = func.var_names[axis]
                # Another func is computed as far as it is read.
                overlap = is_output and name not in shared and not view.updates[func]
                fewest = least(growth) if is_output else 1
                for stage in range(len(view.updates[func]) + 1):
                    loops[func, stage, name] = _Loop(growth.multiple, fewest, overlap)
    for op in ops:
        _guard_op(op, loops)


def _shared_loops(ops: Sequence[Operation]) -> set[str]:
    """Return the loops that threads share, and those that they were made of."""
    shared = {op.var.data for op in ops if isinstance(op, h.ParallelOp)}
    shared |= {name for op in ops if isinstance(op, GpuLoopsOp) for name in op.loop_names}
    for op in reversed(ops):
        if isinstance(op, h.FuseOp) and op.fused.data in shared:
            shared |= {op.inner.data, op.outer.data}
        if isinstance(op, h.SplitOp) and shared & {op.outer.data, op.inner.data}:
            shared.add(op.old.data)
    return shared


def _whole_dimensions(
    view: PipelineView, func: FuncOp, place: h.ComputeAtOp, ops: Sequence[Operation]
) -> dict[int, Growth]:
    """Return the open dimensions of a func that a loop around it needs as a whole."""
    consumer = place.consumer.owner
    if consumer is not view.output:
        return {}
    inner = LoopNest(view.output, ops).whole_within(place.var.data)
    return {
        axis: growth
        for axis, growth in open_dimensions(view, func).items()
        if view.dependences(func)[axis] & inner
    }


def _guard_op(op: Operation, loops: _Loops) -> None:
    """Guard one op of a schedule."""
    if not isinstance(op, h.StageOp):
        return
    func, stage = op.func.owner, op.stage_index
    assert isinstance(func, Operation)
    match op:
        case h.SplitOp():
            loop = loops.pop((func, stage, op.old.data), None)
            if loop is None:
                return
            factor = op.factor.value.data
            op.tail = TailAttr(loop.tail(factor, op.tail.data))
            loops[func, stage, op.outer.data] = loop.split(factor)
        case h.FuseOp():
            inner = loops.pop((func, stage, op.inner.data), None)
            outer = loops.pop((func, stage, op.outer.data), None)
            if inner is not None or outer is not None:
                loops[func, stage, op.fused.data] = _Loop(1, 1, False)
        case h.LoopOp() if op.factor is not None:
            name, factor = op.var.data, op.factor.value.data
            loop = loops.get((func, stage, name))
            if loop is None:
                return
            inner_name, tail = f"{name}_tile", loop.tail(factor, Tail.AUTO)
            split = h.SplitOp(op.func, name, name, inner_name, factor, tail, stage)
            Rewriter.replace_op(op, [split, type(op)(op.func, inner_name, None, stage)], [])
            loops[func, stage, name] = loop.split(factor)
        case _:
            return
