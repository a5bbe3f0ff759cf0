"""Extents of a run: as values, and as the ends of tensors that do not state them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import numbers_of
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import (
    TENSOR,
    AxisRead,
    MovementOp,
    NNOp,
    Tensor,
    UnfilledOp,
    check_axes,
)
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor, ui8


@irdl_op_definition
class ExtentOp(NNOp):
    """The number of elements that a run has along ``axis`` of x, a 64-bit integer.

    No element of x is read. The extent of an axis that is not open is that of the type.
    """

    name = "nn.extent"

    x = operand_def(TENSOR)
    axis = prop_def(IntegerAttr.constr(i64))

    def __init__(self, x: SSAValue, axis: int):
        self.init_typed([x], tensor(i64, ()), axis=axis)

    @property
    def dim_query_axis(self) -> int:
        """The axis of the property."""
        return self.axis.value.data

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return that no axis is kept."""
        return [None] * len(bounds_of(self.x.type))

    def required_prefix(self, index: int) -> Sequence[int]:
        """Return that no element is read."""
        return [0] * len(bounds_of(self.x.type))

    def infer_result_type(self) -> Tensor:
        """Return the type of one 64-bit integer."""
        check_axes("axis", [self.axis.value.data], len(shape_of(self.x.type)))
        return tensor(i64, ())


@irdl_op_definition
class DerivedOp(UnfilledOp):
    """A tensor that has as many elements as a derived number of a run; none of them is read."""

    name = "nn.derived"

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, extent: int):
        super().__init__(result_types=[tensor(ui8, (extent,))])

    def verify_(self) -> None:
        """Check (derived_c1) that the tensor has one axis, whose extent is a derived number."""
        axes, numbers = axes_of_type(self.result.type), numbers_of(*shape_of(self.result.type))
        places = () if numbers is None else range(len(numbers.ranges), len(numbers.all_ranges))
        if axes not in [(Growth(1, place=place),) for place in places]:
            raise invalid("derived_c1", f"{self.result.type} has other axes than a derived number")


@irdl_op_definition
class EndedOp(MovementOp):
    """x, of which no input says where a run ends in it, as it is computed from constants alone.

    The extents of ``by`` say what the numbers of the run are; none of their elements is read.
    """

    name = "nn.ended"

    x = operand_def(TENSOR)
    by = var_operand_def(TENSOR)

    def __init__(self, x: SSAValue, by: Sequence[SSAValue]):
        self.init_inferred([x, *by])

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes of x."""
        rank = len(bounds_of(self.operands[index].type))
        return [None if index else AxisRead(axis) for axis in range(rank)]

    def required_prefix(self, index: int) -> Sequence[int] | None:
        """Return that no element of the others is read."""
        return [0] * len(bounds_of(self.operands[index].type)) if index else None

    def infer_result_type(self) -> Tensor:
        """Return the type of x."""
        return tensor(element_of(self.x.type), shape_of(self.x.type))
