"""Which function converts which operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeAlias, TypeVar

from xdsl.ir import SSAValue

from autodeploy.frontend.nn.builder import NnBuilder
from autodeploy.frontend.tmfile.converters.node import Node
from autodeploy.frontend.tmfile.operators import operator_names

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
