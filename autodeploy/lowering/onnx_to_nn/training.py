"""Steps of training: Momentum, Adagrad, Adam."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, PowOp, SqrtOp, SubOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.pointwise import BinaryOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts

_DOMAIN = "ai.onnx.preview.training"

Step = Callable[["_Numbers", SSAValue, SSAValue, SSAValue, Sequence[SSAValue]], list[SSAValue]]
"""Makes new weights and states of a rate, a count, weights, their gradient and their states."""


class _Numbers:
    """Arithmetic on values of one element type, and on numbers next to them."""

    def __init__(self, b: ConversionContext, like: SSAValue):
        self.b, self.element = b, element_of(like.type)

    def of(self, x: SSAValue | float) -> SSAValue:
        if isinstance(x, SSAValue):
            return self.b.cast(x, self.element)
        return self.b.scalar(x, self.element)

    def _binary(
        self, kind: type[BinaryOp], lhs: SSAValue | float, rhs: SSAValue | float
    ) -> SSAValue:
        return self.b.emit(kind(self.of(lhs), self.of(rhs)))

    def add(self, lhs: SSAValue | float, rhs: SSAValue | float) -> SSAValue:
        return self._binary(AddOp, lhs, rhs)

    def subtract(self, lhs: SSAValue | float, rhs: SSAValue | float) -> SSAValue:
        return self._binary(SubOp, lhs, rhs)

    def multiply(self, lhs: SSAValue | float, rhs: SSAValue | float) -> SSAValue:
        return self._binary(MulOp, lhs, rhs)

    def divide(self, lhs: SSAValue | float, rhs: SSAValue | float) -> SSAValue:
        return self._binary(DivOp, lhs, rhs)

    def power(self, lhs: SSAValue | float, rhs: SSAValue | float) -> SSAValue:
        return self._binary(PowOp, lhs, rhs)

    def root(self, x: SSAValue) -> SSAValue:
        return self.b.emit(SqrtOp(x))

    def mixed(self, part: float, x: SSAValue, other: SSAValue) -> SSAValue:
        """Return a part of x and the rest of another value."""
        return self.add(self.multiply(part, x), self.multiply(1 - part, other))

    def after_first(self, count: SSAValue, later: SSAValue, first: SSAValue | float) -> SSAValue:
        """Return one value in the first step, another one in those after it."""
        test = self.b.emit(LessOp(self.b.scalar(0, i64), self.b.cast(count, i64)))
        return self.b.emit(WhereOp(test, later, self.of(first)))


@converts("Momentum", domain=_DOMAIN)
def momentum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Momentum, by Nesterov or not."""
    alpha, beta, mode = b.number(op, "alpha"), b.number(op, "beta"), b.text(op, "mode", "")
    if mode not in ("standard", "nesterov"):
        raise ConversionError(f"mode '{mode}' is unknown, expected standard or nesterov")

    def step(
        n: _Numbers, rate: SSAValue, count: SSAValue, gradient: SSAValue, states: Sequence[SSAValue]
    ) -> list[SSAValue]:
        weights, velocity = states
        part = n.after_first(count, n.of(beta), 1.0)
        velocity = n.add(n.multiply(alpha, velocity), n.multiply(part, gradient))
        change = velocity if mode == "standard" else n.add(gradient, n.multiply(alpha, velocity))
        return [n.subtract(weights, n.multiply(rate, change)), velocity]

    return _steps(b, op, 2, step)


@converts("Adagrad", domain=_DOMAIN)
def adagrad(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Adagrad."""
    decay, epsilon = b.number(op, "decay_factor"), b.number(op, "epsilon")

    def step(
        n: _Numbers, rate: SSAValue, count: SSAValue, gradient: SSAValue, states: Sequence[SSAValue]
    ) -> list[SSAValue]:
        weights, squares = states
        own = n.divide(rate, n.add(1.0, n.multiply(count, decay)))
        squares = n.add(squares, n.multiply(gradient, gradient))
        change = n.divide(n.multiply(own, gradient), n.add(n.root(squares), epsilon))
        return [n.subtract(weights, change), squares]

    return _steps(b, op, 2, step)


@converts("Adam", domain=_DOMAIN)
def adam(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Adam."""
    alpha, beta, epsilon = (b.number(op, name) for name in ("alpha", "beta", "epsilon"))
    after = b.number(op, "norm_coefficient_post")

    def step(
        n: _Numbers, rate: SSAValue, count: SSAValue, gradient: SSAValue, states: Sequence[SSAValue]
    ) -> list[SSAValue]:
        weights, mean, squares = states
        mean = n.mixed(alpha, mean, gradient)
        squares = n.mixed(beta, squares, n.multiply(gradient, gradient))
        scale = n.root(n.subtract(1.0, n.power(beta, count)))
        later = n.divide(n.multiply(rate, scale), n.subtract(1.0, n.power(alpha, count)))
        own = n.after_first(count, later, rate)
        change = n.divide(n.multiply(own, mean), n.add(n.root(squares), epsilon))
        return [n.multiply(1 - after, n.subtract(weights, change)), mean, squares]

    return _steps(b, op, 3, step)


def _steps(b: ConversionContext, op: OnnxOp, states: int, step: Step) -> list[SSAValue]:
    """Take a step for each tensor of weights; the inputs are all weights, then all gradients."""
    rate, count, *given = op.operands
    total = len(given) // (states + 1)
    if total * (states + 1) != len(given) or not total:
        raise ConversionError(f"{len(given)} tensors are no weights, gradients and states")
    found: list[list[SSAValue]] = []
    for weights, gradient, *others in (given[i::total] for i in range(total)):
        if any(shape_of(x.type) != shape_of(weights.type) for x in (gradient, *others)):
            raise ConversionError(f"gradients or states do not have the shape of {weights.type}")
        n = _Numbers(b, weights)
        own_rate, own_count = b.reshape(rate, ()), b.reshape(count, ())
        sized = n.add(n.multiply(b.number(op, "norm_coefficient"), weights), gradient)
        found.append(step(n, own_rate, own_count, sized, [weights, *others]))
    return [made[i] for i in range(states) for made in found]
