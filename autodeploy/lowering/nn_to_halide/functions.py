"""The functions of the algebra of scalars (``Scalars``) as Halide expressions.

They keep nan, the infinities and signs of zeros. Halide's own functions are made for numbers: nan
and inf become numbers in some of them. Arithmetic around them is that of IEEE 754: a comparison
with nan does not hold, and the second operand of a max or min is taken where either is nan. Nothing
is contracted, so each form says how it keeps its digits. Computation is in 32 or 64 bits; of 64
bits Halide calls the C library, which is right.
"""

from __future__ import annotations

import math
import struct

from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import Attribute

from autodeploy.dialects.halide.expression import CastOp, ConstOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    as_bound,
    highest,
    is_bool,
    is_float,
    is_unsigned,
    lowest,
    unsigned_of,
)
from autodeploy.lowering.nn_to_halide import error_function, exponential
from autodeploy.lowering.nn_to_halide.exponential import horner
from autodeploy.lowering.nn_to_halide.expression import Expr
from autodeploy.lowering.nn_to_halide.kernel_builder import rounded

abs = Expr.abs
exp = exponential.gradual_exp
expm1 = exponential.expm1
sigmoid = exponential.sigmoid
softplus = exponential.softplus
tanh = exponential.tanh
erf = error_function.erf
normal = error_function.normal
sqrt = Expr.sqrt
sin = Expr.sin
cos = Expr.cos
floor = Expr.floor
ceil = Expr.ceil
round = Expr.round
equals = Expr.equals
where = Expr.select
exact = Expr.cast
reinterpret = Expr.reinterpret


def less_equal(a: Expr, b: Expr) -> Expr:
    """Halide's ``<=`` is the negation of ``>`` and so holds for nan; this one does not."""
    return (a < b) | a.equals(b) if is_float(a.type) else a <= b


def maximum(a: Expr | float, b: Expr) -> Expr:
    """The larger of two, nan where either is; a number that is known comes first."""
    if not isinstance(a, Expr):
        return b.same(as_bound(a, b.type, math.ceil)).maximum(b)
    if not is_float(a.type):
        return a.maximum(b)
    if _is_known(b):
        a, b = b, a
    if _is_known(a):
        return a.maximum(b)
    # If neither is larger nor both equal, one is nan, and the sum is nan, too.
    return (a < b).select(b, ((b < a) | a.equals(b)).select(a, a + b))


def minimum(a: Expr | float, b: Expr) -> Expr:
    """The smaller of two, nan where either is; a number that is known comes first."""
    if not isinstance(a, Expr):
        return b.same(as_bound(a, b.type, math.floor)).minimum(b)
    if not is_float(a.type):
        return a.minimum(b)
    if _is_known(b):
        a, b = b, a
    if _is_known(a):
        return a.minimum(b)
    return (b < a).select(b, ((a < b) | a.equals(b)).select(a, a + b))


def _is_known(x: Expr) -> bool:
    return x.number is not None and not math.isnan(x.number)


def larger(folded: Expr, x: Expr) -> Expr:
    """The larger of the accumulator and another element, nan if either is."""
    return _nan_first(folded, folded.maximum(x))


def smaller(folded: Expr, x: Expr) -> Expr:
    """The smaller of the accumulator and another element, nan if either is."""
    return _nan_first(folded, folded.minimum(x))


def _nan_first(folded: Expr, chosen: Expr) -> Expr:
    """``chosen`` yields a nan of the second operand by itself; one of the first takes a test."""
    return folded.equals(folded).select(chosen, folded) if is_float(folded.type) else chosen


def mean(total: Expr, count: Expr | int) -> Expr:
    """A sum over a count; between integers by way of 64-bit floats."""
    if isinstance(count, int) and count == 0:
        return total.same(math.nan if is_float(total.type) else 0)
    wide = total if is_float(total.type) else total.cast(f64)
    divisor = float(count) if isinstance(count, int) else count.cast(wide.type)
    return (wide / divisor).cast(total.type)


def sign(x: Expr) -> Expr:
    """1, -1 or 0, which has no sign; nan is kept."""
    zero = x + 0.0 if is_float(x.type) else x
    positive = (x > 0).select(x.same(1), zero)
    if is_unsigned(x.type):
        return positive
    return (x < 0).select(x.same(-1), positive)


