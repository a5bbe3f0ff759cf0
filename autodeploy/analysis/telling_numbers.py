"""Numbers of a run that tell of all others, where a model computes with its extents.

A few numbers show how extents grow that are sums and products of them. What nodes compute in other
ways (quotients, remainders, comparisons, extremes) may be alike for these and differ for others. So
it is computed for all numbers of the range, by what is recorded of the nodes (``computed_sizes``).
Where it does not grow evenly, the model is compared at the numbers where it bends, and next to
them. What bends too often for that has a period, and is compared over two of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations, islice, pairwise, product
from typing import TypeAlias

import numpy as np

from autodeploy.analysis.computed_sizes import (
    Asked,
    Computed,
    Courses,
    table,
)
from autodeploy.analysis.even_sizes import EvenSizes
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.weights import Array

Numbers: TypeAlias = tuple[int, ...]

MOST_NUMBERS = 64
"""At how many numbers a model is compared because of one value."""

_MOST_PERIOD = 32
"""Of how many numbers a period may be."""

_MOST_DEGREE = 4
"""Of which degree a polynomial may be."""

_MOST_LISTS = 1 << 16
"""For how many lists of numbers a value is computed."""


def apart(one: Growth, other: Growth, extent: OpenExtentAttr, plus: int = 0) -> Numbers | None:
    """Return numbers of which one extent is not the other one plus a constant; if there are any."""
    if one == other:
        return None
    lists = _lists((one, other), extent)
    return next((n for n in lists if one.at(n) != other.at(n) + plus), None)


def _lists(growths: Iterable[Growth], extent: OpenExtentAttr) -> Iterator[Numbers]:
    """Yield numbers, the largest first; those by which nothing grows are the largest."""
    places = {place for growth in growths for place in growth.places}
    columns = (
        range(range_.most, max(range_.least, 1) - 1, -1) if place in places else (range_.most,)
        for place, range_ in enumerate(extent.ranges)
    )
    return islice(product(*columns), _MOST_LISTS)


@dataclass
class Telling:
    """The numbers at which a model is compared further, and values of which none can be chosen."""

    numbers: dict[Numbers, None] = field(default_factory=dict[Numbers, None])
    refused: list[str] = field(default_factory=list[str])

    def chosen(self, fitting: Iterable[Growth], extent: OpenExtentAttr) -> Growth | None:
        """Return the first of growths that fit what is known; ask for what tells them apart."""
        found = list(fitting)
        for one, other in pairwise(found):
            numbers = apart(one, other, extent)
            if numbers is not None:
                self.numbers[numbers] = None
        return found[0] if found else None

    def ask_rest(
        self, growth: Growth, stride: int, rests: Sequence[int], extent: OpenExtentAttr
    ) -> None:
        """Ask for numbers whose extent leaves one of some rests over a stride."""
        lists = _lists((growth,), extent)
        numbers = next((n for n in lists if growth.at(n) % stride in rests), None)
        if numbers is not None:
            self.numbers[numbers] = None

    def tell_apart(
        self, growths: Iterable[Growth], known: Sequence[Numbers], extent: OpenExtentAttr
    ) -> None:
        """Ask for numbers that tell extents apart which are rounded down, where ``known`` do not.

        Those that are a constant apart for all that is known are taken for one another.
        """
        cores = {
            replace(factor, plus=factor.plus % factor.over, by=1, rest=())
            for growth in growths
            for factor in growth.factors
            if factor.over > 1
        }
        for one, other in combinations(sorted(cores, key=str), 2):
            distances = {one.at(numbers) - other.at(numbers) for numbers in known}
            if len(distances) == 1:
                numbers = apart(one, other, extent, distances.pop())
                if numbers is not None:
                    self.numbers[numbers] = None


class Watch:
    """Chooses numbers by what nodes compute for each of a range.

    ``asked`` has for each record of extents the growths of these, ``None`` for those not known.
    """

    def __init__(
        self,
        records: Sequence[Asked | Computed],
        asked: Mapping[int, Sequence[Growth | int] | None],
        extent: OpenExtentAttr,
    ):
        self._records, self._asked, self._extent = records, asked, extent
        self._even = EvenSizes(records, asked)
        self._courses: dict[tuple[int, ...], tuple[Sequence[Array], Courses]] = {}

    def add(self, read: int, telling: Telling) -> None:
        """Add the numbers that tell of a record which ops read; see ``READ_ATTRIBUTE``."""
        number, shape_only = (read, False) if read >= 0 else (-1 - read, True)
        record = self._records[number]
        if isinstance(record, Asked) or self._even.is_even(number):
            return
        places = self._places(number)
        if not places and places is not None:
            return
        if places is None:
            known = None
        else:
            columns, courses = self._course(tuple(places))
            course = courses.of(number)
            known = None if course is None else table(course, record.whole, shape_only=shape_only)
        if places is None or known is None:
            places = sorted(places or range(len(self._extent.ranges)))
            columns = self._columns(places)
            lists = list(product(*columns))
            found = lists if len(lists) <= MOST_NUMBERS else _spread(lists)
        else:
            lists = _telling(columns, known)
            if lists is None:
                telling.refused.append(record.name or record.node.op_type if record.node else "")
                return
            found = lists
        for numbers in found:
            telling.numbers[self._whole(places, numbers)] = None

    def _whole(self, places: Sequence[int], numbers: Sequence[int]) -> Numbers:
        """Return numbers of all ranges, the largest of those that are not given."""
        given = dict(zip(places, numbers, strict=True))
        return tuple(
            int(given.get(place, range_.most)) for place, range_ in enumerate(self._extent.ranges)
        )

    def _places(self, number: int) -> Sequence[int] | None:
        """Return the numbers of a run that a record depends on; ``None`` where not known."""
        found: set[int] = set()
        waiting, seen = [number], {number}
        while waiting:
            own = waiting.pop()
            record = self._records[own]
            if isinstance(record, Asked):
                growths = self._asked.get(own)
                if growths is None:
                    return None
                found |= {p for g in growths if isinstance(g, Growth) for p in g.places}
                continue
            further = [n for n in record.operands if isinstance(n, int) and n not in seen]
            seen.update(further)
            waiting += further
        return sorted(found)

    def _columns(self, places: Sequence[int]) -> Sequence[Array]:
        """Return the numbers of each range that are looked at: all, if these are not too many."""
        ranges = [self._extent.ranges[place] for place in places]
        most = int(_MOST_LISTS ** (1 / len(ranges)))
        return [_thinned(np.arange(range_.least, range_.most + 1), most) for range_ in ranges]

    def _course(self, places: tuple[int, ...]) -> tuple[Sequence[Array], Courses]:
        if places not in self._courses:
            columns = self._columns(places)
            lists = [self._whole(places, numbers) for numbers in product(*columns)]
            kept: dict[Growth, Array] = {}

            def course(growth: Growth | int) -> Array:
                if not isinstance(growth, Growth):
                    return np.full(len(lists), growth, np.int64)
                if growth not in kept:
                    kept[growth] = np.array([growth.at(numbers) for numbers in lists], np.int64)
                return kept[growth]

            def extents(number: int) -> Array | None:
                growths = self._asked.get(number)
                if growths is None:
                    return None
                columns = [course(growth) for growth in growths]
                return np.stack(columns, axis=1) if columns else np.zeros((len(lists), 0), np.int64)

            self._courses[places] = columns, Courses(self._records, len(lists), extents)
        return self._courses[places]


def asked_growths(
    given: Mapping[Numbers, Sequence[int]],
    most: Sequence[int],
    found: Mapping[int, Growth | None],
    known: Iterable[Growth],
    extent: OpenExtentAttr,
    telling: Telling,
) -> Sequence[Growth | int] | None:
    """Return how extents grow that a node asks for, by what they are for some numbers.

    ``found`` are those that are sums of numbers. One that is not has the extents of a value that
    has been looked at, whose growth is ``known``.
    """
    result: list[Growth | int] = []
    for axis, extent_ in enumerate(most):
        growth = found[axis]
        if growth is None:
            fitting = (
                g
                for g in known
                if extent.most(g) == extent_
                and all(g.at(numbers) == shape[axis] for numbers, shape in given.items())
            )
            growth = telling.chosen(fitting, extent)
        if growth is None:
            return None
        result.append(growth if growth != CONSTANT else extent_)
    return result


def _telling(columns: Sequence[Array], rows: Array) -> Sequence[Numbers] | None:
    """Return the numbers that tell of a value for all others, by its rows; ``None`` if too many."""
    shape = tuple(map(len, columns))
    count = int(np.prod(shape))
    if len(rows) == 1:
        return []
    grid = rows.reshape(*shape, -1)
    bends = [_bends(grid, axis) for axis in range(len(shape))]
    if not any(found.any() for found in bends):
        return []
    if count <= MOST_NUMBERS:
        return [tuple(map(int, numbers)) for numbers in product(*columns)]
    chosen: dict[Numbers, None] = {}
    for axis, found in enumerate(bends):
        others = tuple(a for a in range(len(shape)) if a != axis)
        if (found == found.all(axis=others, keepdims=True)).all():
            line = found.any(axis=others)
            if 3 * line.sum() > MOST_NUMBERS:
                line = _polynomial(grid, axis)
                line = _period(grid, axis) if line is None else line
                if line is None:
                    return None
            places = ((-1,) * axis + (int(i),) + (-1,) * (len(shape) - 1 - axis) for i in _near(line))
        else:
            mask = reduce(np.logical_or, (np.roll(found, step, axis) for step in (-1, 0, 1)))
            if mask.sum() > MOST_NUMBERS:
                return None
            places = (tuple(map(int, place)) for place in np.argwhere(mask))
        for place in places:
            numbers = zip(columns, place, strict=True)
            chosen[tuple(int(column[index]) for column, index in numbers)] = None
    return list(chosen)


def _bends(grid: Array, axis: int) -> Array:
    """Return at which places of an axis but its ends a value grows otherwise than before."""
    found = np.zeros(grid.shape[:-1], bool)
    if grid.shape[axis] > 2:
        second = np.diff(grid, 2, axis=axis).any(axis=-1)
        found[(slice(None),) * axis + (slice(1, -1),)] = second
    return found


def _near(line: Array) -> Iterator[int]:
    """Yield the places that are marked, and those next to them."""
    wide = np.convolve(line, [1, 1, 1], "same") > 0
    yield from np.flatnonzero(wide)


def _polynomial(grid: Array, axis: int) -> Array | None:
    """Mark as many numbers of an axis as tell of a polynomial, if a value is one there."""
    count = grid.shape[axis]
    for degree in range(2, min(_MOST_DEGREE, count - 2) + 1):
        if not np.diff(grid, degree + 1, axis=axis).any():
            line = np.zeros(count, bool)
            line[np.linspace(0, count - 1, degree + 1).astype(np.int64)] = True
            return line
    return None


def _period(grid: Array, axis: int) -> Array | None:
    """Mark the last two periods of a value along an axis, and its first numbers, if it has one."""
    count = grid.shape[axis]
    for period in range(1, min(_MOST_PERIOD, count // 3) + 1):
        ends = (slice(None),) * axis
        more = grid[(*ends, slice(period, None))] - grid[(*ends, slice(None, -period))]
        if (more == np.take(more, [0], axis)).all():
            line = np.zeros(count, bool)
            line[-2 * period - 1 :] = line[:2] = True
            return line
    return None


def _thinned(numbers: Array, most: int) -> Array:
    """Return at most about so many numbers: the least, the largest, and some between."""
    if len(numbers) <= most:
        return numbers
    part = most // 4
    between = np.linspace(part, len(numbers) - 2 * part - 1, part).astype(np.int64)
    places = [*range(part), *between, *range(len(numbers) - 2 * part, len(numbers))]
    return numbers[np.unique(places)]


def _spread(lists: Sequence[Numbers]) -> Sequence[Numbers]:
    """Return some of many lists of numbers: the least, the largest, and some between."""
    places = _thinned(np.arange(len(lists)), MOST_NUMBERS)
    return [tuple(map(int, lists[int(place)])) for place in places]
