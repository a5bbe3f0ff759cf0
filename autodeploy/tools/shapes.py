"""The options ``--shape NAME=1,3,224,224``, ``--dim``, ``--value`` and ``--bound NAME=2000``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autodeploy.diagnostics import UserError

EXTENT = "[0-9]{1,18}"
"""A number that fits into the 64 bits that a model has for an extent."""

_SHAPE = re.compile(rf"\s*({EXTENT}(\s*,\s*{EXTENT})*|{EXTENT}(\s*x\s*{EXTENT})*)?\s*")


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Read ``name=1,3,224,224`` or ``name=1x3x224x224``, with blanks or without.

    A name may hold ``=`` and ``:``, a scalar has no extents. Raises ``UserError`` for another
    form, and for a name that is given twice.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, extents = text.rpartition("=")
        if not name or not _SHAPE.fullmatch(extents):
            raise UserError(f"malformed shape '{text}', expected 'name=1,3,224,224'")
        if name in shapes:
            raise UserError(f"option '--shape' gives the shape of '{name}' twice")
        shapes[name] = tuple(map(int, re.findall(EXTENT, extents)))
    return shapes


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Read ``name=1``; raises ``UserError`` as ``parse_shapes`` does."""
    dims: dict[str, int] = {}
    for text in texts:
        name, _, extent = text.rpartition("=")
        if not name or not re.fullmatch(EXTENT, extent):
            raise UserError(f"malformed extent '{text}', expected 'name=1'")
        if name in dims:
            raise UserError(f"option '--dim' gives the extent '{name}' twice")
        dims[name] = int(extent)
    return dims


def parse_values(texts: Sequence[str]) -> dict[str, list[float]]:
    """Read ``name=224,224``: integers, other numbers, or ``true`` and ``false``.

    Raises ``UserError`` as ``parse_shapes`` does.
    """
    values: dict[str, list[float]] = {}
    for text in texts:
        name, _, listed = text.rpartition("=")
        words = [word.strip() for word in listed.split(",")] if listed.strip() else []
        try:
            elements = [_element(word) for word in words]
        except ValueError:
            raise UserError(f"malformed value '{text}', expected 'name=224,224'") from None
        if not name:
            raise UserError(f"malformed value '{text}', expected 'name=224,224'")
        if name in values:
            raise UserError(f"option '--value' gives the value of '{name}' twice")
        values[name] = elements
    return values


def parse_bounds(texts: Sequence[str]) -> dict[str, int]:
    """Read ``name=2000``, or ``*=2000``; raises ``UserError`` as ``parse_shapes`` does."""
    bounds: dict[str, int] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name or not re.fullmatch(EXTENT, number):
            raise UserError(f"malformed bound '{text}', expected 'name=2000'")
        if name in bounds:
            raise UserError(f"option '--bound' gives the bound of '{name}' twice")
        bounds[name] = int(number)
    return bounds


def _element(word: str) -> float:
    """Return a number, a boolean or an integer as such; raises ``ValueError`` for other words."""
    if word in ("true", "false"):
        return word == "true"
    if re.fullmatch("[+-]?[0-9]{1,20}", word):
        return int(word)
    if not re.fullmatch("[+-]?([0-9.]+(e[+-]?[0-9]+)?|inf|nan)", word.lower()):
        raise ValueError(word)
    return float(word)
