"""Halide expressions written with operators.

``Expr`` wraps a value inside the region of a ``halide.func``; arithmetic on it appends ops to that
region. Equal expressions are made once, and the integer identities of index arithmetic
(``x * 1``, ``x + 0``) make none, so the IR reads as one would write it by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import f64, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.halide.algorithm import LoadOp
from autodeploy.dialects.nn.types import is_bool, is_float

Number: TypeAlias = "Expr | int | float"
Coordinate: TypeAlias = "Expr | int"


class Scope:
    """The region under construction, and what it holds already.

    ``fast_math`` is the pipeline's: it says whether arithmetic needs ``halide.strict``.
    """

    def __init__(self, block: Block, fast_math: bool = False):
        self.block = block
        self.fast_math = fast_math
        self._made: dict[Hashable, Expr] = {}

    def emit(self, key: Hashable, op: Operation) -> Expr:
        """Append ``op`` unless one with the same key is there; return its value."""
        known = self._made.get(key)
        if known is not None:
            return known
        self.block.add_op(op)
        expression = Expr(op.results[0], self)
        self._made[key] = expression
        return expression

    def once(self, key: Hashable, make: Callable[[], Expr]) -> Expr:
        """Return what ``make`` gave when it was first asked for under this key."""
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = make()
        return known

    def const(self, value: float | int, type_: Attribute = i32) -> Expr:
        """Return a number of the given type (an index by default)."""
        number = float(value) if is_float(type_) else int(value)
        return self.emit(("const", repr(number), type_), h.ConstOp(number, type_))

    def load(self, source: SSAValue, indices: tuple[Coordinate, ...]) -> Expr:
        """Return the element of a func or buffer at the indices, dimension 0 first."""
        values = tuple(self.index(index).value for index in indices)
        return self.emit(("load", source, values), LoadOp(source, values))

    def index(self, coordinate: Coordinate) -> Expr:
        """Return a coordinate as an expression."""
        return coordinate if isinstance(coordinate, Expr) else self.const(coordinate)


@dataclass(frozen=True, eq=False)
class Expr:
    """A scalar inside a region under construction."""

    value: SSAValue
    scope: Scope

    @property
    def type(self) -> Attribute:
        """Return the element type."""
        return self.value.type

    @property
    def number(self) -> float | int | None:
        """Return the value of a constant, ``None`` for anything else."""
        owner = self.value.owner
        return owner.value.value.data if isinstance(owner, h.ConstOp) else None

    def same(self, other: Number) -> Expr:
        """Return ``other`` as an expression of this one's type."""
        return other if isinstance(other, Expr) else self.scope.const(other, self.type)

    def _unary(self, op: type[h.UnaryOp] | type[h.IsNanOp]) -> Expr:
        return self.scope.emit((op, self.value), op(self.value))

    def _binary(self, op: type[h.BinaryOp] | type[h.CompareOp], other: Number) -> Expr:
        right = self.same(other).value
        return self.scope.emit((op, self.value, right), op(self.value, right))

    def _is_index_identity(self, other: Number, neutral: int) -> bool:
        return self.type == i32 and isinstance(other, int) and other == neutral

    def __add__(self, other: Number) -> Expr:
        """Return the sum."""
        if self._is_index_identity(other, 0):
            return self
        if self.type == i32 and isinstance(other, int) and other < 0:
            return self - (-other)
        return self._binary(h.AddOp, other)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Expr:
        """Return the difference."""
        return self if self._is_index_identity(other, 0) else self._binary(h.SubOp, other)

    def __rsub__(self, other: float | int) -> Expr:
        """Return ``other`` less this."""
        return self.same(other) - self

    def __mul__(self, other: Number) -> Expr:
        """Return the product."""
        return self if self._is_index_identity(other, 1) else self._binary(h.MulOp, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Expr:
        """Return Halide's quotient: between integers it rounds down."""
        return self if self._is_index_identity(other, 1) else self._binary(h.DivOp, other)

    __floordiv__ = __truediv__

    def __rtruediv__(self, other: float | int) -> Expr:
        """Return ``other`` over this."""
        return self.same(other) / self

    def __mod__(self, other: Number) -> Expr:
        """Return Halide's remainder."""
        return (
            self.scope.const(0)
            if self._is_index_identity(other, 1)
            else self._binary(h.ModOp, other)
        )

    def __neg__(self) -> Expr:
        """Return 0 less this; for floats -1 times this, which keeps the sign of zero."""
        return self * -1.0 if is_float(self.type) else self.same(0) - self

    def __lt__(self, other: Number) -> Expr:
        """Compare."""
        return self._binary(h.LtOp, other)

    def __le__(self, other: Number) -> Expr:
        """Compare."""
        return self._binary(h.LeOp, other)

    def __gt__(self, other: Number) -> Expr:
        """Compare."""
        return self.same(other)._binary(h.LtOp, self)

    def __ge__(self, other: Number) -> Expr:
        """Compare."""
        return self.same(other)._binary(h.LeOp, self)

    def equals(self, other: Number) -> Expr:
        """Compare for equality."""
        return self._binary(h.EqOp, other)

    def __and__(self, other: Expr) -> Expr:
        """Return the conjunction of two booleans."""
        return self._binary(h.AndOp, other)

    def __or__(self, other: Expr) -> Expr:
        """Return the disjunction of two booleans."""
        return self._binary(h.OrOp, other)

    def __invert__(self) -> Expr:
        """Return the negation of a boolean."""
        return self._unary(h.NotOp)

    def select(self, on_true: Expr, on_false: Number) -> Expr:
        """Return one of two values by this boolean."""
        other = on_true.same(on_false)
        return self.scope.emit(
            ("select", self.value, on_true.value, other.value),
            h.SelectOp(self.value, on_true.value, other.value),
        )

    def cast(self, type_: Attribute) -> Expr:
        """Convert; a float loses its fraction, anything but zero becomes true."""
        if self.type == type_:
            return self
        if is_bool(type_):
            return ~self.equals(0)
        return self.scope.emit(("cast", self.value, type_), h.CastOp(self.value, type_))

    def reinterpret(self, type_: Attribute) -> Expr:
        """Return the value of another type that has the same bits."""
        return self.scope.emit(
            ("reinterpret", self.value, type_), h.ReinterpretOp(self.value, type_)
        )

    def minimum(self, other: Number) -> Expr:
        """Return Halide's min; nan is not kept."""
        return self._binary(h.MinOp, other)

    def maximum(self, other: Number) -> Expr:
        """Return Halide's max; nan is not kept."""
        return self._binary(h.MaxOp, other)

    def clamp(self, low: int, high: int) -> Expr:
        """Return the nearest value within ``low`` to ``high``."""
        return self.maximum(low).minimum(high)

    def pow(self, other: Number) -> Expr:
        """Return the power."""
        return self._binary(h.PowOp, other)

    def abs(self) -> Expr:
        """Return the absolute value; Halide's own of 64-bit floats keeps the sign of zero."""
        if self.type == f64:
            return (self < 0.0).select(-self, self + 0.0)
        return self._unary(h.AbsOp)

    def exp(self) -> Expr:
        """Return e to the power of this."""
        return self._unary(h.ExpOp)

    def log(self) -> Expr:
        """Return the natural logarithm."""
        return self._unary(h.LogOp)

    def sqrt(self) -> Expr:
        """Return the square root."""
        return self._unary(h.SqrtOp)

    def sin(self) -> Expr:
        """Return the sine."""
        return self._unary(h.SinOp)

    def cos(self) -> Expr:
        """Return the cosine."""
        return self._unary(h.CosOp)

    def tanh(self) -> Expr:
        """Return the hyperbolic tangent."""
        return self._unary(h.TanhOp)

    def erf(self) -> Expr:
        """Return the error function."""
        return self._unary(h.ErfOp)

    def floor(self) -> Expr:
        """Round down."""
        return self._unary(h.FloorOp)

    def ceil(self) -> Expr:
        """Round up."""
        return self._unary(h.CeilOp)

    def round(self) -> Expr:
        """Round to the nearest integer, halves to even."""
        return self._unary(h.RoundOp)

    def strict(self) -> Expr:
        """Compute this as IEEE 754 says, nan and inf included, in a pipeline that does not."""
        computes = isinstance(self.value.owner, h.ExpressionOp) and self.number is None
        return self._unary(h.StrictOp) if self.scope.fast_math and computes else self

    def likely(self) -> Expr:
        """Mark this as what the steady state of a loop sees."""
        return self._unary(h.LikelyOp)

    def is_nan(self) -> Expr:
        """Tell whether this is not a number."""
        return self._unary(h.IsNanOp)
