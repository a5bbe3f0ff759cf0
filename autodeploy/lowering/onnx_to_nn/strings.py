"""Values of strings: codes, and a table of the strings that they are numbers of.

A code is a 32-bit integer, the number of a row of the table; a row is a cell of bytes, UTF-8 with
zeros after it. Movements of strings move integers, and the strings themselves stay where they are
until the program outputs them. The context knows the table of each value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.stored import CellType
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp, StringsAttr, StringType, text_bytes
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.stored import MOVED
from autodeploy.weights import Array

CHOSEN = MOVED | frozenset((
    "Compress", "GatherElements", "GatherND", "ReverseSequence", "ScatterElements", "ScatterND",
    "Where", "ai.onnx.ml.ArrayFeatureExtractor",
))  # fmt: skip
"""Operators that choose among the strings of their operands."""

COMPARED = frozenset(("Equal", "Unique"))
"""Operators that ask which strings are equal, and which come first."""

READ = frozenset((
    "Cast", "CastLike", "RegexFullMatch", "SequenceConstruct", "SequenceErase", "SequenceInsert",
    "StringConcat", "StringNormalizer", "StringSplit", "TfIdfVectorizer",
    "ai.onnx.ml.CategoryMapper", "ai.onnx.ml.LabelEncoder", "ai.onnx.ml.OneHotEncoder",
))  # fmt: skip
"""Operators that take strings in a way of their own."""


def take_strings(b: ConversionContext, op: OnnxOp) -> None:
    """Give an op that moves or compares strings codes of one table.

    Raises ``ConversionError`` if the op, or one in its subgraphs, does not take strings.
    """
    if any(value in b.tables for inner in op.walk() if inner is not op for value in inner.operands):
        raise ConversionError("a subgraph that reads strings of its outside is not supported")
    places = [place for place, value in enumerate(op.operands) if value in b.tables]
    if not places:
        return
    name = _name(op)
    if op.regions or name not in CHOSEN | COMPARED | READ:
        raise ConversionError(f"an operand has elements of type {StringType()}")
    if "reduction" in op.schema.attributes and b.text(op, "reduction", "none") != "none":
        raise ConversionError("a reduction of strings is not supported")
    values = [op.operands[place] for place in places]
    if name in COMPARED:
        values = canonical(b, values)
    elif name in CHOSEN:
        values = joined(b, values)
    for place, value in zip(places, values, strict=True):
        op.operands[place] = value


def mark_moved(b: ConversionContext, op: OnnxOp, values: Sequence[SSAValue]) -> None:
    """Note which results of an op that moves strings are codes of the table of its operands.

    Raises ``ConversionError`` if a result should be strings and is none.
    """
    moves = _name(op) in CHOSEN | COMPARED
    table = next((b.tables[value] for value in op.operands if value in b.tables), None)
    for result, value in zip(op.outputs_by_position(), values, strict=False):
        if result is None or not _is_of_strings(result) or value in b.tables:
            continue
        if not moves or table is None or element_of(value.type) != i32:
            raise ConversionError("results that are strings are not supported")
        as_strings(b, value, table)


def _name(op: OnnxOp) -> str:
    """Return the name of an operator, after its domain if that is not ONNX's own."""
    return f"{op.domain}.{op.op_type}" if op.domain else op.op_type


def _is_of_strings(value: SSAValue) -> bool:
    element = getattr(value.type, "element_type", None)
    return element == StringType()


def as_strings(b: ConversionContext, codes: SSAValue, table: SSAValue) -> SSAValue:
    """Let a value stand for strings: numbers of rows of a table."""
    b.stored[codes] = StringType()
    b.tables[codes] = table
    return codes


def all_rows(b: ConversionContext, table: SSAValue, shape: Sequence[int]) -> SSAValue:
    """Return the strings of a table, row after row, in a shape."""
    codes = as_strings(b, b.places(prod(shape), shape, np.int32), table)
    b.in_order.add(codes)
    return codes


def cells_of(strings: Sequence[bytes], width: int | None = None) -> Array:
    """Return the cells of strings, of the least width that fits all where none is given.

    Raises ``ConversionError`` for a zero byte, which no string of C can hold.
    """
    if any(b"\0" in string for string in strings):
        raise ConversionError("a string with a zero byte is not supported")
    width = max(map(len, strings), default=0) + 1 if width is None else width
    data = b"".join(string.ljust(width, b"\0") for string in strings)
    return np.frombuffer(data, np.uint8).reshape(len(strings), width)


def string_constant(b: ConversionContext, value: StringsAttr) -> SSAValue:
    """Make a constant of strings."""
    table = b.make_constant(cells_of([text_bytes(text) for text in value.values]))
    return all_rows(b, table, value.type.get_shape())


def of_rows(b: ConversionContext, x: SSAValue, made: SSAValue) -> SSAValue:
    """Return for each string of ``x`` what was made of its row of the table."""
    if x in b.in_order:
        return b.reshape(made, (*shape_of(x.type), *shape_of(made.type)[1:]))
    return _like(b, x, b.emit(GatherOp(made, x, 0)))


def joined(b: ConversionContext, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Return values of strings as codes of one table."""
    tables = list(dict.fromkeys(b.tables[value] for value in values))
    if len(tables) < 2:
        return list(values)
    width = max(shape_of(table.type)[1] for table in tables)
    starts = list(accumulate((shape_of(table.type)[0] for table in tables), initial=0))
    whole = b.emit(ConcatOp([_widened(b, table, width) for table in tables], 0))
    return [in_table(b, v, whole, starts[tables.index(b.tables[v])]) for v in values]


def in_table(b: ConversionContext, x: SSAValue, table: SSAValue, start: int = 0) -> SSAValue:
    """Return the strings that another table has for ``x``, whose rows begin at ``start`` there."""
    codes = b.array(x)
    if codes is not None and x not in b.bounded and not isinstance(start, Extent):
        moved = codes.astype(np.int32) + np.int32(start)
        return as_strings(b, b.make_constant(moved), table)
    # Also with nothing to add it is another value, of another table.
    return as_strings(b, _like(b, x, b.emit(AddOp(x, b.scalar(start, i32)))), table)


def _like(b: ConversionContext, x: SSAValue, made: SSAValue) -> SSAValue:
    """Let as many elements of a value count as of another one."""
    if x in b.bounded:
        b.bounded[made] = b.bounded[x]
    return made


def _widened(b: ConversionContext, table: SSAValue, width: int) -> SSAValue:
    more = width - shape_of(table.type)[1]
    return table if not more else b.emit(PadOp(table, [0, 0, 0, more]))


def canonical(b: ConversionContext, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Return values of strings as codes that are equal, or below, where the strings are."""
    values = joined(b, values)
    table = b.tables[values[0]]
    list_ = tensor(i32, shape_of(table.type)[:1])
    ranks, first = b.call("text_order", [table], [list_, list_], rows=True)
    ordered = b.emit(GatherOp(table, first, 0))
    return [as_strings(b, of_rows(b, value, ranks), ordered) for value in values]


def cells(b: ConversionContext, x: SSAValue) -> tuple[SSAValue, CellType]:
    """Return the cells of strings, as a program gives them out, and their type."""
    table = b.tables[x]
    return of_rows(b, x, table), CellType(shape_of(table.type)[1])
