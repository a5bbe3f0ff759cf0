"""Reductions over axes, and matrix products."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AbsOp, AddOp, LogOp, MulOp, SqrtOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, axes_of
from autodeploy.frontend.nn.functions import log_sum_exp
from autodeploy.frontend.tmfile.converters.registry import Node, converts

_KINDS = {
    0: Reduction.SUM,
    1: Reduction.MEAN,
    4: Reduction.MAX,
    5: Reduction.MIN,
    6: Reduction.PROD,
}


@converts("Reduction")
def reduce(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Reduction, over all axes where none is named."""
    x = node.operand(0)
    rank = len(shape_of(x.type))
    axes = axes_of(node.named_axes(), rank) or tuple(range(rank))
    keepdims = node.integer("keepdim") != 0

    def total(value: SSAValue, kind: Reduction = Reduction.SUM) -> SSAValue:
        return b.emit(ReduceOp(value, kind, axes, keepdims))

    match node.integer("type"):
        case kind if kind in _KINDS:
            return [total(x, _KINDS[kind])]
        case 2 | 7:
            return [total(b.emit(AbsOp(x)))]
        case 3:
            return [total(b.emit(MulOp(x, x)))]
        case 8:
            return [b.emit(SqrtOp(total(b.emit(MulOp(x, x)))))]
        case 9:
            return [b.emit(LogOp(total(x)))]
        case 10:
            return [log_sum_exp(b, x, axes, keepdims)]
        case kind:
            raise ConversionError(f"type {kind} is unknown, expected 0 to 10")


@converts("ReduceL2")
def reduce_l2(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert ReduceL2: the norm over ``axis`` and all axes after it."""
    x = node.operand(0)
    rank = len(shape_of(x.type))
    axes = range(node.axis("axis", rank), rank)
    keepdims = node.integer("keepdim") != 0
    return [b.emit(SqrtOp(b.emit(ReduceOp(b.emit(MulOp(x, x)), Reduction.SUM, axes, keepdims))))]


@converts("ArgMax", "ArgMin")
def arg_reduce(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert ArgMax and ArgMin to places in the type that the file states for them."""
    x = node.operand(0)
    found = ArgReduceOp(
        x,
        Reduction.MAX if node.operator == "ArgMax" else Reduction.MIN,
        node.axis("axis", len(shape_of(x.type))),
        keepdims=node.integer("keepdims") != 0,
    )
    return [b.cast(b.emit(found), node.results[0])]


@converts("MatMul")
def matmul(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert MatMul; a third input is added to the product."""
    return [b.emit(MatMulOp(node.operand(0), node.weight(b, 1), node.parameter(b, 2)))]


@converts("Gemm")
def gemm(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Gemm: alpha * A' * B' + beta * C."""
    alpha, beta = node.number("alpha"), node.number("beta")
    bias = None if beta == 0 else node.parameter(b, 2)
    fused = bias if alpha == beta == 1 else None
    product = b.emit(
        MatMulOp(
            node.operand(0),
            node.weight(b, 1),
            fused,
            transpose_lhs=node.integer("transA") != 0,
            transpose_rhs=node.integer("transB") != 0,
        )
    )
    element = element_of(product.type)
    if alpha != 1:
        product = b.emit(MulOp(product, b.scalar(alpha, element)))
    if bias is None or fused is not None:
        return [product]
    if beta != 1:
        bias = b.emit(MulOp(bias, b.scalar(beta, element)))
    return [b.emit(AddOp(product, bias))]
