"""Ops that fold elements along axes: ReduceSum and its like, ArgMax, ArgMin, CumSum, CumProd."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import f64, i1, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import (
    AbsOp,
    DivOp,
    LogOp,
    MulOp,
    SqrtOp,
)
from autodeploy.dialects.nn.pointwise import UnaryOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, Reduction
from autodeploy.dialects.nn.scan import CumProdOp, CumSumOp, ScanOp
from autodeploy.dialects.nn.types import element_of, is_float, is_unsigned, shape_of, ui8
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of
from autodeploy.frontend.nn.functions import log_sum_exp
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

_KINDS = {
    "ReduceSum": Reduction.SUM,
    "ReduceMean": Reduction.MEAN,
    "ReduceMax": Reduction.MAX,
    "ReduceMin": Reduction.MIN,
    "ReduceProd": Reduction.PROD,
}


@converts(*_KINDS)
def plain(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a reduction that nn has too; of booleans the largest and smallest as numbers."""
    x = b.operand(op, "data")
    kind, element = _KINDS[op.op_type], element_of(x.type)
    if element == i1 and kind in (Reduction.MAX, Reduction.MIN):
        return [b.cast(_reduce(b, op, b.cast(x, ui8), kind), i1)]
    return [_reduce(b, op, x, kind)]


@converts("ReduceL1")
def l1(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReduceL1: the sum of |x|."""
    return [_reduce(b, op, _magnitude(b, b.operand(op, "data")), Reduction.SUM)]


@converts("ReduceSumSquare")
def sum_square(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReduceSumSquare: the sum of x * x."""
    x = b.operand(op, "data")
    return [b.cast(_sum_square(b, op, x), element_of(x.type))]


@converts("ReduceL2")
def l2(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReduceL2: the square root of the sum of x * x; of one element |x|, of any size."""
    x = b.operand(op, "data")
    if not reduced_axes(b, op):
        return [_magnitude(b, x)]
    return [_through_float(b, _sum_square(b, op, x), SqrtOp, element_of(x.type))]


@converts("ReduceLogSum")
def log_sum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReduceLogSum: the logarithm of the sum."""
    x = b.operand(op, "data")
    total = _reduce(b, op, b.in_32_bits(x), Reduction.SUM)
    return [_through_float(b, total, LogOp, element_of(x.type))]


@converts("ReduceLogSumExp")
def reduce_log_sum_exp(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReduceLogSumExp."""
    x = b.operand(op, "data")
    result = log_sum_exp(b, b.in_32_bits(x), reduced_axes(b, op), b.integer(op, "keepdims") != 0)
    return [b.cast(result, element_of(x.type))]


@converts("ArgMax", "ArgMin")
def arg_reduce(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ArgMax and ArgMin."""
    x = b.operand(op, "data")
    found = ArgReduceOp(
        x,
        Reduction.MAX if op.op_type == "ArgMax" else Reduction.MIN,
        axis_of(b.integer(op, "axis"), len(shape_of(x.type))),
        keepdims=b.integer(op, "keepdims") != 0,
        select_last=b.integer(op, "select_last_index", 0) != 0,
    )
    return [b.cast(b.emit(found), i64)]


def reduced_axes(b: ConversionContext, op: OnnxOp) -> tuple[int, ...]:
    """Return the reduced axes: all where none are given, none with ``noop_with_empty_axes``."""
    rank = len(shape_of(b.operand(op, "data").type))
    axes = b.integers_or_input(op, "axes")
    if not axes:
        return () if b.integer(op, "noop_with_empty_axes", 0) else tuple(range(rank))
    return axes_of(axes, rank)


def _reduce(b: ConversionContext, op: OnnxOp, x: SSAValue, kind: Reduction) -> SSAValue:
    """Reduce over the op's axes; the mean of integers drops the fraction."""
    axes, keepdims = reduced_axes(b, op), b.integer(op, "keepdims") != 0
    element = element_of(x.type)
    if not axes:
        return x
    if kind != Reduction.MEAN or is_float(element):
        return b.emit(ReduceOp(x, kind, axes, keepdims))
    total = b.emit(ReduceOp(x, Reduction.SUM, axes, keepdims))
    count = prod(shape_of(x.type)[axis] for axis in axes)
    if count == 0:
        raise ConversionError("the mean of no integers is not defined")
    return b.emit(DivOp(total, b.scalar(count, element)))


def _sum_square(b: ConversionContext, op: OnnxOp, x: SSAValue) -> SSAValue:
    """Return the sum of x * x; of 16-bit floats, whose squares soon overflow, in 32 bits."""
    x = b.in_32_bits(x)
    return _reduce(b, op, b.emit(MulOp(x, x)), Reduction.SUM)


def _magnitude(b: ConversionContext, x: SSAValue) -> SSAValue:
    return x if is_unsigned(element_of(x.type)) else b.emit(AbsOp(x))


def _through_float(
    b: ConversionContext, x: SSAValue, function: type[UnaryOp], element: Attribute
) -> SSAValue:
    """Return a function of floats as ``element``; integers are converted to f64 for it."""
    wide = x if is_float(element_of(x.type)) else b.cast(x, f64)
    return b.cast(b.emit(function(wide)), element)


_SCANS: dict[str, type[ScanOp]] = {"CumSum": CumSumOp, "CumProd": CumProdOp}


@converts(*_SCANS)
def scan(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a scan, whose axis must be constant."""
    x = b.operand(op, "x")
    axis = axis_of(b.constant_integer(op, "axis"), len(shape_of(x.type)))
    exclusive, reverse = b.integer(op, "exclusive") != 0, b.integer(op, "reverse") != 0
    return [b.emit(_SCANS[op.op_type](x, axis, exclusive, reverse))]
