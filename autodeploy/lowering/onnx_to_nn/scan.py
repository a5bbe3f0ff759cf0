"""CumSum."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, axis_of
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("CumSum")
def cumsum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert CumSum, whose axis must be constant."""
    x = b.operand(op, "x")
    axis = axis_of(b.constant_integer(op, "axis"), len(shape_of(x.type)))
    exclusive, reverse = b.integer(op, "exclusive") != 0, b.integer(op, "reverse") != 0
    return [b.emit(CumSumOp(x, axis, exclusive, reverse))]
