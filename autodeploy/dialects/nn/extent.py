"""Extents of a run: as values, and as the ends of tensors that do not state them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.nn.base import (
    TENSOR,
    AxisRead,
    MovementOp,
    NNOp,
    Tensor,
    check_axes,
)
from autodeploy.dialects.nn.open_extent import AXES, Axes, axes_attr, axes_of
from autodeploy.dialects.nn.types import element_of, shape_of, tensor


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
    def asked_extent(self) -> int:
        """The axis of the property."""
        return self.axis.value.data

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return that no axis is kept."""
        return [None] * len(shape_of(self.x.type))

    def first_read(self, index: int) -> Sequence[int]:
        """Return that no element is read."""
        return [0] * len(shape_of(self.x.type))

    def infer_result_type(self) -> Tensor:
        """Return the type of one 64-bit integer."""
        check_axes("axis", [self.axis.value.data], len(shape_of(self.x.type)))
        return tensor(i64, ())


@irdl_op_definition
class EndedOp(MovementOp):
    """The first elements of x along each axis: as many as a run has by ``growths``.

    It marks a value that is computed from constants alone: no input says where a run ends in it.
    The extents of ``by`` say what the numbers of the run are; none of their elements is read.
    """

    name = "nn.ended"

    x = operand_def(TENSOR)
    by = var_operand_def(TENSOR)
    growths = prop_def(AXES)

    def __init__(self, x: SSAValue, by: Sequence[SSAValue], growths: Axes):
        self.init_inferred([x, *by], growths=axes_attr(growths))

    @property
    def told_axes(self) -> Axes:
        """The axes of the property."""
        return axes_of(self.growths)

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes of x."""
        rank = len(shape_of(self.operands[index].type))
        return [None if index else AxisRead(axis) for axis in range(rank)]

    def first_read(self, index: int) -> Sequence[int] | None:
        """Return that no element of the others is read."""
        return [0] * len(shape_of(self.operands[index].type)) if index else None

    def infer_result_type(self) -> Tensor:
        """Return the type of x.

        - (ended_c1) ``growths`` says of each axis how it grows
        """
        shape, given = shape_of(self.x.type), len(self.told_axes)
        if given != len(shape):
            raise broken("ended_c1", f"growths are of {len(shape)} axes, found {given}")
        return tensor(element_of(self.x.type), shape)
