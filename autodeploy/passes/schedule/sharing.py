"""Which of the loops around equal tasks cores share: the rule."""

from __future__ import annotations

from collections.abc import Sequence

BALANCED = 0.9
"""A loop over this share of the cores' time is balanced well enough to be run in parallel."""


def balance(tasks: int, cores: int) -> float:
    """Return which share of the cores' time a loop of equal tasks uses."""
    return tasks / (-(-tasks // cores) * cores)


def even_dimension(stack: Sequence[int], cores: int) -> int | None:
    """Return the outermost of the dimensions of a stack that is balanced well, if one is.

    ``stack`` are their extents, innermost first.
    """
    even = [d for d, extent in enumerate(stack) if balance(extent, cores) >= BALANCED]
    return even[-1] if even else None
