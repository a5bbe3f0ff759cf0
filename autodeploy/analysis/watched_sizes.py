"""What a model computes from its extents, watched over the whole range of their numbers.

A few numbers show how extents grow that are sums and products of them. What nodes compute in other
ways (quotients, remainders, comparisons, extremes) may be alike for these and differ for others. So
it is computed for all numbers of the range, by what is recorded of the nodes, and the model is
compared where that bends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import lcm, prod
from typing import TypeAlias

import numpy as np
from xdsl.context import Context
from xdsl.ir import Operation

from autodeploy.analysis.bending_sizes import MOST_NUMBERS, bending_numbers
from autodeploy.analysis.compare_sizes import sampled_growth
from autodeploy.analysis.computed_sizes import Asked, Computed, SizeRecords, read_records
from autodeploy.analysis.even_sizes import EvenSizes
from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.size_courses import Courses, Integers, table
from autodeploy.analysis.telling_numbers import Numbers, Telling
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr

AskedGrowths: TypeAlias = Mapping[int, Sequence[Growth | int] | None]
"""The extents that nodes ask for, by the numbers of their records; ``None`` where not known."""


def watch_sizes(
    ctx: Context,
    module: Operation,
    models: Mapping[Numbers, Operation],
    axes: OpenAxes,
    extent: OpenExtentAttr,
    telling: Telling,
) -> None:
    """Add the numbers that tell of what ops of a module read which nodes compute from extents.

    ``models`` are the module for some numbers, and ``axes`` how its values grow.
    """
    read = read_records(module)
    if not read:
        return
    largest = tuple(range_.most for range_ in extent.ranges)
    telling.tell_apart(axes.growths, [largest, *models], extent)
    records = SizeRecords.of(ctx)
    asked = _asked(records, module, models, axes, extent, telling)
    over = lcm(*(factor.over for growth in axes.growths for factor in growth.factors))
    watch = _Watch(records.records, asked, extent, over)
    for number in read:
        watch.add(number, telling)


def _asked(
    records: SizeRecords,
    module: Operation,
    models: Mapping[Numbers, Operation],
    axes: OpenAxes,
    extent: OpenExtentAttr,
    telling: Telling,
) -> AskedGrowths:
    """Return how the extents grow that nodes of a module ask for, by what they are in models."""
    own = records.asked(module)
    names = [record.node for record in own.values()]
    # The nodes that ask are the same ones, unless some are left out for a number.
    others = {n: list(records.asked(model).values()) for n, model in models.items()}
    others = {n: found for n, found in others.items() if [r.node for r in found] == names}
    result: dict[int, Sequence[Growth | int] | None] = {}
    for place, (number, record) in enumerate(own.items()):
        given = {n: found[place].extents for n, found in others.items()}
        given = {n: shape for n, shape in given.items() if len(shape) == len(record.extents)}
        # How the others grow is known of values alone that something else reads, too.
        known = axes.growths if record.is_read else ()
        result[number] = _growths(record.extents, given, known, extent, telling)
    return result


def _growths(
    most: Sequence[int],
    given: Mapping[Numbers, tuple[int, ...]],
    known: Iterable[Growth],
    extent: OpenExtentAttr,
    telling: Telling,
) -> Sequence[Growth | int] | None:
    """Return how extents grow that are ``given`` for some numbers; ``None`` where not known.

    One that is no sum of numbers is that of a value whose growth is ``known``.
    """
    if not given:
        return None
    result: list[Growth | int] = []
    for axis, largest in enumerate(most):
        growth = sampled_growth(tuple(most), given, axis, extent)
        if growth is None:
            fitting = (
                g
                for g in known
                if extent.most(g) == largest
                and all(g.at(numbers) == shape[axis] for numbers, shape in given.items())
            )
            growth = telling.chosen(fitting, extent)
        if growth is None:
            return None
        result.append(growth or largest)
    return result


_MOST_LISTS = 1 << 20
"""For how many lists of numbers a size is computed."""

_FEW = 3
"""Numbers of a range that do not tell of a polynomial where not all of them can be compared."""


class _Watch:
    """Chooses numbers by what records are for each of a range."""

    def __init__(
        self,
        records: Sequence[Asked | Computed],
        asked: AskedGrowths,
        extent: OpenExtentAttr,
        over: int,
    ):
        self._records, self._asked, self._extent, self._over = records, asked, extent, over
        self._even = EvenSizes(records, asked)
        self._is_short = any(range_.count <= _FEW for range_ in extent.ranges)
        self._courses: dict[tuple[int, ...], Courses] = {}

    def add(self, read: int, telling: Telling) -> None:
        """Add the numbers that tell of a record which ops read; see ``READ_ATTRIBUTE``."""
        number, shape_only = (read, False) if read >= 0 else (-1 - read, True)
        if self._even.is_even(number) and not self._is_short:
            return
        places = self._places(number)
        rows = None if places is None else self._rows(number, places, shape_only=shape_only)
        if places is None or rows is None:
            # It is not known what it is: the model is compared for all numbers, if these are few.
            places = range(len(self._extent.ranges)) if places is None else places
            is_short = self._count(places) <= MOST_NUMBERS
            found = list(product(*self._columns(places))) if is_short else None
        else:
            found = bending_numbers(self._columns(places), rows, self._over)
        if found is None:
            telling.refused[_name(self._records[number])] = None
            return
        telling.watch(self._whole(places, numbers) for numbers in found)

    def _rows(self, number: int, places: Sequence[int], *, shape_only: bool) -> Integers | None:
        """Return what a record is for all numbers; ``None`` where that is not known."""
        if self._count(places) > _MOST_LISTS:
            return None
        courses, record = self._course(tuple(places)), self._records[number]
        if shape_only:
            return courses.extents(number)
        course = courses.of(number)
        whole = np.zeros(()) if isinstance(record, Asked) else record.whole
        return None if course is None else table(course, whole)

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
            if record.node is None:
                return None
            further = [n for n in record.operands if isinstance(n, int) and n not in seen]
            seen.update(further)
            waiting += further
        return sorted(found)

    def _count(self, places: Sequence[int]) -> int:
        """Return how many lists of numbers there are."""
        return prod(self._extent.ranges[place].count for place in places)

    def _columns(self, places: Sequence[int]) -> Sequence[Integers]:
        """Return the numbers of each range."""
        ranges = [self._extent.ranges[place] for place in places]
        return [np.arange(range_.least, range_.most + 1) for range_ in ranges]

    def _course(self, places: tuple[int, ...]) -> Courses:
        if places not in self._courses:
            numbers: list[Integers] = [np.array(range_.most) for range_ in self._extent.ranges]
            grid = np.meshgrid(*self._columns(places), indexing="ij")
            for place, column in zip(places, grid, strict=True):
                numbers[place] = column.reshape(-1)
            count = self._count(places)
            kept: dict[Growth | int, Integers] = {}

            def course(growth: Growth | int) -> Integers:
                if growth not in kept:
                    extents = growth.over_all(numbers) if isinstance(growth, Growth) else growth
                    kept[growth] = np.broadcast_to(np.array(extents, np.int64), count)
                return kept[growth]

            def extents(number: int) -> Integers | None:
                growths = self._asked.get(number)
                if growths is None:
                    return None
                columns = [course(growth) for growth in growths]
                return np.stack(columns, axis=1) if columns else np.zeros((count, 0), np.int64)

            self._courses[places] = Courses(self._records, count, extents)
        return self._courses[places]


def _name(record: Asked | Computed) -> str:
    """Return the name of the node of a record, or that of its operator."""
    if isinstance(record, Computed) and not record.name and record.node is not None:
        return record.node.op_type
    return record.node if isinstance(record, Asked) else record.name
