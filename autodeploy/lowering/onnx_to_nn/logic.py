"""Comparisons, logic, Where, Cast, and ops whose result is their operand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from onnx import TensorProto
from xdsl.dialects.builtin import IntegerAttr, StringAttr, f32
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import BitCastOp
from autodeploy.dialects.nn.logic import (
    AndOp,
    EqualOp,
    LessEqualOp,
    LessOp,
    NotOp,
    OrOp,
    WhereOp,
    XorOp,
)
from autodeploy.dialects.nn.marks import BOUND_ATTRIBUTE, NAME_ATTRIBUTE
from autodeploy.dialects.nn.pointwise import BinaryOp
from autodeploy.dialects.nn.stored import INTERFACE_NAMES, STORED_NAMES
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_bool, shape_of
from autodeploy.dialects.onnx import OnnxOp, StringType
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.arithmetic import broadcast_operands
from autodeploy.lowering.onnx_to_nn.bounded_numbers import give_bound
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.lowering.onnx_to_nn.stored import decoded, encoded
from autodeploy.lowering.onnx_to_nn.text import numbers_of, text_of

_BINARY: dict[str, type[BinaryOp]] = {
    "Equal": EqualOp,
    "Less": LessOp,
    "LessOrEqual": LessEqualOp,
    **dict.fromkeys(("And", "BitwiseAnd"), AndOp),
    **dict.fromkeys(("Or", "BitwiseOr"), OrOp),
    **dict.fromkeys(("Xor", "BitwiseXor"), XorOp),
}
_SWAPPED: dict[str, type[BinaryOp]] = {"Greater": LessOp, "GreaterOrEqual": LessEqualOp}


@converts(*_BINARY)
def binary(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a comparison or a logical op of two operands."""
    return [b.emit(_BINARY[op.op_type](*broadcast_operands(b, op)))]


@converts(*_SWAPPED)
def swapped(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a > b to b < a, which holds for nan too."""
    lhs, rhs = broadcast_operands(b, op)
    return [b.emit(_SWAPPED[op.op_type](rhs, lhs))]


@converts("Not", "BitwiseNot")
def negation(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Not and BitwiseNot."""
    return [b.emit(NotOp(b.operand(op, "X")))]


@converts("IsNaN")
def is_nan(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert IsNaN: what does not equal itself."""
    x = b.operand(op, "X")
    return [b.emit(NotOp(b.emit(EqualOp(x, x))))]


@converts("IsInf")
def is_inf(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert IsInf, which may look for one of both infinities alone."""
    x = b.operand(op, "X")
    element = element_of(x.type)
    below, above = b.integer(op, "detect_negative"), b.integer(op, "detect_positive")
    if not below and not above:
        return [b.make_constant(np.broadcast_to(np.array(False), shape_of(x.type)))]
    tests = [
        b.emit(EqualOp(x, b.scalar(number, element)))
        for number, wanted in ((-math.inf, below), (math.inf, above))
        if wanted
    ]
    return [tests[0] if len(tests) == 1 else b.emit(OrOp(*tests))]


@converts("Where")
def where(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Where."""
    return [b.emit(WhereOp(*op.operands))]


@converts("Cast")
def cast(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Cast; its target is a name in opset 1, a number of ``TensorProto.DataType`` since."""
    target = b.setting(op, "to")
    number = dict(TensorProto.DataType.items()).get(target) if isinstance(target, str) else target
    element = element_types().get(number) if isinstance(number, int) else None
    if element not in {*INTERFACE_NAMES, StringType()}:
        raise ConversionError(f"a cast to elements of type {element or target} is not supported")
    return [_converted(b, op, element)]


@converts("BitCast")
def bit_cast(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert BitCast; a boolean is a byte of 0 or 1."""
    x = b.operand(op, "input")
    given, element = element_of(x.type), element_types().get(b.integer(op, "to"))
    if element not in ELEMENT_BYTES:
        raise ConversionError(f"a cast to elements of type {element} is not supported")
    if ELEMENT_BYTES[given] != ELEMENT_BYTES[element]:
        raise ConversionError(f"{given} and {element} do not have as many bits")
    if given == element or is_bool(given) or is_bool(element):
        return [b.cast(x, element)]
    return [b.emit(BitCastOp(x, element))]


@converts("CastLike")
def cast_like(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert CastLike, whose target is the type of its second operand."""
    return [_converted(b, op, b.element(b.operand(op, "target_type")))]


def _converted(b: ConversionContext, op: OnnxOp, element: Attribute) -> SSAValue:
    x = b.operand(op, "input")
    given = b.element(x)
    if given == element:
        return x
    if given == StringType():
        numbers = numbers_of(b, x, f32 if element in STORED_NAMES else element)
    else:
        numbers = decoded(b, x, given) if given in STORED_NAMES else x
    if element == StringType():
        return text_of(b, numbers)
    if element not in STORED_NAMES:
        return b.cast(numbers, element)
    saturate, rounding = bool(b.integer(op, "saturate", 1)), b.text(op, "round_mode", "up")
    return encoded(b, numbers, element, saturate=saturate, rounding=rounding)


@converts("Identity")
def identity(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Return the operand as the result, with the bound that it may have."""
    x, bound = b.operand(op, "input"), op.attributes.get(BOUND_ATTRIBUTE)
    name = op.attributes.get(NAME_ATTRIBUTE)
    if isinstance(bound, IntegerAttr) and isinstance(name, StringAttr):
        give_bound(b, x, name.data, bound.value.data)
    return [x]


@converts("Expect", domain="autodeploy")
def expected(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Expect: the run ends with an error where two tensors differ."""
    given, right = b.operand(op, "given"), b.operand(op, "expected")
    if given.type != right.type:
        raise ConversionError(f"{given.type} cannot be {right.type}, {shape_of(right.type)}")
    b.call("expect", [given, right], [], checks=True)
    return [given]
