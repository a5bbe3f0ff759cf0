"""Lowering of pointwise ops: one expression an op, and the shared rule that broadcasts.

Arithmetic is that of IEEE 754: nan, the infinities and the signs of zeros mean what ONNX says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import FloatAttr

from autodeploy.dialects.nn import pointwise as nn
from autodeploy.dialects.nn.layout import Activation, ActivationAttr
from autodeploy.dialects.nn.types import element_of, is_float, is_unsigned, shape_of
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.functions import (
    erf,
    exp,
    log,
    power,
    quotient,
    sigmoid,
    tanh,
)
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.limits import highest, lowest
from autodeploy.lowering.nn_to_halide.precision import compute_type, computed, converted
from autodeploy.lowering.nn_to_halide.registry import lowers


def relu(x: Expr) -> Expr:
    """max(x, 0); as the second operand of a max, nan wins."""
    return x.same(0).maximum(x)


def clip(x: Expr, low: float | None, high: float | None) -> Expr:
    """min(max(x, low), high), nan kept; the upper bound wins where they cross."""
    if low is not None:
        x = x.same(_bound(x, low, math.ceil)).maximum(x)
    if high is not None:
        x = x.same(_bound(x, high, math.floor)).minimum(x)
    return x


def larger(a: Expr, b: Expr) -> Expr:
    """The larger of what was folded so far and another element, nan where either is."""
    return _nan_first(a, a.maximum(b))


def smaller(a: Expr, b: Expr) -> Expr:
    """The smaller of what was folded so far and another element, nan where either is."""
    return _nan_first(a, a.minimum(b))


def _nan_first(a: Expr, chosen: Expr) -> Expr:
    """``chosen`` yields a nan of the second operand by itself; one of ``a`` takes a test."""
    return a.equals(a).select(chosen, a) if is_float(a.type) else chosen


def _maximum(a: Expr, b: Expr) -> Expr:
    """The larger of any two, nan where either is; a number that is known comes first."""
    if not is_float(a.type):
        return a.maximum(b)
    if _is_known(b):
        a, b = b, a
    if _is_known(a):
        return a.maximum(b)
    # Where neither is larger nor both equal, one is nan and so is the sum.
    return (a < b).select(b, ((b < a) | a.equals(b)).select(a, a + b))


def _minimum(a: Expr, b: Expr) -> Expr:
    """The smaller of any two, nan where either is; a number that is known comes first."""
    if not is_float(a.type):
        return a.minimum(b)
    if _is_known(b):
        a, b = b, a
    if _is_known(a):
        return a.minimum(b)
    return (b < a).select(b, ((a < b) | a.equals(b)).select(a, a + b))


def _is_known(x: Expr) -> bool:
    return x.number is not None and not math.isnan(x.number)


def less_equal(a: Expr, b: Expr) -> Expr:
    """Halide's ``<=`` is the negation of ``>`` and so holds for nan; this one does not."""
    return (a < b) | a.equals(b) if is_float(a.type) else a <= b


def _bound(x: Expr, bound: float, to_integer: Callable[[float], int]) -> float | int:
    """A bound of an integer is the nearest integer that bounds as much."""
    if is_float(x.type):
        return bound
    return to_integer(min(max(bound, lowest(x.type)), highest(x.type)))


def activate(x: Expr, activation: ActivationAttr) -> Expr:
    """Apply the activation of a contraction."""
    match activation.data:
        case Activation.NONE:
            return x
        case Activation.RELU:
            return relu(x)
        case Activation.RELU6:
            return clip(x, 0.0, 6.0)


def _sign(x: Expr) -> Expr:
    """1, -1 or 0, which has no sign; nan is kept."""
    zero = x + 0.0 if is_float(x.type) else x
    positive = (x > 0).select(x.same(1), zero)
    if is_unsigned(x.type):
        return positive
    return (x < 0).select(x.same(-1), positive)


