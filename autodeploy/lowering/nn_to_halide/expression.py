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
from xdsl.rewriter import Rewriter

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.halide.algorithm import LoadOp
from autodeploy.dialects.nn.types import highest, is_bool, is_float, is_unsigned

Number: TypeAlias = "Expr | int | float"
Coordinate: TypeAlias = "Expr | int"


class Scope:
    """The region under construction, and its ops so far.

    ``fast_math`` is the pipeline's: it says whether arithmetic needs ``halide.strict``. ``hide``
    takes a float and returns the same number in a form that LLVM cannot simplify; it is ``None``
    if LLVM may simplify. ``fuses`` says that ``a * b + c`` becomes one instruction, which rounds
    once.
    """

    def __init__(
        self,
        block: Block,
        fast_math: bool = False,
        hide: Callable[[Expr], Expr] | None = None,
        fuses: bool = False,
    ):
        self.block = block
        self.fast_math = fast_math
        self.hide = hide
        self.fuses = fuses
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

    def strictly(self, make: Callable[[], Expr]) -> Expr:
        """Return what ``make`` gives, computed as IEEE 754 says."""
        fuses, self.fuses = self.fuses, False
        try:
            return make().strict()
        finally:
            self.fuses = fuses

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


def _function(op: type[h.UnaryOp] | type[h.IsNanOp]) -> Callable[[Expr], Expr]:
    """Return what applies an op to an expression."""
    return lambda x: x.scope.emit((op, x.value), op(x.value))


def _operator(
    op: type[h.BinaryOp] | type[h.CompareOp], of_integers: type[h.BitwiseOp] | None = None
) -> Callable[[Expr, Number], Expr]:
    """Return what applies an op to an expression and another one, or a number of its type.

    If the op is for booleans, there may be another one for integers.
    """

    def apply(x: Expr, other: Number) -> Expr:
        right = x.same(other).value
        kind = op if of_integers is None or is_bool(x.type) else of_integers
        return x.scope.emit((kind, x.value, right), kind(x.value, right))

    return apply


_add, _subtract, _multiply = map(_operator, (h.AddOp, h.SubOp, h.MulOp))
_divide, _modulo, _exclusive = map(_operator, (h.DivOp, h.ModOp, h.BitXorOp))
_absolute, _strictly, _negated = map(_function, (h.AbsOp, h.StrictOp, h.NotOp))


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

    def _is_index_identity(self, other: Number, neutral: int) -> bool:
        return self.type == i32 and isinstance(other, int) and other == neutral

    def __add__(self, other: Number) -> Expr:
        if self._is_index_identity(other, 0):
            return self
        if self.type == i32 and isinstance(other, int) and other < 0:
            return self - (-other)
        return _add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Number) -> Expr:
        return self if self._is_index_identity(other, 0) else _subtract(self, other)

    def __rsub__(self, other: float | int) -> Expr:
        return self.same(other) - self

    def __mul__(self, other: Number) -> Expr:
        return self if self._is_index_identity(other, 1) else _multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Expr:
        """Return Halide's quotient: between integers it rounds down."""
        return self if self._is_index_identity(other, 1) else _divide(self, other)

    __floordiv__ = __truediv__

    def __rtruediv__(self, other: float | int) -> Expr:
        return self.same(other) / self

    def __mod__(self, other: Number) -> Expr:
        """Return Halide's remainder."""
        return self.scope.const(0) if self._is_index_identity(other, 1) else _modulo(self, other)

    def __neg__(self) -> Expr:
        """Return 0 less this; for floats -1 times this, which keeps the sign of zero."""
        return self * -1.0 if is_float(self.type) else self.same(0) - self

    __lt__ = _operator(h.LtOp)
    __le__ = _operator(h.LeOp)
    equals = _operator(h.EqOp)
    add_saturated = _operator(h.SaturatingAddOp)
    __and__ = _operator(h.AndOp, h.BitAndOp)
    __or__ = _operator(h.OrOp, h.BitOrOp)

    def __xor__(self, other: Expr) -> Expr:
        return ~self.equals(other) if is_bool(self.type) else _exclusive(self, other)

    def __invert__(self) -> Expr:
        """Return the negation of a boolean, or an integer with all bits changed."""
        if is_bool(self.type):
            return _negated(self)
        return self ^ self.same(highest(self.type) if is_unsigned(self.type) else -1)

    def __gt__(self, other: Number) -> Expr:
        return self.same(other) < self

    def __ge__(self, other: Number) -> Expr:
        return self.same(other) <= self

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
        converted = self.scope.emit(("cast", self.value, type_), h.CastOp(self.value, type_))
        # ``halide.strict`` does not cover conversions: LLVM takes their result for finite.
        between_floats = is_float(self.type) and is_float(type_)
        return self.scope.hide(converted) if between_floats and self.scope.hide else converted

    def reinterpret(self, type_: Attribute) -> Expr:
        """Return the value of another type that has the same bits."""
        return self.scope.emit(
            ("reinterpret", self.value, type_), h.ReinterpretOp(self.value, type_)
        )

    minimum = _operator(h.MinOp)
    """Halide's min; nan is not kept."""
    maximum = _operator(h.MaxOp)
    """Halide's max; nan is not kept."""
    pow = _operator(h.PowOp)

    def clamp(self, low: int, high: Expr | int) -> Expr:
        """Return the nearest value within ``low`` to ``high``."""
        return self.maximum(low).minimum(high)

    def abs(self) -> Expr:
        """Return the absolute value; Halide's own of 64-bit floats keeps the sign of zero."""
        if self.type == f64:
            return (self < 0.0).select(-self, self + 0.0)
        return _absolute(self)

    exp = _function(h.ExpOp)
    log = _function(h.LogOp)
    sqrt = _function(h.SqrtOp)
    sin = _function(h.SinOp)
    cos = _function(h.CosOp)
    tanh = _function(h.TanhOp)
    erf = _function(h.ErfOp)
    floor = _function(h.FloorOp)
    ceil = _function(h.CeilOp)
    round = _function(h.RoundOp)
    """To the nearest integer, halves to even."""
    likely = _function(h.LikelyOp)
    """Mark as the value in the steady state of a loop."""
    is_nan = _function(h.IsNanOp)

    def strict(self) -> Expr:
        """Compute this as IEEE 754 says, nan and inf included, in a pipeline that does not."""
        computes = isinstance(self.value.owner, h.ExpressionOp) and self.number is None
        return _strictly(self) if self.scope.fast_math and computes else self


class Before(Scope):
    """Puts new ops before an op; equal ones are not shared."""

    def __init__(self, anchor: Operation):
        block = anchor.parent_block()
        assert block is not None
        # Whatever the pipeline says: sums that round must not be taken apart.
        super().__init__(block, fast_math=True)
        self._anchor = anchor

    def emit(self, key: object, op: Operation) -> Expr:
        """Put ``op`` in front and return its value."""
        self.block.insert_op_before(op, self._anchor)
        return Expr(op.results[0], self)

    def expr(self, value: SSAValue) -> Expr:
        """Return a value of the IR as an expression."""
        return Expr(value, self)


def replace(op: Operation, expression: Expr) -> None:
    """Put an expression in place of an op."""
    Rewriter.replace_op(op, [], [expression.value])
