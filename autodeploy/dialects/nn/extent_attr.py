"""Extents in types and properties: which integers differ between the numbers of a run, and how.

A type has the largest extents as its shape, so that memory, strides and packed weights are
constants. Its encoding has what the extents are for each number of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from typing import TypeAlias, cast
from weakref import WeakValueDictionary

from typing_extensions import TypeIs
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType, i64
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.irdl import BaseAttr, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.diagnostics import UserError
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import (
    Extent,
    Numbers,
    extent_of,
    keys_of,
    largest_of,
    numbers_of,
)
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.open_range import DERIVED, Derived, OpenRange

Axes: TypeAlias = tuple[Growth, ...]
"""How the extent of each axis of a tensor grows with the numbers, outermost first."""


@dataclass(frozen=True)
class Extents:
    """Integers, some of them extents; two are equal where they are for all numbers of a run."""

    values: tuple[int, ...] = field(compare=False)
    key: tuple[object, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", tuple(keys_of(self.values)))

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """The largest of each; a product with derived numbers has that of the largest of all."""
        return tuple(map(_bound, self.values))

    @cached_property
    def product(self) -> int:
        """All of them multiplied."""
        return prod(self.values)

    @cached_property
    def growths(self) -> tuple[Growth | None, ...]:
        """How each grows: ``CONSTANT`` of a plain integer, ``None`` of what has no such form."""
        return tuple(map(growth_of, self.values))


def _bound(extent: int) -> int:
    if not isinstance(extent, Extent) or not extent.numbers.derived:
        return largest_of(extent)
    growth = growth_of(extent)
    if not growth:
        return extent.most
    return growth.at([range_.most for range_ in extent.numbers.all_ranges])


@irdl_attr_definition
class ExtentsAttr(Data[Extents]):
    """Integers that differ between runs: ``#nn.extents<[d0 * 2, 4], "n", 1 to 64>``.

    ``d0``, ``d1``, … are the numbers of a run, in steps of their ranges, which follow; a quotient
    is rounded down. Further ones are derived: of these follow the digests of tables, which
    ``nn.open_extent`` has. As the encoding of a tensor the integers are its extents.
    """

    name = "nn.extents"

    @property
    def growths(self) -> tuple[Growth | None, ...]:
        """How each integer grows: ``CONSTANT`` of a plain one, ``None`` if in no known form."""
        return self.data.growths

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Extents:
        """Parse expressions of the numbers, and the ranges of these."""
        with parser.in_angle_brackets():
            texts = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_sum(parser)
            )
            parser.parse_punctuation(",")
            numbers = Numbers(parse_range_list(parser), parse_derived(parser, _parse_digest))
        if any(not 0 <= r.least < r.most or r.step < 1 for r in numbers.ranges):
            parser.raise_error(
                "expected ranges of several numbers from 0 on, with a step from 1 on"
            )
        try:
            numbers.check()
            counts = [extent_of(numbers, table) for table in numbers.all_counts]
            found = Extents(tuple(text(counts) for text in texts))
        except (ArithmeticError, IndexError):
            parser.raise_error(f"expected integers of {len(numbers.all_ranges)} numbers")
        except UserError as error:
            parser.raise_error(str(error))
        if numbers_of(*found.values) is None:
            parser.raise_error("expected an integer that differs between runs")
        return found

    def print_parameter(self, printer: Printer) -> None:
        """Print what is parsed; integers in no known form by their range, which is not parsed."""
        numbers = numbers_of(*self.data.values)
        with printer.in_angle_brackets():
            with printer.in_square_brackets():
                pairs = zip(self.data.values, self.growths, strict=True)
                printer.print_list(list(pairs), lambda pair: printer.print_string(_text(*pair)))
            printer.print_string(", ")
            print_range_list(printer, () if numbers is None else numbers.ranges)
            derived = () if numbers is None else numbers.derived
            print_derived(printer, derived, lambda one: printer.print_string_literal(one.digest))


def _text(value: int, growth: Growth | None) -> str:
    if not growth:
        return str(value)
    return growth.text(lambda place: f"d{place}")


_Term: TypeAlias = Callable[[Sequence[int]], int]
"""Returns an integer for the numbers of a run."""


def _parse_sum(parser: AttrParser) -> _Term:
    found = _parse_product(parser)
    while True:
        if parser.parse_optional_punctuation("+") is not None:
            found = _joined(lambda a, b: a + b, found, _parse_product(parser))
        elif parser.parse_optional_punctuation("-") is not None:
            found = _joined(lambda a, b: a - b, found, _parse_product(parser))
        else:
            return found


def _parse_product(parser: AttrParser) -> _Term:
    found = _parse_factor(parser)
    while True:
        if parser.parse_optional_punctuation("*") is not None:
            found = _joined(lambda a, b: a * b, found, _parse_factor(parser))
        elif parser.parse_optional_punctuation("/") is not None:
            found = _joined(lambda a, b: a // b, found, _parse_factor(parser))
        else:
            return found


def _parse_factor(parser: AttrParser) -> _Term:
    if parser.parse_optional_punctuation("(") is not None:
        found = _parse_sum(parser)
        parser.parse_punctuation(")")
        return found
    number = parser.parse_optional_integer(allow_boolean=False)
    if number is not None:
        return lambda counts: number
    name = parser.parse_identifier()
    if not name[1:].isdecimal() or name[0] != "d":
        parser.raise_error(f"expected a number of a run such as d0, found {name}")
    return lambda counts: counts[int(name[1:])]


def _joined(function: Callable[[int, int], int], one: _Term, other: _Term) -> _Term:
    return lambda counts: function(one(counts), other(counts))


def parse_range_list(parser: AttrParser) -> tuple[OpenRange, ...]:
    """Parse ``"name", least to most by step, …``; a step of 1 is left out."""
    found = [_parse_range(parser)]
    while parser.parse_optional_punctuation(",") is not None:
        found.append(_parse_range(parser))
    return tuple(found)


def print_range_list(printer: Printer, ranges: Sequence[OpenRange]) -> None:
    """Print ranges as ``parse_range_list`` reads them."""
    printer.print_list(ranges, lambda range_: _print_range(printer, range_))


def _parse_range(parser: AttrParser) -> OpenRange:
    label = parser.parse_str_literal()
    parser.parse_punctuation(",")
    least = parser.parse_integer()
    parser.parse_keyword("to")
    most, step = parser.parse_integer(), 1
    if parser.parse_optional_keyword("by") is not None:
        step = parser.parse_integer()
    return OpenRange(label, least, most, step)


def _print_range(printer: Printer, range_: OpenRange) -> None:
    printer.print_string_literal(range_.label)
    step = f" by {range_.step}" if range_.step != 1 else ""
    printer.print_string(f", {range_.least} to {range_.most}{step}")


def parse_derived(
    parser: AttrParser, parse: Callable[[AttrParser], Derived]
) -> tuple[Derived, ...]:
    """Parse ``derived (…, …)`` if it is there, each number by a function."""
    if parser.parse_optional_keyword("derived") is None:
        return ()
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse(parser)))


def print_derived(
    printer: Printer, numbers: Sequence[Derived], show: Callable[[Derived], None]
) -> None:
    """Print derived numbers as ``parse_derived`` reads them, nothing without any."""
    if numbers:
        printer.print_string(" derived ")
        with printer.in_parens():
            printer.print_list(numbers, show)


def _parse_digest(parser: AttrParser) -> Derived:
    digest = parser.parse_str_literal()
    if digest not in DERIVED:
        parser.raise_error(f"no nn.open_extent before has the derived number {digest}")
    return DERIVED[digest]


def encoded_type(element: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """Return a tensor type of the largest extents, whose encoding has extents that vary."""
    if not any(isinstance(extent, Extent) for extent in shape):
        return plain_type(element, tuple(map(int, shape)))
    key = element, *keys_of(shape)
    if (found := _ENCODED.get(key)) is None:
        extents = ExtentsAttr(Extents(tuple(shape)))
        found = _ENCODED[key] = TensorType(element, extents.data.bounds, extents)
    return found


_ENCODED: WeakValueDictionary[object, TensorType[Attribute]] = WeakValueDictionary()
"""Types in use that have an encoding: they share what is computed of their extents."""


@lru_cache(maxsize=4096)
def plain_type(element: Attribute, shape: tuple[int, ...]) -> TensorType[Attribute]:
    """Return the one instance of a type without an encoding: models have few, values are many."""
    return TensorType(element, shape)


def is_tensor(type_: Attribute) -> TypeIs[TensorType[Attribute]]:
    """Return whether a type is that of a ranked tensor; ``isa`` takes long to say it."""
    return isinstance(type_, TensorType)


def is_varying(type_: Attribute) -> bool:
    """Return whether a type is that of a tensor with an extent that varies."""
    return encoding_of(type_) is not None


def encoding_of(type_: Attribute) -> ExtentsAttr | None:
    """Return the extents of a tensor with one that varies; ``None`` of another type."""
    if not isinstance(type_, TensorType):
        return None
    encoding = cast("TensorType[Attribute]", type_).encoding
    return encoding if isinstance(encoding, ExtentsAttr) else None


def value_axes(value: SSAValue) -> Axes:
    """Return how the axes of a value grow; none of one that is no tensor."""
    return axes_of_type(value.type) if is_tensor(value.type) else ()


def extents_of(type_: TensorType[Attribute]) -> tuple[int, ...]:
    """Return the extents of a tensor type, negative where they are unknown.

    Raises ``VerifyException`` if the encoding has other ones than the shape.
    """
    encoding = encoding_of(type_)
    if encoding is None:
        return type_.get_shape()
    if encoding.data.bounds != type_.get_shape():
        raise invalid("op_c6", f"{type_} has other extents than its shape")
    return encoding.data.values


def axes_of_type(type_: Attribute) -> Axes:
    """Return how the axes of a tensor type grow; raises ``ValueError`` if one has no form."""
    encoding = encoding_of(type_)
    if encoding is None:
        return (CONSTANT,) * len(cast("TensorType[Attribute]", type_).get_shape())
    found = [growth for growth in encoding.growths if growth is not None]
    if len(found) < len(encoding.growths):
        raise ValueError(f"{type_} has an extent in no known form")
    return tuple(found)


INTEGERS = DenseArrayBase.constr(i64) | BaseAttr(ExtentsAttr)
"""The constraint of a property of 64-bit integers that may differ between runs."""

IntegersAttr: TypeAlias = DenseArrayBase[IntegerType] | ExtentsAttr


def integers_attr(values: Sequence[int]) -> IntegersAttr:
    """Return integers as a property."""
    if any(isinstance(value, Extent) for value in values):
        return ExtentsAttr(Extents(tuple(values)))
    return DenseArrayBase.from_list(i64, list(values))


def integers(attribute: IntegersAttr) -> tuple[int, ...]:
    """Return the integers of a property, extents where they vary."""
    if isinstance(attribute, ExtentsAttr):
        return attribute.data.values
    return tuple(attribute.get_values())
