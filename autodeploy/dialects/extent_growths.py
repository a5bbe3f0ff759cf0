"""How an extent grows with the numbers of a run: the form that has the same table.

An extent is known for all numbers, so a form is right where both tables agree. Forms that fit are
found from the first differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import gcd, lcm, prod
from operator import mul
from typing import Any

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.extents import EXTENTS, Extent, Integers, Numbers
from autodeploy.dialects.growth import CONSTANT, Growth

_MOST_DIVISOR = 1 << 10
"""The largest number by which a sum is divided."""

_TRIED = 1 << 8
"""The most numbers of a range for which a form is tried before all."""

_MOST_FACTORS = 3
"""The most numbers of a product in which a derived number is."""

_MOST_FACTOR = 1 << 31
"""One more than the largest factor of a product."""

_MOST_TRIED = 1 << 16
"""The most elements that are computed to try the forms of one divisor."""


def growth_of(extent: int) -> Growth | None:
    """Return how an extent grows with the counts of steps; ``CONSTANT`` of a plain integer.

    ``None`` if it has no such form, or is not largest for the largest numbers.
    """
    if not isinstance(extent, Extent):
        return CONSTANT
    return _kept(extent.key)


@lru_cache(maxsize=1 << 10)
def _kept(key: object) -> Growth | None:
    """Return the growth of an extent that is in use; many types have one of a few."""
    return _growth(EXTENTS[key])


def _growth(extent: Extent) -> Growth | None:
    forms = (_found(extent.table, extent.numbers), *_by_derived(extent))
    return next((form for form in forms if form is not None and equals(form, extent)), None)


def check_input(name: str, shape: Sequence[int]) -> None:
    """Raise ``ModelError`` if an extent of an input has no form."""
    for extent in shape:
        if growth_of(extent) is None:
            raise ModelError(
                f"an extent of input '{name}' is {extent}, which is no sum and no product of "
                "numbers"
            )


def equals(growth: Growth, extent: int) -> bool:
    """Return whether an extent grows so, for all numbers."""
    if not isinstance(extent, Extent) or not growth:
        return False
    import numpy as np

    numbers = extent.numbers
    if any(place >= len(numbers.all_ranges) for place in growth.places):
        return False
    found = growth.over_all(numbers.all_counts)
    one, other = np.broadcast_arrays(found, extent.table)
    return bool((one == other).all())


def _found(table: Integers, numbers: Numbers) -> Growth | None:
    """Return a form of a table: a rounded sum, or the product of such forms."""
    places = [place for place, count in enumerate(table.shape) if count > 1]
    counts = [numbers.counts[place] for place in places]
    return _sum(table, counts, places) or _product(table, numbers, places)


def _sum(table: Integers, counts: Sequence[Integers], places: list[int]) -> Growth | None:
    """Return ``by * floor((sum of times * n + plus) / over)``; ``counts`` rise along the places."""
    import numpy as np

    by = int(np.gcd.reduce(table, axis=None))
    steps = [int(n.flat[-1] - n.flat[0]) for n in counts]
    lines = _lines(table.shape, places)
    for unit in dict.fromkeys((1, by)):
        if not unit:
            continue
        part = table // unit
        few, own = part[lines], [np.broadcast_to(n, table.shape)[lines] for n in counts]
        for over in _divisors(part, counts, places):
            slopes = [_slopes(part, *pair, over) for pair in zip(places, steps, strict=True)]
            if max(slope.stop for slope in slopes) <= 0:
                return None
            if prod(map(len, slopes)) * few.size > _MOST_TRIED:
                slopes = [slope[len(slope) // 2 :][:1] for slope in slopes]
            # floor((s + plus) / over) == part asks for 0 <= s + plus - over * part < over.
            found = np.array([*product(*slopes)], np.int64).reshape(-1, len(places))
            rests = few * over - found @ np.array(own)
            for times in found[np.ptp(rests, axis=1) < over].tolist():
                rest: Any = part * over - sum(map(mul, times, counts))
                plus = int(rest.max())
                if min(times) >= 0 and plus - int(rest.min()) < over:
                    return Growth.sum_of(dict(zip(places, times, strict=True)), plus, over, unit)
    return None


def _lines(shape: tuple[int, ...], places: list[int]) -> tuple[Integers, ...]:
    """Return places along the edges of a grid, where most forms are found to be wrong."""
    import numpy as np

    found: list[tuple[int, ...]] = []
    for place in places:
        ends = [(0, -1) if axis in places and axis != place else (0,) for axis in range(len(shape))]
        for end in product(*ends):
            few = np.linspace(0, shape[place] - 1, min(shape[place], _TRIED)).astype(int).tolist()
            found += [(*end[:place], n, *end[place + 1 :]) for n in few]
    return tuple(np.array(found, np.int64).T)


def _slopes(part: Integers, place: int, steps: int, over: int) -> range:
    """Return by how many parts of ``over`` a table may grow with each step along an axis."""
    first, last = part.take([0], place), part.take([-1], place)
    total = int((last - first).flat[0])
    least = -((-over * (total - 1) - 1) // steps)
    return range(least, (over * (total + 1) - 1) // steps + 1)


def _divisors(part: Integers, counts: Sequence[Integers], places: list[int]) -> Iterable[int]:
    """Yield divisors that a rounded sum may have; one alone where it grows evenly."""
    import numpy as np

    even, longest = list[int](), 0
    for place, own in zip(places, counts, strict=True):
        total, steps = (int(n.take(-1, place).flat[0] - n.flat[0]) for n in (part, own))
        longest = max(longest, steps + 1)
        if (np.diff(part, axis=place) * steps == total * np.diff(own, axis=place)).all():
            even.append(steps // gcd(total, steps))
    if len(even) == len(places):
        return (lcm(*even),)
    return range(2, min(_MOST_DIVISOR, 2 * longest) + 1)


def _product(table: Integers, numbers: Numbers, places: list[int]) -> Growth | None:
    """Return the product of a form for each number; of one number, of the powers of one."""
    import numpy as np

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


def _by_derived(extent: Extent) -> Iterator[Growth | None]:
    """Yield forms by derived numbers that may have the table of an extent.

    They are the number itself, a rounded multiple of one, and products of these and of others.
    Those by the first derived numbers come first: later ones follow from these.
    """
    import numpy as np

    numbers = extent.numbers
    if not numbers.derived:
        return
    table = np.broadcast_to(extent.table, numbers.shape).reshape(-1)
    known = [np.broadcast_to(n, numbers.shape).reshape(-1) for n in numbers.all_counts]
    for place in range(len(numbers.ranges), len(known)):
        if (known[place] == table).all():
            yield Growth(1, place=place)
    for last in range(len(numbers.ranges), len(known)):
        for count in range(_MOST_FACTORS):
            for places in combinations(range(last), count):
                yield _over(table, {place: known[place] for place in (*places, last)})


def _over(table: Integers, known: dict[int, Integers]) -> Growth | None:
    """Return the product of a form for each number; lists of values at the same points say them."""
    import numpy as np

    stacked = np.stack([*known.values(), table])
    few = stacked[:, :: max(1, stacked.shape[1] // _TRIED)]
    for points in (few, stacked):
        whole = np.unique(points, axis=1)
        if (whole[:-1, 1:] == whole[:-1, :-1]).all(0).any():
            return None  # no function of the numbers
    (place, first), *others = zip(known, whole, strict=False)
    if not others:
        return _line(whole[-1], first, place) if len(first) > 1 else None
    for form in _factors(whole, first, place):
        own = form.over_all({place: first})
        if own.all() and not (whole[-1] % own).any():
            rest = _over(whole[-1] // own, dict(others))
            if rest is not None:
                return Growth.product([form, rest])
    return None


def _factors(whole: Integers, first: Integers, place: int) -> Iterator[Growth]:
    """Yield forms by the first number that products, the last row, may have as a factor.

    They are the number itself, and a factor that products for the same other numbers share.
    """
    import numpy as np

    yield Growth(1, place=place)
    values, index = np.unique(first, return_inverse=True)
    groups = np.unique(whole[1:-1], axis=1, return_inverse=True)[1].reshape(-1)
    order = np.argsort(groups, kind="stable")
    lines = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    lines.sort(key=len, reverse=True)
    part = np.zeros_like(values)
    part[index[lines[0]]] = whole[-1][lines[0]]
    # The parts are in proportion to each line, so one that both have gives the scale.
    while (at := next((n for n, line in enumerate(lines) if part[index[line]].any()), -1)) >= 0:
        line = lines.pop(at)
        own, known = whole[-1][line], part[index[line]]
        shared = int(known.argmax())
        if ((own * known[shared] != own[shared] * known) & (known > 0)).any():
            return
        part = part * own[shared]
        part[index[line]] = own * known[shared]
        part = part // max(1, int(np.gcd.reduce(part)))
        if part.max() >= _MOST_FACTOR or not part[index[line]].all():
            return
    found = np.flatnonzero(part)
    form = _line(part[found], values[found], place) if len(np.unique(part[found])) > 1 else None
    if form is not None:
        yield form


def _line(table: Integers, values: Integers, place: int) -> Growth | None:
    """Return a form by one number, which has rising values, or the square of one."""
    import numpy as np

    if (found := _sum(table, [values], [0])) is not None:
        return found.told([place])
    unit = max(1, int(np.gcd.reduce(table)))
    root = np.sqrt(table // unit).round().astype(np.int64)
    side = _sum(root, [values], [0]) if (root * root * unit == table).all() else None
    return None if side is None else Growth.product([side.told([place])] * 2).scaled(unit)
