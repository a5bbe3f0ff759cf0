"""Integers that stand for floats: Quantize- and DequantizeLinear, and products of such integers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from onnx import TensorProto
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.activation import ClipOp
from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, RoundOp, SubOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.quantised import CODES, DequantizeOp, QuantizeOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.stored import (
    SMALL_INTEGERS,
    code_element,
    element_bits,
    is_small_float,
)
from autodeploy.dialects.nn.types import (
    broadcast_shapes,
    element_count,
    element_of,
    highest,
    is_float,
    lowest,
    shape_of,
    ui8,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.stored import decoded, encoded
from autodeploy.lowering.onnx_to_nn.window import convolved


@converts("QuantizeLinear")
def quantize(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert QuantizeLinear: the quotient is rounded to even; what is too large is the limit."""
    x, scale, zero = b.operand(op, "x"), b.operand(op, "y_scale"), op.input_named("y_zero_point")
    return [b.reshape(_codes(b, op, *_apart(b, op, x, scale, zero)), shape_of(x.type))]


def _codes(
    b: ConversionContext, op: OnnxOp, x: SSAValue, scale: SSAValue, zero: SSAValue | None
) -> SSAValue:
    stated = _type(b, op, "output_dtype")
    element = b.element(zero) if zero is not None else stated or ui8
    exact = _type(b, op, "precision") or element_of(scale.type)
    if element in CODES and {element_of(x.type), element_of(scale.type), exact} == {f32}:
        places = b.scalar(0, element) if zero is None else _spread(b, op, zero, x)
        return b.emit(QuantizeOp(x, _spread(b, op, scale, x), places))
    quotient = b.emit(DivOp(b.cast(x, exact), b.cast(_spread(b, op, scale, x), exact)))
    if is_small_float(element):
        if zero is not None:
            _check_zero(b, zero)
            if element_bits(element) < 8:  # the sum with that zero, which has no sign
                none = b.scalar(0.0, element_of(quotient.type))
                quotient = b.emit(WhereOp(b.emit(EqualOp(quotient, none)), none, quotient))
        saturate = bool(b.integer(op, "saturate", 1))
        return encoded(b, quotient, element, saturate=saturate)
    wide = b.emit(RoundOp(b.in_32_bits(quotient)))
    if zero is not None:
        wide = b.emit(AddOp(wide, b.cast(_spread(b, op, zero, x), element_of(wide.type))))
    return _saturated(b, wide, element)


