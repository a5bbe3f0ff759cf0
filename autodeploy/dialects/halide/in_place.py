"""Outputs of pipelines that take the memory of an input.

It may if each element of the output is computed once, from the element of the input at the same
place alone (other inputs are elsewhere): then that element is read before it is overwritten, and
never later. This follows from the algorithm and from the schedule: a loop whose last iterations
overlap those before computes elements twice, the second time from results.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.schedule import FuncScheduleOp, ScheduleOp
from autodeploy.dialects.halide.types import BufferType


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
