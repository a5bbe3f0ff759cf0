"""Lookups: movements whose source places are computed while the network runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import TENSOR, AxisRead, MovementOp, Tensor, check_axes
from autodeploy.dialects.nn.extent_attr import is_varying
from autodeploy.dialects.nn.movement import is_weight
from autodeploy.dialects.nn.tiled import TiledAttr
from autodeploy.dialects.nn.types import bounds_of, element_of, is_bool, is_float, shape_of, tensor


class LookupOp(MovementOp):
    """Elements of ``x`` at places along ``axis`` that ``indices`` says.

    An index below zero counts from the end; one that is outside even so is moved to the nearest
    place there is, so nothing outside of x is ever read.
    """

    AXES: ClassVar = {"axis": follow.axis}

    x = operand_def(TENSOR)
    indices = operand_def(TENSOR)

    axis = prop_def(IntegerAttr.constr(i64))

    def __init__(self, x: SSAValue, indices: SSAValue, axis: int):
        self.init_inferred([x, indices], axis=axis)

    def data_dependent_axes(self, index: int) -> Sequence[int]:
        """Return the axis, if a run decides the indices or how many there are."""
        is_known = is_weight(self.indices) and not is_varying(self.indices.type)
        return () if index or is_known else (self.axis.value.data,)

    def logical_shape(self, stored: Sequence[int]) -> Sequence[int]:
        """Return the extents of the axes of x, which is stored with others."""
        return stored

    def read_rows(self, layout: TiledAttr) -> bool:
        """Let x be stored in another order; returns whether the op reads rows of it in that."""
        return False

    def check_lookup(self) -> None:
        """Check the axis and the constraints.

        - (lookup_c1) indices are integers
        - (lookup_c2) the axis has elements, unless there are no indices
        """
        shape, axis = self.logical_shape(bounds_of(self.x.type)), self.axis.value.data
        check_axes("axis", [axis], len(shape))
        index = element_of(self.indices.type)
        if is_float(index) or is_bool(index):
            raise invalid("lookup_c1", f"indices are integers, found {self.indices.type}")
        if not shape[axis] and 0 not in bounds_of(self.indices.type):
            raise invalid("lookup_c2", f"axis {axis} of {self.x.type} has no elements to look up")


@irdl_op_definition
class GatherOp(LookupOp):
    """The slices of x along ``axis``, one an index, in the shape of ``indices`` (ONNX Gather).

    An index below zero counts from the end; one that is outside even so is moved to the nearest
    place there is. ``x_layout`` says how a constant x is stored where that is another order, as
    ``rhs_layout`` of ``nn.matmul`` does.
    """

    name = "nn.gather"

    x_layout = opt_prop_def(TiledAttr)

    def __init__(
        self, x: SSAValue, indices: SSAValue, axis: int, x_layout: TiledAttr | None = None
    ):
        self.init_inferred([x, indices], axis=axis, x_layout=x_layout)

    def logical_shape(self, stored: Sequence[int]) -> Sequence[int]:
        """Return the extents of the axes of x, in whatever order they are stored."""
        return stored if self.x_layout is None else self.x_layout.logical_shape(stored)

    def read_rows(self, layout: TiledAttr) -> bool:
        """Let x be stored in another order, if its rows are looked up and stored as they are."""
        if self.axis.value.data or self.x_layout is not None:
            return False
        self.x_layout = layout
        return True

    def dropped_axes(self) -> tuple[int, ...] | None:
        """Return the axis for one index, none for a list of them; more have axes of their own."""
        if self.x_layout is not None:
            return None
        return {0: (self.axis.value.data,), 1: ()}.get(len(bounds_of(self.indices.type)))

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes of the indices, and of x all but the one along which is looked up."""
        own, ranks = self.axis.value.data, [len(bounds_of(v.type)) for v in self.operands]
        if index:
            return [AxisRead(own + axis) for axis in range(ranks[1])]
        if self.x_layout is not None:
            return [None] * ranks[0]
        moved = ranks[1] - 1
        return [
            None if axis == own else AxisRead(axis + moved * (axis > own))
            for axis in range(ranks[0])
        ]

    def infer_result_type(self) -> Tensor:
        """Return the type of x with the extent along the axis replaced by the indices' shape."""
        self.check_lookup()
        shape, axis = self.logical_shape(shape_of(self.x.type)), self.axis.value.data
        looked_up = (*shape[:axis], *shape_of(self.indices.type), *shape[axis + 1 :])
        return tensor(element_of(self.x.type), looked_up)


@irdl_op_definition
class GatherElementsOp(LookupOp):
    """The element of x at the same place but for ``axis``, where the index says (GatherElements).

    ``indices`` has the rank of x, and elsewhere than along the axis no larger extents. Indices
    below zero and outside are taken as by nn.gather.
    """

    name = "nn.gather_elements"

    @property
    def aligned_operands(self) -> Sequence[SSAValue]:
        """Both operands."""
        return self.operands

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes, of x but the one along which is looked up."""
        own, rank = self.axis.value.data, len(bounds_of(self.x.type))
        return [AxisRead(axis) if index or axis != own else None for axis in range(rank)]

    def infer_result_type(self) -> Tensor:
        """Return the shape of the indices with the elements of x.

        - (gather_elements_c1) extents of the indices, but that of ``axis``, are at most those of x
        """
        self.check_lookup()
        shape, wanted = shape_of(self.x.type), shape_of(self.indices.type)
        axis = self.axis.value.data
        if len(shape) != len(wanted) or any(
            n > m for i, (n, m) in enumerate(zip(wanted, shape, strict=True)) if i != axis
        ):
            raise invalid(
                "gather_elements_c1",
                f"indices {self.indices.type} do not fit {self.x.type} outside of axis {axis}",
            )
        return tensor(element_of(self.x.type), wanted)
