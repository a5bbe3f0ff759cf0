"""Which function converts which versions of which operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple, TypeAlias, TypeVar

from xdsl.ir import SSAValue

from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.context import ConversionContext

Converter: TypeAlias = Callable[[ConversionContext, OnnxOp], Sequence[SSAValue]]
"""Builds the nn ops of an onnx op and returns the values of its outputs, by position.

Trailing outputs may be missing; the driver reports one that is missing but used. Raises
``ConversionError`` or ``VerifyException``.
"""

_C = TypeVar("_C", bound=Converter)


class _Entry(NamedTuple):
    since: int
    until: int | None
    converter: Converter


_ENTRIES: dict[str, list[_Entry]] = {}


def converts(
    *op_types: str, since: int = 1, until: int | None = None, domain: str = ""
) -> Callable[[_C], _C]:
    """Register a converter for operators of ai.onnx, or of another domain.

    ``since`` and ``until`` (inclusive) bound the opset that a version of the operator came with.
    """

    def register(converter: _C) -> _C:
        for op_type in op_types:
            name = f"{domain}.{op_type}" if domain else op_type
            _ENTRIES.setdefault(name, []).append(_Entry(since, until, converter))
        return converter

    return register


@cache
def _load() -> None:
    """Import the modules of this package, which register their converters."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def converter_of(op: type[OnnxOp] | OnnxOp) -> Converter | None:
    """Return the converter of an op or op class, ``None`` if its version has none.

    The text of an operator goes before a converter of its name.
    """
    _load()
    if op.text is not None and op.text.has_body:
        return None
    name = f"{op.domain}.{op.op_type}" if op.domain else op.op_type
    for entry in _ENTRIES.get(name, ()):
        if entry.since <= op.version and (entry.until is None or op.version <= entry.until):
            return entry.converter
    return None


def converted_operators() -> tuple[str, ...]:
    """Return the operators of which some version converts, sorted.

    Those outside of ai.onnx have their domain before their name.
    """
    _load()
    return tuple(sorted(_ENTRIES))
