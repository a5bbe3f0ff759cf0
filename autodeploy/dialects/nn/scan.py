"""Scans: each element of the result from those before it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, prop_def

from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    TENSOR,
    AnchorOp,
    AxisRead,
    Tensor,
    check_axes,
    check_numbers,
)
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import AccumulatingOp, Iterator, IteratorKind, parallel
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor

_FALSE = BoolAttr.from_bool(False)


class ScanOp(AnchorOp, AccumulatingOp, ABC):
    """An op that accumulates all elements up to each one along ``axis``.

    ``exclusive`` leaves out the element itself, ``reverse`` starts from the end.
    """

    AXES: ClassVar = {"axis": follow.axis}
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = True

    x = operand_def(TENSOR)

    axis = prop_def(IntegerAttr.constr(i64))
    exclusive = prop_def(BoolAttr, default_value=_FALSE)
    reverse = prop_def(BoolAttr, default_value=_FALSE)

    def __init__(self, x: SSAValue, axis: int, exclusive: bool = False, reverse: bool = False):
        self.init_inferred([x], axis=axis, exclusive=exclusive, reverse=reverse)

    def infer_result_type(self) -> Tensor:
        """Return the operand's type.

        - (scan_c1) elements are numbers
        """
        shape, element = shape_of(self.x.type), element_of(self.x.type)
        check_axes("axis", [self.axis.value.data], len(shape))
        check_numbers("scan_c1", self, self.x)
        return tensor(element, shape)

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes; along its own, what is accumulated ends where a run does."""
        return [AxisRead(axis) for axis in range(len(bounds_of(self.x.type)))]

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        shape = bounds_of(self.x.type)
        distance = Iterator("k", shape[self.axis.value.data], IteratorKind.WINDOW)
        return (*parallel(shape), distance)

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        """Outside of the operand are those that no element is before."""
        rank, axis = len(bounds_of(self.x.type)), self.axis.value.data
        result = AffineMap(rank + 1, 0, AffineMap.identity(rank).results)
        distance = AffineExpr.dimension(rank) + int(bool(self.exclusive))
        place = result.results[axis] + (distance if self.reverse else -distance)
        places = (*result.results[:axis], place, *result.results[axis + 1 :])
        return AffineMap(rank + 1, 0, places), result


@irdl_op_definition
class CumSumOp(ScanOp):
    """The sum of all elements up to each one (ONNX CumSum)."""

    name = "nn.cumsum"

    def start(self, element: Attribute) -> float | int:
        return 0

    def body(self, s: Scalars[E], total: E, x: E) -> E:
        return total + x


@irdl_op_definition
class CumProdOp(ScanOp):
    """The product of all elements up to each one (ONNX CumProd)."""

    name = "nn.cumprod"

    def start(self, element: Attribute) -> float | int:
        return 1

    def body(self, s: Scalars[E], total: E, x: E) -> E:
        return total * x
