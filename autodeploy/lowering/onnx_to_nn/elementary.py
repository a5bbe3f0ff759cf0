"""Functions that are composed of others: shifts, inverse and hyperbolic functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import f64, i32
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import (
    AbsOp,
    AddOp,
    DivOp,
    ExpOp,
    LogOp,
    MulOp,
    NegOp,
    SqrtOp,
    SubOp,
)
from autodeploy.dialects.nn.logic import AndOp, EqualOp, LessOp, NotOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_unsigned
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.weights import constant_array, numpy_dtype

# Shifts


@converts("BitShift")
def bit_shift(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert BitShift to a product or a quotient with a power of two, which a table holds.

    A shift by more bits than there are leaves nothing but the sign, to the right.
    """
    x, count = b.operand(op, "X"), b.operand(op, "Y")
    element = element_of(x.type)
    bits = 8 * ELEMENT_BYTES[element]
    direction = b.text(op, "direction", "")
    if direction not in ("LEFT", "RIGHT"):
        raise ConversionError(f"direction '{direction}' is unknown, expected LEFT or RIGHT")
    unsigned = is_unsigned(element)
    known = bits if unsigned or direction == "LEFT" else bits - 1
    powers = np.array([1 << bit for bit in range(known)], np.uint64).astype(numpy_dtype(element))
    counts = constant_array(b.ctx, count)
    if counts is not None and unsigned and int(counts.max(initial=0)) < known:
        power = b.make_constant(powers[counts.astype(np.intp)])
        return [b.emit(MulOp(x, power) if direction == "LEFT" else DivOp(x, power))]
    inside = b.emit(LessOp(count, b.scalar(known, element)))
    if not unsigned:
        inside = b.emit(AndOp(inside, b.emit(LessOp(b.scalar(-1, element), count))))
    place = b.cast(b.emit(WhereOp(inside, count, b.scalar(0, element))), i32)
    power = b.emit(GatherOp(b.make_constant(powers), place, 0))
    zero = b.scalar(0, element)
    if direction == "LEFT":
        return [b.emit(WhereOp(inside, b.emit(MulOp(x, power)), zero))]
    quotient = b.emit(DivOp(x, power))
    if unsigned:
        return [b.emit(WhereOp(inside, quotient, zero))]
    negative = b.emit(LessOp(x, zero))
    whole = b.emit(EqualOp(b.emit(MulOp(quotient, power)), x))
    below = b.emit(AndOp(negative, b.emit(NotOp(whole))))
    sign = b.emit(WhereOp(negative, b.scalar(-1, element), zero))
    rounded = b.emit(WhereOp(below, b.emit(SubOp(quotient, b.scalar(1, element))), quotient))
    return [b.emit(WhereOp(inside, rounded, sign))]


# Functions in 64 bits, which lose no digits that 32 bits have


