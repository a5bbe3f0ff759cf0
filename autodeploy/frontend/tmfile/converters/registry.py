"""A node as its converter sees it, and which function converts which operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeAlias, TypeVar

from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, axis_of
from autodeploy.frontend.tmfile.file import ParameterValue, TmNode, operator_name, operator_names
from autodeploy.weights import numpy_dtype


@dataclass(frozen=True)
class Node:
    """A node with its operands; parameters are read by the names that ``operators`` has."""

    tm: TmNode
    operands: tuple[SSAValue, ...]
    results: tuple[Attribute, ...]
    """The element types that the file states for the results."""

    @property
    def operator(self) -> str:
        """Return the name of the operator."""
        return operator_name(self.tm.operator)

    def operand(self, index: int) -> SSAValue:
        """Return an input; raises ``ConversionError`` if the node has fewer."""
        if index >= len(self.operands):
            raise ConversionError(
                f"it has {len(self.operands)} inputs, expected {index + 1} at least"
            )
        return self.operands[index]

    def image(self) -> SSAValue:
        """Return the first input, which is one image or several; raises ``ConversionError``."""
        x = self.operand(0)
        if len(shape_of(x.type)) != 4:
            raise ConversionError(f"it takes an image of rank 4, found {x.type}")
        return x

    def parameter(self, b: NnBuilder, index: int) -> SSAValue | None:
        """Return an input that is a weight, in the type of the first input; ``None`` for none."""
        if index >= len(self.operands):
            return None
        element, value = element_of(self.operand(0).type), self.operand(index)
        array = b.array(value)
        if array is not None and element_of(value.type) != element:
            return b.make_constant(array.astype(numpy_dtype(element)))
        return b.cast(value, element)

    def weight(self, b: NnBuilder, index: int) -> SSAValue:
        """Return an input that is a weight, which must be there; raises ``ConversionError``."""
        self.operand(index)
        value = self.parameter(b, index)
        assert value is not None
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        """Return a parameter; ``default`` where an old file lacks it."""
        value = self._value(name, default)
        return value if isinstance(value, int) else int(self.number(name))

    def number(self, name: str) -> float:
        """Return a parameter as a float."""
        value = self._value(name, None)
        if isinstance(value, tuple):
            raise ConversionError(f"parameter '{name}' is a list")
        return float(value)

    def integers(self, name: str) -> tuple[int, ...]:
        """Return a parameter that is a list."""
        value = self._value(name, None)
        return value if isinstance(value, tuple) else ()

    def axis(self, name: str, rank: int) -> int:
        """Return a parameter that is an axis, counted from the front.

        Raises ``ConversionError`` if it is out of range.
        """
        return axis_of(self.integer(name), rank)

    def named_axes(self) -> list[int]:
        """Return the axes that the fields ``dim_0`` to ``dim_3`` name; -2 names none."""
        found = [self.integer(f"dim_{index}") for index in range(4)]
        return [axis for axis in found if axis != -2]

    def _value(self, name: str, default: int | None) -> ParameterValue:
        value = self.tm.parameters.get(name, default)
        if value is None:
            raise ConversionError(f"it has no parameter '{name}'")
        return value


Converter: TypeAlias = Callable[[NnBuilder, Node], Sequence[SSAValue]]
"""Builds the nn ops of a node and returns the values of its outputs, by position.

Raises ``ConversionError`` or ``VerifyException``.
"""

_C = TypeVar("_C", bound=Converter)

_CONVERTERS: dict[int, Converter] = {}
_ON_IMAGES: set[int] = set()


def converts(*names: str, on_images: bool = False) -> Callable[[_C], _C]:
    """Register a converter for operators by their names.

    With ``on_images`` what has rank 4 is handed to it with channels first, and taken so from it.
    Any other converter sees tensors in the order of axes that the file has, which its axes and
    extents speak of.
    """

    def register(converter: _C) -> _C:
        for name in names:
            number = operator_names()[name]
            _CONVERTERS[number] = converter
            if on_images:
                _ON_IMAGES.add(number)
        return converter

    return register


@cache
def _load() -> None:
    """Import the modules of this package, which register their converters."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def is_on_images(operator: int) -> bool:
    """Return whether the converter of an operator takes images with channels first."""
    _load()
    return operator in _ON_IMAGES


def converter_of(operator: int) -> Converter | None:
    """Return the converter of an operator by its number, ``None`` if it has none."""
    _load()
    return _CONVERTERS.get(operator)


def converted_operators() -> tuple[str, ...]:
    """Return the names of all operators that convert, in the order of their numbers."""
    _load()
    return tuple(name for name, number in operator_names().items() if number in _CONVERTERS)
