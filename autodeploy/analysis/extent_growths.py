"""How an extent grows with the numbers of a run: the form that has the same table.

An extent is known for all numbers, so a form is right where both tables agree. Forms that fit are
found from the first differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

import numpy as np

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.extents import Extent, Integers, Numbers, extent_of
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.open_extent import AxesAttr, axes_attr

_MOST_DIVISOR = 1 << 10
"""The largest number by which a sum is divided."""


def growth_of(extent: int) -> Growth | None:
    """Return how an extent grows with the counts of steps; ``CONSTANT`` of a plain integer.

    ``None`` where it has no such form, or is not largest for the largest numbers.
    """
    if not isinstance(extent, Extent):
        return CONSTANT
    found = _found(extent.table, extent.numbers)
    return found if found is not None and equals(found, extent) else None


def input_axes(name: str, shape: Sequence[int]) -> AxesAttr:
    """Return how the axes of an input grow; raises ``ModelError`` where they cannot be written."""
    growths = [growth_of(extent) for extent in shape]
    if None in growths:
        raise ModelError(
            f"an extent of input '{name}' is {shape[growths.index(None)]}, which is no sum and no "
            "product of numbers"
        )
    return axes_attr(tuple(growth for growth in growths if growth is not None))


def equals(growth: Growth, extent: int) -> bool:
    """Tell whether an extent grows so, for all numbers."""
    if not isinstance(extent, Extent) or not growth:
        return False
    numbers = extent.numbers
    if any(place >= len(numbers.ranges) for place in growth.places):
        return False
    found = growth.over_all(numbers.counts)
    return found.shape == extent.table.shape and bool((found == extent.table).all())


def extent_of_growth(growth: Growth, numbers: Numbers) -> int:
    """Return the extent that grows so."""
    return extent_of(numbers, growth.over_all(numbers.counts))


def _found(table: Integers, numbers: Numbers) -> Growth | None:
    """Return a form of a table: a rounded sum, or the product of such forms."""
    places = [place for place, count in enumerate(table.shape) if count > 1]
    return _sum(table, numbers, places) or _product(table, numbers, places)


def _sum(table: Integers, numbers: Numbers, places: list[int]) -> Growth | None:
    """Return ``by * floor((sum of times * n + plus) / over)``."""
    by = int(np.gcd.reduce(table, axis=None))
    for unit in dict.fromkeys((1, by)):
        if not unit:
            continue
        part = table // unit
        for over in _divisors(part, places):
            terms: dict[int, int] = {}
            rest: Any = part * over
            for place in places:
                times = _slope(part, place, over)
                terms[place] = times
                rest = rest - times * numbers.counts[place]
            if min(terms.values()) < 0:
                return None
            # floor((s + plus) / over) == part asks for 0 <= s + plus - over * part < over.
            plus = int(rest.max())
            if plus - int(rest.min()) < over:
                return Growth.sum_of(terms, plus, over, unit)
    return None


def _slope(part: Integers, place: int, over: int) -> int:
    """Return by how many parts of ``over`` a table grows with each step along an axis."""
    first, last = part.take([0], place), part.take([-1], place)
    steps = part.shape[place] - 1
    total = int((last - first).flat[0]) * over
    return round(total / steps)


def _divisors(part: Integers, places: list[int]) -> Iterable[int]:
    """Yield divisors that a rounded sum may have; 1 alone where it grows evenly."""
    even = all(
        (np.diff(part, axis=place) == np.diff(part, axis=place).flat[0]).all() for place in places
    )
    if even:
        return (1,)
    longest = max(part.shape[place] for place in places)
    return range(2, min(_MOST_DIVISOR, 2 * longest) + 1)


def _product(table: Integers, numbers: Numbers, places: list[int]) -> Growth | None:
    """Return the product of a form for each number; of one number, of the powers of one."""
    if len(places) < 2:
        return _power(table, numbers, places)
    factors: list[Growth] = []
    whole: Any = np.ones_like(table)
    corner = tuple(slice(-1, None) for _ in table.shape)
    last = int(table[corner].flat[0])
    for place in places:
        line = table[
            tuple(slice(None) if p == place else slice(-1, None) for p in range(table.ndim))
        ]
        shared = int(np.gcd.reduce(line, axis=None)) or 1
        form = _found(line // shared, numbers)
        if form is None:
            return None
        factors.append(form)
        whole = whole * form.over_all(numbers.counts)
    scale, rest = divmod(last, int(whole[corner].flat[0]) or 1)
    if rest or not scale:
        return None
    return Growth.product(factors).scaled(scale)


def _power(table: Integers, numbers: Numbers, places: list[int]) -> Growth | None:
    """Return a multiple of a power of one number."""
    if len(places) != 1:
        return None
    place = places[0]
    counts: Any = numbers.counts[place]
    for power in (2, 3):
        base = counts**power
        last = int(base.reshape(-1)[-1])
        shared = gcd(int(table.reshape(-1)[-1]), last)
        if shared == last and (base * (int(table.reshape(-1)[-1]) // last) == table).all():
            scale = int(table.reshape(-1)[-1]) // last
            return Growth.product([Growth(1, place=place)] * power).scaled(scale)
    return None
