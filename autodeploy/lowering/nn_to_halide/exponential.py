"""The exponential function and functions of it: polynomials for 32-bit floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import f64, i32

from autodeploy.dialects.halide.expression import MulOp
from autodeploy.dialects.nn.types import unsigned_of
from autodeploy.lowering.nn_to_halide.expression import Expr


def exp(x: Expr, *, falls: bool = False) -> Expr:
    """e to the power x, to 3e-7 relative; the library's function is taken for 64 bits.

    It is 0 below 1.7e-38, of which ``gradual_exp`` has the digits, too. A nan passes the bounds and
    the polynomial. If x ``falls``, it is at most 0 or nan, and needs no upper bound.

    The polynomial may be contracted. Its operand is strict, unless the machine fuses each
    product with its sum.
    """
    if x.type == f64:
        return x.exp()
    return _scaled_exp(x, _Ends(_LOWEST, math.inf if falls else _HIGHEST, 126))


def exp_of_half(x: Expr) -> Expr:
    """e to the power x / 2, for 32-bit x from -175.01 to 0, or nan: it takes no bounds."""
    return _scaled_exp(x, _Ends(-math.inf, math.inf, 126, unit=0.5))


def _scaled_exp(x: Expr, ends: _Ends) -> Expr:
    """e to the power x, times 2^(offset - 126).

    With x = k * log(2) + r, where k is the nearest whole number, it is 2^(k - 1), a number whose
    exponent bits are k + 126, times a polynomial of r: the one with value and slope 2 at 0 whose
    largest relative error is least. Added to 2^23, a number is rounded to a whole one, which is
    then the last bits of the sum. The bounds are such that k + offset runs from 0, which stands for
    the result 0, to 254, where the product overflows to inf.
    """
    shifted, rest = _fused_rest(x, ends) if x.scope.fuses else _rest(x, ends)
    polynomial = horner(rest, [c * ends.unit**n for n, c in enumerate(_POLYNOMIAL)])
    # Bits above the last ones are shifted out.
    exponent = shifted.reinterpret(unsigned_of(i32)) * (1 << 23)
    return polynomial * exponent.reinterpret(x.type)


def gradual_exp(x: Expr) -> Expr:
    """e to the power x, subnormal results included.

    The power of two is that of two numbers, so that the first product is normal. Both are 0 at the
    lower bound: an inexact product that is 0 would take a processor long.
    """
    if x.type == f64:
        return x.exp()
    shifted, rest = _rest(x, _Ends(-175.3, _HIGHEST, 253))
    # The bits of 2^23, and of half of it, are shifted out.
    bits = shifted.reinterpret(unsigned_of(i32))
    half = bits / 2
    first, second = ((n * (1 << 23)).reinterpret(x.type) for n in (half, bits - half))
    return horner(rest, _POLYNOMIAL) * first * second


def expm1(x: Expr) -> Expr:
    """e to the power x, less 1, with the digits that the difference would lose near 0.

    With k and r as for the exponential it is 2^k (e^r - 1) + (2^k - 1), whose terms do not cancel.
    """
    if x.type == f64:
        return (x * 0.5).tanh() * (x.exp() + 1.0)
    shifted, rest = _rest(x, _Ends(_LOWEST, _HIGHEST, 126))
    half = (shifted.reinterpret(unsigned_of(i32)) * (1 << 23)).reinterpret(x.type)
    less_one = rest + rest * rest * horner(rest, _LESS_ONE)
    return (less_one * half + (half - 0.5)) * 2.0


def sigmoid(x: Expr) -> Expr:
    """1 / (1 + exp(-x)), where a swish needs it: down to 1e-40.

    There the exponential is beyond the largest number, so the fraction is reduced by 2^-5. It must
    not be reduced by more: LLVM may multiply its numerator with another small number first.
    """
    if x.type == f64:
        power = (-x.abs()).exp()
        return (x < 0.0).select(power, 1.0) / (1.0 + power)
    unit = x.same(2.0**-_REDUCED)
    less = _REDUCED * math.log(2.0)
    ends = _Ends(_LOWEST + less, _HIGHEST + less, 126 - _REDUCED)
    return unit / (unit + _scaled_exp(-x, ends))


_REDUCED = 5


def softplus(x: Expr) -> Expr:
    """log(1 + exp(x)), as max(x, 0) + log(1 + t) with t = exp(-|x|).

    With s = t / (2 + t) the logarithm is 2 (s + s^3 / 3 + s^5 / 5 + ...), which has the digits of t
    where that is small.
    """
    power = gradual_exp(-x.abs())
    s = power / (power + 2.0)
    square = s * s
    series = _WIDE_ATANH if x.type == f64 else _ATANH
    tail = (s + s * square * horner(square, series)) * 2.0
    return x.same(0.0).maximum(x) + tail


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent, to 1.3e-7 relative; the library's function is taken for 64 bits.

    With t = exp(-2|x|) it is 1 - 2t / (1 + t); near 0, where that loses digits, an odd polynomial
    whose coefficients are a least-squares fit of tanh on -0.7 to 0.7. Both are of |x|, and get the
    sign of x.
    """
    if x.type == f64:
        return x.tanh()
    size = x.abs()
    power = exp(size * -2.0)
    far = 1.0 - 2.0 * power / (1.0 + power)
    square = x * x
    near = size * (square * horner(square, _TANH) + 1.0)
    # A contracted sum is no zero with a sign.
    sign = x.reinterpret(unsigned_of(i32)) & (1 << 31)
    result = (size > 0.7).select(far, near).reinterpret(sign.type)
    return (result | sign).reinterpret(x.type)


