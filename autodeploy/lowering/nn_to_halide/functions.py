"""Elementary functions as Halide expressions that keep nan and the infinities.

Halide's own functions are made for numbers: nan and inf become numbers in some of them. What puts
this right must not ask whether a value is nan or inf: of a sum that Halide computes quickly, the
code generator takes for granted that it is neither and answers beforehand. So each form here gives
the right result by the way in which its comparisons with ordinary numbers come out: one with nan
never holds, and the second operand of a strict max or min is taken where either is nan.

Computation is in 32 or 64 bits. Of 64 bits Halide calls the C library, which is right already.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f64

from autodeploy.dialects.nn.types import is_float, is_unsigned
from autodeploy.lowering.nn_to_halide.expression import Expr
from autodeploy.lowering.nn_to_halide.limits import unsigned_of


def exp(x: Expr) -> Expr:
    """e to the power x; Halide's own gives 0 for nan and for inf, so they bypass it."""
    if x.type == f64:
        return x.exp()
    return (x < 89.0).select(x.exp(), x + math.inf).strict()


def log(x: Expr) -> Expr:
    """Natural logarithm; Halide's own takes inf and nan for numbers.

    From 1 on a line far below the logarithm of every finite number stands in for them.
    """
    if x.type == f64:
        return x.log()
    line = x * 2.0**-124 - 20.0
    return (x < 1.0).select(x.log(), x.log().maximum(line)).strict()


def erf(x: Expr) -> Expr:
    """Error function; it is 1 to the last bit of a 32-bit float from 4 on."""
    if x.type == f64:
        return _erf_by_series(x)
    return x.same(-4.0).maximum(x.same(4.0).minimum(x)).strict().erf()


def _erf_by_series(x: Expr) -> Expr:
    """2x / sqrt(pi) * exp(-x²) * sum of (2x²)^n / (1 * 3 * … * (2n + 1)), all terms positive.

    Halide has none of 64 bits. At 6, from where on it is 1, terms are below the last bit after 105.
    """
    bounded = x.same(-6.0).maximum(x.same(6.0).minimum(x)).strict()
    square = bounded * bounded
    total = x.same(1.0)
    for n in range(_ERF_TERMS, 0, -1):
        total = total * square * (2.0 / (2 * n + 1)) + 1.0
    return bounded * (2.0 / math.sqrt(math.pi)) * (-square).exp() * total


_ERF_TERMS = 110


def sigmoid(x: Expr) -> Expr:
    """1 / (1 + exp(-x)): exp overflows to inf, of which the reciprocal is the right 0."""
    return 1.0 / (1.0 + exp(-x))


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent, to 1.3e-7 relative; the library's function is taken for 64 bits.

    With t = exp(-2|x|) it is 1 - 2t / (1 + t); near 0, where that loses digits, an odd polynomial
    whose coefficients are a least-squares fit of tanh on -0.7 to 0.7.
    """
    if x.type == f64:
        return x.tanh()
    size = x.abs()
    power = (size * -2.0).exp()
    far = 1.0 - 2.0 * power / (1.0 + power)
    square = x * x
    polynomial = x.same(_TANH[-1])
    for coefficient in reversed(_TANH[:-1]):
        polynomial = polynomial * square + coefficient
    near = x + x * square * polynomial
    signed = (x < 0.0).select(-far, far)
    return (size > 0.7).strict().select(signed, near)


_TANH = (
    -0.33333322405815125,
    0.1333208978176117,
    -0.05375877767801285,
    0.020607152953743935,
    -0.005589270032942295,
)


def power(x: Expr, y: Expr) -> Expr:
    """X to the power y, by the rules of C's ``pow``; of integers it is exact.

    Two rules are simpler: zero has no sign, and -inf to a fraction is nan, as is any other negative
    number. Of 32 bits the result is good to 1e-5 relative.
    """
    if not is_float(x.type):
        return _whole_power(x, y)
    exponent = y.number
    if exponent is not None and (known := power_of(x, float(exponent))) is not None:
        return known
    if x.type == f64:
        return x.pow(y)
    size = exp(log(x.abs()) * y)
    half = y * 0.5
    whole, even = y.floor().equals(y), half.floor().equals(half)
    negative = whole.select(even.select(size, -size), math.nan)
    result = (x < 0.0).select(negative, size)
    return (y.equals(0.0) | x.equals(1.0)).select(x.same(1.0), result).strict()


def power_of(x: Expr, exponent: float) -> Expr | None:
    """X to one of the powers that networks have, in a few operations; ``None`` for others."""
    match exponent:
        case 1.0:
            return x
        case 2.0:
            return x * x
        case 3.0:
            return x * x * x
        case 4.0:
            return (x * x) * (x * x)
        case 0.5:
            return x.sqrt()
        case 0.75:
            root = x.sqrt()
            return root * root.sqrt()
        case -0.5:
            return 1.0 / x.sqrt()
        case -1.0:
            return 1.0 / x
        case -2.0:
            return 1.0 / (x * x)
        case _:
            return None


def _whole_power(x: Expr, y: Expr) -> Expr:
    """Square and multiply, bit by bit of the exponent; overflow wraps.

    From 64 on only powers of -1, 0 and 1 do not overflow, and they depend on the last bit alone, as
    do those that a negative exponent leaves: the others are fractions, which become 0.
    """
    type_ = unsigned_of(x.type)
    odd = (y % 2).equals(1)
    rest = (y < 64).select(y.maximum(0), odd.select(y.same(63), 62))
    base, result = x.cast(type_), x.same(1).cast(type_)
    for _ in range(_EXPONENT_BITS):
        result = (rest % 2).equals(1).select(result * base, result)
        base, rest = base * base, rest / 2
    value = result.cast(x.type)
    if is_unsigned(x.type):
        return value
    unit = x.equals(1) | x.equals(-1)
    fraction = unit.select(odd.select(x, 1), 0)
    return (y < 0).select(fraction, value)


_EXPONENT_BITS = 6


def quotient(a: Expr, b: Expr) -> Expr:
    """A / b; integers round toward zero, where Halide's remainder is never negative."""
    if is_float(a.type) or is_unsigned(a.type):
        return a / b
    # The size of the lowest number has no place in the signed type.
    type_ = unsigned_of(a.type)
    size = (a.abs().cast(type_) / b.abs().cast(type_)).cast(a.type)
    return (a < 0).equals(b < 0).select(size, -size)
