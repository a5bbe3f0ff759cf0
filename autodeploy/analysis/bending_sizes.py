"""Numbers at which a size bends: what it is there, and next to them, tells of all numbers.

Between these a size grows evenly, and so does what fits it at both ends. What bends too often may
be a polynomial, which a few numbers tell, or have a period, which one period tells.
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

_MOST_PERIOD = 32
"""Of how many numbers a period may be."""

_LEAST_PERIOD = 8
"""How many numbers in a row are compared where the period is shorter."""

_MOST_DEGREE = 4
"""Of which degree a polynomial may be."""

Flags: TypeAlias = npt.NDArray[np.bool_]

_Places: TypeAlias = tuple[int, ...]


def bending_numbers(columns: Sequence[Integers], rows: Integers) -> Sequence[_Places] | None:
    """Return the numbers that tell of a value for all others, by its rows; ``None`` if too many."""
    shape = tuple(map(len, columns))
    if len(rows) == 1:
        return []
    grid = rows.reshape(*shape, -1)
    bends = [_bends(grid, column, axis) for axis, column in enumerate(columns)]
    if not any(found.any() for found in bends):
        return []
    chosen: dict[_Places, None] | None = {}
    for axis, found in enumerate(bends):
        places = _along(grid, found, columns[axis], axis)
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


def _along(grid: Integers, bends: Flags, column: Integers, axis: int) -> Sequence[_Places] | None:
    """Return places that tell how a value bends along an axis; ``None`` if these are too many."""
    others = tuple(a for a in range(bends.ndim) if a != axis)
    if not (bends == bends.all(axis=others, keepdims=True)).all():
        # What it does along this axis depends on the other numbers.
        wide = reduce(np.logical_or, (np.roll(bends, step, axis) for step in (-1, 0, 1)))
        if wide.sum() > MOST_NUMBERS:
            return None
        return [tuple(map(int, place)) for place in np.argwhere(wide)]
    near = np.flatnonzero(np.convolve(bends.any(axis=others), [1, 1, 1], "same") > 0)
    found: list[Integers | None] = [near]
    if len(near) and (np.diff(column) == 1).all():
        found += [_polynomial(grid, axis), _period(grid, axis)]
    line = min((own for own in found if own is not None), key=len)
    if len(line) > MOST_NUMBERS:
        return None
    before, behind = (-1,) * axis, (-1,) * (bends.ndim - 1 - axis)
    return [(*before, int(index), *behind) for index in line]


def _bends(grid: Integers, column: Integers, axis: int) -> Flags:
    """Return at which places of an axis but its ends a value grows otherwise than before."""
    found = np.zeros(grid.shape[:-1], bool)
    if grid.shape[axis] > 2:
        apart = np.diff(column).reshape(-1, *(1,) * (grid.ndim - 1 - axis))
        more = np.diff(grid, axis=axis)
        ends = (slice(None),) * axis
        before, behind = (*ends, slice(None, -1)), (*ends, slice(1, None))
        second = more[behind] * apart[:-1] - more[before] * apart[1:]
        found[(*ends, slice(1, -1))] = second.any(axis=-1)
    return found


def _polynomial(grid: Integers, axis: int) -> Integers | None:
    """Return as many places of an axis as tell of a polynomial, if a value is one there."""
    count = grid.shape[axis]
    for degree in range(2, min(_MOST_DEGREE, count - 2) + 1):
        if not np.diff(grid, degree + 1, axis=axis).any():
            return np.array(
                [place * (count - 1) // degree for place in range(degree + 1)], np.int64
            )
    return None


def _period(grid: Integers, axis: int) -> Integers | None:
    """Return the places of the last period of a value along an axis and the first, if it has one.

    What else has a period, such as what an extent leaves over a stride, is not that one by chance.
    """
    count = grid.shape[axis]
    for period in range(1, min(_MOST_PERIOD, count // 3) + 1):
        ends = (slice(None),) * axis
        more = grid[(*ends, slice(period, None))] - grid[(*ends, slice(None, -period))]
        if (more == np.take(more, [0], axis)).all():
            length = min(max(period + 1, _LEAST_PERIOD), count)
            return np.unique([0, 1, *range(count - length, count)])
    return None


def thinned(numbers: Integers, most: int) -> Integers:
    """Return about ``most`` numbers at most: the least, the largest, and some between."""
    if len(numbers) <= most:
        return numbers
    part = most // 4
    gap = len(numbers) - 3 * part
    between = (part + place * gap // part for place in range(part))
    places = [*range(part), *between, *range(len(numbers) - 2 * part, len(numbers))]
    return numbers[np.unique(places)]
