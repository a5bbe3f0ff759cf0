"""Extents in types: the encoding of a tensor, where some of its axes differ between runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType, i64
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from autodeploy.dialects.extents import Extent, keys_of, largest_of, last_of


@dataclass(frozen=True)
class Extents:
    """Integers, some of them extents; two are equal where they are for all numbers of a run."""

    values: tuple[int, ...] = field(compare=False)
    key: tuple[object, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", tuple(keys_of(self.values)))


@irdl_attr_definition
class ExtentsAttr(Data[Extents]):
    """The extents of a tensor as its encoding: ``#nn.extents<1..64, 4>``.

    It exists while ONNX's operators are converted. The ranges are printed, not what an extent is
    for each number, so it is not parsed.
    """

    name = "nn.extents"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Extents:
        """Raise: the text does not have the tables."""
        parser.raise_error("extents of a conversion are not parsed")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data.values, lambda value: printer.print_string(str(value)))


def encoded_type(element: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """Return a tensor type of the largest extents, whose encoding has extents that vary."""
    bounds = [largest_of(extent) for extent in shape]
    if not any(isinstance(extent, Extent) for extent in shape):
        return TensorType(element, bounds)
    return TensorType(element, bounds, ExtentsAttr(Extents(tuple(shape))))


def is_varying(type_: Attribute) -> bool:
    """Tell whether a type is that of a tensor with an extent that varies."""
    return _encoding(type_) is not None


def _encoding(type_: Attribute) -> ExtentsAttr | None:
    if not isinstance(type_, TensorType):
        return None
    encoding = cast("TensorType[Attribute]", type_).encoding
    return encoding if isinstance(encoding, ExtentsAttr) else None


def extents_of(type_: TensorType[Attribute]) -> tuple[int, ...]:
    """Return the extents of a tensor type, negative where they are unknown."""
    encoding = _encoding(type_)
    return type_.get_shape() if encoding is None else encoding.data.values


_VARYING = "extents"
"""The key under which an ``array<i64: …>`` stores its extents."""


def extent_array(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """Return integers as a property: those for the largest numbers; it remembers extents."""
    made = DenseArrayBase.from_list(i64, [last_of(value) for value in values])
    if any(isinstance(value, Extent) for value in values):
        vars(made)[_VARYING] = tuple(values)
    return made


def array_extents(attribute: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    """Return the integers of a property, the extents where it remembers them."""
    found = vars(attribute).get(_VARYING)
    return tuple(attribute.get_values()) if found is None else found
