"""Scalar expressions of the halide dialect as C++ text, as one would write them by hand.

A value that is used once is inlined; one that is used more often, or that would make a line too
long, gets a name.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import FloatAttr, f32, f64, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from autodeploy.codegen.halide.tables import (
    CALL_VALUES,
    ELEMENTS,
    EXPRESSIONS,
    Call,
    Cast,
    Infix,
    Prefix,
    spelling,
)
from autodeploy.dialects.halide.algorithm import LoadOp, YieldOp
from autodeploy.dialects.halide.call_values import CallValueOp
from autodeploy.dialects.halide.expression import AddOp, ConstOp
from autodeploy.dialects.halide.types import BufferType, FuncType
from autodeploy.dialects.nn.types import ELEMENT_BYTES, ui32, ui64

LONGEST = 80
"""Length in characters beyond which the longest operand of an expression gets a name."""

_SHORT = 16

_PREFIX, _COMPARISON, _AND, _OR = 3, (9, 10), 14, 15


class Text(NamedTuple):
    """The text of a value and how tightly its outermost operator binds (0: most tightly).

    ``is_literal`` marks a bare C++ number, which becomes a Halide expression only next to one.
    """

    text: str
    rank: int = 0
    is_literal: bool = False

    def as_expression(self) -> str:
        """Return text that is a Halide expression by itself."""
        return f"Expr({self.text})" if self.is_literal else self.text


class ExpressionWriter:
    """Writes the regions of funcs and updates as statements.

    ``sources`` are the C++ names of buffers and funcs; ``fresh`` makes a C++ name that nothing else
    has from one that is wished for.
    """

    def __init__(self, sources: Mapping[SSAValue, str], fresh: Callable[[str], str]):
        self._sources = sources
        self._fresh = fresh

    def statements(
        self, func: SSAValue, rank: int, point: Sequence[str], block: Block
    ) -> list[str]:
        """Return the statements that define ``func`` by the region's ``block``.

        ``point`` holds the C++ names of the region's arguments, of which the first ``rank`` are the
        func's dimensions. Adding to the func's own value is written with ``+=``.
        """
        last = block.last_op
        assert isinstance(last, YieldOp)
        value, implied = _without_own_value(func, rank, last.value, block)
        values: dict[SSAValue, Text] = {}
        for argument, name in zip(block.args, point, strict=True):
            values[argument] = Text(name)
        lines: list[str] = []
        for op in block.ops:
            values |= {v: self._outside(v) for v in op.operands if _is_outside(v, block)}
            if op is last or op in implied:
                continue
            result = op.results[0]
            values[result] = self._text(op, values)
            while len(values[result].text) > LONGEST:
                parts = [v for v in op.operands if v in values and isinstance(v.owner, Operation)]
                longest = max(parts, key=lambda v: len(values[v].text), default=None)
                if longest is None or len(values[longest].text) <= _SHORT:
                    break
                self._give_name(longest, values, lines)
                values[result] = self._text(op, values)
            if not values[result].is_literal and not result.has_one_use():
                self._give_name(result, values, lines)
        left = f"{self._sources[func]}({', '.join(point[:rank])})"
        return [*lines, f"{left} {'+=' if implied else '='} {values[value].text};"]

    def text(self, value: SSAValue) -> str:
        """Return a scalar outside of all regions, such as the end of a reduction."""
        return self._outside(value).text

    def _outside(self, value: SSAValue) -> Text:
        op = value.owner
        assert isinstance(op, Operation)
        scalars = [operand for operand in op.operands if _is_scalar(operand)]
        return self._text(op, {scalar: self._outside(scalar) for scalar in scalars})

    def _give_name(self, value: SSAValue, values: dict[SSAValue, Text], lines: list[str]) -> None:
        op = value.owner
        assert isinstance(op, Operation)
        name = self._fresh(value.name_hint or op.name.rpartition(".")[2])
        lines.append(f"Expr {name} = {values[value].as_expression()};")
        values[value] = Text(name)

    def _text(self, op: Operation, values: Mapping[SSAValue, Text]) -> Text:
        if isinstance(op, ConstOp):
            return literal(op)
        if isinstance(op, LoadOp):
            indices = ", ".join(values[index].text for index in op.indices)
            return Text(f"{self._sources[op.source]}({indices})")
        if isinstance(op, CallValueOp):
            dimension = f"{self._sources[op.buffer]}.dim({op.dimension.value.data})"
            return Text(f"{dimension}.{spelling(CALL_VALUES, op)}()")
        operands = [values[operand] for operand in op.operands]
        match spelling(EXPRESSIONS, op):
            case Infix(symbol=symbol, rank=rank):
                return _infix(symbol, rank, *operands)
            case Prefix(symbol=symbol):
                inner = operands[0].as_expression()
                return Text(
                    f"{symbol}({inner})" if operands[0].rank else f"{symbol}{inner}", _PREFIX
                )
            case Cast(function=function):
                return Text(f"{function}<{ELEMENTS[op.results[0].type].cpp}>({operands[0].text})")
            case Call() as call:
                texts = [operand.text for operand in operands]
                if all(operand.is_literal for operand in operands):
                    texts[0] = operands[0].as_expression()
                text = f"{call.function}({', '.join(texts)})"
                type_ = op.results[0].type
                return Text(
                    f"cast<{ELEMENTS[type_].cpp}>({text})" if call.needs_cast(type_) else text
                )


def _is_scalar(value: SSAValue) -> bool:
    return not isinstance(value.type, BufferType | FuncType)


def _is_outside(value: SSAValue, block: Block) -> bool:
    """Return whether a value is a scalar outside of a region."""
    return (
        _is_scalar(value) and isinstance(value.owner, Operation) and value.owner.parent is not block
    )


def _without_own_value(
    func: SSAValue, rank: int, value: SSAValue, block: Block
) -> tuple[SSAValue, tuple[Operation, ...]]:
    """Return the summand and the ops left out where ``value`` is the func's own plus a summand."""
    add = value.owner
    if isinstance(add, AddOp) and add.result.has_one_use():
        load = add.lhs.owner
        if (
            isinstance(load, LoadOp)
            and load.source is func
            and tuple(load.indices) == tuple(block.args[:rank])
            and load.result.has_one_use()
        ):
            return add.rhs, (load, add)
    return value, ()