UNARY: dict[type[nn.PointwiseOp], Callable[[Expr], Expr]] = {
    nn.AbsOp: Expr.abs,
    nn.NegOp: Expr.__neg__,
    nn.SignOp: _sign,
    nn.ReluOp: relu,
    nn.ExpOp: exp,
    nn.LogOp: log,
    nn.SqrtOp: Expr.sqrt,
    nn.ReciprocalOp: lambda x: 1.0 / x,
    nn.SinOp: Expr.sin,
    nn.CosOp: Expr.cos,
    nn.TanhOp: tanh,
    nn.SigmoidOp: sigmoid,
    nn.ErfOp: lambda x: x.equals(0.0).select(x, erf(x)),
    nn.SwishOp: lambda x: x * sigmoid(x),
    nn.GeluOp: lambda x: x * 0.5 * (1.0 + erf(x * math.sqrt(0.5))),
    nn.FloorOp: Expr.floor,
    nn.CeilOp: Expr.ceil,
    nn.RoundOp: Expr.round,
    nn.NotOp: Expr.__invert__,
}
"""One operand, no properties."""

BINARY: dict[type[nn.PointwiseOp], Callable[[Expr, Expr], Expr]] = {
    nn.AddOp: lambda a, b: a + b,
    nn.SubOp: lambda a, b: a - b,
    nn.MulOp: lambda a, b: a * b,
    nn.DivOp: quotient,
    nn.PowOp: power,
    nn.MaxOp: _maximum,
    nn.MinOp: _minimum,
    nn.PReluOp: lambda a, b: (a < 0).select(a * b, a),
    nn.EqualOp: lambda a, b: a.equals(b),
    nn.LessOp: lambda a, b: a < b,
    nn.LessEqualOp: less_equal,
    nn.AndOp: lambda a, b: a & b,
    nn.OrOp: lambda a, b: a | b,
    nn.XorOp: lambda a, b: ~a.equals(b),
}
"""Two operands, no properties."""

PARAMETRIC: dict[type[nn.PointwiseOp], Callable[[Any, Expr], Expr]] = {
    nn.ClipOp: lambda op, x: clip(x, _number(op.min), _number(op.max)),
    nn.LeakyReluOp: lambda op, x: (x < 0).select(x * op.alpha.value.data, x),
    nn.EluOp: lambda op, x: (x < 0).select((exp(x) - 1.0) * op.alpha.value.data, x),
    nn.HardSigmoidOp: lambda op, x: clip(x * op.alpha.value.data + op.beta.value.data, 0.0, 1.0),
    nn.CastOp: lambda op, x: converted(x, element_of(op.result.type)),
}
"""One operand, read together with the op's properties."""


def _number(attribute: FloatAttr | None) -> float | None:
    return None if attribute is None else attribute.value.data


@lowers(*UNARY, *BINARY, *PARAMETRIC, nn.WhereOp)
def pointwise(builder: KernelBuilder, op: nn.PointwiseOp, operands: Sequence[Value]) -> Value:
    """Apply the op's expression to the operands' elements at one point, each broadcast.

    Halves are computed in single precision, which the result has, too.
    """
    result = element_of(op.result.type)
    if not isinstance(op, nn.CastOp):
        result = compute_type(result)

    def element(scope: Scope, point: Coordinates) -> Expr:
        elements = [computed(operand.broadcast(scope, point)) for operand in operands]
        return expression(op, elements).cast(result)

    def at(scope: Scope, point: Coordinates) -> Expr:
        # An element that is read twice is worked out once: else a chain doubles at each step.
        return scope.once((op, point), lambda: element(scope, point))

    return Value(result, shape_of(op.result.type), at)


def expression(op: nn.PointwiseOp, elements: Sequence[Expr]) -> Expr:
    """Return the op's expression of the given elements."""
    kind = type(op)
    if kind in UNARY:
        return UNARY[kind](elements[0])
    if kind in BINARY:
        return BINARY[kind](elements[0], elements[1])
    if kind in PARAMETRIC:
        return PARAMETRIC[kind](op, elements[0])
    return elements[0].select(elements[1], elements[2])
