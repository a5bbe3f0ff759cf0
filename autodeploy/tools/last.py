"""The option ``--last``: ``OUTPUT:AXIS``."""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.diagnostics import UserError


def parse_last(texts: Sequence[str] | None) -> dict[str, int]:
    """Read ``output:axis`` for each output; raises ``UserError`` for another form."""
    axes: dict[str, int] = {}
    for text in texts or ():
        name, _, axis = text.rpartition(":")
        if not name or not axis.isdecimal():
            raise UserError(
                f"malformed output '{text}', expected 'output:axis', such as 'logits:1'"
            )
        if name in axes:
            raise UserError(f"option '--last' gives the output '{name}' twice")
        axes[name] = int(axis)
    return axes
