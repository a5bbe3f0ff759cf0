"""The ``--shape NAME=1,3,224,224`` option, which both tools have."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autodeploy.diagnostics import UserError

_EXTENTS = r"([0-9]{1,18}(,[0-9]{1,18})*)?"
"""Numbers that fit into the 64 bits that a model has for an extent."""


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Read ``name=1,3,224,224``; a name may hold ``=`` and ``:``, a scalar has no extents.

    Raises ``UserError`` for what is not of this form, and for a name that is given twice.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, extents = text.rpartition("=")
        if not name or not re.fullmatch(_EXTENTS, extents):
            raise UserError(f"malformed shape '{text}', expected 'name=1,3,224,224'")
        if name in shapes:
            raise UserError(f"option '--shape' gives the shape of '{name}' twice")
        shapes[name] = tuple(int(extent) for extent in extents.split(",") if extent)
    return shapes
