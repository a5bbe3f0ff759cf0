"""How the extent of an axis grows with the number of a run: rounded down, from the largest to 1.

Windows that move by a stride make an extent a part of the one before, less what they reach beyond,
and several layers of them do so again and again. What is joined of several open extents has the sum
of their numbers. All of these are of one form. Where a reshape joins open axes, an extent is a
product of several of this form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd, lcm, prod
from operator import add
from typing import TYPE_CHECKING

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from autodeploy.json_values import IfGiven, Signed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Growth:
    """An extent ``by * floor((times * n + plus) / over)`` for a number n; ``times`` is 0 of none.

    Of several numbers of a run it is the one at ``place``; ``others`` are the places of further
    ones behind it, and how many times each is added. The extent is that times all of ``rest``,
    which no constant divides and which have no ``rest``. ``of``, ``sum_of`` and ``product`` make
    growths, so that equal extents for all numbers are equal growths.
    """

    times: int
    plus: Signed = 0
    over: int = 1
    by: int = 1
    place: int = 0
    others: IfGiven[tuple[tuple[int, int], ...]] = ()
    rest: IfGiven[tuple[Growth, ...]] = ()

    @staticmethod
    def of(times: int, plus: int = 0, over: int = 1, by: int = 1, place: int = 0) -> Growth:
        """Return the growth by one number in its lowest terms."""
        return Growth.sum_of({place: times}, plus, over, by)

    @staticmethod
    def sum_of(terms: Mapping[int, int], plus: int = 0, over: int = 1, by: int = 1) -> Growth:
        """Return the growth by numbers, each ``times`` at a place, in its lowest terms."""
        found = sorted((place, times) for place, times in terms.items() if times)
        if not found:
            return CONSTANT
        shared = gcd(*(times for _, times in found), over)
        over, plus = over // shared, plus // shared
        found = [(place, times // shared) for place, times in found]
        if over == 1:
            found, plus, by = [(place, times * by) for place, times in found], plus * by, 1
        (place, times), *others = found
        return Growth(times, plus, over, by, place, tuple(others))

    @staticmethod
    def product(growths: Iterable[Growth]) -> Growth:
        """Return the growth of the product of extents; one that is constant makes it constant."""
        factors = [factor for growth in growths for factor in growth.factors]
        if not factors or not all(factors):
            return CONSTANT
        shared = prod(factor.multiple for factor in factors)
        parts = [part for f in factors if (part := f.divided(f.multiple)) is not None]
        first, *rest = sorted(parts, key=lambda f: (f.place, f.times, f.others, f.plus, f.over))
        return replace(first.scaled(shared), rest=tuple(rest))

    @property
    def factors(self) -> tuple[Growth, ...]:
        """Return the growths, each a sum, whose product this one is; itself where one."""
        return (self,) if not self.rest else (replace(self, rest=()), *self.rest)

    def __bool__(self) -> bool:
        """Return whether the extent depends on a number."""
        return bool(self.times)

    def __str__(self) -> str:
        if self.is_proportional and not self.place:
            return str(self.times)
        return self.text(lambda place: f"n{place}" if place else "n")

    __repr__ = __str__

    @property
    def terms(self) -> Mapping[int, int]:
        """Return how many times the number at each place is added, in the first factor."""
        return {self.place: self.times, **dict(self.others)} if self else {}

    @property
    def places(self) -> Sequence[int]:
        """Return the places of all numbers by which the extent grows, in order."""
        return sorted({place for factor in self.factors for place in factor.terms})

    @property
    def is_sum(self) -> bool:
        """Return whether the extent is a sum of multiples of numbers and of a constant."""
        return self.over == 1 and not self.rest

    @property
    def is_proportional(self) -> bool:
        """Return whether the extent is a multiple of one number, ``times`` it."""
        return not self.plus and self.is_sum and not self.others

    @property
    def multiple(self) -> int:
        """Return a number that divides all extents that there may be; 0 of a constant one."""
        return gcd(*self.terms.values(), self.plus) if self.over == 1 else self.by

    def at(self, numbers: int | Sequence[int]) -> int:
        """Return the extent for the numbers of a run, or if each of them is one number."""
        sums = (
            times * (numbers if isinstance(numbers, int) else numbers[place])
            for place, times in self.terms.items()
        )
        own = (sum(sums) + self.plus) // self.over * self.by
        return own * prod(factor.at(numbers) for factor in self.rest)

    def over_all(
        self, numbers: Sequence[NDArray[np.int64]] | Mapping[int, NDArray[np.int64]]
    ) -> NDArray[np.int64]:
        """Return the extents for many numbers of runs, an array of those at each place."""
        import numpy as np  # the tool for texts starts without it

        sums = sum(times * numbers[place] for place, times in self.terms.items())
        own = (sums + self.plus) // self.over * self.by
        for factor in self.rest:
            own = own * factor.over_all(numbers)
        return np.asarray(own, np.int64)

    def told(self, places: Sequence[int]) -> Growth:
        """Return the growth where the numbers stand at other places."""
        return Growth.product(
            Growth.sum_of({places[p]: times for p, times in f.terms.items()}, f.plus, f.over, f.by)
            for f in self.factors
        )

    def scaled(self, factor: int) -> Growth:
        """Return the growth of an extent that is a multiple of this one."""
        own = Growth.sum_of(self.terms, self.plus, self.over, self.by * factor)
        return replace(own, rest=self.rest) if own else own

    def divided(self, divisor: int) -> Growth | None:
        """Return the growth of a part of this extent; ``None`` if it does not always divide."""
        if self.multiple % divisor:
            return None
        if self.over == 1:
            terms = {place: times // divisor for place, times in self.terms.items()}
            return replace(Growth.sum_of(terms, self.plus // divisor), rest=self.rest)
        return replace(self, by=self.by // divisor)

    def moved(self, plus: int, stride: int) -> Growth | None:
        """Return that of the extent plus a constant over a stride, rounded down.

        ``None`` if that has not this form.
        """
        if self.rest:
            return self.divided(stride) if 0 <= plus < stride else None
        if self.over == 1:
            return Growth.sum_of(self.terms, self.plus + plus, stride)
        shared = gcd(self.by, stride)
        by, plus, stride = self.by // shared, plus // shared, stride // shared
        if by == 1:
            plus, stride = self.plus + self.over * plus, self.over * stride
            return Growth.sum_of(self.terms, plus, stride)
        if stride != 1 or plus % by:
            return None
        return Growth.sum_of(self.terms, self.plus + self.over * (plus // by), self.over, by)

    def move_to(self, other: Growth) -> tuple[int, int] | None:
        """Return by which constant and stride ``moved`` makes another growth of this one, if so."""
        if not self or not other or self.rest or other.rest:
            return None
        if self.terms.keys() != other.terms.keys():
            return None
        stride, rest = divmod(self.by * self.times * other.over, other.by * other.times * self.over)
        if rest or not stride:
            return None
        # As far apart as they are for a multiple of all that they are rounded to.
        number = self.over * other.over * stride
        apart = other.at(number) * stride - self.at(number)
        return next(
            ((p, stride) for p in range(apart, apart + stride) if self.moved(p, stride) == other),
            None,
        )

    def by_numbers(self, steps: Sequence[int]) -> Growth:
        """Return the growth by the numbers themselves; this one counts ``steps`` of each."""
        return Growth.product(factor._sum_by_numbers(steps) for factor in self.factors)

    def _sum_by_numbers(self, steps: Sequence[int]) -> Growth:
        shared = lcm(*(steps[place] for place in self.terms))
        terms = {place: times * (shared // steps[place]) for place, times in self.terms.items()}
        return Growth.sum_of(terms, self.plus * shared, self.over * shared, self.by)

    def text(self, number: str | Callable[[int], str]) -> str:
        """Return the extent as an expression in C or Python.

        ``number`` is the text of the number, or gives that of each by its place.
        """
        if self.rest:
            texts = [(factor, factor.text(number)) for factor in self.factors]
            return " * ".join(
                text if factor == Growth(1, place=factor.place) else f"({text})"
                for factor, text in texts
            )

        def name(place: int) -> str:
            return number if isinstance(number, str) else number(place)

        sums = [
            name(place) if times == 1 else f"{times} * {name(place)}"
            for place, times in self.terms.items()
        ]
        text = " + ".join(sums)
        if self.plus:
            text = f"{text} {'-' if self.plus < 0 else '+'} {abs(self.plus)}"
        is_name = self.times == 1 and not self.others and not self.plus
        if self.over != 1:
            text, is_name = f"{text if is_name else f'({text})'} / {self.over}", False
        return text if self.by == 1 else f"{text} * {self.by}"

    @property
    def expression(self) -> AffineExpr:
        """The extent, of one factor, as an affine expression of the numbers."""
        parts = [
            AffineExpr.dimension(place) * times if times != 1 else AffineExpr.dimension(place)
            for place, times in self.terms.items()
        ]
        found = reduce(add, parts)
        found = found + self.plus if self.plus else found
        found = found if self.over == 1 else found // self.over
        return found if self.by == 1 else found * self.by

    @staticmethod
    def from_expression(expression: AffineExpr) -> Growth | None:
        """Return the growth that an expression of the numbers says; ``None`` if it has none."""
        match expression:
            case AffineConstantExpr(0):
                return CONSTANT
            case AffineDimExpr(place):
                return Growth(1, place=place)
            case AffineBinaryOpExpr(kind, inner, AffineConstantExpr(value)):
                found = Growth.from_expression(inner)
            case AffineBinaryOpExpr(AffineBinaryOpKind.Add, one, other):
                return _sum(Growth.from_expression(one), Growth.from_expression(other))
            case _:
                return None
        match kind:
            case _ if not found:
                return None
            case AffineBinaryOpKind.Add:
                return found.moved(value, 1)
            case AffineBinaryOpKind.Mul if value > 0:
                return found.scaled(value)
            case AffineBinaryOpKind.FloorDiv if value > 0:
                return found.moved(0, value)
            case _:
                return None


def sum_of_growths(growths: Sequence[Growth], plus: int = 0) -> Growth | None:
    """Return how the sum of extents and a constant grows; ``None`` if that has not this form.

    Growths that are ``CONSTANT`` add nothing.
    """
    opened = [growth for growth in growths if growth]
    if opened and len(set(opened)) == 1:
        return opened[0].scaled(len(opened)).moved(plus, 1)
    if not all(growth.is_sum for growth in opened):
        return None
    terms: dict[int, int] = {}
    for growth in opened:
        for place, times in growth.terms.items():
            terms[place] = terms.get(place, 0) + times
    return Growth.sum_of(terms, plus + sum(growth.plus for growth in opened))


def _sum(one: Growth | None, other: Growth | None) -> Growth | None:
    return sum_of_growths([one, other]) if one and other else None


def solved(growths: Iterable[Growth]) -> list[tuple[Growth, int]]:
    """Return the growths of extents from which numbers follow, and the place of each number.

    They are in an order in which all numbers of a growth but that one are known from those before.
    """
    found: dict[int, Growth] = {}
    waiting = [growth for growth in growths if growth and growth.is_sum]
    while True:
        for growth in waiting:
            unknown = [place for place in growth.terms if place not in found]
            if len(unknown) == 1:
                found[unknown[0]] = growth
                break
        else:
            return [(growth, place) for place, growth in found.items()]


CONSTANT = Growth(0)
"""An extent that is the same for all numbers, which the type of the tensor says."""
