"""The option ``--dynamic``: ``NAME=1..32``, ``NAME=1,2..32``, with a step, or ``NAME=OTHER+1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autodeploy.diagnostics import UserError
from autodeploy.tools.shapes import EXTENT

if TYPE_CHECKING:
    from autodeploy.frontend.following_extents import FollowingExtent
    from autodeploy.frontend.open_sizes import OpenSpec

_PART = re.compile(rf"\s*({EXTENT})\s*(?:\.\.\s*({EXTENT})\s*)?(?::\s*({EXTENT})\s*)?")


def parse_dynamic(texts: Sequence[str] | None) -> tuple[OpenSpec | FollowingExtent, ...]:
    """Read ``name=1..32`` for each open number; several names of one have commas between them.

    A name is one that the model has, or ``input:axis``. Parts of a range have commas between them,
    too, and may be one number: ``name=1,2..32``. A step after the last part is the step of all:
    ``name=64,128..1280:8``; other parts may repeat it. An extent that follows from others is an
    expression of their names: ``mask:1=past+1``. Raises ``UserError`` for another form."""
    return tuple(map(_parse, texts or ()))


def _parse(text: str) -> OpenSpec | FollowingExtent:
    from autodeploy.dialects.nn.parts import Part
    from autodeploy.frontend.extent_expressions import parse_extent
    from autodeploy.frontend.following_extents import FollowingExtent
    from autodeploy.frontend.open_sizes import OpenSpec

    names, _, numbers = text.rpartition("=")
    if names and parse_extent(numbers) is not None:
        return FollowingExtent(tuple(names.split(",")), numbers.strip())
    found = [_PART.fullmatch(part) for part in numbers.split(",")]
    parts = [Part(int(m[1]), int(m[2] or m[1])) for m in found if m is not None]
    steps = [m[3] for m in found if m is not None]
    if (
        not names
        or len(parts) < len(found)
        or any(step not in (None, steps[-1]) for step in steps)
        or (len(parts) == 1 and found[0] is not None and found[0][2] is None)
    ):
        raise UserError(
            f"malformed range '{text}', expected 'name=1..32', 'name=64..1280:8', parts of a "
            "range of one step, such as 'name=1,2..32', or what follows from others, such as "
            "'name=past+1'"
        )
    return OpenSpec.of_parts(tuple(names.split(",")), parts, int(steps[-1] or 1))
