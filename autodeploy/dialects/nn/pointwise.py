"""Pointwise ops: one output element from the elements at the same place of each operand.

Binary and ternary ops broadcast by NumPy's rules. What each op means is told by its docstring; the
lowering has one table that gives each the same meaning in Halide.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, f64, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, traits_def
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn.base import NUMBER, TENSOR, NNOp, Tensor, check_same_element
from autodeploy.dialects.nn.types import (
    broadcast_shapes,
    element_of,
    is_bool,
    is_float,
    shape_of,
    tensor,
)


class PointwiseOp(NNOp, ABC):
    """An op that computes each element from the elements at the same place of its operands."""

    @property
    def aligned_operands(self) -> Sequence[SSAValue]:
        """All operands, which are broadcast together."""
        return self.operands

    def dropped_axes(self) -> tuple[int, ...] | None:
        """Return none: any order of axes will do."""
        return ()


class UnaryOp(PointwiseOp, ABC):
    """One operand, a result of the same type."""

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue):
        self.init_inferred([x])

    def infer_result_type(self) -> Tensor:
        """Return the operand's type; booleans have no arithmetic."""
        element = element_of(self.x.type)
        if is_bool(element):
            raise VerifyException(f"{self.name} takes numbers, found {self.x.type}")
        return tensor(element, shape_of(self.x.type))


class FloatUnaryOp(UnaryOp, ABC):
    """One floating-point operand, a result of the same type."""

    def infer_result_type(self) -> Tensor:
        """Return the operand's type, which is a floating-point one."""
        if not is_float(element_of(self.x.type)):
            raise VerifyException(f"{self.name} takes floating-point numbers, found {self.x.type}")
        return super().infer_result_type()


class BinaryOp(PointwiseOp, ABC):
    """Two operands of one element type, broadcast together."""

    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        self.init_inferred([lhs, rhs])

    def infer_result_type(self) -> Tensor:
        """Return the broadcast type."""
        element = check_same_element([self.lhs, self.rhs])
        return tensor(self.result_element(element), broadcast_shapes(*map(_shape, self.operands)))

    def result_element(self, operand_element: Attribute) -> Attribute:
        """Return the element type of the result; arithmetic keeps that of its operands."""
        if is_bool(operand_element):
            raise VerifyException(f"{self.name} takes numbers, found {self.lhs.type}")
        return operand_element


class CompareOp(BinaryOp, ABC):
    """Two operands of one element type, broadcast together; a boolean result."""

    def result_element(self, operand_element: Attribute) -> Attribute:
        """Return the boolean type."""
        return i1


class LogicalOp(BinaryOp, ABC):
    """Two boolean operands, broadcast together; a boolean result."""

    def result_element(self, operand_element: Attribute) -> Attribute:
        """Return the boolean type, which the operands have too."""
        if not is_bool(operand_element):
            raise VerifyException(f"{self.name} takes booleans, found {self.lhs.type}")
        return i1


def _shape(value: SSAValue) -> Sequence[int]:
    return shape_of(value.type)


@irdl_op_definition
class AbsOp(UnaryOp):
    """|x|."""

    name = "nn.abs"


