"""The states of a function in the program: their memory, and where a run finds and leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from autodeploy.dialects.driver import StateOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.marks import State, states_of
from autodeploy.dialects.nn.movement import joins_rows
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.frontend.states import Rows, rows_of
from autodeploy.lowering.nn_to_driver.joins import asks


@dataclass(frozen=True)
class Held:
    """A state of a function: its argument and result, its memory, and its rows if it has any.

    If ``appended``, the result is the rows of the argument and new ones: only these are written.
    """

    state: State
    argument: BlockArgument
    result: SSAValue
    memory: StateOp
    rows: Rows | None
    appended: bool


def held_states(
    func: FuncOp,
    names: Sequence[Sequence[str]],
    results: Sequence[SSAValue],
    pipelines: Mapping[str, PipelineOp],
) -> list[Held]:
    """Return the states of a function; ``names`` are those of its arguments and its results.

    Raises ``UnsupportedError`` for one that cannot be a state.
    """
    found: list[Held] = []
    for state in states_of(func):
        argument, result = func.body.block.args[state.argument], results[state.result]
        rows = rows_of(func, state)
        shape = list(bounds_of(result.type))
        if rows is not None:
            shape[rows.axis] = state.rows or rows.most
        memory = StateOp(
            MemRefType(element_of(result.type), shape),
            names[0][state.argument],
            names[1][state.result],
            None if rows is None else (rows.found, rows.left),
            None if rows is None else rows.axis,
        )
        memory.found.name_hint, memory.left.name_hint = argument.name_hint, result.name_hint
        appended = rows is not None and _is_appended(argument, result, rows.axis, pipelines)
        found.append(Held(state, argument, result, memory, rows, appended))
    return found


def _is_appended(
    argument: BlockArgument, result: SSAValue, axis: int, pipelines: Mapping[str, PipelineOp]
) -> bool:
    """Return whether a result is an argument and new rows, and neither is named elsewhere."""
    join = result.owner
    returned = [use for use in result.uses if isinstance(use.operation, ReturnOp)]
    return (
        isinstance(join, Operation)
        and joins_rows(join)
        and join.joined_axis == axis
        and join.operands[0] is argument
        and len(returned) == 1
        and all(
            (use.operation is join and use.index == 0) or asks(use.operation, use.index, pipelines)
            for use in argument.uses
        )
    )
