"""Functions of one operand: elementary functions and activations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.activation import (
    ClipOp,
    EluOp,
    ErfOp,
    GateOp,
    GeluOp,
    HardSigmoidOp,
    LeakyReluOp,
    MishOp,
    PReluOp,
    ReluOp,
    SigmoidOp,
    SoftplusOp,
    SwishOp,
    TanhOp,
)
from autodeploy.dialects.nn.arithmetic import (
    AbsOp,
    CeilOp,
    CosOp,
    ExpOp,
    FloorOp,
    LogOp,
    MaxOp,
    MinOp,
    NegOp,
    ReciprocalOp,
    RoundOp,
    SignOp,
    SinOp,
    SqrtOp,
)
from autodeploy.dialects.nn.pointwise import UnaryOp
from autodeploy.dialects.nn.types import (
    ELEMENT_NAMES,
    element_count,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import LARGEST_FLOAT, ConversionError, NnBuilder
from autodeploy.frontend.nn.functions import hard_swish, selu, softsign, tangent, thresholded_relu
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.weights import numpy_dtype

_UNARY: dict[str, type[UnaryOp]] = {
    "Neg": NegOp,
    "Sign": SignOp,
    "Relu": ReluOp,
    "Exp": ExpOp,
    "Log": LogOp,
    "Sqrt": SqrtOp,
    "Reciprocal": ReciprocalOp,
    "Sin": SinOp,
    "Cos": CosOp,
    "Tanh": TanhOp,
    "Sigmoid": SigmoidOp,
    "Erf": ErfOp,
    "Softplus": SoftplusOp,
    "Mish": MishOp,
    "Floor": FloorOp,
    "Ceil": CeilOp,
    "Round": RoundOp,
}


@converts(*_UNARY)
def unary(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a function that nn has too."""
    return [b.emit(_UNARY[op.op_type](op.operands[0]))]


_COMPOSED: dict[str, Callable[[NnBuilder, SSAValue], SSAValue]] = {
    "Tan": tangent,
    "HardSwish": hard_swish,
    "Softsign": softsign,
}


