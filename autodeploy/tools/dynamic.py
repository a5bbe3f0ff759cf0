"""The option ``--dynamic NAME=1..32`` or ``--dynamic NAME=64..1280:8``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.tools.shapes import EXTENT


def parse_dynamic(texts: Sequence[str] | None) -> tuple[OpenSpec, ...]:
    """Read ``name=1..32`` for each open number; several names of one have commas between them.

    A step of the range stands behind it: ``name=64..1280:8``. A name is one that the model has, or
    ``input:axis``. Raises ``UserError`` for what is not of this form.
    """
    return tuple(map(_parse, texts or ()))


def _parse(text: str) -> OpenSpec:
    names, _, numbers = text.rpartition("=")
    found = re.fullmatch(rf"\s*({EXTENT})\s*\.\.\s*({EXTENT})\s*(?::\s*({EXTENT})\s*)?", numbers)
    if not names or found is None:
        raise UserError(f"malformed range '{text}', expected 'name=1..32' or 'name=64..1280:8'")
    return OpenSpec(tuple(names.split(",")), int(found[1]), int(found[2]), int(found[3] or 1))
