"""The option ``--dynamic``: ``NAME=1..32``, ``NAME=1,2..32``, with a step, or ``NAME=OTHER+1``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autodeploy.frontend.following_extents import FollowingExtent
    from autodeploy.frontend.open_sizes import OpenSpec


def parse_dynamic(texts: Sequence[str] | None) -> tuple[OpenSpec | FollowingExtent, ...]:
    """Read ``name=1..32`` for each open number; several names of one have commas between them.

    A name is one that the model has, or ``input:axis``. The range is a text for
    ``OpenSpec.of_text``. Raises ``UserError`` for another form.
    """
    if not texts:
        return ()
    from autodeploy.frontend.open_sizes import OpenSpec

    return tuple(
        OpenSpec.of_text(names, numbers)
        for names, _, numbers in (text.rpartition("=") for text in texts)
    )
