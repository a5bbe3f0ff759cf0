"""The error function and the normal distribution, by approximations of one function.

A normal distribution has exp(-s² / 2) times ``tail(s)`` above a number s that is not negative. The
tail falls slowly, as 1 / s, so a fraction of polynomials has the same relative error everywhere.
That keeps the digits of small probabilities.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import f64, i32

from autodeploy.lowering.nn_to_halide.exponential import exp, exp_of_half, horner
from autodeploy.lowering.nn_to_halide.expression import Expr


def erf(x: Expr) -> Expr:
    """Error function; it is 1 to the last bit of a 32-bit float from 4 on.

    Halide has none of 64 bits. Below 1 it is a power series there.
    """
    if x.type != f64:
        return x.same(-4.0).maximum(x.same(4.0).minimum(x)).erf()
    size, square = x.abs(), x * x
    near = x * horner(square, _ERF_SERIES)
    above = _above(size * math.sqrt(2.0), square)
    far = 1.0 - 2.0 * above
    return (size < 1.0).select(near, (x < 0.0).select(-far, far))


_ERF_SERIES = [
    (-1) ** n * 2.0 / (math.sqrt(math.pi) * math.factorial(n) * (2 * n + 1)) for n in range(19)
]


def normal(x: Expr) -> Expr:
    """The part of a normal distribution below x; 0 and 1 of the infinities.

    The relative error is 6e-7 near 0, and grows with that of x² to 6e-6 where the result is least.
    The polynomial may be contracted.
    """
    if x.type == f64:
        size = x.abs()
        above = _above(size, size * size * 0.5)
        return (x < 0.0).select(above, 1.0 - above)
    size = x.same(_NARROW_END).minimum(x.abs())
    power = exp_of_half(size * size * -1.0)
    above = power * horner(size, _ABOVE) / horner(size, _BELOW)
    # With AVX2 a select takes the sign bit as it is; nan is in both results.
    return (x.reinterpret(i32) < 0).select(above, 1.0 - above)


_NARROW_END = 13.229
"""From here on the power, and so the result, is 0 in 32 bits."""

_ABOVE = (0.5, 0.359508171157434, 0.11808034386161925, 0.016688668380602907)

_BELOW = (1.0, 1.5168889294830532, 0.9465785153860213, 0.29576240749316, 0.041837923444900664)
"""The tail is the quotient; the largest relative error is least up to 13.25: 3.8e-7."""


def _above(size: Expr, half_square: Expr) -> Expr:
    """Return the part above a number of 64 bits, which comes with half its square."""
    bounded = size.same(_END).minimum(size)
    tail = horner((bounded - 4.0) / (bounded + 4.0), _WIDE_TAIL) / (bounded + 1.0)
    return exp(half_square * -1.0) * tail


_END = 39.0
"""From here on the result is 0 in 64 bits."""

_WIDE_TAIL = (
    0.47205320650984467,
    -0.09670347732652537,
    0.013999634724429484,
    0.028600364053505536,
    -0.03219783742831323,
    0.017936097481063274,
    -0.005002378585987421,
    -0.0002856231172674321,
    0.0006948970458933204,
    -9.443010932300517e-05,
    -8.785278100423642e-05,
    2.1249416709821007e-05,
    1.362512870208532e-05,
    -3.430553944494517e-06,
    -2.608039199565658e-06,
    4.02096637961752e-07,
    5.432100827612577e-07,
    2.8055596826956697e-09,
    -1.0111129755671242e-07,
    -1.888137725703163e-08,
    1.134064999612679e-08,
    4.347202324981508e-09,
    1.9844072305621602e-10,
)
"""1 + s times the tail, at the Chebyshev points of t = (s - 4) / (s + 4)."""
