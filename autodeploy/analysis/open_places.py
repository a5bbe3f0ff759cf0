"""Where elements stand that follow from the end of an open axis: parts that are taken or joined.

The starts and the sizes of a slice are compared with those for other numbers. They are constants,
or lie a constant before the end that a run has of the axis, or grow evenly with the number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.growth import CONSTANT, Growth, sum_of_growths
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr
from autodeploy.dialects.nn.types import shape_of


class Cut(NamedTuple):
    """What a slice takes along each axis for some numbers."""

    starts: tuple[int, ...]
    sizes: tuple[int, ...]


Cuts = Mapping[tuple[int, ...], Cut]
"""What a slice takes for each of several lists of numbers."""


def grown_places(
    op: SliceOp, axes: Axes, cuts: Cuts, extent: OpenExtentAttr
) -> tuple[Axes, Axes] | str:
    """Return how starts and sizes of a slice grow, or why that is not known.

    ``axes`` are those of its operand. An axis that is not open there has constants.
    """
    starts, sizes = list(axes), list(axes)
    for axis, growth in enumerate(axes):
        starts[axis] = sizes[axis] = CONSTANT
        own = Cut(ints(op.starts), ints(op.sizes))
        varies = any(
            (cut.starts[axis], cut.sizes[axis]) != (own.starts[axis], own.sizes[axis])
            for cut in cuts.values()
        )
        if not varies or _takes_all(op, axis, growth, cuts):
            continue
        if growth.rest:
            return f"its places follow from the {extent.text(growth)} elements of several axes"
        if not growth:
            if any(cut.starts[axis] != own.starts[axis] for cut in cuts.values()):
                return "it begins where the number says, of elements that are as many for each"
            continue
        whole = _Whole(growth, extent)
        start, size = _start(op, axis, cuts, whole), _size(op, axis, cuts, whole)
        if start is None or size is None:
            return f"its places along {extent.text(growth)} elements do not follow from their end"
        starts[axis], sizes[axis] = start, size
        if (number := _leaves(op, axis, growth, start, size, extent)) is not None:
            return f"the places that it takes are not there for {number}"
    return tuple(starts), tuple(sizes)


def joined(growths: Sequence[Growth], extents: Sequence[int]) -> Growth | None:
    """Return how the extent of parts grows that stand behind each other; ``None`` if in no form.

    Those that do not grow have the ``extents``.
    """
    pairs = zip(growths, extents, strict=True)
    constant = sum(extent for growth, extent in pairs if not growth)
    return sum_of_growths(growths, constant)


def _takes_all(op: SliceOp, axis: int, growth: Growth, cuts: Cuts) -> bool:
    if not growth or ints(op.steps)[axis] != 1:
        return False
    own = (ints(op.starts)[axis], ints(op.sizes)[axis])
    return own == (0, shape_of(op.x.type)[axis]) and all(
        (cut.starts[axis], cut.sizes[axis]) == (0, growth.at(numbers))
        for numbers, cut in cuts.items()
    )


class _Whole(NamedTuple):
    """The axis that a slice is taken of: how it grows with the open ``extent``."""

    growth: Growth
    extent: OpenExtentAttr


def _start(op: SliceOp, axis: int, cuts: Cuts, whole: _Whole) -> Growth | None:
    start, most = ints(op.starts)[axis], shape_of(op.x.type)[axis]
    found = {numbers: cut.starts[axis] for numbers, cut in cuts.items()}
    return _fitting(start, found, [whole.growth.moved(start - most, 1)], whole)


def _size(op: SliceOp, axis: int, cuts: Cuts, whole: _Whole) -> Growth | None:
    size, most = ints(op.sizes)[axis], shape_of(op.x.type)[axis]
    step = abs(ints(op.steps)[axis])
    found = {numbers: cut.sizes[axis] for numbers, cut in cuts.items()}
    least = size * step - most
    candidates = [whole.growth.moved(plus, step) for plus in range(least, least + step)]
    return _fitting(size, found, candidates, whole)


def _fitting(
    largest: int,
    found: Mapping[tuple[int, ...], int],
    candidates: Iterable[Growth | None],
    whole: _Whole,
) -> Growth | None:
    """Return how a number grows that is known for some numbers of a run; ``CONSTANT`` if not.

    It is a candidate, or else grows evenly with the number by which the ``whole`` grows, if that is
    one.
    """
    if all(number == largest for number in found.values()):
        return CONSTANT
    (range_, *further), place = whole.extent.ranges_of(whole.growth), whole.growth.place
    values = {numbers[place]: value for numbers, value in found.items()}
    even = None if further else _even(largest, range_.most, values, place)
    fitting = (
        growth
        for growth in (*candidates, even)
        if growth
        and whole.extent.most(growth) == largest
        and _follows(growth, whole.growth)
        and all(growth.at(numbers) == value for numbers, value in found.items())
    )
    return next(fitting, None)


def _even(largest: int, most: int, found: Mapping[int, int], place: int) -> Growth | None:
    number, value = next(((n, v) for n, v in found.items() if n != most), (most, largest))
    if number == most:
        return None
    times, rest = divmod(largest - value, most - number)
    return None if rest or times <= 0 else Growth.of(times, largest - times * most, place=place)


def _follows(growth: Growth, whole: Growth) -> bool:
    """Tell whether an extent can be computed from that of the whole."""
    return (whole.is_sum and not whole.others) or whole.move_to(growth) is not None


def _leaves(
    op: SliceOp, axis: int, whole: Growth, start: Growth, size: Growth, extent: OpenExtentAttr
) -> str | None:
    """Return numbers for which a slice takes elements that are not there; ``None`` if none."""
    step, own = ints(op.steps)[axis], (ints(op.starts)[axis], ints(op.sizes)[axis])
    for counts in _counts(extent, (whole, start, size)):
        first = start.at(counts) if start else own[0]
        taken = size.at(counts) if size else own[1]
        last = first + (taken - 1) * step
        if taken < 1 or min(first, last) < 0 or max(first, last) >= whole.at(counts):
            return extent.numbers(counts)
    return None


def _counts(extent: OpenExtentAttr, growths: Sequence[Growth]) -> Iterable[tuple[int, ...]]:
    """Return the numbers that tell of all: the ends of the ranges where all grow evenly.

    Numbers by which nothing grows are the least. Of growths by several numbers all numbers tell.
    """
    is_even = all(growth.is_sum for growth in growths)
    places = {place for growth in growths for place in growth.places}
    found = (
        (range_.least,)
        if place not in places
        else (range_.least, range_.most)
        if is_even
        else range(range_.least, range_.most + 1)
        for place, range_ in enumerate(extent.ranges)
    )
    return product(*found)
