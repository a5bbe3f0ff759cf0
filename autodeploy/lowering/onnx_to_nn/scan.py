"""CumSum and CumProd."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.scan import CumProdOp, CumSumOp, ScanOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axis_of
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts

_SCANS: dict[str, type[ScanOp]] = {"CumSum": CumSumOp, "CumProd": CumProdOp}


@converts(*_SCANS)
def scan(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a scan, whose axis must be constant."""
    x = b.operand(op, "x")
    axis = axis_of(b.constant_integer(op, "axis"), len(shape_of(x.type)))
    exclusive, reverse = b.integer(op, "exclusive") != 0, b.integer(op, "reverse") != 0
    return [b.emit(_SCANS[op.op_type](x, axis, exclusive, reverse))]
