"""Pointwise arithmetic: signs, roots, powers, rounding, sums and products, conversions."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, traits_def
from xdsl.traits import Commutative, Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import TENSOR, NNOp, check_floats, check_same_element
from autodeploy.dialects.nn.pointwise import BinaryOp, FloatUnaryOp, PointwiseOp, UnaryOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_of,
    is_bool,
    shape_of,
    tensor,
)


@irdl_op_definition
class AbsOp(UnaryOp):
    """|x|."""

    name = "nn.abs"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.abs(x)


@irdl_op_definition
class NegOp(UnaryOp):
    """-x."""

    name = "nn.neg"

    def body(self, s: Scalars[E], x: E) -> E:
        return -x


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1 by the sign of x; nan stays nan."""

    name = "nn.sign"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.sign(x)


@irdl_op_definition
class ReciprocalOp(FloatUnaryOp):
    """1 / x."""

    name = "nn.reciprocal"

    def body(self, s: Scalars[E], x: E) -> E:
        return 1.0 / x


@irdl_op_definition
class SqrtOp(FloatUnaryOp):
    """Square root; nan below zero."""

    name = "nn.sqrt"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.sqrt(x)


@irdl_op_definition
class ExpOp(FloatUnaryOp):
    """e to the power x."""

    name = "nn.exp"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.exp(x)


@irdl_op_definition
class LogOp(FloatUnaryOp):
    """Natural logarithm; nan below zero, -inf at zero."""

    name = "nn.log"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.log(x)


@irdl_op_definition
class SinOp(FloatUnaryOp):
    """Sine of x in radians."""

    name = "nn.sin"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.sin(x)


@irdl_op_definition
class CosOp(FloatUnaryOp):
    """Cosine of x in radians."""

    name = "nn.cos"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.cos(x)


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """Largest integer not above x."""

    name = "nn.floor"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.floor(x)


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """Smallest integer not below x."""

    name = "nn.ceil"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.ceil(x)


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """Nearest integer, halves to even."""

    name = "nn.round"

    def body(self, s: Scalars[E], x: E) -> E:
        return s.round(x)


@irdl_op_definition
class AddOp(BinaryOp):
    """Lhs + rhs."""

    name = "nn.add"
    NEUTRAL: ClassVar = -0.0  # x + 0.0 makes 0.0 of -0.0
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs + rhs


@irdl_op_definition
class SubOp(BinaryOp):
    """Lhs - rhs."""

    name = "nn.sub"
    NEUTRAL: ClassVar = 0.0

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs - rhs


@irdl_op_definition
class MulOp(BinaryOp):
    """Lhs * rhs."""

    name = "nn.mul"
    NEUTRAL: ClassVar = 1.0
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs * rhs


@irdl_op_definition
class DivOp(BinaryOp):
    """Lhs / rhs; between integers the quotient rounds toward zero."""

    name = "nn.div"
    NEUTRAL: ClassVar = 1.0

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.quotient(lhs, rhs)


@irdl_op_definition
class PowOp(BinaryOp):
    """Lhs to the power rhs."""

    name = "nn.pow"

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.power(lhs, rhs)


@irdl_op_definition
class FmodOp(BinaryOp):
    """The exact remainder of lhs by rhs, with the sign of lhs (C ``fmod``)."""

    name = "nn.fmod"

    def result_element(self) -> Attribute:
        """Check (fmod_c1) that elements are floats."""
        element = check_same_element(self.operands)
        check_floats("fmod_c1", self, self.lhs)
        return element

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.remainder(lhs, rhs)


@irdl_op_definition
class MaxOp(BinaryOp):
    """The larger of both; nan where either is."""

    name = "nn.max"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.maximum(lhs, rhs)


@irdl_op_definition
class MinOp(BinaryOp):
    """The smaller of both; nan where either is."""

    name = "nn.min"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.minimum(lhs, rhs)


@irdl_op_definition
class CastOp(PointwiseOp):
    """X converted to the element type of the result.

    A float becomes an integer by dropping its fraction; anything but zero becomes true.
    """

    name = "nn.cast"

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue, element: Attribute):
        self.init_typed([x], tensor(element, shape_of(x.type)))

    def simplified(self) -> SSAValue | NNOp | None:
        return self.x if self.x.type == self.result.type else super().simplified()

    def result_element(self) -> Attribute:
        return element_of(self.result.type)

    def body(self, s: Scalars[E], x: E) -> E:
        return s.convert(x, element_of(self.result.type))


@irdl_op_definition
class BitCastOp(PointwiseOp):
    """The bits of x, read as the element type of the result."""

    name = "nn.bitcast"
    READS_BITS: ClassVar = True

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue, element: Attribute):
        self.init_typed([x], tensor(element, shape_of(x.type)))
        self.result_element()

    def result_element(self) -> Attribute:
        """Check (bitcast_c1) that both types are numbers of as many bytes."""
        given, wanted = element_of(self.x.type), element_of(self.result.type)
        if is_bool(given) or is_bool(wanted) or ELEMENT_BYTES[given] != ELEMENT_BYTES[wanted]:
            raise invalid("bitcast_c1", f"{given} and {wanted} do not have as many bytes")
        return wanted

    def body(self, s: Scalars[E], x: E) -> E:
        return s.reinterpret(x, element_of(self.result.type))
