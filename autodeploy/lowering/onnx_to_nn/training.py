"""Steps of training: Momentum, Adagrad, Adam."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Number, Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

_DOMAIN = "ai.onnx.preview.training"

Step = Callable[[Term, Term, Term, Sequence[Term]], list[Term]]
"""Makes new weights and states of a rate, a count, a gradient, and the weights and their states."""


@converts("Momentum", domain=_DOMAIN)
def momentum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Momentum, by Nesterov or not."""
    alpha, beta, mode = b.number(op, "alpha"), b.number(op, "beta"), b.text(op, "mode", "")
    if mode not in ("standard", "nesterov"):
        raise ConversionError(f"mode '{mode}' is unknown, expected standard or nesterov")

    def step(rate: Term, count: Term, gradient: Term, states: Sequence[Term]) -> list[Term]:
        weights, velocity = states
        part = _after_first(count, weights.same(beta), 1.0)
        velocity = alpha * velocity + part * gradient
        change = velocity if mode == "standard" else gradient + alpha * velocity
        return [weights - rate * change, velocity]

    return _steps(b, op, 2, step)


@converts("Adagrad", domain=_DOMAIN)
def adagrad(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Adagrad."""
    decay, epsilon = b.number(op, "decay_factor"), b.number(op, "epsilon")

    def step(rate: Term, count: Term, gradient: Term, states: Sequence[Term]) -> list[Term]:
        weights, squares = states
        own = rate / (1.0 + count.cast(weights.element) * decay)
        squares = squares + gradient * gradient
        return [weights - own * gradient / (squares.sqrt() + epsilon), squares]

    return _steps(b, op, 2, step)


@converts("Adam", domain=_DOMAIN)
def adam(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Adam."""
    alpha, beta, epsilon = (b.number(op, name) for name in ("alpha", "beta", "epsilon"))
    after = b.number(op, "norm_coefficient_post")

    def step(rate: Term, count: Term, gradient: Term, states: Sequence[Term]) -> list[Term]:
        weights, mean, squares = states
        mean = alpha * mean + (1 - alpha) * gradient
        squares = beta * squares + (1 - beta) * (gradient * gradient)
        power = count.cast(weights.element)
        later = rate * (1.0 - beta**power).sqrt() / (1.0 - alpha**power)
        change = _after_first(count, later, rate) * mean / (squares.sqrt() + epsilon)
        return [(1 - after) * (weights - change), mean, squares]

    return _steps(b, op, 3, step)


def _after_first(count: Term, later: Term, first: Number) -> Term:
    """Return one value in the first step, another one in those after it."""
    return (count.cast(i64) > 0).where(later, first)


def _steps(b: ConversionContext, op: OnnxOp, states: int, step: Step) -> list[SSAValue]:
    """Take a step for each tensor of weights; the inputs are all weights, then all gradients."""
    rate, count, *given = op.operands
    total = len(given) // (states + 1)
    if total * (states + 1) != len(given) or not total:
        raise ConversionError(f"{len(given)} tensors are no weights, gradients and states")
    found: list[list[Term]] = []
    for weights, gradient, *others in ([Term(b, x) for x in given[i::total]] for i in range(total)):
        type_ = weights.value.type
        if any(shape_of(x.value.type) != shape_of(type_) for x in (gradient, *others)):
            raise ConversionError(f"gradients or states do not have the shape of {type_}")
        own_rate, own_count = (Term(b, b.reshape(x, ())) for x in (rate, count))
        like = weights.element
        sized = b.number(op, "norm_coefficient") * weights + gradient.cast(like)
        own = [weights, *(state.cast(like) for state in others)]
        found.append(step(own_rate.cast(like), own_count, sized, own))
    return [made[i].value for i in range(states) for made in found]
