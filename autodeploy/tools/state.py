"""The option ``--state``: ``OUTPUT=INPUT``, or ``auto``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autodeploy.diagnostics import UserError

if TYPE_CHECKING:
    from autodeploy.frontend.states import StateNames


def parse_state(texts: Sequence[str] | None) -> StateNames | None:
    """Read ``output=input`` for each state, or ``auto`` alone; ``None`` without any.

    Raises ``UserError`` for another form, and for an output that is given twice.
    """
    if not texts:
        return None
    from autodeploy.frontend.states import AUTO

    if list(texts) == [AUTO]:
        return AUTO
    pairs: dict[str, str] = {}
    for text in texts:
        output, _, input_ = text.rpartition("=")
        if not output or not input_:
            raise UserError(f"malformed state '{text}', expected 'output=input', or 'auto' alone")
        if output in pairs:
            raise UserError(f"option '--state' gives the output '{output}' twice")
        pairs[output] = input_
    return pairs
