"""Ops on matrices: MatMul, Gemm, Det, and attention whose scores a subgraph changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import copysign, prod, sqrt

from xdsl.dialects.builtin import bf16, f16, f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.arithmetic import AddOp, MulOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.reduction import SoftmaxOp
from autodeploy.dialects.nn.types import broadcast_shapes, element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.functions import scaled
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.subgraphs import inlined


@converts("MatMul")
def matmul(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MatMul; an operand of rank 1 is a row on the left, a column on the right."""
    lhs, rhs = op.operands
    left, right = shape_of(lhs.type), shape_of(rhs.type)
    if not left or not right:
        raise ConversionError("MatMul takes operands of rank 1 or more")
    if len(left) == 1:
        lhs = b.reshape(lhs, (1, *left))
    if len(right) == 1:
        rhs = b.reshape(rhs, (*right, 1))
    product = b.emit(MatMulOp(lhs, rhs))
    shape = list(shape_of(product.type))
    if len(right) == 1:
        del shape[-1]
    if len(left) == 1:
        del shape[-1 if len(right) == 1 else -2]
    return [b.reshape(product, shape)]


@converts("Gemm")
def gemm(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Gemm: alpha * A' * B' + beta * C, where C broadcasts to the product."""
    lhs, rhs = b.operand(op, "A"), b.operand(op, "B")
    if len(shape_of(lhs.type)) != 2 or len(shape_of(rhs.type)) != 2:
        raise ConversionError(f"Gemm takes matrices, found {lhs.type} and {rhs.type}")
    alpha, beta = b.number(op, "alpha"), b.number(op, "beta")
    element = element_of(lhs.type)
    if not is_float(element) and not (alpha.is_integer() and beta.is_integer()):
        raise ConversionError(f"a Gemm of integers with alpha {alpha} and beta {beta}")
    trans_a, trans_b = b.integer(op, "transA") != 0, b.integer(op, "transB") != 0
    bias = None if beta == 0 else op.input_named("C")
    if bias is not None:
        rows = shape_of(lhs.type)[1 if trans_a else 0]
        columns = shape_of(rhs.type)[0 if trans_b else 1]
        _check_bias(b, op, bias, (rows, columns))
    product_plus = partial(MatMulOp, lhs, rhs, transpose_lhs=trans_a, transpose_rhs=trans_b)
    if alpha == 1 and (bias is None or beta == 1):
        return [b.emit(product_plus(bias))]
    # A value may be too large for 16 bits before it is scaled.
    wide = f32 if element in (f16, bf16) else element
    bias = None if bias is None else scaled(b, b.in_32_bits(bias), beta)
    fused = bias if alpha == 1 else None
    product = b.emit(product_plus(fused, element=wide))
    product = scaled(b, product, alpha)
    if bias is not None and fused is None:
        product = b.emit(AddOp(product, bias))
    return [b.cast(product, element)]


def _check_bias(b: ConversionContext, op: OnnxOp, bias: SSAValue, product: tuple[int, int]) -> None:
    """Check that C broadcasts to the product, which takes ``broadcast = 1`` before opset 7."""
    shape = shape_of(bias.type)
    if not are_same(broadcast_shapes(shape, product), product):
        raise ConversionError(f"input 'C' of {list(shape)} does not broadcast to {list(product)}")
    if not b.integer(op, "broadcast", 1) and not are_same(shape, product):
        raise ConversionError(
            f"shapes {list(shape)} and {list(product)} differ without 'broadcast'"
        )


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