@irdl_op_definition
class NegOp(UnaryOp):
    """-x."""

    name = "nn.neg"


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1 by the sign of x; nan stays nan."""

    name = "nn.sign"


@irdl_op_definition
class ReluOp(UnaryOp):
    """max(x, 0); nan stays nan."""

    name = "nn.relu"


@irdl_op_definition
class ExpOp(FloatUnaryOp):
    """e to the power x."""

    name = "nn.exp"


@irdl_op_definition
class LogOp(FloatUnaryOp):
    """Natural logarithm; nan below zero, -inf at zero."""

    name = "nn.log"


@irdl_op_definition
class SqrtOp(FloatUnaryOp):
    """Square root; nan below zero."""

    name = "nn.sqrt"


@irdl_op_definition
class ReciprocalOp(FloatUnaryOp):
    """1 / x."""

    name = "nn.reciprocal"


@irdl_op_definition
class SinOp(FloatUnaryOp):
    """Sine of x in radians."""

    name = "nn.sin"


@irdl_op_definition
class CosOp(FloatUnaryOp):
    """Cosine of x in radians."""

    name = "nn.cos"


@irdl_op_definition
class TanhOp(FloatUnaryOp):
    """Hyperbolic tangent."""

    name = "nn.tanh"


@irdl_op_definition
class SigmoidOp(FloatUnaryOp):
    """1 / (1 + exp(-x)), without overflow at either end."""

    name = "nn.sigmoid"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """Gauss error function."""

    name = "nn.erf"


@irdl_op_definition
class SwishOp(FloatUnaryOp):
    """x * sigmoid(x), also called SiLU."""

    name = "nn.swish"
    CONTRACTS: ClassVar[bool] = True


@irdl_op_definition
class GeluOp(FloatUnaryOp):
    """x / 2 * (1 + erf(x / sqrt(2)))."""

    name = "nn.gelu"
    CONTRACTS: ClassVar[bool] = True


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """Largest integer not above x."""

    name = "nn.floor"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """Smallest integer not below x."""

    name = "nn.ceil"


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """Nearest integer, halves to even."""

    name = "nn.round"


@irdl_op_definition
class NotOp(PointwiseOp):
    """Logical negation of a boolean."""

    name = "nn.not"

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue):
        self.init_inferred([x])

    def infer_result_type(self) -> Tensor:
        """Return the operand's type, which is boolean."""
        if not is_bool(element_of(self.x.type)):
            raise VerifyException(f"nn.not takes booleans, found {self.x.type}")
        return tensor(i1, shape_of(self.x.type))


@irdl_op_definition
class ClipOp(UnaryOp):
    """min(max(x, min), max); an absent bound bounds nothing, nan stays nan."""

    name = "nn.clip"

    min = opt_prop_def(NUMBER)
    max = opt_prop_def(NUMBER)

    def __init__(self, x: SSAValue, min: float | None = None, max: float | None = None):
        self.init_inferred([x], {"min": _f64(min), "max": _f64(max)})


@irdl_op_definition
class LeakyReluOp(FloatUnaryOp):
    """X where it is positive, alpha * x elsewhere."""

    name = "nn.leaky_relu"

    alpha = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float):
        self.init_inferred([x], {"alpha": FloatAttr(alpha, f64)})


@irdl_op_definition
class EluOp(FloatUnaryOp):
    """X where it is positive, alpha * (exp(x) - 1) elsewhere."""

    name = "nn.elu"

    alpha = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float):
        self.init_inferred([x], {"alpha": FloatAttr(alpha, f64)})


@irdl_op_definition
class HardSigmoidOp(FloatUnaryOp):
    """min(max(alpha * x + beta, 0), 1)."""

    name = "nn.hard_sigmoid"

    alpha = prop_def(NUMBER)
    beta = prop_def(NUMBER)

    def __init__(self, x: SSAValue, alpha: float, beta: float):
        self.init_inferred([x], {"alpha": FloatAttr(alpha, f64), "beta": FloatAttr(beta, f64)})


@irdl_op_definition
class AddOp(BinaryOp):
    """Lhs + rhs."""

    name = "nn.add"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class SubOp(BinaryOp):
    """Lhs - rhs."""

    name = "nn.sub"


@irdl_op_definition
class MulOp(BinaryOp):
    """Lhs * rhs."""

    name = "nn.mul"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class DivOp(BinaryOp):
    """Lhs / rhs; between integers the quotient rounds toward zero."""

    name = "nn.div"


@irdl_op_definition
class PowOp(BinaryOp):
    """Lhs to the power rhs."""

    name = "nn.pow"