def convert(x: Expr, element: Attribute) -> Expr:
    """Convert as ONNX's Cast; what it leaves open is the nearest integer, and 0 of nan."""
    if not is_float(x.type) or is_float(element) or is_bool(element):
        return rounded(x, element)
    low, high = lowest(element), int(highest(element))
    digits = 24 if x.type == f32 else 53
    # If the greatest integer has more digits than a float, the float before the next one counts.
    largest = float(high) if high < 2**digits else float(high + 1 - ((high + 1) >> digits))
    bounded = x.same(largest).minimum(x.same(float(low)).maximum(x))
    whole = _alone(x.equals(x).select(bounded, 0.0).cast(element))
    return whole if int(largest) == high else (x > largest).select(whole.same(high), whole)


def _alone(whole: Expr) -> Expr:
    """Keep a conversion to an integer apart from one to another integer type after it.

    Halide makes one of both, and then LLVM leaves the results open that the second type does not
    hold. The two halves of the bits are joined again by LLVM, at no cost.
    """
    low = (1 << 4 * ELEMENT_BYTES[whole.type]) - 1
    high = int(highest(whole.type)) - low if is_unsigned(whole.type) else -1 - low
    return (whole & whole.same(low)) | (whole & whole.same(high))


def remainder(a: Expr, b: Expr) -> Expr:
    """Never called: nn.fmod is no expression, ``remainder.py`` lowers it to updates of a func."""
    raise AssertionError("nn.fmod is lowered by remainder.py")


def log(x: Expr) -> Expr:
    """Natural logarithm, where Halide's own is wrong for inf, nan and subnormals, too.

    Subnormals are scaled to normal numbers first. From 1 on, the result is x less the largest
    number where that is more than the logarithm: inf of inf, and nan of nan.
    """
    if x.type == f64:
        return x.log()
    is_small = x < _LEAST_NORMAL
    scaled = is_small.select(x * 2.0**_SCALE, x).log()
    result = scaled - is_small.select(x.same(_SCALE * math.log(2.0)), 0.0)
    return (x < 1.0).select(result, result.maximum(x - _LARGEST))


_LEAST_NORMAL, _LARGEST = 2.0**-126, 2.0**128 - 2.0**104
"""The least normal and the largest number of 32 bits."""

_SCALE = 24
"""A subnormal times two to this power is normal."""


def power(x: Expr, y: Expr) -> Expr:
    """X to the power y, by the rules of C's ``pow``; the power of integers is exact.

    Floats of 32 bits are computed in 64, as exp(y log|x|), and correct to the last bit but one.
    """
    if not is_float(x.type):
        return _whole_power(x, y)
    exponent = y.number
    if exponent is not None and (known := power_of(x, float(exponent))) is not None:
        return known
    if x.type == f64:
        return x.pow(y)
    base, exponent_ = x.abs().cast(f64), y.cast(f64)
    # For 1 to the power inf, 0 times inf would be nan.
    size = base.equals(1.0).select(base, _wide_exp(exponent_ * _wide_log(base))).cast(x.type)
    half = y * 0.5
    is_whole, is_even = y.floor().equals(y), half.floor().equals(half)
    is_odd = is_whole & ~is_even
    # The sign counts that of zero, too; -inf to a fraction has a positive power, unlike numbers.
    is_negative = x.reinterpret(i32) < 0
    signed = (is_odd & is_negative).select(-size, size)
    has_none = (x < 0.0) & (x > -math.inf) & ~is_whole
    result = has_none.select(x.same(math.nan), signed)
    return (y.equals(0.0) | x.equals(1.0)).select(x.same(1.0), result)


def _wide_log(x: Expr) -> Expr:
    """Natural logarithm, in 64 bits, of a 32-bit float that is not negative, to 1e-12.

    With x = m 2^k, m from 1/sqrt(2) to sqrt(2) and s = (m - 1) / (m + 1), it is k log(2) plus
    2 (s + s^3 / 3 + s^5 / 5 + ...).
    """
    bits = x.reinterpret(i64)
    k = (bits - _ROOT_HALF_BITS) / (1 << 52)
    m = (bits - k * (1 << 52)).reinterpret(f64)
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    total = horner(square, [1.0 / (2 * n + 1) for n in range(_LOG_TERMS + 1)])
    result = k.cast(f64) * math.log(2.0) + s * 2.0 * total
    special = x.equals(0.0).select(x.same(-math.inf), x)
    return ((x > 0.0) & (x < math.inf)).select(result, special)


