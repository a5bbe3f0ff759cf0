"""Folding along axes: sums, products and extremes, in vectors where a row is long enough.

A fold along the innermost axis in n lanes has n partial results, ``name_lanes``. Each of them folds
every n-th element, and ``name`` folds the partial results. If n does not divide the row, the
lanes start with the last n elements of the row. Those of them that a block contains, too, are
replaced by the neutral element. Nothing outside of the row is read, and no step needs a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isqrt, prod
from typing import TypeAlias

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide.types import axis_names
from autodeploy.dialects.nn.types import MAX_RUN, is_float
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.templates.row.knobs import lane_axis
from autodeploy.templates.view import LANE

Combine: TypeAlias = Callable[[Expr, Expr], Expr]

LANES = 16
"""The lanes of a short row: the widest vector of 32-bit floats, or two or four narrower ones."""

LONG_LANES = 64
"""The lanes of a long row: several vectors, which do not wait for each other."""

LONG = 4 * LONG_LANES
"""The fewest elements of a long row."""

MAX_ROW = LONG_LANES * MAX_RUN
"""Floats of a row that are added up in lanes."""


@dataclass(frozen=True)
class Fold:
    """How elements become one: in a func ``name``, from ``start`` on, two by two by ``combine``.

    Halide may regroup and contract the arithmetic of a fold that ``contracts``.
    """

    builder: KernelBuilder
    name: str
    start: float | int
    combine: Combine
    contracts: bool = False
    ends: Mapping[int, Growth] = field(default_factory=dict[int, Growth])
    """How open axes grow: elements beyond the number of a call are not read."""
    rows: int = 0
    """The size of a part of the outermost axis if cores share it."""

    def along(self, x: Value, axes: Sequence[int]) -> Value:
        """Fold like ``in_order``, in lanes where the innermost axis is folded.

        Further axes are folded first: that leaves a row. The order in which elements meet is not
        that of the tensor.
        """
        row = lane_axis(x.shape, axes)
        if row is None:
            return self.in_order(x, axes)
        if x.shape[row] > MAX_ROW and self._is_long_sum(x, [row]):
            return self._in_blocks(x, axes, row)
        others = [axis for axis in axes if axis != row and x.shape[axis] != 1]
        if others:
            x = self._part("rows").in_order(x, others)
        fold = replace(self, contracts=self.contracts and not others)
        return fold._in_open_lanes(x, row) if row in self.ends else fold._in_lanes(x, row)

    def in_order(self, x: Value, axes: Sequence[int]) -> Value:
        """Fold the elements of ``x`` along ``axes``, which stay as extent 1, one after another.

        Sums of more floats than ``MAX_RUN`` are folded axis by axis, the innermost first, whose
        elements are contiguous, and a longer axis in blocks.
        """
        if self.rows:
            return self._in_shares(x, axes)
        if self._is_long_sum(x, axes):
            longest = max(axes, key=lambda axis: x.shape[axis])
            if x.shape[longest] > MAX_RUN:
                return self._in_blocks(x, axes, longest)
            axis = max(axis for axis in axes if x.shape[axis] > 1)
            parts = self._part("parts").in_order(x, [axis])
            others = [other for other in axes if other != axis]
            return replace(self, contracts=False).in_order(parts, others)
        domain = Domain(
            tuple((f"r{axis}", x.shape[axis]) for axis in axes),
            {
                f"r{axis}": self._end(self.builder.outside, axis)
                for axis in axes
                if axis in self.ends
            },
        )

        def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            source: list[Coordinate] = list(point)
            for axis, coordinate in zip(axes, reduced, strict=True):
                source[axis] = coordinate
            return self.combine(old, x.at(scope, tuple(source)))

        return self.builder.func(
            self.name,
            x.element,
            tuple(1 if axis in axes else n for axis, n in enumerate(x.shape)),
            lambda scope, point: scope.const(self.start, x.element),
            update=(domain, step) if axes else None,
            contracts=self.contracts,
        )

    def _part(self, name: str) -> Fold:
        """Return a fold whose results this one folds."""
        return replace(self, name=f"{self.name}_{name}")

    def _end(self, scope: Scope, axis: int) -> Expr:
        """Return the extent of an open axis."""
        return self.builder.open_extent(scope, self.ends[axis])

    def _is_long_sum(self, x: Value, axes: Sequence[int]) -> bool:
        """Return whether the rounding errors of one sum over ``axes`` would add up to too much.

        A fold of floats that starts from 0 is a sum.
        """
        count = prod(x.shape[axis] for axis in axes)
        return self.start == 0 and is_float(x.element) and count > MAX_RUN

    def _in_blocks(self, x: Value, axes: Sequence[int], axis: int) -> Value:
        """Fold ``axis`` as two: the number of a block, and the place within it.

        Places after the end hold the initial value of the fold.
        """
        extent = x.shape[axis]
        is_row = axis in _rows(x.shape)  # whose sum runs in lanes
        length = min(MAX_ROW, extent) if is_row else min(MAX_RUN, isqrt(extent - 1) + 1)
        shape = (*x.shape[:axis], -(-extent // length), length, *x.shape[axis + 1 :])

        def at(scope: Scope, point: Coordinates) -> Expr:
            block, place = (scope.index(coordinate) for coordinate in point[axis : axis + 2])
            number = block * length + place
            partial = axis in self.ends or extent % length
            last = self._end(scope, axis) if axis in self.ends else scope.const(extent)
            held = number.minimum(last - 1) if partial else number
            value = x.at(scope, (*point[:axis], held, *point[axis + 2 :]))
            return (number < last).select(value, self.start) if partial else value

        both = [a if a <= axis else a + 1 for a in axes]
        ends = {a if a < axis else a + 1: c for a, c in self.ends.items() if a != axis}
        inner = replace(self._part("blocks"), ends=ends)
        inner = inner.along(Value(x.element, shape, at), [axis + 1])
        outer = replace(self, contracts=False, ends=ends)
        folded = outer.in_order(inner, [a for a in both if a != axis + 1])

        def narrow(scope: Scope, point: Coordinates) -> Expr:
            return folded.at(scope, (*point[: axis + 1], 0, *point[axis + 1 :]))

        result = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
        return Value(x.element, result, narrow)

    def _in_shares(self, x: Value, axes: Sequence[int]) -> Value:
        """Fold parts of the outermost axis, of ``rows`` elements each, then the parts.

        The func ``name_shares`` holds the parts. It computes nothing, so a core folds whole parts
        in memory of its own, and writes each of them once.
        """
        axis = min(axis for axis in axes if x.shape[axis] > 1)
        parts = x.shape[axis] // self.rows
        shape = (*x.shape[:axis], parts, self.rows, *x.shape[axis + 1 :])

        def at(scope: Scope, point: Coordinates) -> Expr:
            part, place = (scope.index(coordinate) for coordinate in point[axis : axis + 2])
            return x.at(scope, (*point[:axis], part * self.rows + place, *point[axis + 2 :]))

        outer = replace(self, contracts=False, rows=0)
        fold = replace(self._part("blocks"), rows=0)
        inner, within = Value(x.element, shape, at), [a + 1 for a in axes if a > axis]
        if within:
            inner = fold._part("rows").in_order(inner, within)
            fold = replace(fold, contracts=False)
        inner = fold.in_order(inner, [axis + 1])
        shares = self.builder.func(f"{self.name}_shares", x.element, inner.shape, inner.at)
        folded = outer.in_order(shares, [axis])

        def narrow(scope: Scope, point: Coordinates) -> Expr:
            return folded.at(scope, (*point[: axis + 1], 0, *point[axis + 1 :]))

        return Value(x.element, tuple(1 if a in axes else n for a, n in enumerate(x.shape)), narrow)

    def _in_lanes(self, x: Value, axis: int) -> Value:
        extent = x.shape[axis]
        lanes = lanes_of(extent)
        blocks, rest = divmod(extent, lanes)

        def element(scope: Scope, point: Coordinates, place: Coordinate) -> Expr:
            return x.at(scope, (*point[:axis], place, *point[axis + 1 :]))

        def first(scope: Scope, point: Coordinates) -> Expr:
            lane = scope.index(point[axis])
            if not rest:
                return element(scope, point, lane)
            last = element(scope, point, lane + (extent - lanes))
            return (lane >= lanes - rest).select(last, self.start)

        def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            (block,) = (scope.index(coordinate) for coordinate in reduced)
            place = (block if rest else block + 1) * lanes + scope.index(point[axis])
            return self.combine(old, element(scope, point, place))

        steps = blocks if rest else blocks - 1
        shape = (*x.shape[:axis], lanes, *x.shape[axis + 1 :])
        names: list[str] = list(reversed(axis_names(len(shape))))
        names[axis] = LANE
        parts = self.builder.func(
            f"{self.name}_lanes",
            x.element,
            shape,
            first,
            names=names,
            update=(Domain((("block", steps),)), step) if steps else None,
            contracts=self.contracts,
        )

        def whole(scope: Scope, point: Coordinates) -> Expr:
            return self._together(parts, scope, point, axis, lanes)

        folded = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        return self.builder.func(self.name, x.element, folded, whole)

    def _in_open_lanes(self, x: Value, axis: int) -> Value:
        """Fold whole blocks of a row in lanes, then the lanes, then what is left of the row."""
        lanes, end = lanes_of(x.shape[axis]), self._end(self.builder.outside, axis)
        folded = (*x.shape[:axis], 1, *x.shape[axis + 1 :])

        def element(scope: Scope, point: Coordinates, place: Coordinate) -> Expr:
            return x.at(scope, (*point[:axis], place, *point[axis + 1 :]))

        def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            place = scope.index(reduced[0]) * lanes + scope.index(point[axis])
            return self.combine(old, element(scope, point, place))

        shape = (*x.shape[:axis], lanes, *x.shape[axis + 1 :])
        names: list[str] = list(reversed(axis_names(len(shape))))
        names[axis] = LANE
        blocks = Domain((("block", x.shape[axis] // lanes),), {"block": end // lanes})
        parts = self.builder.func(
            f"{self.name}_lanes",
            x.element,
            shape,
            lambda scope, point: scope.const(self.start, x.element),
            names=names,
            update=(blocks, step),
            contracts=self.contracts,
        )

        def whole(scope: Scope, point: Coordinates) -> Expr:
            return self._together(parts, scope, point, axis, lanes)

        def last(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            place = self._end(scope, axis) // lanes * lanes + scope.index(reduced[0])
            return self.combine(old, element(scope, point, place))

        return self.builder.func(
            self.name,
            x.element,
            folded,
            whole,
            update=(Domain((("rest", lanes - 1),), {"rest": end % lanes}), last),
            contracts=self.contracts,
        )

    def _together(
        self, parts: Value, scope: Scope, point: Coordinates, axis: int, lanes: int
    ) -> Expr:
        """Return what the lanes of a row are together."""
        values = [
            parts.at(scope, (*point[:axis], lane, *point[axis + 1 :])) for lane in range(lanes)
        ]
        while len(values) > 1:
            half = len(values) // 2
            pairs = zip(values[:half], values[half:], strict=True)
            values = [self.combine(a, b) for a, b in pairs]
        return values[0]


def _rows(shape: Sequence[int]) -> Sequence[int]:
    """Return the innermost axis that is not 1, if there is one."""
    return [axis for axis, extent in enumerate(shape) if extent != 1][-1:]


def lanes_of(extent: int) -> int:
    """Return in how many lanes a row is folded; a power of two of at most its elements."""
    if extent >= LONG:
        return LONG_LANES
    return min(LANES, 1 << (extent.bit_length() - 1))
