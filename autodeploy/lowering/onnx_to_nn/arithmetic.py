"""Arithmetic of two and more operands: Add to Div, Pow, Mod, Max, Min, Sum, Mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import (
    AddOp,
    DivOp,
    FmodOp,
    MaxOp,
    MinOp,
    MulOp,
    PowOp,
    SubOp,
)
from autodeploy.dialects.nn.pointwise import BinaryOp
from autodeploy.dialects.nn.types import (
    element_count,
    element_of,
    is_float,
    is_unsigned,
    shape_of,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.weights import element_type, numpy_dtype

_BINARY: dict[str, type[BinaryOp]] = {"Add": AddOp, "Sub": SubOp, "Mul": MulOp, "Div": DivOp}


@converts(*_BINARY)
def binary(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Add, Sub, Mul and Div; integers divide toward zero in both dialects."""
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
