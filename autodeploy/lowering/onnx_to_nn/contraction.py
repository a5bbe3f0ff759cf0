"""Ops on matrices: MatMul, Gemm and Det."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from xdsl.dialects.builtin import bf16, f16, f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.types import broadcast_shapes, element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.functions import scaled
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts


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
