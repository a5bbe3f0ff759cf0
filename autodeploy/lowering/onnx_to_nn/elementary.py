"""Functions that are composed of others: shifts, inverse and hyperbolic functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import f64, i32
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_unsigned
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.weights import constant_array, numpy_dtype

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