@irdl_op_definition
class FmodOp(BinaryOp):
    """The exact remainder of lhs by rhs, with the sign of lhs (C ``fmod``)."""

    name = "nn.fmod"

    def result_element(self, operand_element: Attribute) -> Attribute:
        """Return the operands' element type, which is a floating-point one."""
        if not is_float(operand_element):
            raise VerifyException(
                f"{self.name} takes floating-point numbers, found {self.lhs.type}"
            )
        return operand_element


@irdl_op_definition
class MaxOp(BinaryOp):
    """The larger of both; nan where either is."""

    name = "nn.max"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinOp(BinaryOp):
    """The smaller of both; nan where either is."""

    name = "nn.min"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class EqualOp(CompareOp):
    """Lhs == rhs."""

    name = "nn.equal"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class LessOp(CompareOp):
    """Lhs < rhs."""

    name = "nn.less"


@irdl_op_definition
class LessEqualOp(CompareOp):
    """Lhs <= rhs."""

    name = "nn.less_equal"


@irdl_op_definition
class AndOp(LogicalOp):
    """Both are true."""

    name = "nn.and"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class OrOp(LogicalOp):
    """Either is true."""

    name = "nn.or"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class XorOp(LogicalOp):
    """Exactly one is true."""

    name = "nn.xor"
    traits = traits_def(Pure(), Commutative())


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

    def infer_result_type(self) -> Tensor:
        """Return the type of x."""
        element, shape = check_same_element(self.operands), _shape(self.x)
        if is_bool(element):
            raise VerifyException(f"nn.prelu takes numbers, found {self.x.type}")
        if broadcast_shapes(shape, _shape(self.slope)) != tuple(shape):
            raise VerifyException(f"slope {self.slope.type} does not broadcast to {self.x.type}")
        return tensor(element, shape)


@irdl_op_definition
class WhereOp(PointwiseOp):
    """``on_true`` where the condition holds, ``on_false`` elsewhere; all three broadcast."""

    name = "nn.where"

    condition = operand_def(TENSOR)
    on_true = operand_def(TENSOR)
    on_false = operand_def(TENSOR)

    def __init__(self, condition: SSAValue, on_true: SSAValue, on_false: SSAValue):
        self.init_inferred([condition, on_true, on_false])

    def infer_result_type(self) -> Tensor:
        """Return the broadcast type of all three operands."""
        if not is_bool(element_of(self.condition.type)):
            raise VerifyException(f"the condition must be boolean, found {self.condition.type}")
        element = check_same_element([self.on_true, self.on_false])
        return tensor(element, broadcast_shapes(*map(_shape, self.operands)))


@irdl_op_definition
class CastOp(PointwiseOp):
    """X converted to the element type of the result.

    A float becomes an integer by dropping its fraction; anything but zero becomes true.
    """

    name = "nn.cast"

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue, element: Attribute):
        self.init_typed([x], tensor(element, shape_of(x.type)))

    def infer_result_type(self) -> Tensor:
        """Return the result's own element type with the operand's shape."""
        return tensor(element_of(self.result.type), shape_of(self.x.type))


def _f64(value: float | None) -> Attribute | None:
    return None if value is None else FloatAttr(value, f64)


POINTWISE_OPS = (
    AbsOp, NegOp, SignOp, ReluOp, ExpOp, LogOp, SqrtOp, ReciprocalOp, SinOp, CosOp, TanhOp,
    SigmoidOp, ErfOp, SwishOp, GeluOp, FloorOp, CeilOp, RoundOp, NotOp, ClipOp, LeakyReluOp, EluOp,
    HardSigmoidOp, AddOp, SubOp, MulOp, DivOp, PowOp, FmodOp, MaxOp, MinOp, EqualOp, LessOp,
    LessEqualOp, AndOp, OrOp, XorOp, PReluOp, WhereOp, CastOp,
)  # fmt: skip