def horner(x: Expr, coefficients: Sequence[float]) -> Expr:
    """Return a polynomial, lowest power first."""
    total = x.same(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    return total


class _Ends(NamedTuple):
    """The bounds of x, the number that is added to k, and the power of two that counts as 1 in x.

    A multiplication of x by that unit is then one of constants; r comes in this unit, too.
    """

    low: float
    high: float
    offset: int
    unit: float = 1.0


def _bounded(x: Expr, ends: _Ends) -> Expr:
    """Return x within the bounds."""
    if ends.high == math.inf:
        return x if ends.low == -math.inf else x.same(ends.low).maximum(x)
    high = x.same(ends.high)
    return high.minimum(x if ends.low == -math.inf else x.same(ends.low).maximum(x))


def _rest(x: Expr, ends: _Ends) -> tuple[Expr, Expr]:
    """Return 2^23 + k + offset and r.

    log(2) has two parts (Cody and Waite 1980): k times the first one has no rounding error.
    """
    bounded, shift = _bounded(x, ends), _SHIFT + ends.offset
    shifted = (bounded * (_STEPS * ends.unit) + shift).strict()
    k = shifted - shift
    high, low = _LOG_2_HIGH / ends.unit, (math.log(2.0) - _LOG_2_HIGH) / ends.unit
    return shifted, (bounded - k * high - k * low).strict()


def _fused_rest(x: Expr, ends: _Ends) -> tuple[Expr, Expr]:
    """Return the same where each product becomes one instruction with its sum, and rounds once.

    Then log(2) has one part, by which the relative error grows by 3e-9 |x|, to 4e-7 at the bounds.
    LLVM would simplify ``(x * c + S) - S`` to ``x * c``, which is no integer. k is therefore read
    from the bits of the sum. If x is -y, the constants are negated, not y.
    """
    y, shift = _negated(x), _SHIFT + ends.offset
    if y is None:
        bounded = _bounded(x, ends).strict()
        shifted = bounded * (_STEPS * ends.unit) + shift
    else:
        bounded = _bounded(y, _Ends(-ends.high, -ends.low, ends.offset)).strict()
        shifted = bounded * (-_STEPS * ends.unit) + shift
    k = (shifted.reinterpret(i32) - _shift_bits(ends.offset)).cast(x.type)
    product = k * (-math.log(2.0) / ends.unit)
    return shifted, product + bounded if y is None else product - bounded


def _negated(x: Expr) -> Expr | None:
    """Return y where x is -1 times y, ``None`` for any other x."""
    owner = x.value.owner
    if not isinstance(owner, MulOp) or Expr(owner.rhs, x.scope).number != -1.0:
        return None
    return Expr(owner.lhs, x.scope)


_LOWEST, _HIGHEST = -87.5, 89.0

_STEPS = 1.0 / math.log(2.0)

_SHIFT = 2.0**23


def _shift_bits(offset: int) -> int:
    """Return the bits of 2^23 + offset, as a 32-bit float."""
    return 0x4B000000 + offset


_LOG_2_HIGH = 355.0 / 512.0
"""log(2) to nine bits."""

_POLYNOMIAL = (
    2.0,
    2.0,
    0.999984516999386,
    0.3333423637390137,
    0.08378198742866516,
    0.01662484183907509,
)

_LESS_ONE = (
    0.4999999814404901,
    0.16666543178286328,
    0.04166720176010695,
    0.008366580279636325,
    0.0013882511768687975,
)
"""(e^r - 1 - r) / r², with the least relative error of e^r - 1: 1.3e-8."""

_ATANH = (0.3333322259876627, 0.20010867367681343, 0.139900608446232, 0.14087678093935674)
"""1/3 + x / 5 + x² / 7 + ..., up to 1/9, with the least relative error of the logarithm: 7e-9."""

_WIDE_ATANH = tuple(1.0 / (2 * n + 3) for n in range(16))

_TANH = (
    -0.33333322405815125,
    0.1333208978176117,
    -0.05375877767801285,
    0.020607152953743935,
    -0.005589270032942295,
)
