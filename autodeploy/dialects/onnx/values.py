"""Constant tensors that the nn dialect cannot hold, and text as an attribute.

Tensors of nn's element types are ``#nn.dense`` or ``#nn.weight``. Here are the others:
``#onnx.strings<["a", "b"] : tensor<2x!onnx.string>>`` and, for complex numbers and elements of less
than a byte, ``#onnx.raw<"0x…" : tensor<8xi4>>`` with the bytes as ONNX packs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    ComplexType,
    FixedBitwidthType,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import element_count
from autodeploy.dialects.onnx.types import StringType

TextAttr: TypeAlias = StringAttr | BytesAttr
"""Text: a ``StringAttr`` where it is ASCII, else its UTF-8 bytes, so that it reads back equal."""


def text_attr(text: bytes | str) -> TextAttr:
    """Return the attribute for a text; it prints as a string literal and reads back equal."""
    data = text.encode() if isinstance(text, str) else text
    return StringAttr(data.decode()) if data.isascii() else BytesAttr(data)


def text_bytes(attribute: TextAttr) -> bytes:
    """Return the UTF-8 bytes of a text attribute."""
    return attribute.data.encode() if isinstance(attribute, StringAttr) else attribute.data


def element_bits(element: Attribute) -> int:
    """Return the bits that one packed element takes; raises ``VerifyException`` for strings."""
    if element == i1:
        return 8
    if isinstance(element, FixedBitwidthType):
        return element.bitwidth
    if isa(element, ComplexType):
        return 2 * element_bits(element.element_type)
    raise invalid("raw_c2", f"elements of type {element} have no fixed size")


@irdl_attr_definition
class RawAttr(ParametrizedAttribute):
    """A tensor as the bytes of ONNX's ``raw_data``, little-endian, small elements packed."""

    name = "onnx.raw"

    data: BytesAttr
    type: TensorType[Attribute]

    def __init__(self, data: bytes, type: TensorType[Attribute]):
        super().__init__(BytesAttr(data), type)

    def verify(self) -> None:
        """Check the constraints.

        - (raw_c1) there are as many bytes as the type takes
        - (raw_c2) elements have a fixed size
        """
        bits = element_count(self.type) * element_bits(self.type.get_element_type())
        expected, found = (bits + 7) // 8, len(self.data.data)
        if found != expected:
            raise invalid(
                "raw_c1", f"onnx.raw of type {self.type} takes {expected} bytes, found {found}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<"0x…" : tensor<…>>``."""
        with parser.in_angle_brackets():
            text = parser.parse_str_literal()
            if not text.startswith("0x"):
                parser.raise_error("expected a string that starts with 0x")
            try:
                data = bytes.fromhex(text[2:])
            except ValueError:
                parser.raise_error("expected an even number of hexadecimal digits after 0x")
            parser.parse_punctuation(":")
            return [BytesAttr(data), parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Print ``<"0x…" : tensor<…>>``."""
        with printer.in_angle_brackets():
            printer.print_string_literal("0x" + self.data.data.hex())
            printer.print_string(" : ")
            printer.print_attribute(self.type)


@irdl_attr_definition
class StringsAttr(ParametrizedAttribute):
    """A tensor of strings, row by row."""

    name = "onnx.strings"

    values: ArrayAttr[TextAttr]
    type: TensorType[StringType]

    def __init__(self, values: Iterable[bytes | str], shape: Sequence[int]):
        super().__init__(
            ArrayAttr(text_attr(value) for value in values), TensorType(StringType(), shape)
        )

    def verify(self) -> None:
        """Check (strings_c1) that there is a string for each element."""
        expected, found = element_count(self.type), len(self.values.data)
        if found != expected:
            raise invalid(
                "strings_c1",
                f"onnx.strings of type {self.type} takes {expected} strings, found {found}",
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<["a", "b"] : tensor<2x!onnx.string>>``."""
        with parser.in_angle_brackets():
            values = parser.parse_attribute()
            if not isa(values, ArrayAttr[TextAttr]):
                parser.raise_error("expected a list of strings")
            parser.parse_punctuation(":")
            return [values, parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        """Print ``<["a", "b"] : tensor<2x!onnx.string>>``."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.values)
            printer.print_string(" : ")
            printer.print_attribute(self.type)


TensorValue: TypeAlias = DenseAttr | WeightAttr | RawAttr | StringsAttr
"""A constant tensor as an attribute of an onnx op."""
