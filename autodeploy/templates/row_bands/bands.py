"""How many rows of each image a band needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class RowImage(Protocol):
    """An image of ``height`` rows.

    A row needs ``reach`` rows of the image before, the next one those ``stride`` rows further down.
    """

    @property
    def height(self) -> int:
        """The rows of the image."""
        ...

    @property
    def reach(self) -> int:
        """The rows that a row needs."""
        ...

    @property
    def stride(self) -> int:
        """The rows from what a row needs to what the next one does."""
        ...


def rows_of_band(images: Sequence[RowImage], rows: int) -> tuple[int, ...]:
    """Return how many rows of each image ``rows`` of the last one need; of the first, with padding.

    ``images`` are the one that the first anchor reads, and those that each anchor makes.
    """
    needed = [rows]
    for place in range(len(images) - 1, 0, -1):
        reached = (needed[0] - 1) * images[place].stride + images[place].reach
        needed.insert(0, reached if place == 1 else min(reached, images[place - 1].height))
    return tuple(needed)
