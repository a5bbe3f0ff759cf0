"""Formulas of nn values, written with the operators of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn import arithmetic as a
from autodeploy.dialects.nn import logic
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.pointwise import BinaryOp, UnaryOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of
from autodeploy.frontend.nn.builder import NnBuilder

Number: TypeAlias = "Term | float"


def _operator(op: type[BinaryOp], *, swapped: bool = False) -> Callable[[Term, Number], Term]:
    """Return what applies an op to a term and another one, or a number, which may come first."""

    def apply(x: Term, other: Number) -> Term:
        y = x.same(other)
        return x.made(op(y.value, x.value) if swapped else op(x.value, y.value))

    return apply


def _function(op: type[UnaryOp] | type[logic.NotOp]) -> Callable[[Term], Term]:
    return lambda x: x.made(op(x.value))


@dataclass(frozen=True, eq=False)
class Term:
    """A value, to which the ops of a formula are added; a number next to it has its type."""

    builder: NnBuilder
    value: SSAValue

    @property
    def element(self) -> Attribute:
        """Return the element type."""
        return element_of(self.value.type)

    def made(self, op: NNOp) -> Term:
        """Return the result of an op, which is put before the one at hand."""
        return Term(self.builder, self.builder.emit(op))

    def same(self, other: Number) -> Term:
        """Return a number as a term of this type, and a term as it is."""
        if isinstance(other, Term):
            return other
        return Term(self.builder, self.builder.scalar(other, self.element))

    def cast(self, element: Attribute) -> Term:
        """Convert the elements."""
        return Term(self.builder, self.builder.cast(self.value, element))

    def where(self, on_true: Term, on_false: Number) -> Term:
        """Return one of two terms by this one, which is boolean."""
        return self.made(logic.WhereOp(self.value, on_true.value, on_true.same(on_false).value))

    def folded(self, kind: Reduction, axes: Sequence[int]) -> Term:
        """Reduce over axes, which stay with an extent of 1."""
        return self.made(ReduceOp(self.value, kind, axes, keepdims=True))

    __add__ = _operator(a.AddOp)
    __radd__ = _operator(a.AddOp, swapped=True)
    __sub__ = _operator(a.SubOp)
    __rsub__ = _operator(a.SubOp, swapped=True)
    __mul__ = _operator(a.MulOp)
    __rmul__ = _operator(a.MulOp, swapped=True)
    __truediv__ = _operator(a.DivOp)
    __rtruediv__ = _operator(a.DivOp, swapped=True)
    __rpow__ = _operator(a.PowOp, swapped=True)
    __lt__ = _operator(logic.LessOp)
    __gt__ = _operator(logic.LessOp, swapped=True)
    __le__ = _operator(logic.LessEqualOp)
    __ge__ = _operator(logic.LessEqualOp, swapped=True)
    __and__ = _operator(logic.AndOp)
    __or__ = _operator(logic.OrOp)
    __xor__ = _operator(logic.XorOp)
    minimum = _operator(a.MinOp)
    maximum = _operator(a.MaxOp)
    equals = _operator(logic.EqualOp)
    __neg__ = _function(a.NegOp)
    __invert__ = _function(logic.NotOp)
    abs = _function(a.AbsOp)
    sqrt = _function(a.SqrtOp)
    exp = _function(a.ExpOp)
    log = _function(a.LogOp)
    sin = _function(a.SinOp)
    cos = _function(a.CosOp)
    floor = _function(a.FloorOp)
    ceil = _function(a.CeilOp)
    round = _function(a.RoundOp)
