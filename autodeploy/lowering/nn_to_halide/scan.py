"""Lowering of scans."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt

from autodeploy.dialects.nn.scan import ScanOp
from autodeploy.lowering.nn_to_halide import functions
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
"""The longest row that is scanned as one block; longer ones are cut."""


@lowers(ScanOp)
def scan(builder: KernelBuilder, op: ScanOp, operands: Sequence[Value]) -> Value:
    """Combine all whole blocks before an element with the elements before it in its own block.

    There are as many blocks as a block has elements. Thus n elements take some n * sqrt(n) steps,
    all of which vectorise along the other axes."""
    x, axis = widened(operands[0]), op.axis.value.data
    start, combine, extent = op.start(x.element), partial(op.body, functions), x.shape[axis]
    length = max(extent, 1) if extent <= SHORT else isqrt(extent - 1) + 1
    blocks = -(-extent // length)

    growth = builder.open_axes(op.x)[axis]

    def open_end(scope: Scope) -> Expr:
        return builder.open_extent(scope, growth)

    def end(scope: Scope) -> Expr | int:
        """Return the number of elements, which only a call brings where the axis is open."""
        return open_end(scope) if growth else extent

    def mirrored(scope: Scope, coordinate: Expr) -> Expr:
        """Return the place of an element counted from where the scan starts, or back."""
        return coordinate * -1 + (end(scope) - 1) if op.reverse else coordinate

    def element(scope: Scope, point: Coordinates, number: Expr) -> Expr:
        """Return element ``number`` counted from the start of the scan; ``start`` after all."""
        if extent % length == 0 and not growth:
            return x.at(scope, (*point[:axis], mirrored(scope, number), *point[axis + 1 :]))
        held = mirrored(scope, number.minimum(end(scope) - 1))
        value = x.at(scope, (*point[:axis], held, *point[axis + 1 :]))
        return (number < end(scope)).select(value, start)

    def first(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(start, x.element)

    def fold_to_block(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        number = scope.index(point[axis]) * length + scope.index(reduced[0])
        return combine(old, element(scope, point, number))

    def fold_block(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        own = mirrored(scope, scope.index(point[axis])) // length
        (block,) = (scope.index(coordinate) for coordinate in reduced)
        value = totals.at(scope, (*point[:axis], block, *point[axis + 1 :]))
        return combine(old, (block < own).select(value, start))

    def fold_within(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        number = mirrored(scope, scope.index(point[axis]))
        (step,) = (scope.index(coordinate) for coordinate in reduced)
        own = number - number % length if blocks > 1 else scope.const(0)
        counts = own + step < number if op.exclusive else own + step <= number
        return combine(old, counts.select(element(scope, point, own + step), start))

    before: Value | None = None
    if blocks > 1:
        shape = (*x.shape[:axis], blocks, *x.shape[axis + 1 :])
        totals = builder.func(
            "block", x.element, shape, first, update=(Domain((("r", length),)), fold_to_block)
        )
        ends = {"b": (open_end(builder.outside) + (length - 1)) // length} if growth else {}
        whole = Domain((("b", blocks),), ends)
        before = builder.func("before", x.element, x.shape, first, update=(whole, fold_block))
    within = builder.func(
        "within", x.element, x.shape, first, update=(Domain((("r", length),)), fold_within)
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        own = within.at(scope, point)
        return own if before is None else combine(before.at(scope, point), own)

    return Value(x.element, x.shape, at)
