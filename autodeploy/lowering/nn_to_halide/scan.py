"""Lowering of scans."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.precision import widened
from autodeploy.lowering.nn_to_halide.registry import lowers

SHORT = 32
"""Up to so many elements are added up for each element of the result anew."""


@lowers(CumSumOp)
def cumsum(builder: KernelBuilder, op: CumSumOp, operands: Sequence[Value]) -> Value:
    """The sums of all whole blocks before an element, plus the sum within its own block.

    Blocks are as long as there are of them, so n elements take some n * sqrt(n) additions, all of
    which vectorise along the other axes.
    """
    x, axis = widened(operands[0]), op.axis.value.data
    extent = x.shape[axis]
    length = max(extent, 1) if extent <= SHORT else isqrt(extent - 1) + 1
    blocks = -(-extent // length)

    def mirrored(coordinate: Expr) -> Expr:
        """Return the place of an element counted from where the sum starts, or back."""
        return coordinate * -1 + (extent - 1) if op.reverse else coordinate

    def element(scope: Scope, point: Coordinates, number: Expr) -> Expr:
        """Return element ``number`` counted from where the sum starts; 0 behind the last."""
        place = mirrored(number)
        if extent % length == 0:
            return x.at(scope, (*point[:axis], place, *point[axis + 1 :]))
        held = mirrored(number.minimum(extent - 1))
        value = x.at(scope, (*point[:axis], held, *point[axis + 1 :]))
        return (number < extent).select(value, 0)

    def zero(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(0, x.element)

    def add_to_block(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        number = scope.index(point[axis]) * length + scope.index(reduced[0])
        return old + element(scope, point, number)

    def add_block(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        own = mirrored(scope.index(point[axis])) // length
        (block,) = (scope.index(coordinate) for coordinate in reduced)
        value = totals.at(scope, (*point[:axis], block, *point[axis + 1 :]))
        return old + (block < own).select(value, 0)

    def add_within(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        number = mirrored(scope.index(point[axis]))
        (step,) = (scope.index(coordinate) for coordinate in reduced)
        own = number - number % length if blocks > 1 else scope.const(0)
        counts = own + step < number if op.exclusive else own + step <= number
        return old + counts.select(element(scope, point, own + step), 0)

    before: Value | None = None
    if blocks > 1:
        shape = (*x.shape[:axis], blocks, *x.shape[axis + 1 :])
        totals = builder.func(
            "block", x.element, shape, zero, update=(Domain((("r", length),)), add_to_block)
        )
        before = builder.func(
            "before", x.element, x.shape, zero, update=(Domain((("b", blocks),)), add_block)
        )
    within = builder.func(
        "within", x.element, x.shape, zero, update=(Domain((("r", length),)), add_within)
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        own = within.at(scope, point)
        return own if before is None else before.at(scope, point) + own

    return Value(x.element, x.shape, at)
