"""States: memory that a run finds as the run before has left it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import CallOp, CopyOp, JoinOp, LibraryCallOp, TransferOp
from autodeploy.dialects.driver.memory import InNoRegion, check_offset, root_of
from autodeploy.dialects.driver.regions import ForOp, IfOp
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.memref import MEMREF, memref_bytes
from autodeploy.dialects.nn.open_extent import AXES, axes_attr, axes_of
from autodeploy.dialects.properties import properties

if TYPE_CHECKING:
    from autodeploy.dialects.driver.program import ProgramOp


@irdl_op_definition
class StateOp(IRDLOperation):
    """Memory that lives as long as a context: a run finds there what the one before has left.

    It is the model's input ``input``, which is its output ``output`` of the run before; neither is
    the caller's. ``found`` and ``left`` are the same bytes, as a run finds them and as it leaves
    them. The first run finds zeros. ``offset`` is the place in the memory of all states, in bytes.

    With ``rows`` a run has some elements along an axis, the first ones: ``rows`` are how many it
    finds, which is a number of the run, and how many it leaves, which is that number in the next
    run. The first run finds none. Views state what a run has.
    """

    name = "driver.state"

    T: ClassVar = VarConstraint("T", MEMREF)

    input = prop_def(StringAttr)
    output = prop_def(StringAttr)
    offset = opt_prop_def(IntegerAttr.constr(i64))
    rows = opt_prop_def(AXES)
    axis = opt_prop_def(IntegerAttr.constr(i64))
    found = result_def(T)
    left = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(InNoRegion())
    assembly_format = "$input `from` $output (`rows` $rows^ `on` $axis)? attr-dict `:` type($found)"

    def __init__(
        self,
        type_: Attribute,
        input: str,
        output: str,
        rows: tuple[Growth, Growth] | None = None,
        axis: int | None = None,
    ):
        super().__init__(
            properties=properties(
                input=StringAttr(input),
                output=StringAttr(output),
                rows=None if rows is None else axes_attr(rows),
                axis=axis,
            ),
            result_types=[type_, type_],
        )

    @property
    def found_and_left(self) -> tuple[Growth, Growth] | None:
        """Return how many rows a run finds and leaves; ``None`` if it has all elements."""
        if self.rows is None:
            return None
        found, left = axes_of(self.rows)
        return found, left

    def verify_(self) -> None:
        """Check the constraints.

        - (state_c1) names are in ASCII
        - (state_c2) rows are two growths on an axis of the memory: a number of the run, and a sum
        """
        check_offset(self.offset)
        memref_bytes(self.found.type)
        for name in (self.input, self.output):
            if not name.data.isascii():
                raise invalid("state_c1", f"names are in ASCII, found '{name.data}'")
        if (self.rows is None) != (self.axis is None):
            raise invalid("state_c2", "rows are on an axis")
        if self.rows is None or self.axis is None:
            return
        growths, rank = axes_of(self.rows), len(self.found.type.get_shape())
        if (
            len(growths) != 2
            or not 0 <= self.axis.value.data < rank
            or growths[0] != Growth.of(1, place=growths[0].place)
            or not (growths[1] and growths[1].is_sum)
        ):
            raise invalid(
                "state_c2",
                f"rows are a number and a sum on an axis of {self.found.type}, found {self.rows} "
                f"on {self.axis.value.data}",
            )


def check_states(program: ProgramOp) -> None:
    """Check the constraints of a program that are about its states."""
    states = program.states
    for names, callers in (
        ([state.input for state in states], program.input_names),
        ([state.output for state in states], program.output_names),
    ):
        if len({*names, *callers}) < len(names) + len(callers):
            raise invalid("program_c18", "states, inputs and outputs have different names")
    left_of: dict[int, Growth] = {}
    for state in states:
        rows = state.found_and_left
        if rows is None:
            continue
        extent, (found, left) = program.open_extent, rows
        assert state.axis is not None  # state_c2
        room = state.found.type.get_shape()[state.axis.value.data]
        places = {*found.places, *left.places}
        if (
            extent is None
            or max(places) >= len(extent.ranges)
            or extent.ranges[found.place].step != 1
            or extent.most(left) > room
        ):
            raise invalid(
                "program_c19", f"{state.found.type} has no memory for {left} rows in each run"
            )
        known = left_of.setdefault(found.place, left)
        if known != left:
            raise invalid("program_c20", f"states with one number leave {known} and {left} rows")
    if states:
        _check_order(program)


def _check_order(program: ProgramOp) -> None:
    pipelines = program.pipelines()
    written: set[StateOp] = set()
    for op in program.body.walk():
        for value in _read_by(op, pipelines):
            state = root_of(value).owner
            if isinstance(state, StateOp) and (state in written) == (root_of(value) is state.found):
                when = "after" if state in written else "before"
                raise invalid(
                    "program_c21",
                    f"{op.name} reads of state '{state.input.data}' {value.type} {when} it is "
                    "written",
                )
        for value in _written_by(op):
            state = root_of(value).owner
            if isinstance(state, StateOp):
                if op.parent_op() is not program:
                    raise invalid("program_c21", f"{op.name} writes {value.type} in a region")
                written.add(state)


def _read_by(op: Operation, pipelines: Mapping[str, PipelineOp]) -> Sequence[SSAValue]:
    """Return the values whose elements an op reads."""
    match op:
        case CopyOp() | JoinOp() | TransferOp():
            return [op.source]
        case CallOp():
            callee = pipelines.get(op.callee.string_value())
            known = callee is not None and len(callee.body.block.args) == len(op.operands)
            return [
                value
                for index, value in enumerate(op.inputs)
                if callee is None or not known or not callee.reads_nothing(index)
            ]
        case LibraryCallOp():
            return op.inputs
        case ForOp() | IfOp():
            return op.operands
        case _:
            return ()


def _written_by(op: Operation) -> Sequence[SSAValue]:
    match op:
        case CopyOp() | JoinOp() | TransferOp():
            return [op.target]
        case CallOp() | LibraryCallOp():
            return op.outputs
        case _:
            return ()
