"""Casts between strings and numbers, as onnxruntime reads and writes them."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
    tensor,
    ui8,
)
from autodeploy.lowering.onnx_to_nn.bounded import filled
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.strings import all_rows

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
