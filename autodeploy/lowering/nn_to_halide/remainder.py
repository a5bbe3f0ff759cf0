"""Lowering of the remainder of floats, which is exact: long division of integers.

A float is m 2^e with a whole m. If the exponent of x is larger by d, the remainder is that of
m_x 2^d by m_y: m_x is shifted left by d bits, some at a time, and each time the remainder by m_y is
kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import f64, i32, i64
from xdsl.ir import Attribute

from autodeploy.dialects.nn.arithmetic import FmodOp
from autodeploy.dialects.nn.types import bounds_of, signed_of, ui64
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
    widened,
)


class _Format(NamedTuple):
    """Bits of the fraction and of the exponent of a float."""

    fraction: int
    exponent: int

    @property
    def step(self) -> int:
        """Return by how many bits a remainder can be shifted within 64."""
        return 64 - (self.fraction + 1)

    @property
    def steps(self) -> int:
        """Return how many steps the largest difference of two exponents takes."""
        return -(-(2**self.exponent - 3) // self.step)

    @property
    def least_exponent(self) -> int:
        """Return the exponent of the last bit of a subnormal number."""
        return 2 - 2 ** (self.exponent - 1) - self.fraction


_FORMATS = {4: _Format(23, 8), 8: _Format(52, 11)}
"""Formats by bytes."""


@lowers(FmodOp)
def fmod(builder: KernelBuilder, op: FmodOp, operands: Sequence[Value]) -> Value:
    """Compute the remainder of whole numbers in a func, step by step, then make it a float."""
    x, y = map(widened, operands)
    element, shape = x.element, bounds_of(op.result.type)
    format_ = _FORMATS[8 if element == f64 else 4]

    def sizes(scope: Scope, point: Coordinates) -> tuple[Expr, Expr]:
        return x.broadcast(scope, point).abs(), y.broadcast(scope, point).abs()

    def distance(scope: Scope, point: Coordinates) -> Expr:
        exponents = [_exponent(size, format_) for size in sizes(scope, point)]
        return exponents[0] - exponents[1]

    def start(scope: Scope, point: Coordinates) -> Expr:
        size, divisor = (_whole(size, format_) for size in sizes(scope, point))
        return (distance(scope, point) < 0).select(size, _modulo(size, divisor))

    def shift(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        divisor = _whole(sizes(scope, point)[1], format_)
        left = distance(scope, point) - scope.index(reduced[0]) * format_.step
        bits = left.clamp(0, format_.step)
        return _modulo(old * _power_of_two(bits), divisor)

    steps = Domain((("step", format_.steps),))
    rest = builder.func("rest", ui64, shape, start, update=(steps, shift))

    def at(scope: Scope, point: Coordinates) -> Expr:
        size, divisor = sizes(scope, point)
        exponent = _exponent(divisor, format_) + (format_.least_exponent - 1)
        # A remainder of x alone has the exponent of x.
        smaller = distance(scope, point) < 0
        value = smaller.select(size, _scaled(rest.at(scope, point), exponent, element))
        sign = x.broadcast(scope, point)
        signed = (sign.reinterpret(signed_of(element)) < 0).select(-value, value)
        has_none = divisor.equals(0.0) | ~(size < math.inf) | ~divisor.equals(divisor)
        return has_none.select(sign.same(math.nan), signed)

    return Value(element, shape, at)


def _exponent(size: Expr, format_: _Format) -> Expr:
    """Return the exponent bits of a float that is not negative, 1 of a subnormal, as i32."""
    bits = size.reinterpret(signed_of(size.type)) / (1 << format_.fraction)
    return bits.cast(i32).maximum(1)


def _whole(size: Expr, format_: _Format) -> Expr:
    """Return the significand of a float that is not negative as ui64."""
    bits = size.reinterpret(signed_of(size.type)).cast(i64)
    fraction = bits % (1 << format_.fraction)
    return (
        (bits < 1 << format_.fraction).select(bits, fraction + (1 << format_.fraction)).cast(ui64)
    )


def _modulo(number: Expr, divisor: Expr) -> Expr:
    return number % divisor.maximum(1)


def _power_of_two(bits: Expr) -> Expr:
    """Return 2 to a power of 0 to 63, from the binary digits of the power."""
    result = bits.scope.const(1, ui64)
    for digit in range(6):
        is_set = (bits / (1 << digit) % 2).equals(1)
        result = is_set.select(result * (1 << (1 << digit)), result)
    return result


def _scaled(number: Expr, exponent: Expr, element: Attribute) -> Expr:
    """Return a whole number times two to a power, in two steps that are normal numbers."""
    half = exponent / 2
    value = number.cast(f64)
    for power in (half, exponent - half):
        value = value * ((power + 1023).cast(i64) * (1 << 52)).reinterpret(f64)
    return value if element == f64 else value.cast(element)
