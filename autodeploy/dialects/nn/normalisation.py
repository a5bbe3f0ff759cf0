"""Normalisations that take their statistics from the tensor itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    NUMBER,
    TENSOR,
    AnchorOp,
    AxisRead,
    Tensor,
    check_at_least,
    check_axes,
    check_floats,
    check_same_element,
)
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, LayoutAttr, channel_axis
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor


@irdl_op_definition
class LayerNormOp(AnchorOp):
    """(x - mean) / sqrt(variance + epsilon) * scale + shift, over all axes from ``axis`` on.

    Mean and variance (the mean square distance from the mean) are those of the elements along these
    axes; ``scale`` and ``shift`` have one value for each of them (ONNX LayerNormalization).
    """

    name = "nn.layer_norm"
    CONTRACTS: ClassVar[bool] = True

    x = operand_def(TENSOR)
    scale = operand_def(TENSOR)
    shift = opt_operand_def(TENSOR)

    axis = prop_def(IntegerAttr.constr(i64))
    epsilon = prop_def(NUMBER)

    def __init__(
        self, x: SSAValue, scale: SSAValue, shift: SSAValue | None, axis: int, epsilon: float
    ):
        self.init_inferred([x, scale, shift], axis=axis, epsilon=float(epsilon))

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes of x before ``axis``, and those of the parameters."""
        rank, first = len(bounds_of(self.x.type)), self.axis.value.data
        if index:
            return [AxisRead(axis) for axis in range(first, rank)]
        return [AxisRead(axis) if axis < first else None for axis in range(rank)]

    def infer_result_type(self) -> Tensor:
        """Return the type of x.

        - (layer_norm_c1) parameters have the shape of x from ``axis`` on
        - (layer_norm_c2) elements are floats
        """
        shape, axis = shape_of(self.x.type), self.axis.value.data
        check_axes("axis", [axis], len(shape))
        for parameter in self.operands[1:]:
            if shape_of(parameter.type) != shape[axis:]:
                raise invalid(
                    "layer_norm_c1",
                    f"expected parameters of shape {list(shape[axis:])}, found {parameter.type}",
                )
        element = check_same_element(self.operands)
        check_floats("layer_norm_c2", self, self.x)
        return tensor(element, shape)


@irdl_op_definition
class LrnOp(AnchorOp):
    """x / (bias + alpha / size * square_sum) ^ beta, across neighbouring channels (ONNX LRN).

    ``square_sum`` adds up x * x over ``size`` channels, of which ``(size - 1) / 2`` (rounded down)
    are before the element's own; there is nothing beyond the first and the last channel. ``x`` is
    an image tensor in ``layout`` of rank 2 or more.
    """

    name = "nn.lrn"
    AXES: ClassVar = {"layout": follow.layout}
    CONTRACTS: ClassVar[bool] = True

    x = operand_def(TENSOR)

    size = prop_def(IntegerAttr.constr(i64))
    alpha = prop_def(NUMBER)
    beta = prop_def(NUMBER)
    bias = prop_def(NUMBER)
    layout = prop_def(LayoutAttr, default_value=CHANNELS_FIRST)

    def __init__(
        self,
        x: SSAValue,
        *,
        size: int,
        alpha: float,
        beta: float,
        bias: float,
        layout: LayoutAttr = CHANNELS_FIRST,
    ):
        self.init_inferred(
            [x], size=size, alpha=float(alpha), beta=float(beta), bias=float(bias), layout=layout
        )

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes but that of the channels."""
        rank = len(bounds_of(self.x.type))
        own = channel_axis(self.layout, rank)
        return [None if axis == own else AxisRead(axis) for axis in range(rank)]

    def infer_result_type(self) -> Tensor:
        """Return the type of x.

        - (lrn_c1) x has at least two axes
        - (lrn_c2) elements are floats
        """
        shape, element = shape_of(self.x.type), element_of(self.x.type)
        if len(shape) < 2:
            raise invalid("lrn_c1", f"x has rank 2 or more, found {self.x.type}")
        check_at_least("size", [self.size.value.data], 1)
        check_floats("lrn_c2", self, self.x)
        return tensor(element, shape)
