"""How many rows of each image a band needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from autodeploy.templates.space import divisors


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


def bands_of_strip(images: Sequence[RowImage], rows: int, cores: int) -> int:
    """Return how many bands of ``rows`` rows are computed one after the other, as a strip.

    It is 1 where bands share no rows, or leave out some that lie between them. Else strips have
    whole bands, and the result whole strips: of these, those for which the core that has most to do
    is done first. ``images`` are the one that the first anchor reads, and those that each makes.
    """
    made, height = images[1:], images[-1].height
    is_kept = shares_rows(made[1:]) and has_no_gaps(made)
    if not is_kept or height % rows:
        return 1

    def share(strip: int) -> float:
        counts = rows_of_band(images, strip * rows)[1:]
        strips = height // (strip * rows)
        parts = (count / image.height for count, image in zip(counts, made, strict=True))
        return -(-strips // cores) * sum(parts)

    return min(divisors(height // rows), key=lambda strip: (share(strip), -strip))


def shares_rows(images: Sequence[RowImage]) -> bool:
    """Tell whether two bands of some of the images share rows of what it is made of."""
    return any(image.reach > image.stride for image in images)


def has_no_gaps(images: Sequence[RowImage]) -> bool:
    """Tell whether bands of the images read all rows of what they are made of."""
    return all(image.reach >= image.stride for image in images)


def rows_of_band(images: Sequence[RowImage], rows: int) -> tuple[int, ...]:
    """Return how many rows of each image ``rows`` of the last one need; of the first, with padding.

    ``images`` are the one that the first anchor reads, and those that each anchor makes.
    """
    needed = [rows]
    for place in range(len(images) - 1, 0, -1):
        reached = (needed[0] - 1) * images[place].stride + images[place].reach
        needed.insert(0, reached if place == 1 else min(reached, images[place - 1].height))
    return tuple(needed)
