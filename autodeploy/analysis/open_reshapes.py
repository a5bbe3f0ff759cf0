"""How axes grow that a reshape makes of open ones which it joins with others, or takes apart.

The number of elements of a run is a product: of constants, and of extents that grow. Each axis of
the result has some of the factors, by what is known of its extents for some numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from autodeploy.dialects.nn.growth import CONSTANT, Growth, solved
from autodeploy.dialects.nn.open_extent import Axes, volume

_MOST_FACTORS = 8
"""Of how many factors products are tried."""


def reshaped_axes(
    before: Sequence[int],
    axes: Axes,
    after: Sequence[int],
    known: Mapping[tuple[int, ...], Sequence[int]],
    largest: Sequence[int],
) -> Axes | None:
    """Return how the axes of the result grow; ``None`` where no factors say what is ``known``.

    ``before`` and ``after`` are shapes for the ``largest`` numbers, ``known`` those of the result
    for others.
    """
    factors = [factor for growth in axes for factor in growth.factors if growth]
    if not known or len(factors) > _MOST_FACTORS:
        return None
    found: list[Growth] = []
    for axis, extent in enumerate(after):
        extents = {numbers: shape[axis] for numbers, shape in known.items()}
        if all(less == extent for less in extents.values()):
            found.append(CONSTANT)
            continue
        candidates = _candidates(factors, extent, largest)
        right = (
            growth
            for growth in candidates
            if all(growth.at(numbers) == n for numbers, n in extents.items())
        )
        growth = next(right, None)
        if growth is None:
            return None
        found.append(growth)
    result = tuple(found)
    return result if volume(before, axes) == volume(after, result) else None


def _candidates(factors: Sequence[Growth], extent: int, largest: Sequence[int]) -> Iterator[Growth]:
    """Yield the products of factors, without and with constants, that are an extent."""
    single = [part for f in factors if (part := f.divided(f.multiple)) is not None]
    for count in range(1, len(single) + 1):
        for chosen in combinations(single, count):
            product = Growth.product(chosen)
            most = product.at(largest)
            if most and extent % most == 0:
                yield product.scaled(extent // most)


def not_brought(wanted: Axes, axes: Sequence[Axes]) -> Sequence[Growth]:
    """Return those factors of the wanted axes whose extents do not follow from other axes."""
    given = [growth for entry in axes for growth in entry if growth and not growth.rest]
    told = {place for _, place in solved(given)}
    return [
        factor
        for growth in wanted
        for factor in growth.factors
        if factor.terms.keys() - told and not any(_says(one, factor) for one in given)
    ]


def _says(one: Growth, factor: Growth) -> bool:
    """Tell whether an extent says another one that grows with the same numbers."""
    single = Growth.sum_of(factor.terms, factor.plus, factor.over)
    return one == factor or any(one.move_to(f) is not None for f in (factor, single))
