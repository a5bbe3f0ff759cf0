"""Pointwise functions that follow the layers of networks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf
from typing import ClassVar

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import (
    NUMBER,
    TENSOR,
    NNOp,
    check_floats,
    check_numbers,
    check_same_element,
)
from autodeploy.dialects.nn.pointwise import BinaryOp, FloatUnaryOp, PointwiseOp, UnaryOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.types import shape_of


def clip(s: Scalars[E], x: E, low: float | None, high: float | None) -> E:
    """min(max(x, low), high), nan kept; the upper bound wins where they cross."""
    if low is not None:
        x = s.maximum(low, x)
    return x if high is None else s.minimum(high, x)


class ClampOp(UnaryOp, ABC):
    """The nearest number of an interval; nan stays nan."""

    CLAMPS: ClassVar[bool] = True

    @property
    @abstractmethod
    def interval(self) -> tuple[float, float]:
        """The lowest and the highest number."""

    def simplified(self) -> SSAValue | NNOp | None:
        (low, high), before = self.interval, self.x.owner
        if (low, high) == (-inf, inf):
            return self.x
        if not isinstance(before, ClampOp):
            return super().simplified()
        first = before.interval
        if not (first[0] <= first[1] and low <= high):
            return None  # empty, or a bound is nan
        low, high = (min(max(bound, low), high) for bound in first)
        return ClipOp(before.x, None if low == -inf else low, None if high == inf else high)


@irdl_op_definition
class ReluOp(ClampOp):
    """max(x, 0); nan stays nan."""

    name = "nn.relu"

    @property
    def interval(self) -> tuple[float, float]:
        return 0.0, inf

    def simplified(self) -> SSAValue | NNOp | None:
        return self.x if isinstance(self.x.owner, ReluOp) else super().simplified()

    def body(self, s: Scalars[E], x: E) -> E:
        return s.maximum(0, x)


@irdl_op_definition
class ClipOp(ClampOp):
    """min(max(x, min), max); an absent bound bounds nothing, nan stays nan."""

    name = "nn.clip"

    min = opt_prop_def(NUMBER)
    max = opt_prop_def(NUMBER)

    def __init__(self, x: SSAValue, min: float | None = None, max: float | None = None):
        low, high = (None if bound is None else float(bound) for bound in (min, max))
        self.init_inferred([x], min=low, max=high)

    @property
    def interval(self) -> tuple[float, float]:
        low, high = self.min, self.max
        return -inf if low is None else low.value.data, inf if high is None else high.value.data

    def body(self, s: Scalars[E], x: E) -> E:
        low, high = (None if n is None else n.value.data for n in (self.min, self.max))
        return clip(s, x, low, high)


@irdl_op_definition
class LeakyReluOp(FloatUnaryOp):
    """X where it is positive, alpha * x elsewhere."""

    name = "nn.leaky_relu"

    alpha = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float):
        self.init_inferred([x], alpha=float(alpha))

    def body(self, s: Scalars[E], x: E) -> E:
        return s.where(x < 0, x * self.alpha.value.data, x)


@irdl_op_definition
class PReluOp(PointwiseOp):
    """X where it is not negative, x * slope elsewhere; the slope broadcasts to x.

    One op, not the choice between two values that it is, so that a convolution before it has one
    user.
    """

    name = "nn.prelu"

    x = operand_def(TENSOR)
    slope = operand_def(TENSOR)

    def __init__(self, x: SSAValue, slope: SSAValue):
        self.init_inferred([x, slope])

    def simplified(self) -> SSAValue | NNOp | None:
        return None  # x says the shape of the result

    def result_element(self) -> Attribute:
        """Check the constraints.

        - (prelu_c1) elements are numbers
        - (prelu_c2) the slope broadcasts to x
        """
        element = check_same_element(self.operands)
        check_numbers("prelu_c1", self, self.x)
        if self.shape != shape_of(self.x.type):
            raise invalid(
                "prelu_c2", f"slope {self.slope.type} does not broadcast to {self.x.type}"
            )
        return element

    def body(self, s: Scalars[E], x: E, slope: E) -> E:
        return s.where(x < 0, x * slope, x)


@irdl_op_definition
class EluOp(FloatUnaryOp):
    """X where it is positive, alpha * (exp(x) - 1) elsewhere."""

    name = "nn.elu"

    alpha = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float):
        self.init_inferred([x], alpha=float(alpha))

    def body(self, s: Scalars[E], x: E) -> E:
        return s.where(x < 0, s.expm1(x) * self.alpha.value.data, x)


@irdl_op_definition
class SigmoidOp(FloatUnaryOp):
    """1 / (1 + exp(-x)), without overflow at either end."""

    name = "nn.sigmoid"
    CONTRACTS: ClassVar[bool] = True

    def body(self, s: Scalars[E], x: E) -> E:
        return s.sigmoid(x)


@irdl_op_definition
class HardSigmoidOp(FloatUnaryOp):
    """min(max(alpha * x + beta, 0), 1)."""

    name = "nn.hard_sigmoid"

    alpha = prop_def(NUMBER)
    beta = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float, beta: float):
        self.init_inferred([x], alpha=float(alpha), beta=float(beta))

    def body(self, s: Scalars[E], x: E) -> E:
        return clip(s, x * self.alpha.value.data + self.beta.value.data, 0.0, 1.0)


@irdl_op_definition
class SwishOp(FloatUnaryOp):
    """x * sigmoid(x), also called SiLU."""

    name = "nn.swish"
    CONTRACTS: ClassVar[bool] = True

    def body(self, s: Scalars[E], x: E) -> E:
        return x * s.sigmoid(x)


@irdl_op_definition
class GateOp(BinaryOp):
    """Lhs * sigmoid(rhs)."""

    name = "nn.gate"
    CONTRACTS: ClassVar[bool] = True

    def result_element(self) -> Attribute:
        """Check (gate_c1) that elements are floats."""
        element = check_same_element(self.operands)
        check_floats("gate_c1", self, self.lhs)
        return element

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs * s.sigmoid(rhs)


@irdl_op_definition
class SoftplusOp(FloatUnaryOp):
    """log(1 + exp(x)), without overflow and with the digits of small results."""

    name = "nn.softplus"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.softplus(x)


@irdl_op_definition
class MishOp(FloatUnaryOp):
    """x * tanh(softplus(x)).

    With t = exp(-|x|) the hyperbolic tangent is a fraction of positive terms: (1 + 2t) over itself
    plus 2t², or t (2 + t) over itself plus 2 where x is negative.
    """

    name = "nn.mish"

    def body(self, s: Scalars[E], x: E) -> E:
        falls = x < 0
        power = s.exp(s.where(falls, x, -x))
        part = s.where(falls, power * (power + 2.0), power * 2.0 + 1.0)
        rest = s.where(~falls, power * power * 2.0, 2.0)
        return x * (part / (part + rest))


@irdl_op_definition
class TanhOp(FloatUnaryOp):
    """Hyperbolic tangent."""

    name = "nn.tanh"
    CONTRACTS: ClassVar[bool] = True

    def body(self, s: Scalars[E], x: E) -> E:
        return s.tanh(x)


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """Gauss error function."""

    name = "nn.erf"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.where(s.equals(x, 0.0), x, s.erf(x))


@irdl_op_definition
class GeluOp(FloatUnaryOp):
    """x / 2 * (1 + erf(x / sqrt(2)))."""

    name = "nn.gelu"
    CONTRACTS: ClassVar[bool] = True

    def body(self, s: Scalars[E], x: E) -> E:
        return x * s.normal(x)
