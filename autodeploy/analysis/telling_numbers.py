"""Further numbers of a run at which a model is compared, to tell apart what is alike for a few.

Several growths may fit what an extent is for a few numbers: rounded down, a third and the third of
one more are alike for two numbers of three. A number for which they differ tells which it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, pairwise, product
from typing import TypeAlias

from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr

Numbers: TypeAlias = tuple[int, ...]
"""A number of steps for each open extent."""

MOST_LISTS = 1 << 16
"""How many lists of numbers are looked at."""


def apart(one: Growth, other: Growth, extent: OpenExtentAttr, plus: int = 0) -> Numbers | None:
    """Return numbers for which ``one`` is not ``other`` plus ``plus``; else ``None``."""
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
    return islice(product(*columns), MOST_LISTS)


@dataclass
class Telling:
    """Numbers for which a model is to be imported and compared, too.

    ``refused`` has the names of nodes for which too many numbers would be needed. At those that
    are ``watched`` all ops must be there.
    """

    numbers: dict[Numbers, None] = field(default_factory=dict[Numbers, None])
    refused: dict[str, None] = field(default_factory=dict[str, None])
    watched: set[Numbers] = field(default_factory=set[Numbers])

    def watch(self, numbers: Iterable[Numbers]) -> None:
        """Ask for numbers at which sizes bend."""
        found = list(numbers)
        self.watched.update(found)
        self.numbers |= dict.fromkeys(found)

    def chosen(self, fitting: Iterable[Growth], extent: OpenExtentAttr) -> Growth | None:
        """Return the first of growths that fit what is known; ask for what tells them apart."""
        found = list(fitting)
        for one, other in pairwise(found):
            numbers = apart(one, other, extent)
            if numbers is not None:
                self.numbers[numbers] = None
        return found[0] if found else None

    def ask_rests(
        self, growth: Growth, stride: int, rests: Sequence[int], extent: OpenExtentAttr
    ) -> None:
        """Ask for the largest numbers whose extents leave each of some rests over a stride."""
        wanted = set(rests)
        for numbers in _lists((growth,), extent):
            if not wanted:
                return
            if (rest := growth.at(numbers) % stride) in wanted:
                wanted.discard(rest)
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