def _infix(symbol: str, rank: int, left: Text, right: Text) -> Text:
    def side(operand: Text, is_right: bool) -> str:
        # Beyond what C++ needs, comparisons and mixed logic get parentheses for the reader.
        wanted = operand.rank > rank or (is_right and operand.rank == rank)
        wanted |= rank in _COMPARISON and operand.rank in (_PREFIX, *_COMPARISON)
        wanted |= rank == _OR and operand.rank == _AND
        return f"({operand.text})" if wanted else operand.text

    both = left.is_literal and right.is_literal
    first = left.as_expression() if both else side(left, is_right=False)
    return Text(f"{first} {symbol} {side(right, is_right=True)}", rank)


def literal(op: ConstOp) -> Text:
    """Return a constant as C++ text: a bare number where Halide gives it the right type.

    -0.0 is written by its bits: Halide takes two constants for the same value that compare equal.
    """
    type_, value = op.result.type, op.value.value.data
    if isinstance(op.value, FloatAttr):
        if is_negative_zero(value):
            bits = 8 * ELEMENT_BYTES[type_]
            sign = f"UINT64_C({1 << (bits - 1)})"
            return Text(f"reinterpret<{ELEMENTS[type_].cpp}>(cast<uint{bits}_t>(Expr({sign})))")
        if type_ == f32:
            return Text(float_text(value), is_literal=True)
        double = f"Expr({_double_text(value)})"
        return Text(double if type_ == f64 else f"cast<{ELEMENTS[type_].cpp}>({double})")
    number = int(value)
    if type_ == i32:
        return Text("INT32_MIN" if number == -(1 << 31) else str(number), is_literal=True)
    if type_ == i64:
        return Text("Expr(INT64_MIN)" if number == -(1 << 63) else f"Expr(INT64_C({number}))")
    if type_ == ui64:
        return Text(f"Expr(UINT64_C({number % (1 << 64)}))")
    if type_ == ui32:
        return Text(f"Expr(uint32_t({number % (1 << 32)}u))")
    return Text(f"cast<{ELEMENTS[type_].cpp}>({number})")


def is_negative_zero(value: float) -> bool:
    """Return whether a number is -0.0, which compares equal to 0.0."""
    return value == 0.0 and math.copysign(1.0, value) < 0.0


def float_text(value: float) -> str:
    """Return the shortest C++ literal of the float nearest to ``value``."""
    if math.isnan(value):
        return "NAN"
    try:
        packed = struct.pack("f", value)
    except OverflowError:
        packed = struct.pack("f", math.copysign(math.inf, value))
    nearest: float = struct.unpack("f", packed)[0]
    if math.isinf(nearest):
        return "-INFINITY" if nearest < 0 else "INFINITY"
    for digits in range(1, 10):
        text = f"{nearest:.{digits}g}"
        if struct.pack("f", float(text)) == packed:
            return _with_point(text) + "f"
    raise AssertionError("nine digits tell all floats apart")


def _double_text(value: float) -> str:
    if math.isnan(value):
        return "double(NAN)"
    if math.isinf(value):
        return "double(-INFINITY)" if value < 0 else "double(INFINITY)"
    return _with_point(repr(value))


def _with_point(text: str) -> str:
    return text if "." in text or "e" in text else f"{text}.0"
