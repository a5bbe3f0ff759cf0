"""Element types that a program takes, returns and moves, and that no op computes with.

Within nn a tensor of codes stands for a tensor of them: an integer of 4 or 2 bits is an integer of
8 bits, a small float the unsigned integer of its bits. The caller of a program packs elements of
fewer than 8 bits: two elements of 4 bits or four of 2 bits share a byte, the first in the low bits,
and the bits after the last element are 0. A string is in a cell, whose bytes its type states;
within nn a tensor of cells has one more axis, that of the bytes."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import (
    FixedBitwidthType,
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    IntAttr,
    IntegerType,
    Signedness,
    i8,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    ELEMENT_NAMES,
    element_of,
    largest_count,
    ui8,
)

STORED_ATTRIBUTE = "nn.stored"
"""The type of an input or an output whose elements no op computes with."""

i4, i2 = IntegerType(4), IntegerType(2)
ui4, ui2 = (IntegerType(width, Signedness.UNSIGNED) for width in (4, 2))

SMALL_INTEGERS = (i4, i2, ui4, ui2)

STORED_NAMES: dict[Attribute, str] = {
    Float8E4M3FNType(): "float8_e4m3fn",
    Float8E4M3FNUZType(): "float8_e4m3fnuz",
    Float8E5M2Type(): "float8_e5m2",
    Float8E5M2FNUZType(): "float8_e5m2fnuz",
    Float8E8M0FNUType(): "float8_e8m0fnu",
    Float4E2M1FNType(): "float4_e2m1fn",
    ui4: "uint4",
    i4: "int4",
    ui2: "uint2",
    i2: "int2",
}
"""The name of each element type in ml_dtypes."""

INTERFACE_NAMES = {**ELEMENT_NAMES, **STORED_NAMES}
"""The name of each element type of an input or an output, strings aside."""

MAX_CELL_BYTES = 1 << 16
"""The most bytes of the cell of an input's string."""


@irdl_attr_definition
class CellType(ParametrizedAttribute, TypeAttribute):
    """Element type of an input or output of strings: ``!nn.string<64>``.

    A string is stored in a cell of that many bytes: UTF-8, then zeros, one of them at least.
    """

    name = "nn.string"

    cell: IntAttr

    def __init__(self, cell: int):
        super().__init__(IntAttr(cell))

    @property
    def bytes(self) -> int:
        """Return the bytes of a cell."""
        return self.cell.data

    def verify(self) -> None:
        """Check (string_c1) that there is room for a zero byte."""
        if self.bytes < 1:
            raise invalid(
                "string_c1", f"a cell of a string has 1 byte at least, found {self.bytes}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        """Parse ``<64>``."""
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))]

    def print_parameters(self, printer: Printer) -> None:
        """Print ``<64>``."""
        with printer.in_angle_brackets():
            printer.print_string(str(self.bytes))


def interface_name(element: Attribute) -> str:
    """Return the name of an element type of an input or an output: ``string64`` for strings."""
    if isinstance(element, CellType):
        return f"string{element.bytes}"
    return INTERFACE_NAMES[element]


def interface_element(name: str) -> Attribute | None:
    """Return the element type that ``interface_name`` gives a name, ``None`` if it is none."""
    bytes_ = cell_bytes(name)
    return _ELEMENTS.get(name) if bytes_ is None else CellType(bytes_)


def cell_bytes(name: str) -> int | None:
    """Return the bytes of a cell of the strings of a type by its name, ``None`` for other types."""
    found = _STRING.fullmatch(name)
    return None if found is None else int(found[1])


_ELEMENTS = {name: element for element, name in INTERFACE_NAMES.items()}

_STRING = re.compile(r"string([1-9][0-9]{0,9})")


def element_bits(element: Attribute) -> int:
    """Return the bits of one element as a program takes it."""
    if isinstance(element, CellType):
        return 8 * element.bytes
    if element in ELEMENT_BYTES:
        return 8 * ELEMENT_BYTES[element]
    assert isinstance(element, FixedBitwidthType)
    return element.bitwidth


def is_small_float(element: Attribute) -> bool:
    """Return whether codes of elements are the bits of floats."""
    return element in STORED_NAMES and element not in SMALL_INTEGERS


def code_element(element: Attribute) -> Attribute:
    """Return the type of the codes that stand for elements."""
    return i8 if element in (i4, i2) else ui8


def interface_bytes(type_: Attribute) -> int:
    """Return the bytes of a tensor as a program takes it."""
    return (largest_count(type_) * element_bits(element_of(type_)) + 7) // 8
