"""MelWeightMatrix, which weighs the bins of a spectrum."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f64, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_count, is_bool, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts

_SIZES = ("num_mel_bins", "dft_length", "sample_rate")
_EDGES = ("lower_edge_hertz", "upper_edge_hertz")


@converts("MelWeightMatrix")
def mel_weight_matrix(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MelWeightMatrix of a known shape; the program ends with an error for another one."""
    shape = b.result_shape(op, "num_mel_bins")
    if len(shape) != 2 or 0 in shape:
        raise ConversionError(f"a result of shape {list(shape)} is no matrix of weights")
    given = [(_SIZES, i64), (_EDGES, f64)]
    inputs: list[SSAValue] = []
    for names, element in given:
        values = [b.operand(op, name) for name in names]
        if any(element_count(value.type) != 1 for value in values):
            raise ConversionError("its inputs are one number each")
        inputs.append(
            b.emit(ConcatOp([b.reshape(b.cast(value, element), (1,)) for value in values], 0))
        )
    (weights,) = b.call("mel", inputs, [tensor(f64, shape)], checks=True)
    element = element_types().get(b.integer(op, "output_datatype"))
    if element not in ELEMENT_BYTES or is_bool(element):
        raise ConversionError(f"elements of type {element} are not supported")
    return [b.cast(weights, element)]
