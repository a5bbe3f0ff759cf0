"""Pointwise ops of several operands: arithmetic, comparisons, logic, Where, and casts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from onnx import TensorProto
from xdsl.dialects.builtin import IntegerAttr, StringAttr, f32, f64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import (
    AddOp,
    BitCastOp,
    DivOp,
    FmodOp,
    MaxOp,
    MinOp,
    MulOp,
    PowOp,
    SubOp,
)
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
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_count,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
)
from autodeploy.dialects.onnx import OnnxOp, StringType
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Term
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.bounded_numbers import give_bound
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.stored import decoded, encoded
from autodeploy.lowering.onnx_to_nn.text import numbers_of, text_of
from autodeploy.weights import element_type, numpy_dtype

_BINARY: dict[str, type[BinaryOp]] = {
    "Add": AddOp,
    "Sub": SubOp,
    "Mul": MulOp,
    "Div": DivOp,
    "Equal": EqualOp,
    "Less": LessOp,
    "LessOrEqual": LessEqualOp,
    **dict.fromkeys(("And", "BitwiseAnd"), AndOp),
    **dict.fromkeys(("Or", "BitwiseOr"), OrOp),
    **dict.fromkeys(("Xor", "BitwiseXor"), XorOp),
}


@converts(*_BINARY)
def binary(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert an op of two operands that nn has, too; integers divide toward zero in both."""
    return [b.emit(_BINARY[op.op_type](*broadcast_operands(b, op)))]


def broadcast_operands(b: ConversionContext, op: OnnxOp) -> tuple[SSAValue, SSAValue]:
    """Return both operands of a binary op so that NumPy's broadcasting does what the op says.

    Since opset 7 it does at once. Before, the right operand is stretched to the left one only with
    ``broadcast = 1``, and ``axis`` is the place of its extents; by default they are the last ones.
    """
    lhs, rhs = op.operands
    if "broadcast" not in op.schema.attributes:
        return lhs, rhs
    wide, narrow = shape_of(lhs.type), shape_of(rhs.type)
    if not b.integer(op, "broadcast"):
        if wide != narrow:
            raise ConversionError(
                f"shapes {list(wide)} and {list(narrow)} differ without 'broadcast'"
            )
        return lhs, rhs
    if element_count(rhs.type) == 1:
        return lhs, b.reshape(rhs, ())
    default = len(wide) - len(narrow)
    axis = b.integer(op, "axis", default)
    axis = axis + len(wide) if axis < 0 else axis
    part = wide[axis : axis + len(narrow)] if 0 <= axis <= default else ()
    if len(part) != len(narrow) or any(n not in (1, m) for n, m in zip(narrow, part, strict=True)):
        raise ConversionError(
            f"shape {list(narrow)} is no part of {list(wide)} that starts at axis {axis}"
        )
    return lhs, b.reshape(rhs, [*narrow, *[1] * (default - axis)])


@converts("Pow")
def power(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Pow; the result has the type of the base, since opset 12 the exponent its own."""
    x, exponent = broadcast_operands(b, op)
    element = element_of(x.type)
    common = element if is_float(element) else _common(element, element_of(exponent.type))
    return [b.cast(b.emit(PowOp(b.cast(x, common), b.cast(exponent, common))), element)]


def _common(lhs: Attribute, rhs: Attribute) -> Attribute:
    """Return the type in which an integer base and any exponent meet, by NumPy's rules."""
    if is_float(rhs):
        return f64
    return element_type(np.promote_types(numpy_dtype(lhs), numpy_dtype(rhs)))


@converts("Mod")
def modulo(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Mod: the sign of the dividend with ``fmod``, else of the divisor."""
    lhs, rhs = op.operands
    element = element_of(lhs.type)
    if is_float(element):
        return [_modulo_of_floats(b, lhs, rhs, bool(b.integer(op, "fmod")))]
    x, divisor = Term(b, lhs), Term(b, rhs)
    remainder = x - x / divisor * divisor
    if b.integer(op, "fmod") or is_unsigned(element):
        return [remainder.value]
    differs = (remainder < 0) ^ (divisor < 0)
    return [(~remainder.equals(0) & differs).where(remainder + divisor, remainder).value]


def _modulo_of_floats(b: ConversionContext, lhs: SSAValue, rhs: SSAValue, fmod: bool) -> SSAValue:
    """Return the exact remainder with the sign of lhs, or of rhs, which is then added.

    A remainder of 0 has the sign, too.
    """
    remainder, divisor = Term(b, b.emit(FmodOp(lhs, rhs))), Term(b, rhs)
    if fmod:
        return remainder.value
    rising = (remainder < 0) & (divisor > 0)
    falling = (remainder > 0) & (divisor < 0)
    none = (divisor < 0).where(divisor.same(-0.0), 0.0)
    remainder = (rising | falling).where(remainder + divisor, remainder)
    return remainder.equals(0).where(none, remainder).value


_VARIADIC: dict[str, type[BinaryOp]] = {"Max": MaxOp, "Min": MinOp, "Sum": AddOp, "Mean": AddOp}


@converts(*_VARIADIC)
def variadic(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Max, Min, Sum and Mean of one or more operands, from the left to the right."""
    result, *others = op.operands
    for other in others:
        if op.version < 8 and shape_of(other.type) != shape_of(result.type):
            raise ConversionError(
                f"operands must have one shape before opset 8, found {other.type}"
            )
        result = b.emit(_VARIADIC[op.op_type](result, other))
    if op.op_type == "Mean" and others:
        result = b.emit(DivOp(result, b.scalar(len(op.operands), element_of(result.type))))
    return [result]


_SWAPPED: dict[str, type[BinaryOp]] = {"Greater": LessOp, "GreaterOrEqual": LessEqualOp}


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
