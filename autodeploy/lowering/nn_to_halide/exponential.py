"""The exponential function of 32-bit floats, by a polynomial."""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f64, i32

from autodeploy.dialects.halide.expression import MulOp
from autodeploy.dialects.nn.limits import unsigned_of
from autodeploy.lowering.nn_to_halide.expression import Expr


def exp(x: Expr, *, falls: bool = False) -> Expr:
    """e to the power x, to 3e-7 relative; the library's function is taken for 64 bits.

    With x = k * log(2) + r, where k is the nearest whole number, it is 2^(k - 1), a number whose
    exponent bits are k + 126, times a polynomial of r: the one with value and slope 2 at 0 whose
    largest relative error is least. Added to 2^23, a number is rounded to a whole one, which is
    then the last bits of the sum. The bounds are such that k + 126 runs from 0, which stands for
    the result 0 (it is that of all below 1.7e-38), to 254, where the product overflows to inf from
    88.73 on. A nan passes both bounds and the polynomial. Where x ``falls``, it is at most 0 or
    nan, and needs no upper bound.

    The polynomial may be contracted. What comes before it is strict, unless the machine fuses each
    product with its sum.
    """
    if x.type == f64:
        return x.exp()
    shifted, rest = _fused_rest(x, falls) if x.scope.fuses else _rest(x, falls)
    polynomial = x.same(_POLYNOMIAL[-1])
    for coefficient in reversed(_POLYNOMIAL[:-1]):
        polynomial = polynomial * rest + coefficient
    # Bits above the last ones are shifted out.
    exponent = shifted.reinterpret(unsigned_of(i32)) * (1 << 23)
    return polynomial * exponent.reinterpret(x.type)


def _bounded(x: Expr, falls: bool) -> Expr:
    """Return x within the bounds."""
    if falls:
        return x.same(_LOWEST).maximum(x)
    return x.same(_HIGHEST).minimum(x.same(_LOWEST).maximum(x))


def _rest(x: Expr, falls: bool) -> tuple[Expr, Expr]:
    """Return 2^23 + k + 126 and r.

    log(2) has two parts (Cody and Waite 1980): k times the first one has no rounding error.
    """
    bounded = _bounded(x, falls)
    shifted = (bounded * _STEPS + _SHIFT).strict()
    k = shifted - _SHIFT
    return shifted, (bounded - k * _LOG_2_HIGH - k * (math.log(2.0) - _LOG_2_HIGH)).strict()


def _fused_rest(x: Expr, falls: bool) -> tuple[Expr, Expr]:
    """Return the same where each product becomes one instruction with its sum, and rounds once.

    Then log(2) has one part, by which the relative error grows by 3e-9 |x|, to 4e-7 at the bounds.
    LLVM would simplify ``(x * c + S) - S`` to ``x * c``, which is no integer. So k is read from the
    bits of the sum. Where x is -y, the constants are negated, not y.
    """
    y = _negated(x)
    if y is None:
        bounded = _bounded(x, falls).strict()
        shifted = bounded * _STEPS + _SHIFT
    else:
        bounded = x.same(-_LOWEST).minimum(x.same(-_HIGHEST).maximum(y)).strict()
        shifted = bounded * -_STEPS + _SHIFT
    k = (shifted.reinterpret(i32) - _SHIFT_BITS).cast(x.type)
    product = k * -math.log(2.0)
    return shifted, product + bounded if y is None else product - bounded


def _negated(x: Expr) -> Expr | None:
    """Return y where x is -1 times y, ``None`` for any other x."""
    owner = x.value.owner
    if not isinstance(owner, MulOp) or Expr(owner.rhs, x.scope).number != -1.0:
        return None
    return Expr(owner.lhs, x.scope)


_LOWEST, _HIGHEST = -87.5, 89.0

_STEPS = 1.0 / math.log(2.0)

_SHIFT = 2.0**23 + 126.0

_SHIFT_BITS = 0x4B00007E
"""The bits of that number, as one of 32 bits."""

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
