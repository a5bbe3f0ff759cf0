"""Ops on strings that read their characters, and casts between strings and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod

import numpy as np
from xdsl.dialects.builtin import f64, i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import MaxOp
from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    broadcast_shapes,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
    tensor,
    ui8,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.automaton import automaton
from autodeploy.lowering.onnx_to_nn.bounded import filled, settled
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.labels import find
from autodeploy.lowering.onnx_to_nn.patterns import PatternError, parse_pattern
from autodeploy.lowering.onnx_to_nn.selection import selected
from autodeploy.lowering.onnx_to_nn.strings import all_rows, as_strings, in_table, of_rows

_TO = 3
"""Characters that one becomes in another case at most."""

_OTHER_RULES = ("az", "lt", "tr")
"""Languages with rules of their own for upper and lower case."""


@converts("StringConcat")
def string_concat(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert StringConcat: rows of both tables, one after the other."""
    values = b.operand(op, "X"), b.operand(op, "Y")
    shape = broadcast_shapes(*(shape_of(value.type) for value in values))
    given: list[SSAValue] = []
    width = 1
    for value in values:
        table = b.tables[value]
        width += shape_of(table.type)[1] - 1
        given += [table, b.reshape(b.broadcast(value, shape), (prod(shape),))]
    (table,) = b.call("text_join", given, [tensor(ui8, (prod(shape), width))], rows=True)
    return [all_rows(b, table, shape)]


