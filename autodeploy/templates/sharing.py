"""Which of the loops around equal tasks cores share: the rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

PARALLEL_SHARES = 4
"""Iterations for each core that keep all of them busy to the end."""

EVEN = 1.01
"""How many times as much work as in the most even case a core may have where bands are higher."""

BALANCED = 0.9
"""A loop over this share of the cores' time is balanced well enough to be run in parallel."""


def balance(tasks: int, cores: int) -> float:
    """Return which share of the cores' time a loop of equal tasks uses."""
    return tasks / (-(-tasks // cores) * cores)


def even_band(tiles: int, cores: int, most: int) -> int:
    """Return how many of ``tiles`` make a band, so that all cores are done soonest.

    A core begins with bands that are neighbours, and as many as the others. Of up to ``most``
    tiles, bands are as high as they can be with a busiest core of at most ``EVEN`` times as many
    tiles as in the most even case.
    """
    busiest = {size: _busiest(tiles, size, cores) for size in range(1, max(most, 1) + 1)}
    least = min(busiest.values()) * EVEN
    return max(size for size, count in busiest.items() if count <= least)


def _busiest(tiles: int, size: int, cores: int) -> int:
    """Return the most tiles that a core begins with, in bands of ``size``."""
    bands = -(-tiles // size)
    ends = [min(bands * (core + 1) // cores * size, tiles) for core in range(cores)]
    return max(end - start for start, end in pairwise([0, *ends]))


def even_dimension(stack: Sequence[int], cores: int) -> int | None:
    """Return the outermost of the dimensions of a stack that is balanced well, if one is.

    ``stack`` are their extents, innermost first.
    """
    even = [d for d, extent in enumerate(stack) if balance(extent, cores) >= BALANCED]
    return even[-1] if even else None


def tile_group(tiles: int, cores: int, wanted: int | None = None) -> int | None:
    """Return how many tiles make an iteration of a loop that cores share, if it can be shared.

    Tiles do not divide what they cover: the last one moves inwards over the one before. These two
    are of one group, as no two iterations may write the same element; so there are no groups of two
    or three tiles. Groups of ``wanted`` tiles or fewer are preferred, else those that give the
    cores as much as each other.
    """
    for size in range(min(wanted or 0, tiles - 1), 1, -1):
        if tiles % size != 1:
            return size
    shares = range(2, cores * PARALLEL_SHARES + 1)
    sizes = sorted({-(-tiles // share) + more for share in shares for more in range(3)})
    allowed = [size for size in sizes if 1 < size < tiles and tiles % size != 1]
    busiest = {size: -(-_groups(tiles, size) // cores) * size for size in allowed}
    least = min(busiest.values(), default=0)
    return next((size for size in allowed if busiest[size] * BALANCED <= least), None)


def band_group(cores: int, rows: int, height: int) -> int | None:
    """Return how many bands of ``height`` rows make an iteration of a loop that cores share."""
    return 1 if rows % height == 0 else tile_group(-(-rows // height), cores, wanted=2)


def _groups(tiles: int, size: int) -> int:
    return -(-tiles // size)