_ROOT_HALF_BITS = struct.unpack("<q", struct.pack("<d", math.sqrt(0.5)))[0]
_LOG_TERMS = 8


def _wide_exp(x: Expr) -> Expr:
    """e to the power x in 64 bits, to 1e-12; 0 or inf where a 32-bit float cannot hold it.

    With x = k log(2) + r and r from 0 to log(2) it is 2^k times the series of r.
    """
    bounded = x.same(_EXP_BOUND).minimum(x.same(-_EXP_BOUND).maximum(x))
    biased = (bounded * (1.0 / math.log(2.0)) + 1023.0).cast(i64)
    rest = bounded - (biased - 1023).cast(f64) * math.log(2.0)
    total = horner(rest, [1.0 / math.factorial(n) for n in range(_EXP_TERMS + 1)])
    return total * (biased * (1 << 52)).reinterpret(f64)


_EXP_BOUND = 150.0
_EXP_TERMS = 12


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
            return _square_root(x)
        case 0.75:
            root = _square_root(x)
            return root * root.sqrt()
        case -0.5:
            return 1.0 / _square_root(x)
        case -1.0:
            return 1.0 / x
        case -2.0:
            inverse = 1.0 / x
            return inverse * inverse
        case _:
            return None


def _square_root(x: Expr) -> Expr:
    """X to the power 1/2: unlike the square root, 0 of -0 and inf of -inf."""
    return x.equals(-math.inf).select(x.same(math.inf), (x + 0.0).sqrt())


def divided_by_three_quarters(a: Expr, x: Expr) -> Expr:
    """A over x to the power 3/4, where x is above 0 or nan, to 1e-6 relative; x is strict."""
    return a * _inverse_three_quarters(x)


def _inverse_three_quarters(x: Expr) -> Expr:
    """X to the power -3/4, without the roots, which take a processor long.

    The bits of a float are nearly its logarithm: -3/4 of them and a constant are a first estimate
    y, off by up to 4 %. With e = 1 - x^3 y^4 the result is y (1 - e)^(-1/4). A polynomial stands
    for the second factor, the one whose largest relative error is least. The result is 0 for inf
    and for numbers near it, and nan for nan.
    """
    bits = x.reinterpret(i32)
    estimate = (_ESTIMATE_BITS - (bits / 2 + bits / 4)).reinterpret(x.type)
    product = x * estimate
    rest = 1.0 - (product * product) * (product * estimate)
    polynomial = horner(rest, _INVERSE_ROOT)
    return (x > 2.0**126).strict().select(x.same(0.0), estimate * polynomial)


_ESTIMATE_BITS = 0x6F1453B8
"""7/4 of the bits of 1.0, less a number that makes the errors equal to both sides."""

_INVERSE_ROOT = (
    1.000000097533566,
    0.2499777089287676,
    0.1562016899358802,
    0.12021506052664625,
    0.09892272062653513,
)


def _whole_power(x: Expr, y: Expr) -> Expr:
    """Square and multiply, bit by bit of the exponent; overflow wraps.

    From an exponent of 64 on, only powers of -1, 0 and 1 do not overflow, and they depend on the
    last bit of the exponent alone. Their powers with a negative exponent do, too; those of
    other numbers are fractions, which become 0.
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


def _number(x: Expr) -> float | int | None:
    """Return the number that an expression is, converted or not."""
    owner = x.value.owner
    while isinstance(owner, CastOp):
        owner = owner.operands[0].owner
    return owner.value.value.data if isinstance(owner, ConstOp) else None


def quotient(a: Expr, b: Expr) -> Expr:
    """A / b; integers round toward zero, where Halide's remainder is never negative.

    Halide refuses a divisor that it knows to be 0. There a float is multiplied by infinity, which
    is the same, and an integer makes 0, as for any other divisor of 0.
    """
    divisor = _number(b)
    if divisor == 0:
        return a * math.copysign(math.inf, divisor) if is_float(a.type) else a.same(0)
    if is_float(a.type) or is_unsigned(a.type):
        return a / b
    # The size of the lowest number has no place in the signed type.
    type_ = unsigned_of(a.type)
    size = (a.abs().cast(type_) / b.abs().cast(type_)).cast(a.type)
    return (a < 0).equals(b < 0).select(size, -size)
