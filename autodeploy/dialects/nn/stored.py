"""Element types that a program takes, returns and moves, and that no op computes with.

Within nn a tensor of codes stands for a tensor of them: an integer of 4 or 2 bits is an integer of
8 bits, a small float the unsigned integer of its bits. The caller of a program packs what has fewer
than 8 bits: two elements of 4 bits or four of 2 bits lie in a byte, the first in the low bits, and
the bits behind the last element are 0.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    FixedBitwidthType,
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    IntegerType,
    Signedness,
    i8,
)
from xdsl.ir import Attribute

from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    ELEMENT_NAMES,
    element_count,
    element_of,
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
"""The name of each element type of an input or an output."""


def element_bits(element: Attribute) -> int:
    """Return the bits of one element as a program takes it."""
    if element in ELEMENT_BYTES:
        return 8 * ELEMENT_BYTES[element]
    assert isinstance(element, FixedBitwidthType)
    return element.bitwidth


def is_small_float(element: Attribute) -> bool:
    """Tell whether codes of elements are the bits of floats."""
    return element in STORED_NAMES and element not in SMALL_INTEGERS


def code_element(element: Attribute) -> Attribute:
    """Return the type of the codes that stand for elements."""
    return i8 if element in (i4, i2) else ui8


def interface_bytes(type_: Attribute) -> int:
    """Return the bytes of a tensor as a program takes it."""
    return (element_count(type_) * element_bits(element_of(type_)) + 7) // 8