class _Double:
    """Arithmetic on values of 64-bit floats."""

    def __init__(self, b: ConversionContext):
        self._b = b

    def value(self, x: SSAValue | float) -> SSAValue:
        return x if isinstance(x, SSAValue) else self._b.scalar(x, f64)

    def add(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._b.emit(AddOp(self.value(x), self.value(y)))

    def sub(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._b.emit(SubOp(self.value(x), self.value(y)))

    def mul(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._b.emit(MulOp(self.value(x), self.value(y)))

    def div(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._b.emit(DivOp(self.value(x), self.value(y)))

    def sqrt(self, x: SSAValue) -> SSAValue:
        return self._b.emit(SqrtOp(x))

    def exp(self, x: SSAValue) -> SSAValue:
        return self._b.emit(ExpOp(x))

    def log(self, x: SSAValue) -> SSAValue:
        return self._b.emit(LogOp(x))

    def abs(self, x: SSAValue) -> SSAValue:
        return self._b.emit(AbsOp(x))

    def below(self, x: SSAValue, y: SSAValue | float) -> SSAValue:
        return self._b.emit(LessOp(x, self.value(y)))

    def where(self, condition: SSAValue, x: SSAValue, y: SSAValue) -> SSAValue:
        return self._b.emit(WhereOp(condition, x, y))

    def signed(self, magnitude: SSAValue, x: SSAValue) -> SSAValue:
        """Return a number with the sign of x where x is not zero."""
        return self.where(self.below(x, 0.0), self._b.emit(NegOp(magnitude)), magnitude)

    def odd(self, x: SSAValue, factors: Sequence[float]) -> SSAValue:
        """Return x times a polynomial of x * x, the factor of the lowest power first."""
        square, total = self.mul(x, x), self.value(factors[-1])
        for factor in reversed(factors[:-1]):
            total = self.add(self.mul(total, square), factor)
        return self.mul(x, total)

    def near_zero(
        self, x: SSAValue, bound: float, factors: Sequence[float], beyond: SSAValue
    ) -> SSAValue:
        """Return a series where |x| is below a bound."""
        return self.where(self.below(self.abs(x), bound), self.odd(x, factors), beyond)


def _sinh(d: _Double, x: SSAValue) -> SSAValue:
    root = d.exp(d.mul(d.abs(x), 0.5))
    power = d.mul(d.mul(root, 0.5), root)
    beyond = d.signed(d.sub(power, d.div(0.25, power)), x)
    return d.near_zero(x, 0.1, [1 / math.factorial(n) for n in (1, 3, 5, 7, 9)], beyond)


def _cosh(d: _Double, x: SSAValue) -> SSAValue:
    root = d.exp(d.mul(d.abs(x), 0.5))
    power = d.mul(d.mul(root, 0.5), root)
    return d.add(power, d.div(0.25, power))


def _asinh(d: _Double, x: SSAValue) -> SSAValue:
    size = d.abs(x)
    root = d.sqrt(d.add(d.mul(size, size), 1.0))
    # If the square is infinite, the root is the number itself.
    far = d.add(d.log(size), math.log(2))
    near = d.log(d.add(size, root))
    beyond = d.signed(d.where(d.below(size, 1e100), near, far), x)
    return d.near_zero(x, 0.03, _ASINH, beyond)


_ASINH = [1, -1 / 6, 3 / 40, -15 / 336, 105 / 3456]


def _acosh(d: _Double, x: SSAValue) -> SSAValue:
    """Return the inverse cosine: near 1 twice the inverse sine of sqrt((x - 1) / 2)."""
    less_one = d.sub(x, 1.0)
    near = d.mul(d.odd(d.sqrt(d.mul(less_one, 0.5)), _ASINH), 2.0)
    root = d.mul(d.sqrt(less_one), d.sqrt(d.add(x, 1.0)))
    far = d.add(d.log(x), math.log(2))
    beyond = d.where(d.below(x, 1e100), d.log(d.add(x, root)), far)
    return d.where(d.below(x, 1.001), near, beyond)


def _atanh(d: _Double, x: SSAValue) -> SSAValue:
    beyond = d.mul(d.log(d.div(d.add(1.0, x), d.sub(1.0, x))), 0.5)
    return d.near_zero(x, 0.05, [1, 1 / 3, 1 / 5, 1 / 7, 1 / 9], beyond)


def _atan(d: _Double, x: SSAValue) -> SSAValue:
    """Return the arc tangent: of half the angle twice, then a series, of 1 / x beyond 1."""
    size = d.abs(x)
    far = d.below(d.value(1.0), size)
    tangent = d.where(far, d.div(1.0, size), size)
    for _ in range(2):
        tangent = d.div(tangent, d.add(1.0, d.sqrt(d.add(1.0, d.mul(tangent, tangent)))))
    angle = d.mul(d.odd(tangent, [(-1) ** n / (2 * n + 1) for n in range(10)]), 4.0)
    return _with_sign_of_zero(d, d.where(far, d.sub(math.pi / 2, angle), angle), x)


def _with_sign_of_zero(d: _Double, magnitude: SSAValue, x: SSAValue) -> SSAValue:
    signed = d.signed(magnitude, x)
    return d.where(d.below(d.abs(x), 1e-300), x, signed)


def _asin(d: _Double, x: SSAValue) -> SSAValue:
    return _atan(d, d.div(x, d.sqrt(d.mul(d.sub(1.0, x), d.add(1.0, x)))))


def _acos(d: _Double, x: SSAValue) -> SSAValue:
    return d.mul(_atan(d, d.sqrt(d.div(d.sub(1.0, x), d.add(1.0, x)))), 2.0)


_FUNCTIONS: dict[str, Callable[[_Double, SSAValue], SSAValue]] = {
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
    x = op.operands[0]
    return [b.cast(_FUNCTIONS[op.op_type](_Double(b), b.cast(x, f64)), element_of(x.type))]
