"""Functions of one operand: elementary functions, activations, shifts, inverse functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from xdsl.dialects.builtin import f64, i32
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
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.pointwise import UnaryOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
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
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import constant_array, numpy_dtype

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


_OF_ALPHA: dict[str, Callable[[SSAValue, float], UnaryOp]] = {
    "LeakyRelu": LeakyReluOp,
    "Elu": EluOp,
}


@converts(*_OF_ALPHA)
def of_alpha(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a function of a number ``alpha`` that nn has too."""
    return [b.emit(_OF_ALPHA[op.op_type](b.operand(op, "X"), b.number(op, "alpha")))]


@converts("HardSigmoid")
def hard_sigmoid(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert HardSigmoid."""
    x = b.operand(op, "X")
    return [b.emit(HardSigmoidOp(x, b.number(op, "alpha"), b.number(op, "beta")))]


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


# Shifts


@converts("BitShift")
def bit_shift(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert BitShift to a product or a quotient with a power of two, which a table holds.

    A shift by more bits than there are leaves nothing but the sign, to the right.
    """
    x, count = Term(b, b.operand(op, "X")), Term(b, b.operand(op, "Y"))
    element = x.element
    bits = 8 * ELEMENT_BYTES[element]
    direction = b.text(op, "direction", "")
    if direction not in ("LEFT", "RIGHT"):
        raise ConversionError(f"direction '{direction}' is unknown, expected LEFT or RIGHT")
    unsigned = is_unsigned(element)
    known = bits if unsigned or direction == "LEFT" else bits - 1
    powers = np.array([1 << bit for bit in range(known)], np.uint64).astype(numpy_dtype(element))
    counts = constant_array(b.ctx, count.value)
    if counts is not None and unsigned and int(counts.max(initial=0)) < known:
        power = Term(b, b.make_constant(powers[counts.astype(np.intp)]))
        return [(x * power if direction == "LEFT" else x / power).value]
    inside = count < known
    if not unsigned:
        inside = inside & (count > -1)
    place = inside.where(count, 0).cast(i32)
    power = Term(b, b.emit(GatherOp(b.make_constant(powers), place.value, 0)))
    if direction == "LEFT":
        return [inside.where(x * power, 0).value]
    quotient = x / power
    if unsigned:
        return [inside.where(quotient, 0).value]
    negative = x < 0
    below = negative & ~(quotient * power).equals(x)
    rounded = below.where(quotient - 1, quotient)
    return [inside.where(rounded, negative.where(x.same(-1), 0)).value]


# Functions in 64 bits, which lose no digits that 32 bits have


def _signed(magnitude: Term, x: Term) -> Term:
    """Return a number with the sign of x where x is not zero."""
    return (x < 0.0).where(-magnitude, magnitude)


def _odd(x: Term, factors: Sequence[float]) -> Term:
    """Return x times a polynomial of x * x, the factor of the lowest power first."""
    square, total = x * x, x.same(factors[-1])
    for factor in reversed(factors[:-1]):
        total = total * square + factor
    return x * total


def _near_zero(x: Term, bound: float, factors: Sequence[float], beyond: Term) -> Term:
    """Return a series where |x| is below a bound."""
    return (x.abs() < bound).where(_odd(x, factors), beyond)


def _halves(x: Term) -> tuple[Term, Term]:
    """Return half of exp(|x|), and half of exp(-|x|); the exponential itself may be infinite."""
    root = (x.abs() * 0.5).exp()
    power = root * 0.5 * root
    return power, 0.25 / power


def _sinh(x: Term) -> Term:
    rising, falling = _halves(x)
    series = [1 / math.factorial(n) for n in (1, 3, 5, 7, 9)]
    return _near_zero(x, 0.1, series, _signed(rising - falling, x))


def _cosh(x: Term) -> Term:
    rising, falling = _halves(x)
    return rising + falling


def _asinh(x: Term) -> Term:
    size = x.abs()
    near = (size + (size * size + 1.0).sqrt()).log()
    # If the square is infinite, the root is the number itself.
    far = size.log() + math.log(2)
    beyond = _signed((size < 1e100).where(near, far), x)
    return _near_zero(x, 0.03, _ASINH, beyond)


_ASINH = [1, -1 / 6, 3 / 40, -15 / 336, 105 / 3456]


def _acosh(x: Term) -> Term:
    """Return the inverse cosine: near 1 twice the inverse sine of sqrt((x - 1) / 2)."""
    less_one = x - 1.0
    near = _odd((less_one * 0.5).sqrt(), _ASINH) * 2.0
    root = less_one.sqrt() * (x + 1.0).sqrt()
    beyond = (x < 1e100).where((x + root).log(), x.log() + math.log(2))
    return (x < 1.001).where(near, beyond)


def _atanh(x: Term) -> Term:
    beyond = ((1.0 + x) / (1.0 - x)).log() * 0.5
    return _near_zero(x, 0.05, [1, 1 / 3, 1 / 5, 1 / 7, 1 / 9], beyond)


def _atan(x: Term) -> Term:
    """Return the arc tangent: of half the angle twice, then a series, of 1 / x beyond 1."""
    size = x.abs()
    far = size > 1.0
    tangent = far.where(1.0 / size, size)
    for _ in range(2):
        tangent = tangent / (1.0 + (1.0 + tangent * tangent).sqrt())
    angle = _odd(tangent, [(-1) ** n / (2 * n + 1) for n in range(10)]) * 4.0
    signed = _signed(far.where(math.pi / 2 - angle, angle), x)
    return (x.abs() < 1e-300).where(x, signed)  # which has the sign of zero


def _asin(x: Term) -> Term:
    return _atan(x / ((1.0 - x) * (1.0 + x)).sqrt())


def _acos(x: Term) -> Term:
    return _atan(((1.0 - x) / (1.0 + x)).sqrt()) * 2.0


_FUNCTIONS: dict[str, Callable[[Term], Term]] = {
    "Sinh": _sinh,
    "Cosh": _cosh,
    "Asinh": _asinh,
    "Acosh": _acosh,
    "Atanh": _atanh,
    "Atan": _atan,
    "Asin": _asin,
    "Acos": _acos,
}


@converts(*_FUNCTIONS)
def function(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert an inverse or hyperbolic function, which is computed in 64 bits."""
    x = Term(b, op.operands[0])
    return [_FUNCTIONS[op.op_type](x.cast(f64)).cast(x.element).value]
