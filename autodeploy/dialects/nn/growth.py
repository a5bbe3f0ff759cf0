"""How the extent of an axis grows with the number of a run: rounded down, from the largest to 1.

Windows that move by a stride make an extent a part of the one before, less what they reach beyond,
and several layers of them do so again and again. All of these are of one form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)


@dataclass(frozen=True)
class Growth:
    """An extent ``by * floor((times * n + plus) / over)`` for a number n; ``times`` is 0 of none.

    Of several numbers of a run it is the one at ``place``. ``of`` makes growths, so that equal
    extents for all numbers are equal growths.
    """

    times: int
    plus: int = 0
    over: int = 1
    by: int = 1
    place: int = 0

    @staticmethod
    def of(times: int, plus: int = 0, over: int = 1, by: int = 1, place: int = 0) -> Growth:
        """Return the growth in its lowest terms."""
        if not times:
            return CONSTANT
        shared = gcd(times, over)
        times, plus, over = times // shared, plus // shared, over // shared
        if over == 1:
            times, plus, by = times * by, plus * by, 1
        return Growth(times, plus, over, by, place)

    def __bool__(self) -> bool:
        """Tell whether the extent depends on the number."""
        return bool(self.times)

    def __str__(self) -> str:
        if self.is_proportional and not self.place:
            return str(self.times)
        return self.text(f"n{self.place}" if self.place else "n")

    __repr__ = __str__

    @property
    def is_proportional(self) -> bool:
        """Tell whether the extent is a multiple of the number, ``times`` it."""
        return not self.plus and self.over == 1

    @property
    def multiple(self) -> int:
        """Return a number that divides all extents that there may be; 0 of a constant one."""
        return gcd(self.times, self.plus) if self.over == 1 else self.by

    def at(self, number: int) -> int:
        """Return the extent for a number."""
        return (self.times * number + self.plus) // self.over * self.by

    def scaled(self, factor: int) -> Growth:
        """Return the growth of an extent that is a multiple of this one."""
        return Growth.of(self.times, self.plus, self.over, self.by * factor, self.place)

    def divided(self, divisor: int) -> Growth | None:
        """Return the growth of a part of this extent; ``None`` where it does not always divide."""
        if self.multiple % divisor:
            return None
        if self.over == 1:
            return Growth.of(self.times // divisor, self.plus // divisor, place=self.place)
        return replace(self, by=self.by // divisor)

    def moved(self, plus: int, stride: int) -> Growth | None:
        """Return that of the extent plus a constant over a stride, rounded down.

        ``None`` where that has not this form.
        """
        if self.over == 1:
            return Growth.of(self.times, self.plus + plus, stride, place=self.place)
        shared = gcd(self.by, stride)
        by, plus, stride = self.by // shared, plus // shared, stride // shared
        if by == 1:
            plus, stride = self.plus + self.over * plus, self.over * stride
            return Growth.of(self.times, plus, stride, place=self.place)
        if stride != 1 or plus % by:
            return None
        return Growth.of(
            self.times, self.plus + self.over * (plus // by), self.over, by, self.place
        )

    def move_to(self, other: Growth) -> tuple[int, int] | None:
        """Return by which constant and stride ``moved`` makes another growth of this one, if so."""
        if not self or not other or self.place != other.place:
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

    def by_numbers(self, step: int) -> Growth:
        """Return the growth by a number of which each ``step`` counts as one here."""
        return Growth.of(self.times, self.plus * step, self.over * step, self.by, self.place)

    def text(self, number: str) -> str:
        """Return the extent as an expression in C or Python, of the ``number``."""
        text = number if self.times == 1 else f"{self.times} * {number}"
        if self.plus:
            text = f"{text} {'-' if self.plus < 0 else '+'} {abs(self.plus)}"
        if self.over != 1:
            text = f"{text if text == number else f'({text})'} / {self.over}"
        return text if self.by == 1 else f"{text} * {self.by}"

    @property
    def expression(self) -> AffineExpr:
        """The extent as an affine expression of the numbers."""
        found = AffineExpr.dimension(self.place)
        found = found if self.times == 1 else found * self.times
        found = found + self.plus if self.plus else found
        found = found if self.over == 1 else found // self.over
        return found if self.by == 1 else found * self.by

    @staticmethod
    def from_expression(expression: AffineExpr) -> Growth | None:
        """Return the growth that an expression of the number says; ``None`` where it has none."""
        match expression:
            case AffineConstantExpr(0):
                return CONSTANT
            case AffineDimExpr(place):
                return Growth(1, place=place)
            case AffineBinaryOpExpr(kind, inner, AffineConstantExpr(value)):
                found = Growth.from_expression(inner)
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


CONSTANT = Growth(0)
"""An extent that is the same for all numbers, which the type of the tensor says."""
