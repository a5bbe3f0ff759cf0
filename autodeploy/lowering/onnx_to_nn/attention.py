"""Attention whose scores a subgraph changes: FlexAttention."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, sqrt

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import MulOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.reduction import SoftmaxOp
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.subgraphs import inlined


@converts("FlexAttention", domain="ai.onnx.preview")
def flex_attention(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert FlexAttention; each head of keys and values serves several heads of queries."""
    query, key, value = (b.operand(op, name) for name in "QKV")
    element, shapes = element_of(query.type), [shape_of(x.type) for x in (query, key, value)]
    if any(len(shape) != 4 for shape in shapes):
        raise ConversionError(f"queries, keys and values have rank 4, found {query.type}")
    (batch, heads, rows, size), (_, groups, columns, _), (*_, width) = shapes
    if not groups or heads % groups or shapes[1:] != [
        (batch, groups, columns, size), (batch, groups, columns, width)
    ]:  # fmt: skip
        raise ConversionError(f"{query.type}, {key.type} and {value.type} do not fit together")
    precision = b.setting(op, "softmax_precision")
    wide = f64 if element == f64 else f32
    if isinstance(precision, int):
        wide = element_types().get(precision, wide)
    if not is_float(wide):
        raise ConversionError(f"softmax_precision names {wide}, which is no float")
    scale = b.number(op, "scale") if b.setting(op, "scale") is not None else 1 / sqrt(size)
    root = sqrt(abs(scale))
    query = b.emit(MulOp(query, b.scalar(copysign(root, scale), element)))
    flat = b.reshape(query, (batch, groups, heads // groups * rows, size))
    columns_first = b.transpose(b.emit(MulOp(key, b.scalar(root, element))), (0, 1, 3, 2))
    scores = b.reshape(b.emit(MatMulOp(flat, columns_first)), (batch, heads, rows, columns))
    scores = _changed(b, op, "score_mod", b.cast(scores, wide))
    weights = _changed(b, op, "prob_mod", b.emit(SoftmaxOp(scores, 3)))
    flat = b.reshape(weights, (batch, groups, heads // groups * rows, columns))
    result = b.emit(MatMulOp(flat, b.cast(value, wide)))
    return [b.cast(b.reshape(result, (batch, heads, rows, width)), element_of(value.type))]


def _changed(b: ConversionContext, op: OnnxOp, name: str, x: SSAValue) -> SSAValue:
    """Return what a subgraph, where there is one, makes of x."""
    if op.subgraph_named(name) is None:
        return x
    found = inlined(b, op, name, [x])
    if [value.type for value in found] != [x.type]:
        listed = ", ".join(str(value.type) for value in found)
        raise ConversionError(f"subgraph '{name}' makes {listed}, expected {x.type}")
    return found[0]
