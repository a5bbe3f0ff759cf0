"""Det, the determinants of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.types import element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("Det")
def det(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Det of the matrices that the last two axes are; the library computes in 64 bits."""
    x = b.operand(op, "X")
    shape, element = shape_of(x.type), element_of(x.type)
    if len(shape) < 2 or shape[-1] != shape[-2] or not is_float(element):
        raise ConversionError(f"square matrices of floating-point numbers are needed, not {x.type}")
    count, n = prod(shape[:-2]), shape[-1]
    matrices = b.reshape(b.cast(x, f64), (count, n, n))
    result, _ = b.call("det", [matrices], [tensor(f64, (count,)), tensor(f64, (n, n))])
    return [b.cast(b.reshape(result, shape[:-2]), element)]
