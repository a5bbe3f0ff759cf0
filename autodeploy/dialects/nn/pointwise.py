"""The families of pointwise ops: one element of the result from those at the same place.

Operands broadcast by NumPy's rules. An op is a class with its name and its ``body``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import operand_def
from xdsl.traits import Commutative

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import (
    TENSOR,
    AxisRead,
    NNOp,
    Tensor,
    check_floats,
    check_numbers,
    check_same_element,
)
from autodeploy.dialects.nn.constant import holds_only
from autodeploy.dialects.nn.movement import BroadcastOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import Iterator, StructuredOp, broadcast_map, parallel
from autodeploy.dialects.nn.types import (
    bounds_of,
    broadcast_shapes,
    element_of,
    is_float,
    shape_of,
    tensor,
)


class PointwiseOp(StructuredOp, ABC):
    """An op that computes each element from the elements at the same place of its operands.

    ``CLAMPS`` says that each element of the result is the one of the only operand or a bound. To
    round the result is then the same as to round the operand.
    """

    CLAMPS: ClassVar[bool] = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape to which the operands broadcast."""
        return broadcast_shapes(*(shape_of(operand.type) for operand in self.operands))

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        return parallel(bounds_of(self.result.type))

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        shape = bounds_of(self.result.type)
        maps = (broadcast_map(bounds_of(operand.type), shape) for operand in self.operands)
        return (*maps, AffineMap.identity(len(shape)))

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes of an operand but those that are broadcast."""
        own, shape = bounds_of(self.operands[index].type), bounds_of(self.result.type)
        first = len(shape) - len(own)
        return [
            AxisRead(first + axis) if extent == shape[first + axis] else None
            for axis, extent in enumerate(own)
        ]

    @property
    def aligned_operands(self) -> Sequence[SSAValue]:
        return self.operands

    def dropped_axes(self) -> tuple[int, ...] | None:
        return ()

    def simplified(self) -> SSAValue | NNOp | None:
        for index, operand in enumerate(self.operands):
            if not isinstance(operand.owner, BroadcastOp):
                continue
            shapes = [shape_of(value.type) for value in self.operands]
            shapes[index] = shape_of(operand.owner.x.type)
            if are_same(broadcast_shapes(*shapes), self.shape):
                # Only now: an op that is thrown away would stay a user of its operands.
                new = self.clone()
                new.operands[index] = operand.owner.x
                return new
        return None

    def infer_result_type(self) -> Tensor:
        return tensor(self.result_element(), self.shape)

    @abstractmethod
    def result_element(self) -> Attribute:
        """Return the element type of the result; raises ``VerifyException`` for wrong operands."""


class UnaryOp(PointwiseOp, ABC):
    """One operand of numbers, a result of the same type."""

    x = operand_def(TENSOR)

    def __init__(self, x: SSAValue):
        self.init_inferred([x])

    @abstractmethod
    def body(self, s: Scalars[E], x: E) -> E: ...

    def result_element(self) -> Attribute:
        """Check (unary_c1) that elements are numbers."""
        check_numbers("unary_c1", self, self.x)
        return element_of(self.x.type)


class FloatUnaryOp(UnaryOp, ABC):
    """One floating-point operand, a result of the same type."""

    def result_element(self) -> Attribute:
        """Check (float_c1) that elements are floats."""
        check_floats("float_c1", self, self.x)
        return element_of(self.x.type)


class BinaryOp(PointwiseOp, ABC):
    """Two operands of numbers of one type, broadcast together.

    ``NEUTRAL`` is a right-hand side that changes no element; a left-hand side, too, where the op is
    commutative.
    """

    NEUTRAL: ClassVar[float | None] = None

    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        self.init_inferred([lhs, rhs])

    @abstractmethod
    def body(self, s: Scalars[E], lhs: E, rhs: E) -> E: ...

    def result_element(self) -> Attribute:
        """Check (binary_c1) that elements are numbers."""
        element = check_same_element([self.lhs, self.rhs])
        check_numbers("binary_c1", self, self.lhs)
        return element

    def simplified(self) -> SSAValue | NNOp | None:
        sides = [(self.lhs, self.rhs), (self.rhs, self.lhs)]
        if self.NEUTRAL is not None:
            for kept, other in sides if self.has_trait(Commutative) else sides[:1]:
                if kept.type == self.result.type and holds_only(other, self.NEUTRAL):
                    return kept
        return super().simplified()


class CompareOp(BinaryOp, ABC):
    """Two operands of one element type, broadcast together; a boolean result."""

    def result_element(self) -> Attribute:
        check_same_element([self.lhs, self.rhs])
        return i1


class LogicalOp(BinaryOp, ABC):
    """Two operands of booleans or of integers, whose bits count; a result of their type."""

    def result_element(self) -> Attribute:
        """Check (logic_c1) that elements are booleans or integers."""
        element = check_same_element([self.lhs, self.rhs])
        if is_float(element):
            raise invalid(
                "logic_c1", f"{self.name} takes booleans or integers, found {self.lhs.type}"
            )
        return element
