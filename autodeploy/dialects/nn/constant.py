"""``nn.constant`` and its two kinds of value.

``#nn.dense`` holds a small value in the text itself: decimal where that reads back to the same
bits, hexadecimal otherwise (nan, inf, long lists), one element where all are equal. ``#nn.weight``
names a value by the hash of its content; the bytes are in a weight store next to the text
(``autodeploy.weights``), so the text stays short and nothing is copied.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import BytesAttr, StringAttr, TensorType, bf16
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.hints import isa

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    ELEMENT_NAMES,
    bounds_of,
    is_bool,
    is_float,
    largest_count,
)

MAX_DECIMAL_ELEMENTS = 16
"""Longer lists print as one hexadecimal string."""

_STRUCT_CODES = {
    "float64": "d", "float32": "f", "float16": "e", "int8": "b", "int16": "h", "int32": "i",
    "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "bool": "?",
}  # fmt: skip


def _decimal(value: float | int | bool, code: str) -> str:
    """Print a number in as few digits as give its bits back, a point before any exponent."""
    if not isinstance(value, float):
        return str(int(value))
    if value.is_integer() and abs(value) < 1e16:
        return repr(value)
    bits = struct.pack(code, value)
    short = (f"{value:.{digits}g}" for digits in range(1, 17))
    text = repr(next((n for n in map(float, short) if _packs_to(code, n, bits)), value))
    mantissa, exponent, power = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return mantissa + exponent + power


def _packs_to(code: str, value: float, bits: bytes) -> bool:
    try:
        return struct.pack(code, value) == bits
    except OverflowError:  # a rounded-up largest value
        return False


def _pack(value: float | int, element: Attribute, code: str) -> bytes:
    """Return a number's bytes; raises ``struct.error`` or ``OverflowError`` if it has none."""
    if is_bool(element) and value not in (0, 1):
        raise struct.error
    return struct.pack(f"<{code}", float(value) if is_float(element) else value)


