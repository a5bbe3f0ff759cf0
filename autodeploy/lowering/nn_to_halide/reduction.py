"""Lowering of reductions, places of extremes, and softmax."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from xdsl.dialects.builtin import bf16, f16, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.limits import highest, lowest
from autodeploy.dialects.nn.reduction import (
    ArgReduceOp,
    ReduceOp,
    Reduction,
    SoftmaxOp,
)
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.exponential import exp
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import Fold
from autodeploy.lowering.nn_to_halide.functions import larger, smaller
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.precision import computed, rounded, widened
from autodeploy.lowering.nn_to_halide.registry import lowers


def open_ends(builder: KernelBuilder, x: SSAValue, axes: Sequence[int]) -> dict[int, Growth]:
    """Return how those of the axes grow that are open."""
    growths = builder.open_axes(x)
    return {axis: growths[axis] for axis in axes if growths[axis]}


@lowers(ReduceOp)
def reduce(builder: KernelBuilder, op: ReduceOp, operands: Sequence[Value]) -> Value:
    """Fold along the axes, then drop them unless they are kept."""
    x, axes = widened(operands[0]), ints(op.axes)
    name, combine = f"reduce_{op.kind.data}", partial(op.body, functions)
    ends = open_ends(builder, op.x, axes)
    fold = Fold(builder, name, op.start(x.element), combine, ends=ends, rows=builder.shared_rows)
    folded = fold.along(x, axes) if axes else x
    constant = math.prod(x.shape[axis] for axis in axes if axis not in ends)

    def count(scope: Scope) -> Expr | int:
        number: Expr | int = constant
        for growth in ends.values():
            number = builder.open_extent(scope, growth) * number
        return number

    def at(scope: Scope, point: Coordinates) -> Expr:
        kept = iter(point)
        if op.keepdims:
            source = point
        else:
            source = tuple(0 if axis in axes else next(kept) for axis in range(len(x.shape)))
        return op.finish(functions, folded.at(scope, source), count(scope))

    return Value(x.element, shape_of(op.result.type), at)


@lowers(ArgReduceOp)
def arg_reduce(builder: KernelBuilder, op: ArgReduceOp, operands: Sequence[Value]) -> Value:
    """The extreme first, then the first or last place that holds it."""
    x, axis = widened(operands[0]), op.axis.value.data
    extent, largest = x.shape[axis], op.kind.data == Reduction.MAX
    ends = open_ends(builder, op.x, [axis])
    fold = (
        Fold(builder, "largest", lowest(x.element), larger, ends=ends)
        if largest
        else Fold(builder, "smallest", highest(x.element), smaller, ends=ends)
    )
    extreme = fold.along(x, [axis])
    nowhere = -1 if op.select_last else extent

    def place_at(scope: Scope, point: Coordinates) -> Expr:
        place, value = scope.index(point[axis]), x.at(scope, point)
        best = extreme.at(scope, (*point[:axis], 0, *point[axis + 1 :]))
        hit = value.equals(best)
        if is_float(x.element):
            # Of a row with nan the extreme is nan, which equals nothing.
            hit = hit | ~value.equals(value)
        return hit.select(place, nowhere)

    places = Value(i32, x.shape, place_at)
    nearer = Expr.maximum if op.select_last else Expr.minimum
    found = Fold(builder, "place", nowhere, nearer, ends=ends).along(places, [axis])

    def at(scope: Scope, point: Coordinates) -> Expr:
        source = point if op.keepdims else (*point[:axis], 0, *point[axis:])
        return found.at(scope, source).cast(i64)

    return Value(i64, shape_of(op.result.type), at)


@lowers(SoftmaxOp)
def softmax(builder: KernelBuilder, op: SoftmaxOp, operands: Sequence[Value]) -> Value:
    """Maximum, exponentials, the reciprocal of their sum, product: funcs for a schedule to place.

    The maximum need not keep nan. The exponential of a nan makes all results of its row nan, and so
    does that of an inf, and that of any element in a row of -inf. With 16-bit floats each step is
    rounded, as in the function by which ONNX defines Softmax, and exponentials are divided by the
    sum.
    """
    x, axis = widened(operands[0]), op.axis.value.data
    result = element_of(op.result.type)
    rounds = result in (f16, bf16) and not builder.fast_16bit

    def step(value: Expr) -> Expr:
        return computed(rounded(value, result)) if rounds else value

    ends = open_ends(builder, op.x, [axis])
    largest = Fold(builder, "largest", -math.inf, Expr.maximum, ends=ends).along(x, [axis])

    def row(point: Coordinates) -> Coordinates:
        return (*point[:axis], 0, *point[axis + 1 :])

    def power_at(scope: Scope, point: Coordinates) -> Expr:
        distance = scope.strictly(lambda: x.at(scope, point) - largest.at(scope, row(point)))
        return step(exp(step(distance)))

    hidden = builder.hidden(Value(x.element, x.shape, power_at))
    power = builder.func("power", x.element, x.shape, hidden.at, contracts=True)
    total = Fold(builder, "total", 0.0, Expr.__add__, ends=ends).along(power, [axis])

    def share_at(scope: Scope, point: Coordinates) -> Expr:
        value = total.at(scope, point)
        return step(value) if rounds else 1.0 / value

    share = builder.func("share", x.element, total.shape, share_at)

    def at(scope: Scope, point: Coordinates) -> Expr:
        value, own = power.at(scope, point), share.at(scope, row(point))
        return value / own if rounds else value * own

    return Value(x.element, x.shape, at)
