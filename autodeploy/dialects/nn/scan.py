"""Scans: each element of the result from those before it."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import TENSOR, AnchorOp, Tensor, check_axes, i64_attr
from autodeploy.dialects.nn.types import element_of, is_bool, shape_of, tensor

_FALSE = BoolAttr.from_bool(False)


@irdl_op_definition
class CumSumOp(AnchorOp):
    """The sum of all elements up to each one along ``axis`` (ONNX CumSum).

    ``exclusive`` leaves out the element itself, ``reverse`` adds up from the end.
    """

    name = "nn.cumsum"
    AXES: ClassVar = {"axis": follow.axis}

    x = operand_def(TENSOR)

    axis = prop_def(IntegerAttr.constr(i64))
    exclusive = prop_def(BoolAttr, default_value=_FALSE)
    reverse = prop_def(BoolAttr, default_value=_FALSE)

    def __init__(self, x: SSAValue, axis: int, exclusive: bool = False, reverse: bool = False):
        self.init_inferred(
            [x],
            {
                "axis": i64_attr(axis),
                "exclusive": BoolAttr.from_bool(exclusive),
                "reverse": BoolAttr.from_bool(reverse),
            },
        )

    def infer_result_type(self) -> Tensor:
        """Return the operand's type."""
        shape, element = shape_of(self.x.type), element_of(self.x.type)
        check_axes("axis", [self.axis.value.data], len(shape))
        if is_bool(element):
            raise VerifyException(f"nn.cumsum takes numbers, found {self.x.type}")
        return tensor(element, shape)
