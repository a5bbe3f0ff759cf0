"""Lowering of reductions, places of extremes, softmax and batch normalisation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import f64, i32, i64

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.layout import channel_axis
from autodeploy.dialects.nn.reduction import (
    ArgReduceOp,
    BatchNormOp,
    ReduceOp,
    Reduction,
    SoftmaxOp,
)
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.functions import exp
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    AXIS_NAMES,
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.limits import highest, lowest
from autodeploy.lowering.nn_to_halide.pointwise import larger, narrowed, smaller, widened
from autodeploy.lowering.nn_to_halide.registry import lowers

LANES = 16
"""Elements that a fold along the innermost axis keeps apart: the widest vector of 32-bit floats."""


def fold_axes(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axes: Sequence[int],
    start: float | int,
    combine: Callable[[Expr, Expr], Expr],
) -> Value:
    """Fold the elements of ``x`` along ``axes``, which stay as extent 1."""
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
    )


def fold_in_lanes(
    builder: KernelBuilder,
    name: str,
    x: Value,
    axes: Sequence[int],
    start: float | int,
    combine: Callable[[Expr, Expr], Expr],
) -> Value:
    """Fold like ``fold_axes``; a long innermost axis first to as many elements as vectors have.

    Each of these takes its share of the elements, side by side; they are folded at last.
    """
    last = len(x.shape) - 1
    long = last in axes and x.shape[last] >= 2 * LANES and x.shape[last] % LANES == 0
    if not long or len(x.shape) == len(AXIS_NAMES):
        return fold_axes(builder, name, x, axes, start, combine)
    apart = Value(
        x.element,
        (*x.shape[:last], x.shape[last] // LANES, LANES),
        lambda scope, point: x.at(
            scope, (*point[:-2], scope.index(point[-2]) * LANES + scope.index(point[-1]))
        ),
    )
    parts = fold_axes(builder, f"{name}_parts", apart, axes, start, combine)
    row = Value(
        x.element,
        (*parts.shape[:-2], LANES),
        lambda scope, point: parts.at(scope, (*point[:-1], 0, point[-1])),
    )
    return fold_axes(builder, name, row, [last], start, combine)


@lowers(ReduceOp)
def reduce(builder: KernelBuilder, op: ReduceOp, operands: Sequence[Value]) -> Value:
    """Fold along the axes, then drop them unless they are kept."""
    x, axes = widened(operands[0]), ints(op.axes)
    kind, element = op.kind.data, x.element
    combine: Callable[[Expr, Expr], Expr]
    match kind:
        case Reduction.SUM | Reduction.MEAN:
            start, combine = 0, Expr.__add__
        case Reduction.PROD:
            start, combine = 1, Expr.__mul__
        case Reduction.MAX:
            start, combine = lowest(element), larger
        case Reduction.MIN:
            start, combine = highest(element), smaller
    folded = fold_in_lanes(builder, f"reduce_{kind}", x, axes, start, combine) if axes else x
    count = math.prod(x.shape[axis] for axis in axes)

    def at(scope: Scope, point: Coordinates) -> Expr:
        kept = iter(point)
        if op.keepdims:
            source = point
        else:
            source = tuple(0 if axis in axes else next(kept) for axis in range(len(x.shape)))
        value = folded.at(scope, source)
        if kind != Reduction.MEAN:
            return value
        if count == 0:
            return scope.const(math.nan if is_float(element) else 0, element)
        if is_float(element):
            return value / float(count)
        return (value.cast(f64) / float(count)).cast(element)

    return narrowed(Value(element, shape_of(op.result.type), at), element_of(op.result.type))


@lowers(ArgReduceOp)
def arg_reduce(builder: KernelBuilder, op: ArgReduceOp, operands: Sequence[Value]) -> Value:
    """The extreme first, then the first or last place that holds it."""
    x, axis = widened(operands[0]), op.axis.value.data
    extent, largest = x.shape[axis], op.kind.data == Reduction.MAX
    extreme = fold_axes(
        builder,
        "largest" if largest else "smallest",
        x,
        [axis],
        lowest(x.element) if largest else highest(x.element),
        larger if largest else smaller,
    )

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (place,) = (scope.index(coordinate) for coordinate in reduced)
        value = x.at(scope, (*point[:axis], place, *point[axis + 1 :]))
        hit = value.equals(extreme.at(scope, point)).strict()
        if is_float(x.element):
            # Of a row with nan the extreme is nan, which equals nothing.
            hit = hit | ~value.equals(value).strict()
        better = old.maximum(place) if op.select_last else old.minimum(place)
        return hit.select(better, old)

    found = builder.func(
        "place",
        i32,
        extreme.shape,
        lambda scope, point: scope.const(0 if op.select_last else extent - 1),
        update=(Domain(((f"r{axis}", extent),)), step),
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        source = point if op.keepdims else (*point[:axis], 0, *point[axis:])
        return found.at(scope, source).cast(i64)

    return Value(i64, shape_of(op.result.type), at)


@lowers(SoftmaxOp)
def softmax(builder: KernelBuilder, op: SoftmaxOp, operands: Sequence[Value]) -> Value:
    """Maximum, exponentials, their sum, quotient: each a func that a schedule can place."""
    x, axis = widened(operands[0]), op.axis.value.data
    largest = fold_axes(builder, "largest", x, [axis], -math.inf, larger)

    def row(point: Coordinates) -> Coordinates:
        return (*point[:axis], 0, *point[axis + 1 :])

    power = builder.func(
        "power",
        x.element,
        x.shape,
        lambda scope, p: exp(x.at(scope, p) - largest.at(scope, row(p))),
    )
    total = fold_axes(builder, "total", power, [axis], 0.0, Expr.__add__)
    share = Value(x.element, x.shape, lambda scope, p: power.at(scope, p) / total.at(scope, row(p)))
    return narrowed(share, element_of(op.result.type))


@lowers(BatchNormOp)
def batch_norm(builder: KernelBuilder, op: BatchNormOp, operands: Sequence[Value]) -> Value:
    """Shift and scale each channel."""
    x, scale, shift, mean, variance = map(widened, operands)
    axis = channel_axis(op.layout, len(x.shape))

    def at(scope: Scope, point: Coordinates) -> Expr:
        channel = (point[axis],)
        deviation = (variance.at(scope, channel) + op.epsilon.value.data).sqrt()
        centred = x.at(scope, point) - mean.at(scope, channel)
        return centred / deviation * scale.at(scope, channel) + shift.at(scope, channel)

    return narrowed(Value(x.element, x.shape, at), element_of(op.result.type))
