"""The private operator Expect, by which the text of an operator checks what it relies on."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("Expect", domain="autodeploy")
def expected(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Expect: the run ends with an error where two tensors differ."""
    given, right = b.operand(op, "given"), b.operand(op, "expected")
    if given.type != right.type:
        raise ConversionError(f"{given.type} cannot be {right.type}, {shape_of(right.type)}")
    b.call("expect", [given, right], [], checks=True)
    return [given]
