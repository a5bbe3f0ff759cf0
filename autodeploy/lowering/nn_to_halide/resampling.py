"""Lowering of resizes: a weighted sum of the elements around each place.

The sum along each axis is of sums along the axes after it. Places are exact: quotient and remainder
of integers. Only the weights are floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.resampling import Interpolation, Places, ResizeOp, Rounding
from autodeploy.dialects.nn.types import bounds_of, is_float
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    KernelBuilder,
    Value,
    lowers,
    widened,
)

Taps: TypeAlias = "list[tuple[Coordinate, Expr | None]]"
"""Places along an axis with their weights; the only one has none."""


@lowers(ResizeOp)
def resize(builder: KernelBuilder, op: ResizeOp, operands: Sequence[Value]) -> Value:
    """The sum over the taps of each axis, or the extrapolated number outside."""
    x, shape = operands[0], bounds_of(op.result.type)
    if op.interpolation.data != Interpolation.NEAREST:
        x = widened(x)
    ends, grown = builder.open_ends(op.x, range(len(x.shape))), op.grown

    def line(scope: Scope, axis: int) -> _Quotient | None:
        if axis not in grown:
            return None
        places, before, after = grown[axis]
        old: Expr | int = builder.open_extent(scope, before) if before else x.shape[axis]
        new: Expr | int = builder.open_extent(scope, after) if after else shape[axis]
        return _line(places, old, new, shape[axis])

    def at(scope: Scope, point: Coordinates) -> Expr:
        axes = [
            _Axis(
                op,
                axis,
                scope.index(c),
                x,
                ends[axis](scope) if axis in ends else None,
                line(scope, axis),
            )
            for axis, c in enumerate(point)
        ]
        value = _weighted(scope, x, [axis.taps() for axis in axes], ())
        if op.extrapolation is None:
            return value
        outside = [test for axis in axes for test in axis.outside()]
        if not outside:
            return value
        number = op.extrapolation.value.data
        constant = value.same(number if is_float(value.type) else int(number))
        beyond = outside[0]
        for test in outside[1:]:
            beyond = beyond | test
        return beyond.select(constant, value)

    return Value(x.element, shape, at)


def _weighted(scope: Scope, x: Value, taps: list[Taps], point: Coordinates) -> Expr:
    """Return the sum over the taps of all axes from the one that ``point`` has reached."""
    if len(point) == len(taps):
        return x.at(scope, point)
    total: Expr | None = None
    for place, weight in taps[len(point)]:
        value = _weighted(scope, x, taps, (*point, place))
        term = value if weight is None else value * weight
        total = term if total is None else total + term
    assert total is not None  # every axis has a tap
    return total


def _line(places: Places, old: Expr | int, new: Expr | int, count: int) -> _Quotient:
    """Return the places in the operand of the elements of a result, along an open axis.

    ``old`` is the extent of the operand, ``new`` that of the result; at least one is an expression.
    """
    match places:
        case Places.HALF_PIXEL:
            return _Quotient(old * 2, _less(old, new), new * 2, count)
        case Places.PYTORCH_HALF_PIXEL:
            if isinstance(new, int):
                wide = _line(Places.HALF_PIXEL, old, new, count)
                return wide if new > 1 else _Quotient(0, 0, 1, count)
            several = new > 1
            return _Quotient(
                several.select(_same(new, old * 2), 0),
                several.select(_same(new, _less(old, new)), 0),
                new * 2,
                count,
            )
        case Places.ASYMMETRIC:
            return _Quotient(old, 0, new, count)
        case Places.ALIGN_CORNERS:
            last = max(new - 1, 1) if isinstance(new, int) else (new - 1).maximum(1)
            # A single element is the first one, as i is 0.
            return _Quotient(old - 1, 0, last, count)
        case Places.TF_HALF_PIXEL_FOR_NN:
            return _Quotient(old * 2, old, new * 2, count)
        case Places.CONSTANT:
            raise AssertionError("constant places are those of the op")


def _same(like: Expr, value: Expr | int) -> Expr:
    return like.same(value) if isinstance(value, int) else value


def _less(one: Expr | int, other: Expr | int) -> Expr | int:
    if isinstance(one, int):
        return one - other if isinstance(other, int) else other.same(one) - other
    return one - other


@dataclass(frozen=True)
class _Quotient:
    """The whole number ``(i * factor + offset) // divisor`` of a coordinate i below ``count``.

    Numbers that only a run knows are expressions.
    """

    factor: Expr | int
    offset: Expr | int
    divisor: Expr | int
    count: int

    @property
    def numbers(self) -> tuple[int, int, int] | None:
        """The three numbers, if they are known."""
        known = [n for n in (self.factor, self.offset, self.divisor) if isinstance(n, int)]
        return (known[0], known[1], known[2]) if len(known) == 3 else None

    def reduced(self) -> _Quotient:
        """Return the same numbers without a common divisor: what remains cannot carry over."""
        if self.numbers is None:
            return self
        factor, offset, divisor = self.numbers
        common = gcd(factor, divisor)
        return _Quotient(factor // common, offset // common, divisor // common, self.count)

    def bounds(self) -> tuple[int, int] | None:
        """Return the least and the greatest of the numbers, if they are known."""
        if self.numbers is None:
            return None
        factor, offset, divisor = self.numbers
        ends = [(i * factor + offset) // divisor for i in (0, self.count - 1)]
        return min(ends), max(ends)

    def within(self, coordinate: Expr, step: int, extent: Expr | int) -> Expr:
        """Return the number for a coordinate plus ``step``, held within ``extent`` places.

        It may be any if only a run knows the extent.
        """
        moved = (coordinate * self.factor + self.offset) // self.divisor + step
        bounds = self.bounds()
        if bounds is None or bounds[0] + step < 0:
            moved = moved.maximum(0)
        if bounds is not None and isinstance(extent, int) and bounds[1] + step < extent:
            return moved
        return moved.minimum(extent - 1)


class _Axis:
    """The place along one axis for a coordinate of the result."""

    def __init__(
        self,
        op: ResizeOp,
        axis: int,
        coordinate: Expr,
        x: Value,
        end: Expr | None,
        line: _Quotient | None,
    ):
        """Take the ``end`` of an axis of the operand that is open, and places that follow it."""
        self.op, self.coordinate, self.element = op, coordinate, x.element
        count = bounds_of(op.result.type)[axis]
        self.extent: Expr | int = x.shape[axis] if end is None else end
        self.place = line or _Quotient(
            ints(op.numerators)[axis], ints(op.offsets)[axis], ints(op.denominators)[axis], count
        )

    def _position(self) -> Expr:
        """Return the place times the denominator."""
        return self.coordinate * self.place.factor + self.place.offset

    def outside(self) -> list[Expr]:
        """Return the tests for a place before the first or after the last element."""
        position = _Quotient(self.place.factor, self.place.offset, 1, self.place.count)
        bounds = position.bounds()
        last = (self.extent - 1) * self.place.divisor
        tests = [self._position() < 0] if bounds is None or bounds[0] < 0 else []
        if bounds is not None and isinstance(last, int) and bounds[1] <= last:
            return tests
        return [*tests, self._position() > last]

    def taps(self) -> Taps:
        """Return the places that count, each within the operand, and their weights."""
        kind, place = self.op.interpolation.data, self.place
        if kind == Interpolation.NEAREST:
            nearest = self._nearest().reduced()
            return [(nearest.within(self.coordinate, 0, self.extent), None)]
        numbers = place.numbers
        if numbers and not numbers[0] % numbers[2] and not numbers[1] % numbers[2]:
            return [(place.reduced().within(self.coordinate, 0, self.extent), None)]
        rest = (self._position() % place.divisor).cast(self.element)
        if isinstance(place.divisor, int):
            fraction = rest * (1.0 / place.divisor)
        else:
            fraction = rest / place.divisor.cast(self.element)
        if kind == Interpolation.LINEAR:
            first, weights = 0, [1.0 - fraction, fraction]
        else:
            first, weights = -1, _cubic_weights(fraction, self.op.coefficient.value.data)
            weights = self._without_outside(weights) if self.op.exclude_outside else weights
        return [
            (place.within(self.coordinate, step, self.extent), weight)
            for step, weight in enumerate(weights, first)
        ]

    def _nearest(self) -> _Quotient:
        """Return the nearest place by the rounding, as a quotient, which rounds down."""
        factor, offset = self.place.factor, self.place.offset
        divisor, count = self.place.divisor, self.place.count
        match self.op.rounding.data:
            case Rounding.FLOOR:
                return self.place
            case Rounding.CEIL:
                return _Quotient(factor, offset + divisor - 1, divisor, count)
            case Rounding.HALF_UP:
                return _Quotient(2 * factor, 2 * offset + divisor, 2 * divisor, count)
            case Rounding.HALF_DOWN:
                return _Quotient(2 * factor, 2 * offset + divisor - 1, 2 * divisor, count)

    def _without_outside(self, weights: list[Expr]) -> list[Expr]:
        """Return cubic weights that are 0 outside, scaled so that their sum is 1 again."""
        kept: list[Expr] = []
        for step, weight in enumerate(weights, -1):
            place = self._position() // self.place.divisor + step
            within = (place >= 0) & (place < self.extent)
            kept.append(within.select(weight, 0.0))
        total = kept[0] + kept[1] + kept[2] + kept[3]
        return [weight / total for weight in kept]


def _cubic_weights(t: Expr, a: float) -> list[Expr]:
    """Return the weights of the elements at -1, 0, 1 and 2 for a place ``t`` after the second.

    Cubic convolution (Keys 1981) with the free parameter ``a``, as polynomials in t.
    """

    def near(distance: Expr) -> Expr:
        return ((a + 2.0) * distance - (a + 3.0)) * distance * distance + 1.0

    def far(distance: Expr) -> Expr:
        return ((a * distance - 5.0 * a) * distance + 8.0 * a) * distance - 4.0 * a

    return [far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)]