@converts("StringSplit")
def string_split(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert StringSplit; there is room for as many pieces as a cell can hold."""
    x = b.operand(op, "X")
    shape, table = shape_of(x.type), b.tables[x]
    count, width = prod(shape), shape_of(table.type)[1]
    delimiter = b.text(op, "delimiter", "").encode(errors="surrogateescape")
    longest = width - 1
    room = longest // len(delimiter) + 1 if delimiter else (longest + 1) // 2
    most = b.integer(op, "maxsplit", -1)
    room = room if most < 0 else min(room, most + 1)
    pieces, counts = b.call(
        "text_split",
        [
            table,
            b.reshape(x, (count,)),
            b.make_constant(np.frombuffer(delimiter or b" ", np.uint8)),
        ],
        [tensor(ui8, (count, room, width)), tensor(i64, (count,))],
        [room if most < 0 else most, int(not delimiter)],
        checks=True,
    )
    found = all_rows(b, b.reshape(pieces, (count * room, width)), (*shape, room))
    table = b.tables[found]
    longest_row = b.make_constant(np.zeros(1, np.int64))
    if count:
        longest_row = b.emit(ReduceOp(counts, Reduction.MAX, [0], keepdims=True))
    cut = settled(b, op, 0, found, len(shape), longest_row)
    return [as_strings(b, cut, table), b.reshape(counts, shape)]


@converts("RegexFullMatch")
def regex_full_match(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert RegexFullMatch: the pattern becomes an automaton, which reads each string once."""
    x, pattern = b.operand(op, "X"), b.text(op, "pattern", "")
    try:
        found = automaton(parse_pattern(pattern))
    except PatternError as error:
        raise ConversionError(f"pattern '{pattern}' {error}") from None
    table = b.tables[x]
    (matched,) = b.call(
        "text_match",
        [
            table,
            b.make_constant(np.array(found.starts, np.int32)),
            b.make_constant(np.array(found.classes, np.int32)),
            b.make_constant(np.array(found.steps, np.int32)),
        ],
        [tensor(i1, shape_of(table.type)[:1])],
        rows=True,
    )
    return [of_rows(b, x, matched)]


@converts("StringNormalizer")
def string_normalizer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert StringNormalizer: stop words are left out, then each character changes its case.

    If nothing is left, there is one empty string.
    """
    x, action = b.operand(op, "X"), b.text(op, "case_change_action", "NONE")
    shape, table = shape_of(x.type), b.tables[x]
    if len(shape) not in (1, 2) or shape[:-1] not in ((), (1,)):
        raise ConversionError(f"it takes a list of strings, or one row, found {list(shape)}")
    if action not in ("NONE", "LOWER", "UPPER"):
        raise ConversionError(f"case_change_action '{action}' is unknown")
    if b.text(op, "locale", "")[:2].lower() in _OTHER_RULES:
        raise ConversionError(f"locale '{b.text(op, 'locale', '')}' is not supported")
    words = b.strings(op, "stopwords")
    kept = number = None
    if words:
        if b.integer(op, "is_case_sensitive"):
            known = find(b, table, words)
        else:
            known = find(b, _in_case(b, table, upper=False), list(map(_lower, words)))
        is_other = b.emit(EqualOp(of_rows(b, x, known.numbers), b.scalar(len(known.order), i32)))
        kept, number = selected(b, is_other, shape[-1])
    if action != "NONE":
        table = _in_case(b, table, upper=action == "UPPER")
    if kept is None and shape[-1]:
        return [in_table(b, x, table)]
    table = b.emit(PadOp(table, [0, 0, 1, 0]))  # an empty string
    empty = b.scalar(shape_of(table.type)[0] - 1, i32)
    if kept is None or not shape[-1]:
        return [as_strings(b, b.reshape(empty, (1,) * len(shape)), table)]
    one = b.scalar(1, i64)
    assert number is not None
    left = b.emit(GatherOp(b.reshape(x, (shape[-1],)), kept, 0))
    codes = b.emit(WhereOp(b.emit(EqualOp(number, b.scalar(0, i64))), empty, left))
    found = settled(b, op, 0, b.reshape(codes, shape), len(shape) - 1, b.emit(MaxOp(number, one)))
    return [as_strings(b, found, table)]


def _in_case(b: ConversionContext, table: SSAValue, *, upper: bool) -> SSAValue:
    """Return a table of the same strings in upper or lower case."""
    rows, width = shape_of(table.type)
    changes = _changes(upper)
    # How much longer a string can become.
    times = max(
        len("".join(map(chr, to)).encode()) / len(chr(own).encode()) for own, to in changes.items()
    )
    wide = int((width - 1) * times) + 1
    entries = [[own, *to, *[0] * (_TO - len(to))] for own, to in changes.items()]
    map_ = b.make_constant(np.array(entries, np.int32))
    return b.call("text_case", [table, map_], [tensor(ui8, (rows, wide))], checks=True)[0]


@cache
def _changes(upper: bool) -> dict[int, tuple[int, ...]]:
    """Return the characters that are others in upper or lower case, by Unicode, in rising order."""
    found: dict[int, tuple[int, ...]] = {}
    for code in range(0x110000):
        own = chr(code)
        to = own.upper() if upper else own.lower()
        if to != own:
            found[code] = tuple(map(ord, to))
    return found


def _lower(word: bytes) -> bytes:
    """Return a string in lower case, character by character, as ``_in_case`` does."""
    text = word.decode(errors="surrogateescape")
    return "".join(character.lower() for character in text).encode(errors="surrogateescape")


_FLOAT_CELL, _INTEGER_CELL = 16, 21
"""Bytes of the longest numbers, such as -1.2345678e-300, and of the zero at their end."""


def numbers_of(b: ConversionContext, x: SSAValue, element: Attribute) -> SSAValue:
    """Return the numbers that strings hold; the program ends with an error where one holds none.

    Strings that do not count may hold anything.
    """
    shape = shape_of(x.type)
    rows = filled(b, x, -1) if x in b.bounded else x
    given = b.tables[x], b.reshape(rows, (prod(shape),))
    if is_float(element):
        types = [tensor(f64, (prod(shape),))]
        results = b.call("text_to_float", given, types, checks=True, rows=True)
    else:
        wide = i64 if is_bool(element) else element
        limits = [8 * ELEMENT_BYTES[wide], int(not is_unsigned(wide))]
        types = [tensor(i64, (prod(shape),))]
        results = b.call("text_to_integer", given, types, limits, checks=True, rows=True)
    return b.cast(b.reshape(results[0], shape), element)


def text_of(b: ConversionContext, x: SSAValue) -> SSAValue:
    """Return strings of numbers: floats with 8 digits at most, booleans as 1 and 0."""
    shape, element = shape_of(x.type), element_of(x.type)
    flat = b.reshape(b.cast(x, f64 if is_float(element) else i64), (prod(shape),))
    if is_float(element):
        types = [tensor(ui8, (prod(shape), _FLOAT_CELL))]
        (table,) = b.call("text_of_float", [flat], types, rows=True)
    else:
        types = [tensor(ui8, (prod(shape), _INTEGER_CELL))]
        is_signed = [int(not is_unsigned(element))]
        (table,) = b.call("text_of_integer", [flat], types, is_signed, rows=True)
    return all_rows(b, table, shape)
