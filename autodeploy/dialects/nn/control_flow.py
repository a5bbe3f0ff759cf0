"""Loops and choices on tensors.

Their regions see no outer values, like those of kernels: what they read is an operand and an
argument of the region. A pass that rewrites a block rewrites those of regions in the same way, and
no rule takes an op into a loop or out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, UnitAttr, i1, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import largest_of
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.base import I64_ARRAY, TENSOR, i64_array, i64_attr, ints
from autodeploy.dialects.nn.kernel import YieldOp
from autodeploy.dialects.nn.open_extent import AXES, axes_of
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor

COUNTER = tensor(i64, ())
"""The type of the number of a step."""


class ForArguments(NamedTuple):
    """The arguments of the region of an ``nn.for``, by their role."""

    step: SSAValue
    carried: Sequence[SSAValue]
    rows: Sequence[SSAValue]
    captured: Sequence[SSAValue]


@irdl_op_definition
class ForOp(IRDLOperation):
    """Run the region step by step, each step on what the one before yields.

    There are ``steps`` steps, or as many as ``trips`` says, whichever is fewer. With ``while`` the
    first carried value is a condition that must hold before each step, else the loop ends.

    The arguments of the region are the number of the step, the carried values (at first ``inits``),
    a row of each of ``tensors``, and ``captured``, which are the same in each step. It yields the
    carried values for the next step, then rows. The results are the carried values after the last
    step, then a tensor of each of these rows. Rows are elements of the outermost axis, one a step;
    ``backwards`` is 1 for each of ``tensors``, then of the results, whose last row is the first.
    Rows of the steps that trips or a condition leave out are not written.

    With ``open`` the steps follow from the number of a run: it says how, as of a tensor of one
    axis. ``steps`` are those for the largest number then, and rows are the first ones of tensors.
    """

    name = "nn.for"

    steps = opt_prop_def(IntegerAttr.constr(i64))
    open = opt_prop_def(AXES)
    conditional = opt_prop_def(UnitAttr)
    backwards = prop_def(I64_ARRAY)
    trips = opt_operand_def(TENSOR)
    inits = var_operand_def(TENSOR)
    tensors = var_operand_def(TENSOR)
    captured = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(IsolatedFromAbove(), Pure())
    assembly_format = (
        "(`steps` $steps^)? (`open` $open^)? (`trips` $trips^ `:` type($trips))? "
        "(`while` $conditional^)? "
        "`from` ` ` `(` $inits `)` `over` ` ` `(` $tensors `)` `with` ` ` `(` $captured `)` "
        "attr-dict `:` `(` type($inits) `)` `,` `(` type($tensors) `)` `,` `(` type($captured) `)` "
        "`->` `(` type($outputs) `)` $body"
    )

    def __init__(
        self,
        inits: Sequence[SSAValue],
        tensors: Sequence[SSAValue],
        captured: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        body: Block | Region,
        *,
        backwards: Sequence[int] | None = None,
        steps: int | None = None,
        trips: SSAValue | None = None,
        conditional: bool = False,
    ):
        rows = len(tensors) + len(result_types) - len(inits)
        super().__init__(
            operands=[[] if trips is None else [trips], inits, tensors, captured],
            result_types=[result_types],
            properties={
                "backwards": i64_array([0] * rows if backwards is None else backwards),
                **({} if steps is None else {"steps": i64_attr(steps)}),
                **({"conditional": UnitAttr()} if conditional else {}),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def arguments(self) -> ForArguments:
        """Return the arguments of the region."""
        step, *others = self.body.block.args
        carried, rows = len(self.inits), len(self.inits) + len(self.tensors)
        return ForArguments(step, others[:carried], others[carried:rows], others[rows:])

    @property
    def stacked(self) -> Sequence[SSAValue]:
        """Return the results that are made of rows."""
        return self.outputs[len(self.inits) :]

    @property
    def open_steps(self) -> Growth:
        """Return how the steps follow from the number of a run, if they do."""
        return CONSTANT if self.open is None else axes_of(self.open)[0]

    def verify_(self) -> None:
        """Check the constraints.

        - (for_c1) something ends the loop: steps, trips or a condition; steps are not negative
        - (for_c2) trips is one i64, and a condition one i1
        - (for_c3) the region's arguments are a step, the carried values, rows, what is captured
        - (for_c4) the region yields the carried values and rows of the results
        - (for_c5) what has rows has as many as there are steps
        - (for_c6) rows of a loop that may end early are in the order of its steps
        - (for_c7) backwards is 0 or 1 for each tensor that has rows
        - (for_c8) open says how one number grows, which is that of the steps
        """
        if self.steps is None and self.trips is None and self.conditional is None:
            raise invalid("for_c1", "expected steps, trips or a condition, found an endless loop")
        if self.steps is not None and self.steps.value.data < 0:
            raise invalid("for_c1", f"steps are not negative, found {self.steps.value.data}")
        if self.trips is not None and not is_one(self.trips, i64):
            raise invalid("for_c2", f"trips is one i64, found {self.trips.type}")
        if self.conditional is not None and not (self.inits and is_one(self.inits[0], i1)):
            raise invalid("for_c2", "the first carried value of a loop with a condition is one i1")
        if self.open is not None and (self.steps is None or len(axes_of(self.open)) != 1):
            raise invalid("for_c8", f"open says how the steps grow, found {self.open}")
        self._check_rows()
        carried = [value.type for value in self.inits]
        expected = [
            COUNTER,
            *carried,
            *(row_type(value) for value in self.tensors),
            *(value.type for value in self.captured),
        ]
        if problem := _unlike_arguments(self.body.block, expected):
            raise invalid("for_c3", problem)
        if [value.type for value in self.outputs[: len(carried)]] != carried:
            raise invalid("for_c4", "the first results have the types of the carried values")
        if problem := _unlike_yield(self.body.block, [*carried, *map(row_type, self.stacked)]):
            raise invalid("for_c4", problem)

    def _check_rows(self) -> None:
        for value in (*self.tensors, *self.stacked):
            shape = bounds_of(value.type)
            if self.steps is None or not shape or shape[0] != largest_of(self.steps.value.data):
                steps = "no" if self.steps is None else self.steps.value.data
                raise invalid("for_c5", f"{value.type} has no row for each of {steps} steps")
        flags = ints(self.backwards)
        early = self.trips is not None or self.conditional is not None
        if early and any(flags[len(self.tensors) :]):
            raise invalid(
                "for_c6", "rows of a loop that may end early are in the order of its steps"
            )
        if len(flags) != len(self.tensors) + len(self.stacked) or not set(flags) <= {0, 1}:
            raise invalid("for_c7", f"backwards is 0 or 1 for each tensor of rows, found {flags}")


@irdl_op_definition
class IfOp(IRDLOperation):
    """Run the first region where ``condition`` holds, else the second; the results are its own.

    The arguments of both regions are ``captured``.
    """

    name = "nn.if"

    condition = operand_def(TENSOR)
    captured = var_operand_def(TENSOR)
    outputs = var_result_def(TENSOR)
    then = region_def("single_block")
    otherwise = region_def("single_block")

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(IsolatedFromAbove(), Pure())
    assembly_format = (
        "$condition `with` ` ` `(` $captured `)` attr-dict `:` type($condition) `,` "
        "functional-type($captured, $outputs) $then `else` $otherwise"
    )

    def __init__(
        self,
        condition: SSAValue,
        captured: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        then: Block,
        otherwise: Block,
    ):
        super().__init__(
            operands=[condition, captured],
            result_types=[result_types],
            regions=[Region(then), Region(otherwise)],
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (if_c1) the condition is one i1
        - (if_c2) the arguments of both regions have the types of the captured values
        - (if_c3) both regions yield values of the types of the results
        """
        if not is_one(self.condition, i1):
            raise invalid("if_c1", f"the condition is one i1, found {self.condition.type}")
        for region in self.regions:
            if problem := _unlike_arguments(region.block, [value.type for value in self.captured]):
                raise invalid("if_c2", problem)
            if problem := _unlike_yield(region.block, [value.type for value in self.outputs]):
                raise invalid("if_c3", problem)