@converts(*_COMPOSED)
def composed(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a function that several nn ops compute together."""
    return [_rounded_once(b, op.operands[0], partial(_COMPOSED[op.op_type], b))]


def _rounded_once(b: NnBuilder, x: SSAValue, function: Callable[[SSAValue], SSAValue]) -> SSAValue:
    """Return a function of x that several ops compute: of 16-bit floats in 32 bits."""
    return b.cast(function(b.in_32_bits(x)), element_of(x.type))


@converts("Abs")
def absolute(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Abs, which leaves unsigned integers as they are."""
    x = b.operand(op, "X")
    return [x if is_unsigned(element_of(x.type)) else b.emit(AbsOp(x))]


_OF_NUMBERS: dict[str, tuple[Callable[..., UnaryOp], tuple[str, ...]]] = {
    "LeakyRelu": (LeakyReluOp, ("alpha",)),
    "Elu": (EluOp, ("alpha",)),
    "HardSigmoid": (HardSigmoidOp, ("alpha", "beta")),
}


@converts(*_OF_NUMBERS)
def of_numbers(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a function that nn has with the same numbers."""
    build, names = _OF_NUMBERS[op.op_type]
    return [b.emit(build(b.operand(op, "X"), *(b.number(op, name) for name in names)))]


@converts("PRelu")
def prelu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert PRelu; before opset 7 a slope of more than one element has one a channel (axis 1)."""
    x, slope = op.operands
    rank = len(shape_of(x.type))
    if op.version < 7:
        count = element_count(slope.type)
        per_channel = count > 1 and rank > 1
        slope = b.reshape(slope, [count, *[1] * (rank - 2)] if per_channel else [count])
    return [b.emit(PReluOp(x, slope))]


@converts("Selu")
def convert_selu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Selu to a scaled Elu."""
    alpha, scale = b.number(op, "alpha"), b.number(op, "gamma")
    return [_rounded_once(b, b.operand(op, "X"), lambda x: selu(b, x, alpha, scale))]


@converts("Celu")
def celu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Celu: x above zero, alpha * (exp(x / alpha) - 1) elsewhere."""
    x, alpha = b.operand(op, "X"), b.number(op, "alpha")
    if alpha == 1.0:
        return [b.emit(EluOp(x, 1.0))]

    def curve(given: SSAValue) -> SSAValue:
        x = Term(b, given)
        scaled = x / alpha
        below = scaled.made(EluOp(scaled.value, 1.0)) * alpha
        return (x > 0).where(x, below).value

    return [_rounded_once(b, x, curve)]


@converts("ThresholdedRelu")
def convert_thresholded_relu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ThresholdedRelu."""
    return [thresholded_relu(b, b.operand(op, "X"), b.number(op, "alpha"))]


@converts("Swish")
def swish(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Swish: x * sigmoid(alpha * x)."""
    x, alpha = b.operand(op, "X"), b.number(op, "alpha")
    if alpha == 1.0:
        return [b.emit(SwishOp(x))]

    def curve(x: SSAValue) -> SSAValue:
        return b.emit(GateOp(x, (Term(b, x) * alpha).value))

    return [_rounded_once(b, x, curve)]


@converts("Gelu")
def gelu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Gelu, exact or by tanh(y), y = sqrt(2 / pi) * (x + 0.044715 * x^3).

    As 1 + tanh(y) loses digits, it is twice the sigmoid of 2y.
    """
    x, approximate = b.operand(op, "X"), b.text(op, "approximate", "none")
    if approximate == "none":
        return [b.emit(GeluOp(x))]
    if approximate != "tanh":
        raise ConversionError(f"approximate '{approximate}' is unknown, expected 'none' or 'tanh'")
    slope = math.sqrt(8 / math.pi)

    def curve(given: SSAValue) -> SSAValue:
        x = Term(b, given)
        bend = x * x * (0.044715 * slope)
        return b.emit(GateOp(given, (x * (bend + slope)).value))

    return [_rounded_once(b, x, curve)]


@converts("Clip", until=6)
def clip_by_attributes(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Clip with bounds as attributes; in opset 6 they default to the limits of float."""
    x = b.operand(op, "input")
    low, high = (
        None if b.setting(op, name) is None else b.number(op, name) for name in ("min", "max")
    )
    return [_clip(b, x, low, high)]


@converts("Clip", since=11)
def clip_by_inputs(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Clip with bounds as inputs, constant or not: min(max(x, low), high)."""
    x = b.operand(op, "input")
    return [_clip(b, x, _bound(b, op, "min"), _bound(b, op, "max"))]


def _bound(b: ConversionContext, op: OnnxOp, name: str) -> float | SSAValue | None:
    """Return a bound as a number where nn.clip can hold it, else as a scalar value."""
    value = op.input_named(name)
    if value is None:
        return None
    if element_count(value.type) != 1:
        raise ConversionError(f"input '{name}' must be a scalar, found {value.type}")
    array = b.array(value)
    if array is not None:
        number = array.item()
        if math.isfinite(number) and float(number) == number:
            return float(number)
        if math.isinf(number) and (number < 0) == (name == "min"):
            return None
    return b.reshape(value, ())


def _clip(
    b: ConversionContext, x: SSAValue, low: float | SSAValue | None, high: float | SSAValue | None
) -> SSAValue:
    if is_bool(element_of(x.type)):
        raise ConversionError(f"it takes numbers, found {x.type}")
    lowest, highest = _limits(element_of(x.type))
    if not isinstance(low, SSAValue) and low is not None and low <= lowest:
        low = None
    if not isinstance(high, SSAValue) and high is not None and high >= highest:
        high = None
    if isinstance(low, SSAValue) or isinstance(high, SSAValue):
        if low is not None:
            x = b.emit(MaxOp(x, _as_value(b, x, low)))
        return x if high is None else b.emit(MinOp(x, _as_value(b, x, high)))
    return x if low is high is None else b.emit(ClipOp(x, low, high))


def _limits(element: Attribute) -> tuple[float, float]:
    """Return the bounds from which on a clip does nothing: a float may be infinite."""
    if not is_float(element):
        limits = np.iinfo(ELEMENT_NAMES[element])
        return int(limits.min), int(limits.max)
    beyond = math.nextafter(LARGEST_FLOAT[element], math.inf)
    return -beyond, beyond


def _as_value(b: ConversionContext, x: SSAValue, bound: float | SSAValue) -> SSAValue:
    if isinstance(bound, SSAValue):
        return bound
    return b.make_constant(np.array(bound).astype(numpy_dtype(element_of(x.type))))
