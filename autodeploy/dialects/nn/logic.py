"""Comparisons, logic of booleans and bits, and the choice between two elements."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, traits_def
from xdsl.traits import Commutative, Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import TENSOR, check_same_element
from autodeploy.dialects.nn.pointwise import CompareOp, LogicalOp, PointwiseOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.types import element_of, is_bool, is_float


@irdl_op_definition
class NotOp(PointwiseOp):
    """The negation of a boolean, or an integer with all bits changed."""

    name = "nn.not"

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue):
        self.init_inferred([x])

    def result_element(self) -> Attribute:
        """Check (not_c1) that elements are booleans or integers."""
        element = element_of(self.x.type)
        if is_float(element):
            raise invalid("not_c1", f"nn.not takes booleans or integers, found {self.x.type}")
        return element

    def body(self, s: Scalars[E], x: E) -> E:
        return ~x


@irdl_op_definition
class AndOp(LogicalOp):
    """Both are true, or the bits that both have."""

    name = "nn.and"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs & rhs


@irdl_op_definition
class OrOp(LogicalOp):
    """Either is true, or the bits that either has."""

    name = "nn.or"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs | rhs


@irdl_op_definition
class XorOp(LogicalOp):
    """Exactly one is true, or the bits that exactly one has."""

    name = "nn.xor"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs ^ rhs


@irdl_op_definition
class EqualOp(CompareOp):
    """Lhs == rhs."""

    name = "nn.equal"
    traits = traits_def(Pure(), Commutative())

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.equals(lhs, rhs)


@irdl_op_definition
class LessOp(CompareOp):
    """Lhs < rhs."""

    name = "nn.less"

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return lhs < rhs


@irdl_op_definition
class LessEqualOp(CompareOp):
    """Lhs <= rhs."""

    name = "nn.less_equal"

    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E:
        return s.less_equal(lhs, rhs)


@irdl_op_definition
class WhereOp(PointwiseOp):
    """``on_true`` where the condition holds, ``on_false`` elsewhere; all three broadcast."""

    name = "nn.where"

    condition = operand_def(TENSOR)
    on_true = operand_def(TENSOR)
    on_false = operand_def(TENSOR)

    def __init__(self, condition: SSAValue, on_true: SSAValue, on_false: SSAValue):
        self.init_inferred([condition, on_true, on_false])

    def result_element(self) -> Attribute:
        """Check (where_c1) that the condition is boolean."""
        if not is_bool(element_of(self.condition.type)):
            raise invalid("where_c1", f"the condition must be boolean, found {self.condition.type}")
        return check_same_element([self.on_true, self.on_false])

    def body(self, s: Scalars[E], condition: E, on_true: E, on_false: E) -> E:
        return s.where(condition, on_true, on_false)