@irdl_attr_definition
class DenseAttr(ParametrizedAttribute):
    """A small tensor value inside the text: little-endian bytes, all elements or one for all."""

    name = "nn.dense"

    data: BytesAttr
    type: TensorType[Attribute]

    def __init__(self, data: bytes, type: TensorType[Attribute]):
        super().__init__(BytesAttr(data), type)

    @property
    def is_splat(self) -> bool:
        """Return whether one stored element stands for all."""
        return len(self.data.data) == self._element_bytes() != self._element_bytes() * self.count

    @property
    def count(self) -> int:
        """Return the number of elements of the tensor."""
        return largest_count(self.type)

    def _element_bytes(self) -> int:
        return ELEMENT_BYTES[self.type.get_element_type()]

    def verify(self) -> None:
        """Check the constraints.

        - (dense_c1) elements have a type of nn
        - (dense_c2) there are the bytes of all elements, or of one for all
        - (dense_c3) bytes of booleans are 0 or 1
        """
        element = self.type.get_element_type()
        if element not in ELEMENT_BYTES:
            raise invalid("dense_c1", f"nn.dense holds no elements of type {element}")
        found, one = len(self.data.data), ELEMENT_BYTES[element]
        if found not in (one, one * self.count):
            raise invalid(
                "dense_c2",
                f"nn.dense of type {self.type} takes {one * self.count} bytes, or {one} for a "
                f"splat, found {found}",
            )
        if is_bool(element) and not set(self.data.data) <= {0, 1}:
            raise invalid(
                "dense_c3",
                f"nn.dense of type {self.type} takes bytes 0 and 1, found {max(self.data.data)}",
            )

    def _code(self) -> str | None:
        return _STRUCT_CODES.get(ELEMENT_NAMES[self.type.get_element_type()])

    def numbers(self) -> tuple[float | int | bool, ...] | None:
        """Return the stored elements as Python numbers; ``None`` for types without such a form."""
        code = self._code()
        if code is None:
            return None
        return tuple(v for (v,) in struct.iter_unpack(f"<{code}", self.data.data))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<[1.0, 2.0] : tensor<2xf32>>``, ``<0.5 : …>`` or ``<"0x…" : …>``."""
        with parser.in_angle_brackets():
            text = parser.parse_optional_str_literal()
            values: list[float | int] = []
            if text is None:
                if parser.parse_optional_punctuation("[") is not None:
                    while parser.parse_optional_punctuation("]") is None:
                        if values:
                            parser.parse_punctuation(",")
                        values.append(parser.parse_number())
                else:
                    values.append(parser.parse_number())
            parser.parse_punctuation(":")
            type_ = parser.parse_type()
            if not isa(type_, TensorType[Attribute]):
                parser.raise_error(f"expected a tensor type, found {type_}")
            element = type_.get_element_type()
            if text is not None:
                if not text.startswith("0x"):
                    parser.raise_error("expected a string that starts with 0x")
                try:
                    return [BytesAttr(bytes.fromhex(text[2:])), type_]
                except ValueError:
                    parser.raise_error("expected an even number of hexadecimal digits after 0x")
            if element not in ELEMENT_NAMES:
                parser.raise_error(f"nn.dense holds no elements of type {element}")
            code = _STRUCT_CODES.get(ELEMENT_NAMES[element])
            if code is None:
                parser.raise_error(f"values of {element} are written in hexadecimal")
            data = bytearray()
            for value in values:
                try:
                    data += _pack(value, element, code)
                except (struct.error, OverflowError):
                    parser.raise_error(f"expected values of {element}, found {value}")
            return [BytesAttr(bytes(data)), type_]

    def print_parameters(self, printer: Printer) -> None:
        """Print the shortest form that reads back to the same bits."""
        with printer.in_angle_brackets():
            code = self._code()
            numbers = self.numbers() if len(self.data.data) <= MAX_DECIMAL_ELEMENTS * 8 else None
            if (
                code is None
                or numbers is None
                or len(numbers) > MAX_DECIMAL_ELEMENTS
                or not all(map(math.isfinite, numbers))
            ):
                printer.print_string_literal("0x" + bytes(self.data.data).hex())
            elif self.is_splat or not self.type.get_shape():
                printer.print_string(_decimal(numbers[0], code))
            else:
                printer.print_string("[" + ", ".join(_decimal(n, code) for n in numbers) + "]")
            printer.print_string(" : ")
            printer.print_attribute(self.type)


@irdl_attr_definition
class WeightAttr(ParametrizedAttribute):
    """A tensor value outside the text: ``#nn.weight<"content hash" : tensor<…>>``."""

    name = "nn.weight"

    key: StringAttr
    type: TensorType[Attribute]

    def __init__(self, key: str, type: TensorType[Attribute]):
        super().__init__(StringAttr(key), type)

    def verify(self) -> None:
        """Check the constraints.

        - (weight_c1) elements have a type of nn
        """
        if self.type.get_element_type() not in ELEMENT_BYTES:
            raise invalid(
                "weight_c1", f"nn.weight holds no elements of type {self.type.get_element_type()}"
            )
        bounds_of(self.type)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<"key" : tensor<…>>``."""
        with parser.in_angle_brackets():
            key = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(":")
            return [key, parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Print ``<"key" : tensor<…>>``."""
        with printer.in_angle_brackets():
            printer.print_string_literal(self.key.data)
            printer.print_string(" : ")
            printer.print_attribute(self.type)


ConstantValue: TypeAlias = DenseAttr | WeightAttr


def with_type(value: ConstantValue, type_: TensorType[Attribute]) -> ConstantValue:
    """Return the same elements with another type."""
    if isinstance(value, DenseAttr):
        return DenseAttr(value.data.data, type_)
    return WeightAttr(value.key.data, type_)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A tensor known at compile time, inline or in the weight store."""

    name = "nn.constant"

    _T: ClassVar = VarConstraint("T", AnyAttr())

    value = prop_def(
        ParamAttrConstraint(DenseAttr, (AnyAttr(), _T))
        | ParamAttrConstraint(WeightAttr, (AnyAttr(), _T))
    )
    result = result_def(_T)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "$value attr-dict"

    def __init__(self, value: ConstantValue):
        super().__init__(properties={"value": value}, result_types=[value.type])


def holds_only(value: SSAValue, number: float) -> bool:
    """Return whether a value is a constant, all of whose elements are ``number`` bit for bit."""
    owner = value.owner
    if not isinstance(owner, ConstantOp) or not isinstance(owner.value, DenseAttr):
        return False
    element = owner.value.type.get_element_type()
    if element == bf16:
        return owner.value.data.data == struct.pack("<f", number)[2:]
    code = _STRUCT_CODES[ELEMENT_NAMES[element]]
    one = struct.pack(f"<{code}", number if is_float(element) else int(number))
    return owner.value.data.data == one