@converts("DequantizeLinear")
def dequantize(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert DequantizeLinear: the distance from zero times the scale."""
    x, scale, zero = b.operand(op, "x"), b.operand(op, "x_scale"), op.input_named("x_zero_point")
    return [b.reshape(_numbers(b, op, *_apart(b, op, x, scale, zero)), shape_of(x.type))]


def _numbers(
    b: ConversionContext, op: OnnxOp, x: SSAValue, scale: SSAValue, zero: SSAValue | None
) -> SSAValue:
    result = _type(b, op, "output_dtype") or element_of(scale.type)
    factor = b.in_32_bits(_spread(b, op, scale, x))
    if b.element(x) in CODES and element_of(factor.type) == f32:
        places = b.scalar(0, b.element(x)) if zero is None else _spread(b, op, zero, x)
        return b.cast(b.emit(DequantizeOp(x, factor, places)), result)
    if is_small_float(b.element(x)):
        if zero is not None:
            _check_zero(b, zero)
        distance = decoded(b, x, b.element(x))
    else:
        distance = b.cast(x, i32)
        if zero is not None and not _holds_zeros(b, zero):
            distance = b.emit(SubOp(distance, b.cast(_spread(b, op, zero, x), i32)))
        if element_of(factor.type) == f32:
            return b.cast(b.emit(DequantizeOp(distance, factor)), result)
    product = b.emit(MulOp(b.cast(distance, element_of(factor.type)), factor))
    return b.cast(product, result)


@converts("MatMulInteger")
def matmul_integer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MatMulInteger: the product of the distances from zero, in 32 bits."""
    zeros = op.input_named("a_zero_point"), op.input_named("b_zero_point")
    return [_product(b, b.operand(op, "A"), b.operand(op, "B"), *zeros)]


@converts("QLinearMatMul")
def qlinear_matmul(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert QLinearMatMul: the product of integers, scaled to the integers of the result."""
    named = partial(b.operand, op)
    total = _product(b, named("a"), named("b"), named("a_zero_point"), named("b_zero_point"))
    factor = b.emit(MulOp(_of_rows(b, named("a_scale")), named("b_scale")))
    return [_rescaled(b, op, total, factor)]


@converts("ConvInteger")
def conv_integer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ConvInteger: the convolution of the distances from zero, in 32 bits."""
    zeros = op.input_named("x_zero_point"), op.input_named("w_zero_point")
    return [_convolution(b, op, b.operand(op, "x"), b.operand(op, "w"), *zeros)]


@converts("QLinearConv")
def qlinear_conv(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert QLinearConv: the convolution of integers, scaled to the integers of the result."""
    named = partial(b.operand, op)
    total = _convolution(
        b, op, named("x"), named("w"), named("x_zero_point"), named("w_zero_point")
    )
    rank = len(shape_of(total.type))
    factor = b.emit(MulOp(_scalar(b, named("x_scale")), _of_channels(b, named("w_scale"), rank)))
    return [_rescaled(b, op, total, factor)]


@converts("QLinearConcat", domain="com.microsoft")
def qlinear_concat(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert QLinearConcat: codes, a scale and a zero point of each tensor that is joined."""
    scale, zero, *tensors = (value for value in op.inputs_by_position() if value is not None)
    if not tensors or len(tensors) % 3:
        raise ConversionError(f"each tensor has a scale and a zero point, found {len(tensors)}")
    floats: list[SSAValue] = []
    for x, factor, x_zero in zip(tensors[::3], tensors[1::3], tensors[2::3], strict=True):
        floats.append(b.emit(DequantizeOp(x, _scalar(b, factor), _scalar(b, x_zero))))
    axis = axis_of(b.integer(op, "axis"), len(shape_of(floats[0].type)))
    whole = b.emit(ConcatOp(floats, axis))
    return [b.emit(QuantizeOp(whole, _scalar(b, scale), _scalar(b, zero)))]


def _product(
    b: ConversionContext,
    lhs: SSAValue,
    rhs: SSAValue,
    lhs_zero: SSAValue | None,
    rhs_zero: SSAValue | None,
) -> SSAValue:
    if len(shape_of(lhs.type)) < 2 or len(shape_of(rhs.type)) < 2:
        raise ConversionError("products of quantised vectors are not supported")
    rows = None if lhs_zero is None else _of_rows(b, lhs_zero)
    return b.emit(MatMulOp(_distance(b, lhs, rows), _distance(b, rhs, rhs_zero)))


def _convolution(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    filter_: SSAValue,
    x_zero: SSAValue | None,
    filter_zero: SSAValue | None,
) -> SSAValue:
    if x_zero is not None:
        x_zero = _scalar(b, x_zero)
    if filter_zero is not None:
        filter_zero = _of_channels(b, filter_zero, len(shape_of(filter_.type)), first=True)
    bias = op.input_named("B") if op.op_type == "QLinearConv" else None
    return convolved(b, op, _distance(b, x, x_zero), _distance(b, filter_, filter_zero), bias)


def _distance(b: ConversionContext, x: SSAValue, zero: SSAValue | None) -> SSAValue:
    """Return the distance of codes from their zero point; a zero point of 0 is there, too."""
    if zero is None:
        place = b.scalar(0, i32)
    elif (codes := b.array(zero)) is not None:  # rules for codes look for constants
        place = b.make_constant(codes.astype(np.int32))
    else:
        place = b.cast(zero, i32)
    return b.emit(SubOp(b.cast(x, i32), place))


def _rescaled(b: ConversionContext, op: OnnxOp, total: SSAValue, factor: SSAValue) -> SSAValue:
    """Return a total in the codes of the result: it is scaled once."""
    zero, scale = b.operand(op, "y_zero_point"), _scalar(b, b.operand(op, "y_scale"))
    ratio = b.emit(DivOp(b.in_32_bits(factor), b.in_32_bits(scale)))
    numbers = b.emit(DequantizeOp(total, ratio))
    return b.emit(QuantizeOp(numbers, b.scalar(1.0, f32), _scalar(b, zero)))


def _check_zero(b: ConversionContext, zero: SSAValue) -> None:
    """Raise, or let the program end with an error, where a zero point of small floats is not 0."""
    codes = b.array(zero)
    if codes is None:
        axes = range(len(shape_of(zero.type)))
        largest = b.emit(ReduceOp(b.cast(zero, i32), Reduction.MAX, axes, keepdims=False))
        b.choose(b.reshape(largest, (1,)), [(0,)])
    elif codes.any():
        raise ConversionError(f"the zero point of {b.element(zero)} must be 0")


def _holds_zeros(b: ConversionContext, x: SSAValue) -> bool:
    array = b.array(x)
    return array is not None and not array.any()


def _saturated(b: ConversionContext, x: SSAValue, element: Attribute) -> SSAValue:
    if element in SMALL_INTEGERS:
        bits = element_bits(element)
        signed = code_element(element) == i8
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        return encoded(b, b.emit(ClipOp(x, float(low), float(high))), element)
    if is_float(element):
        raise ConversionError(f"quantisation to elements of type {element} is not supported")
    return b.cast(b.emit(ClipOp(x, float(lowest(element)), float(highest(element)))), element)


def _scalar(b: ConversionContext, x: SSAValue) -> SSAValue:
    if element_count(x.type) != 1:
        raise ConversionError(f"a scale and a zero of one element are supported, found {x.type}")
    return _reshaped(b, x, ())


def _of_rows(b: ConversionContext, x: SSAValue) -> SSAValue:
    """Let a parameter of one element a row broadcast along the columns."""
    shape = shape_of(x.type)
    return b.reshape(x, (*shape, 1)) if len(shape) == 1 and shape[0] > 1 else x


def _of_channels(b: ConversionContext, x: SSAValue, rank: int, *, first: bool = False) -> SSAValue:
    """Let a parameter of one element a channel broadcast to an image, or to a filter."""
    if element_count(x.type) == 1:
        return _reshaped(b, x, ())
    return _reshaped(b, x, (element_count(x.type), *[1] * (rank - (1 if first else 2))))


def _apart(
    b: ConversionContext, op: OnnxOp, x: SSAValue, scale: SSAValue, zero: SSAValue | None
) -> tuple[SSAValue, SSAValue, SSAValue | None]:
    """Give whole blocks of an axis an axis of their own, to which parameters broadcast."""
    shape, own, block = shape_of(x.type), shape_of(scale.type), b.integer(op, "block_size", 0)
    axis = axis_of(b.integer(op, "axis", 1), len(shape)) if block else 0
    before, after = own[: axis + 1], own[axis + 1 :]
    if not block or len(own) != len(shape):
        return x, scale, zero
    if not are_same(shape, (*before[:-1], before[-1] * block, *after)):
        return x, scale, zero
    if zero is not None and shape_of(zero.type) == own:
        zero = _reshaped(b, zero, (*before, 1, *after))
    scale = _reshaped(b, scale, (*before, 1, *after))
    return _reshaped(b, x, (*before, block, *after)), scale, zero


def _spread(b: ConversionContext, op: OnnxOp, parameter: SSAValue, x: SSAValue) -> SSAValue:
    """Let a scale or a zero broadcast to x: it is one, or one an element or a block of an axis."""
    shape, own = shape_of(x.type), shape_of(parameter.type)
    if element_count(parameter.type) == 1 and len(own) < 2:
        return _reshaped(b, parameter, ())
    if len(own) == len(shape) and are_same(broadcast_shapes(own, shape), shape):
        return parameter
    axis, block = axis_of(b.integer(op, "axis", 1), len(shape)), b.integer(op, "block_size", 0)
    if not block:
        if own != (shape[axis],):
            raise ConversionError(
                f"a parameter {parameter.type} does not fit axis {axis} of {x.type}"
            )
        return _reshaped(b, parameter, (*own, *[1] * (len(shape) - 1 - axis)))
    blocks = -(-shape[axis] // block)
    if own != (*shape[:axis], blocks, *shape[axis + 1 :]):
        raise ConversionError(f"a parameter {parameter.type} does not fit blocks of {x.type}")
    before, after = own[: axis + 1], own[axis + 1 :]
    wide = b.broadcast(b.reshape(parameter, (*before, 1, *after)), (*before, block, *after))
    flat = b.reshape(wide, (*own[:axis], blocks * block, *after))
    return b.slice(flat, {axis: range(shape[axis])})


def _reshaped(b: ConversionContext, parameter: SSAValue, shape: Sequence[int]) -> SSAValue:
    """Give a scale or a zero another shape; a constant stays one, which the rules for codes ask."""
    array = b.array(parameter)
    if array is None or are_same(shape_of(parameter.type), shape):
        return b.reshape(parameter, shape)
    return b.make_constant(array.reshape(shape))


def _type(b: ConversionContext, op: OnnxOp, name: str) -> Attribute | None:
    """Return the element type that an attribute names, ``None`` if it names none."""
    number = b.integer(op, name, 0)
    if number == TensorProto.UNDEFINED:
        return None
    return element_types().get(number, f32)