def blocks_of(module: ModuleOp) -> Iterator[Block]:
    """Yield the blocks of functions, and those of their loops and choices."""
    for op in module.walk():
        if isinstance(op, FuncOp | ForOp | IfOp):
            for region in op.regions:
                yield from region.blocks


def yielded(block: Block) -> Sequence[SSAValue]:
    """Return what a region hands out."""
    return () if block.last_op is None else block.last_op.operands


def is_one(value: SSAValue, element: IntegerType) -> bool:
    """Return whether a value is a tensor of one element of a type."""
    return element_of(value.type) == element and set(bounds_of(value.type)) <= {1}


def row_type(value: SSAValue) -> Attribute:
    """Return the type of one element of the outermost axis of a tensor."""
    return tensor(element_of(value.type), shape_of(value.type)[1:])


def _unlike_arguments(block: Block, expected: Sequence[Attribute]) -> str:
    """Return what is wrong with the types of a region's arguments, if anything is."""
    if [argument.type for argument in block.args] == list(expected):
        return ""
    return f"the region's arguments must be ({', '.join(map(str, expected))})"


def _unlike_yield(block: Block, expected: Sequence[Attribute]) -> str:
    """Return an error about the types of the values that a region yields, if any."""
    found = [value.type for value in yielded(block)]
    if isinstance(block.last_op, YieldOp) and found == list(expected):
        return ""
    return f"the region must yield ({', '.join(map(str, expected))})"
