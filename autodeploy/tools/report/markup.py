"""HTML and SVG as text in which everything that is no markup is escaped."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

from autodeploy.diagnostics import visible


class Markup(str):
    """Text that is markup already."""


Child: TypeAlias = "str | float | None"
"""The content of an element: ``Markup`` as it is, other text escaped, nothing for ``None``."""


def tag(_name: str, *children: Child, **attributes: str | float | None) -> Markup:
    """Return an element; of underscores in names of attributes, the last is dropped, others are -.

    An attribute that is ``None`` is left out.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{_name}{said}>{joined(*children)}</{_name}>")


def joined(*children: Child) -> Markup:
    """Return the concatenated children."""
    return Markup("".join(c if isinstance(c, Markup) else _text(c) for c in children))


def _text(value: Child) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return "" if value is None else escape(visible(str(value), "\t\n\u00a0"))
