"""How places of a resize follow from open extents, by what they are for some numbers.

A resize to a size has other places for each number. Its line along an axis is compared with those
that follow from the extents of a run, in the ways that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.ir import SSAValue

from autodeploy.analysis.open_reshapes import bringing, not_brought
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr
from autodeploy.dialects.nn.places import Line, Places, SampledOp
from autodeploy.dialects.nn.resampling import LARGEST_POSITION
from autodeploy.dialects.nn.types import shape_of

Numbers: TypeAlias = tuple[int, ...]

Lines: TypeAlias = Mapping[Numbers, Sequence[Line]]
"""The line along each axis for some numbers."""

Shapes: TypeAlias = Mapping[Numbers, Sequence[int]]


def grow_resize(
    op: SampledOp,
    axes: Axes,
    lines: Lines,
    told: Shapes,
    extent: OpenExtentAttr,
    known: Iterable[Growth],
    of: Callable[[SSAValue], Axes],
) -> str | None:
    """Let a resize say how its places and extents follow from the numbers, or return why not.

    ``axes`` are those of its operand, ``lines`` and ``told`` what it is for some numbers, and
    ``known`` are growths that values have.
    """
    largest = tuple(range_.most for range_ in extent.ranges)
    before, after, own = shape_of(op.operands[0].type), shape_of(op.result.type), op.lines
    if any(numbers not in told for numbers in lines):
        return "its places are not known for some numbers"
    places = [Places.CONSTANT] * len(axes)
    result = [CONSTANT] * len(axes)
    candidates = sorted({g for g in known if g}, key=lambda g: (g.over, g.times, str(g)))
    for axis, growth in enumerate(axes):
        found = {numbers: line[axis] for numbers, line in lines.items()}
        if all(line == own[axis] for line in found.values()):
            continue
        sizes = {numbers: told[numbers][axis] for numbers in found}
        size = CONSTANT
        if any(n != after[axis] for n in sizes.values()):
            times, rest = divmod(after[axis], before[axis])
            own_multiple = [growth.scaled(times)] if growth and not rest else []
            fitting = _fitting(sizes | {largest: after[axis]}, [*own_multiple, *candidates])
            size = next(fitting, CONSTANT)
            if not size:
                return "the size that it makes is not that of another value for all numbers"
        extents = {
            numbers: (growth.at(numbers) if growth else before[axis], n)
            for numbers, n in (sizes | {largest: after[axis]}).items()
        }
        found[largest] = own[axis]
        place = next(
            (
                one
                for one in Places
                if one != Places.CONSTANT
                and all(_are_alike(one.line(*e), found[n], e[1]) for n, e in extents.items())
            ),
            None,
        )
        if place is None:
            return "its places do not follow from its extents"
        if 4 * before[axis] * after[axis] > LARGEST_POSITION:
            return "its places do not fit 32 bits"
        places[axis], result[axis] = place, size
    wanted = [g for g in (*axes, *result) if g]
    op.grow(places, axes, tuple(result), bringing(wanted, axes, op, of))
    return None


def _are_alike(one: Line, other: Line, count: int) -> bool:
    """Tell whether lines have the same places for a number of elements."""
    if count == 1:
        return one.offset * other.denominator == other.offset * one.denominator
    return one.reduced() == other


def resized_axes(op: SampledOp, of: Callable[[SSAValue], Axes]) -> Mapping[int, Growth] | str:
    """Return how axes of the result grow that a resize says, or why they cannot."""
    axes, grown = of(op.operands[0]), op.grown
    wanted = [g for _, before, after in grown.values() for g in (before, after) if g]
    differ = any(axes[axis] != before for axis, (_, before, _) in grown.items())
    if differ or not_brought(wanted, [of(value) for value in op.operands]):
        return "no operand brings the numbers by which its places follow"
    return {axis: after for axis, (_, _, after) in grown.items()}


def _fitting(sizes: Mapping[Numbers, int], known: Sequence[Growth]) -> Iterator[Growth]:
    """Yield the growths that sizes follow, by which no other one comes near.

    One that is rounded down may be told from its neighbours by some numbers alone.
    """
    for growth in dict.fromkeys(known):
        if not _fits(growth, sizes):
            continue
        near = (
            replace(growth, plus=growth.plus + more)
            for more in range(-growth.over + 1, growth.over)
            if more and not growth.rest
        )
        if not any(_fits(other, sizes) for other in near):
            yield growth


def _fits(growth: Growth, sizes: Mapping[Numbers, int]) -> bool:
    return all(growth.at(numbers) == size for numbers, size in sizes.items())
