"""How axes grow that a reshape makes of open ones which it joins with others, or takes apart.

The number of elements of a run is a product: of constants, and of extents that grow. Each axis of
the result has some of the factors, by what is known of its extents for some numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.nn.growth import CONSTANT, Growth, solved
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr, constant_axes, volume
from autodeploy.dialects.nn.types import shape_of

Shapes: TypeAlias = Mapping[tuple[int, ...], Sequence[int]]
"""The shapes of a value for lists of numbers."""

_MOST_FACTORS = 8
"""Of how many factors products are tried."""


def viewed_axes(op: ReshapeOp, axes: Axes, told: Shapes) -> Axes | None:
    """Return how the axes of a view grow; ``None`` where elements of a run do not stay.

    An open axis stays where it is in memory; it may take in what follows, or split. ``axes`` are
    those of the operand, and ``told`` the shapes of the result for some numbers.
    """
    before, after = shape_of(op.x.type), shape_of(op.result.type)
    result = list(constant_axes(len(after)))
    for axis, growth in enumerate(axes):
        if not growth:
            continue
        # The elements of a run, in each part of as many elements as the axis spans.
        taken = growth.scaled(prod(before[axis + 1 :]))
        span = prod(before[axis:])
        place = next((i for i, n in enumerate(after) if n > 1 and prod(after[i:]) == span), 0)
        inner = prod(after[place + 1 :])
        part = taken.divided(inner) if after and inner * after[place] == span else None
        if part is None or result[place]:
            return None
        result[place] = part
    for numbers, known in told.items():
        pairs = zip(result, after, known, strict=True)
        if any((g.at(numbers) if g else n) != m for g, n, m in pairs):
            return None
    return tuple(result)


def grow_reshape(
    op: ReshapeOp,
    axes: Axes,
    told: Shapes,
    extent: OpenExtentAttr,
    of: Callable[[SSAValue], Axes],
) -> None:
    """Let a reshape say how axes grow, where the ``told`` shapes of its result tell that.

    Inputs of the function are operands where ``axes``, those of its own, do not say the numbers.
    """
    before, after = shape_of(op.x.type), shape_of(op.result.type)
    result = reshaped_axes(before, axes, after, told, extent)
    if result is None:
        return
    op.grow(axes, result, bringing((*axes, *result), axes, op, of))


def bringing(
    wanted: Sequence[Growth], axes: Axes, op: Operation, of: Callable[[SSAValue], Axes]
) -> Iterable[SSAValue]:
    """Return inputs of the function whose extents say wanted ones that ``axes`` do not say."""
    found: dict[SSAValue, None] = {}
    inputs = () if op.parent is None else op.parent.args
    for value in sorted(inputs, key=lambda value: prod(shape_of(value.type))):
        given = [axes, *map(of, found)]
        if len(not_brought(wanted, [*given, of(value)])) < len(not_brought(wanted, given)):
            found[value] = None
    return found


def reshaped_axes(
    before: Sequence[int],
    axes: Axes,
    after: Sequence[int],
    known: Shapes,
    extent: OpenExtentAttr,
) -> Axes | None:
    """Return how the axes of the result grow; ``None`` where no factors say what is ``known``.

    ``before`` and ``after`` are shapes for the largest numbers, ``known`` those of the result for
    others.
    """
    largest = [range_.most for range_ in extent.ranges]
    factors = [factor for growth in axes for factor in growth.factors if growth]
    if not known or len(factors) > _MOST_FACTORS:
        return None
    found: list[Growth] = []
    for axis, most in enumerate(after):
        extents = {numbers: shape[axis] for numbers, shape in known.items()}
        if all(less == most for less in extents.values()):
            found.append(CONSTANT)
            continue
        candidates = _candidates(factors, most, largest)
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


def not_brought(wanted: Sequence[Growth], axes: Sequence[Axes]) -> Sequence[Growth]:
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
