"""``guard-open-loops``: schedules are right for every extent that an open dimension may have.

A split of a loop over an open dimension may find fewer iterations than its factor, so the last tile
must not move inwards over one before that is not there. Where the factor divides the coefficient of
the dimension, all tiles are full; else a condition guards the last one. Funcs that are kept whole
get memory for the largest extent, and so do those that a reduction walks that ends with a call.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule_attributes import Tail, TailAttr
from autodeploy.templates.view import PipelineView, arguments_of, func_of, loads_of

_GUARDED = (Tail.GUARD_WITH_IF, Tail.PREDICATE)


@dataclass(frozen=True)
class GuardOpenLoopsPass(ModulePass):
    """Guard the last tiles of loops over open dimensions, and bound what is kept of them.

    Pipelines without open dimensions stay as they are.
    """

    name = "guard-open-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the schedules of all pipelines of the module."""
        for pipeline in [p for p in op.body.block.ops if isinstance(p, PipelineOp)]:
            schedule = next(
                (o for o in pipeline.body.block.ops if isinstance(o, h.ScheduleOp)), None
            )
            if pipeline.open is not None and schedule is not None:
                _guard(pipeline, schedule)


def _guard(pipeline: PipelineOp, schedule: h.ScheduleOp) -> None:
    view = PipelineView(pipeline)
    ops = list(schedule.body.block.ops)
    roots = {op.func.owner for op in ops if isinstance(op, h.ComputeRootOp)}
    loops: dict[tuple[Operation, int, str], int] = {}
    placed = {op.func.owner: op.var.data for op in ops if isinstance(op, h.ComputeAtOp)}
    ended = ended_dimensions(view)
    for func in view.funcs.values():
        is_output = any(func is out for out, _ in view.outputs)
        axes = dict.fromkeys(ended[func], 1)
        if func in roots or is_output:
            axes |= open_dimensions(view, func)
        elif func in placed:
            axes |= _whole_dimensions(view, func, placed[func])
        if func in roots or (func in placed and not is_output):
            for axis in axes:
                name, extent = func.var_names[axis], func.known_extents[axis]
                schedule.body.block.add_op(h.BoundStorageOp(func.result, name, extent))
        if func in roots or func in placed or is_output:
            for axis, coefficient in axes.items():
                for stage in range(len(view.updates[func]) + 1):
                    loops[func, stage, func.var_names[axis]] = coefficient
    for op in ops:
        _guard_op(op, loops)


def open_dimensions(view: PipelineView, func: FuncOp) -> dict[int, int]:
    """Return the dimensions of a func that follow open ones of the output, with coefficients."""
    pipeline = view.pipeline
    found: dict[int, int] = {}
    for number, (out, _) in enumerate(view.outputs):
        axes = pipeline.open_axes[pipeline.body.block.args.index(pipeline.outputs[number])]
        if out is func:
            found |= {axis: coefficient for axis, coefficient in enumerate(axes) if coefficient}
    if found or any(func is out for out, _ in view.outputs):
        return found
    axes = view.open_axes
    for axis, read_by in enumerate(view.dependences(func)):
        coefficients = [axes[other] for other in read_by if axes[other]]
        if coefficients:
            found[axis] = coefficients[0]
    return found


def _whole_dimensions(view: PipelineView, func: FuncOp, loop: str) -> dict[int, int]:
    """Return the open dimensions of a func that a loop of the output around it needs as a whole."""
    names = view.output.var_names
    inner = set(range(names.index(loop))) if loop in names else set[int]()
    return {
        axis: coefficient
        for axis, coefficient in open_dimensions(view, func).items()
        if view.dependences(func)[axis] & inner
    }


def ended_dimensions(view: PipelineView) -> dict[FuncOp, set[int]]:
    """Return the dimensions of each func that a reduction walks up to an end of the call.

    Wherever such a func is computed, it is so for all of these elements, and they are kept.
    """
    found: dict[FuncOp, set[int]] = {func: set() for func in view.funcs.values()}
    # What reads a func is defined behind it.
    for func in reversed(view.funcs.values()):
        for load, reader in loads_of(func):
            walked = set(found[func_of(reader)])
            if isinstance(reader, UpdateOp):
                names = [name for name, _, _ in reader.rdom]
                first = len(reader.var_names)
                walked |= {first + names.index(name) for name in reader.ends_by_name}
            for axis, index in enumerate(load.indices):
                if arguments_of(index) & walked:
                    found[func].add(axis)
    return found


def _guard_op(op: Operation, loops: dict[tuple[Operation, int, str], int]) -> None:
    """Guard one op of a schedule; ``loops`` are the open ones, with what divides their extents."""
    if not isinstance(op, h.StageOp):
        return
    func, stage = op.func.owner, op.stage_index
    assert isinstance(func, Operation)
    match op:
        case h.SplitOp():
            multiple = loops.pop((func, stage, op.old.data), None)
            if multiple is None:
                return
            factor = op.factor.value.data
            rest = multiple % factor
            if factor > 1 and op.tail.data not in _GUARDED:
                op.tail = TailAttr(Tail.GUARD_WITH_IF if rest else Tail.ROUND_UP)
            loops[func, stage, op.outer.data] = 1 if rest else multiple // factor
        case h.FuseOp():
            inner = loops.pop((func, stage, op.inner.data), None)
            outer = loops.pop((func, stage, op.outer.data), None)
            if inner is not None or outer is not None:
                loops[func, stage, op.fused.data] = 1
        case h.LoopOp() if op.factor is not None:
            name, factor = op.var.data, op.factor.value.data
            multiple = loops.get((func, stage, name))
            if multiple is None:
                return
            tail = Tail.GUARD_WITH_IF if multiple % factor else Tail.ROUND_UP
            inner_name = f"{name}_tile"
            split = h.SplitOp(op.func, name, name, inner_name, factor, tail, stage)
            Rewriter.replace_op(op, [split, type(op)(op.func, inner_name, None, stage)], [])
            loops[func, stage, name] = 1 if multiple % factor else multiple // factor
        case _:
            return
