"""Numbers at which a size bends: what it is there, and next to them, tells of all numbers.

Between these a size grows evenly, and so does what fits it at both ends. What bends too often may
have a period: then two periods tell, if all that is rounded has it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from autodeploy.analysis.size_courses import Integers

MOST_NUMBERS = 64
"""At how many numbers a model is compared because of one size."""

Flags: TypeAlias = npt.NDArray[np.bool_]

_Places: TypeAlias = tuple[int, ...]


def bending_numbers(
    columns: Sequence[Integers], rows: Integers, over: int
) -> Sequence[_Places] | None:
    """Return the numbers that tell of a value for all others, by its rows; ``None`` if too many.

    Extents are rounded to divisors of ``over``.
    """
    shape = tuple(map(len, columns))
    if len(rows) == 1:
        return []
    grid = rows.reshape(*shape, -1)
    bends = [_bends(grid, axis) for axis in range(len(columns))]
    if not any(found.any() for found in bends):
        return []
    chosen: dict[_Places, None] | None = {}
    for axis, found in enumerate(bends):
        places = _along(grid, found, columns[axis], axis, over)
        if places is None:
            chosen = None
            break
        for place in places:
            pairs = zip(columns, place, strict=True)
            chosen[tuple(int(column[index]) for column, index in pairs)] = None
    count = int(np.prod(shape))
    if count <= MOST_NUMBERS and (chosen is None or len(chosen) > count):
        return [tuple(map(int, numbers)) for numbers in product(*columns)]
    return None if chosen is None else list(chosen)


def _along(
    grid: Integers, bends: Flags, column: Integers, axis: int, over: int
) -> Sequence[_Places] | None:
    """Return places that tell how a value bends along an axis; ``None`` if these are too many."""
    others = tuple(a for a in range(bends.ndim) if a != axis)
    if not (bends == bends.all(axis=others, keepdims=True)).all():
        # What it does along this axis depends on the other numbers.
        wide = reduce(np.logical_or, (np.roll(bends, step, axis) for step in (-1, 0, 1)))
        if wide.sum() > MOST_NUMBERS:
            return None
        return [tuple(map(int, place)) for place in np.argwhere(wide)]
    near = np.flatnonzero(np.convolve(bends.any(axis=others), [1, 1, 1])[1:-1] > 0)
    period = _period(grid, axis, over) if len(near) else None
    line = near if period is None or len(near) <= len(period) else period
    if len(line) > MOST_NUMBERS:
        return None
    before, behind = (-1,) * axis, (-1,) * (bends.ndim - 1 - axis)
    return [(*before, int(index), *behind) for index in line]


def _bends(grid: Integers, axis: int) -> Flags:
    """Return at which places of an axis but its ends a value grows otherwise than before.

    Of two places it is not known how a value grows.
    """
    found = np.zeros(grid.shape[:-1], bool)
    if grid.shape[axis] > 2:
        more = np.diff(grid, axis=axis)
        ends = (slice(None),) * axis
        before, behind = (*ends, slice(None, -1)), (*ends, slice(1, None))
        found[(*ends, slice(1, -1))] = (more[behind] != more[before]).any(axis=-1)
    else:
        found |= (grid != np.take(grid, [0], axis)).any(axis=(axis, -1), keepdims=True)[..., 0]
    return found


def _period(grid: Integers, axis: int, over: int) -> Integers | None:
    """Return the places of the last two periods of a value along an axis, if it has a period."""
    count = grid.shape[axis]
    for period in range(over, MOST_NUMBERS // 2 + 1, over):
        ends = (slice(None),) * axis
        more = grid[(*ends, slice(period, None))] - grid[(*ends, slice(None, -period))]
        if 2 * period < count and (more == np.take(more, [0], axis)).all():
            return np.arange(count - 2 * period, count, dtype=np.int64)
    return None
