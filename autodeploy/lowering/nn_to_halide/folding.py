"""Folding along axes: sums, products and extremes, side by side where a vector holds the row.

A fold along the innermost axis of n lanes has n partial results, ``name_lanes``: each folds every
n-th element, and ``name`` folds these results. Where blocks of n do not divide the row, the lanes
start with the last n elements; those that a block contains, too, are replaced by the neutral
element. So nothing outside of the row is read, and no step needs a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt, prod
from typing import TypeAlias

from autodeploy.dialects.halide.types import axis_names
from autodeploy.dialects.nn.types import is_float
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)

Combine: TypeAlias = Callable[[Expr, Expr], Expr]

LANE = "lane"
"""The variable of the lanes; schedules know by it what is folded side by side."""

LANES = 16
"""Lanes of a row: the widest vector of 32-bit floats, or two or four narrower ones."""

LONG_LANES = 64
"""Lanes of a long row: several vectors, whose steps need not wait for each other."""

LONG = 4 * LONG_LANES
"""Elements from which on a row is long."""

MAX_RUN = 1024
"""Floats that are added up one after another: with more, rounding errors pass 1e-6 of the sum."""

MAX_ROW = LONG_LANES * MAX_RUN
"""Floats of a row that are added up in lanes."""

SHORT = 4
"""Shorter rows have no lanes."""


def fold_axes(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axes: Sequence[int],
    start: float | int,
    combine: Combine,
    contracts: bool = False,
) -> Value:
    """Fold the elements of ``x`` along ``axes``, which stay as extent 1, one after another.

    Sums of more floats than ``MAX_RUN`` are folded axis by axis, and a longer axis in blocks.
    """
    if _is_long_sum(x, axes, start):
        axis = max(axes, key=lambda axis: x.shape[axis])
        if x.shape[axis] > MAX_RUN:
            return _fold_in_blocks(builder, name, x, axes, axis, start, combine, contracts)
        parts = fold_axes(builder, f"{name}_parts", x, [axis], start, combine, contracts)
        others = [other for other in axes if other != axis]
        return fold_axes(builder, name, parts, others, start, combine)
    domain = Domain(tuple((f"r{axis}", x.shape[axis]) for axis in axes))

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        source: list[Coordinate] = list(point)
        for axis, coordinate in zip(axes, reduced, strict=True):
            source[axis] = coordinate
        return combine(old, x.at(scope, tuple(source)))

    shape = tuple(1 if axis in axes else n for axis, n in enumerate(x.shape))
    return builder.func(
        name,
        x.element,
        shape,
        lambda scope, point: scope.const(start, x.element),
        update=(domain, step) if axes else None,
        contracts=contracts,
    )


def _is_long_sum(x: Value, axes: Sequence[int], start: float | int) -> bool:
    """Tell whether the rounding errors of one sum over ``axes`` would add up to too much.

    Of floats, what starts from 0 is a sum.
    """
    count = prod(x.shape[axis] for axis in axes)
    return start == 0 and is_float(x.element) and count > MAX_RUN


def _fold_in_blocks(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axes: Sequence[int],
    axis: int,
    start: float | int,
    combine: Combine,
    contracts: bool,
) -> Value:
    """Fold like ``fold``, ``axis`` as two: the number of a block, and the place within it.

    Places behind the end hold what the fold starts from.
    """
    extent = x.shape[axis]
    is_row = axis in _rows(x.shape)  # whose sum runs in lanes
    length = min(MAX_ROW, extent) if is_row else min(MAX_RUN, isqrt(extent - 1) + 1)
    shape = (*x.shape[:axis], -(-extent // length), length, *x.shape[axis + 1 :])

    def at(scope: Scope, point: Coordinates) -> Expr:
        block, place = (scope.index(coordinate) for coordinate in point[axis : axis + 2])
        number = block * length + place
        held = number.minimum(extent - 1) if extent % length else number
        value = x.at(scope, (*point[:axis], held, *point[axis + 2 :]))
        return (number < extent).select(value, start) if extent % length else value

    both = [a if a <= axis else a + 1 for a in axes]
    wide = Value(x.element, shape, at)
    inner = fold(builder, f"{name}_blocks", wide, [axis + 1], start, combine, contracts)
    folded = fold_axes(builder, name, inner, [a for a in both if a != axis + 1], start, combine)

    def narrow(scope: Scope, point: Coordinates) -> Expr:
        return folded.at(scope, (*point[: axis + 1], 0, *point[axis + 1 :]))

    result = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
    return Value(x.element, result, narrow)


def _rows(shape: Sequence[int]) -> Sequence[int]:
    """Return the innermost axis that is not 1, if there is one."""
    return [axis for axis, extent in enumerate(shape) if extent != 1][-1:]


def fold(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axes: Sequence[int],
    start: float | int,
    combine: Combine,
    contracts: bool = False,
) -> Value:
    """Fold like ``fold_axes``, in lanes where the innermost axis is folded.

    Axes of extent 1 inside of that one do not count. Further axes are folded first: that leaves a
    row. The order in which elements meet is not that of the tensor.
    """
    wide = [axis for axis, extent in enumerate(x.shape) if extent != 1]
    row = wide[-1] if wide else None
    if row is None or row not in axes or x.shape[row] < SHORT:
        return fold_axes(builder, name, x, axes, start, combine, contracts)
    if x.shape[row] > MAX_ROW and _is_long_sum(x, [row], start):
        return _fold_in_blocks(builder, name, x, axes, row, start, combine, contracts)
    others = [axis for axis in axes if axis != row and x.shape[axis] != 1]
    if others:
        x = fold_axes(builder, f"{name}_rows", x, others, start, combine, contracts)
    return _fold_row(builder, name, x, row, start, combine, contracts and not others)


def lanes_of(extent: int) -> int:
    """Return in how many lanes a row is folded; a power of two of at most its elements."""
    if extent >= LONG:
        return LONG_LANES
    return min(LANES, 1 << (extent.bit_length() - 1))


def _fold_row(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axis: int,
    start: float | int,
    combine: Combine,
    contracts: bool,
) -> Value:
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
        return (lane >= lanes - rest).select(last, start)

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (block,) = (scope.index(coordinate) for coordinate in reduced)
        place = (block if rest else block + 1) * lanes + scope.index(point[axis])
        return combine(old, element(scope, point, place))

    steps = blocks if rest else blocks - 1
    shape = (*x.shape[:axis], lanes, *x.shape[axis + 1 :])
    names: list[str] = list(reversed(axis_names(len(shape))))
    names[axis] = LANE
    parts = builder.func(
        f"{name}_lanes",
        x.element,
        shape,
        first,
        names=names,
        update=(Domain((("block", steps),)), step) if steps else None,
        contracts=contracts,
    )

    def whole(scope: Scope, point: Coordinates) -> Expr:
        values = [
            parts.at(scope, (*point[:axis], lane, *point[axis + 1 :])) for lane in range(lanes)
        ]
        while len(values) > 1:
            half = len(values) // 2
            values = [combine(a, b) for a, b in zip(values[:half], values[half:], strict=True)]
        return values[0]

    folded = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    return builder.func(name, x.element, folded, whole)
