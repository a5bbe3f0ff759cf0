"""Options whose value begins with a name: ``--shape NAME=1,3,224,224``, ``--last OUTPUT:AXIS``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from autodeploy.diagnostics import UserError

if TYPE_CHECKING:
    from autodeploy.frontend.extent_expressions import FollowingExtent
    from autodeploy.frontend.open_sizes import OpenSpec
    from autodeploy.frontend.states import StateNames

T = TypeVar("T")

EXTENT = "[0-9]{1,18}"
"""A number that fits into the 64 bits that a model has for an extent."""

_SHAPE = re.compile(rf"\s*({EXTENT}(\s*,\s*{EXTENT})*|{EXTENT}(\s*x\s*{EXTENT})*)?\s*")


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Read ``name=1,3,224,224`` or ``name=1x3x224x224``, with blanks or without.

    A name may hold ``=`` and ``:``, a scalar has no extents. Raises ``UserError`` for another
    form, and for a name that is given twice, as all of these functions do.
    """
    return _by_name(texts, "--shape", "shape", "the shape of", "'name=1,3,224,224'", _shape)


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Read ``name=1``."""
    return _by_name(texts, "--dim", "extent", "the extent", "'name=1'", _extent)


def parse_values(texts: Sequence[str]) -> dict[str, list[float]]:
    """Read ``name=224,224``: integers, other numbers, or ``true`` and ``false``."""
    return _by_name(texts, "--value", "value", "the value of", "'name=224,224'", _elements)


def parse_bounds(texts: Sequence[str]) -> dict[str, int]:
    """Read ``name=2000``, or ``*=2000``."""
    return _by_name(texts, "--bound", "bound", "the bound of", "'name=2000'", _extent)


def parse_last(texts: Sequence[str] | None) -> dict[str, int]:
    """Read ``output:axis`` for each output."""
    form = "'output:axis', such as 'logits:1'"
    return _by_name(texts or (), "--last", "output", "the output", form, _axis, mark=":")


def parse_state(texts: Sequence[str] | None) -> StateNames | None:
    """Read ``output=input`` for each state, or ``auto`` alone; ``None`` without any."""
    if not texts:
        return None
    from autodeploy.frontend.states import AUTO

    if list(texts) == [AUTO]:
        return AUTO
    form = "'output=input', or 'auto' alone"
    return _by_name(texts, "--state", "state", "the output", form, lambda name: name or None)


def parse_dynamic(texts: Sequence[str] | None) -> tuple[OpenSpec | FollowingExtent, ...]:
    """Read ``name=1..32`` for each open number; several names of one have commas between them.

    A name is one that the model has, or ``input:axis``. The range is a text for
    ``OpenSpec.of_text``.
    """
    if not texts:
        return ()
    from autodeploy.frontend.open_sizes import OpenSpec

    return tuple(
        OpenSpec.of_text(names, numbers)
        for names, _, numbers in (text.rpartition("=") for text in texts)
    )


def _by_name(
    texts: Sequence[str],
    option: str,
    kind: str,
    what: str,
    form: str,
    read: Callable[[str], T | None],
    *,
    mark: str = "=",
) -> dict[str, T]:
    """Return what a function reads after each name; it returns ``None`` for another form."""
    found: dict[str, T] = {}
    for text in texts:
        name, _, rest = text.rpartition(mark)
        value = read(rest) if name else None
        if value is None:
            raise UserError(f"malformed {kind} '{text}', expected {form}")
        if name in found:
            raise UserError(f"option '{option}' gives {what} '{name}' twice")
        found[name] = value
    return found


def _shape(text: str) -> tuple[int, ...] | None:
    return tuple(map(int, re.findall(EXTENT, text))) if _SHAPE.fullmatch(text) else None


def _extent(text: str) -> int | None:
    return int(text) if re.fullmatch(EXTENT, text) else None


def _axis(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _elements(text: str) -> list[float] | None:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    try:
        return [_element(word) for word in words]
    except ValueError:
        return None


def _element(word: str) -> float:
    """Return a number, a boolean or an integer as such; raises ``ValueError`` for other words."""
    if word in ("true", "false"):
        return word == "true"
    if re.fullmatch("[+-]?[0-9]{1,20}", word):
        return int(word)
    if not re.fullmatch("[+-]?([0-9.]+(e[+-]?[0-9]+)?|inf|nan)", word.lower()):
        raise ValueError(word)
    return float(word)
