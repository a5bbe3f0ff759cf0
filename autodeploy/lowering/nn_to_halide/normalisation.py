"""Lowering of normalisations that take their statistics from the tensor itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import f32

from autodeploy.dialects.nn.layout import channel_axis
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import LANES, Fold
from autodeploy.lowering.nn_to_halide.functions import divided_by_three_quarters, power
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
    widened,
)
from autodeploy.lowering.nn_to_halide.movement import padded
from autodeploy.lowering.nn_to_halide.padding import image_names


@lowers(LayerNormOp)
def layer_norm(builder: KernelBuilder, op: LayerNormOp, operands: Sequence[Value]) -> Value:
    """The sum, then the sum of squared distances from the mean, then each element."""
    x, scale, *rest = map(widened, operands)
    axis, rank = op.axis.value.data, len(x.shape)
    count = float(prod(x.shape[axis:]))

    def row(point: Coordinates) -> Coordinates:
        return (*point[:axis], *(0,) * (rank - axis))

    total = Fold(builder, "total", 0.0, Expr.__add__).along(x, range(axis, rank))

    def centred_at(scope: Scope, point: Coordinates) -> Expr:
        return x.at(scope, point) - total.at(scope, row(point)) / count

    def square_at(scope: Scope, point: Coordinates) -> Expr:
        distance = centred_at(scope, point)
        return distance * distance

    squares = Value(x.element, x.shape, square_at)
    fold = Fold(builder, "spread", 0.0, Expr.__add__, contracts=True)
    spread = builder.opaque(fold.along(squares, range(axis, rank)))

    def at(scope: Scope, point: Coordinates) -> Expr:
        variance = spread.at(scope, row(point)) / count
        inverse = 1.0 / (variance + op.epsilon.value.data).sqrt()
        value = centred_at(scope, point) * inverse * scale.at(scope, point[axis:])
        return value + rest[0].at(scope, point[axis:]) if rest else value

    return Value(x.element, x.shape, at)


@lowers(LrnOp)
def lrn(builder: KernelBuilder, op: LrnOp, operands: Sequence[Value]) -> Value:
    """The sum of squares over neighbouring channels, then each element over a power of it."""
    x, shape, size = widened(operands[0]), bounds_of(op.result.type), op.size.value.data
    axis, rank = channel_axis(op.layout, len(shape)), len(shape)
    names = image_names(op.layout.data, rank - 2)
    # Whole vectors of zeros: in the others, every channel is there.
    margin = -(-size // LANES) * LANES if axis == rank - 1 else size - 1
    sides = [margin if i == axis else 0 for i in range(rank)]
    squares = Value(x.element, x.shape, lambda scope, p: x.at(scope, p) * x.at(scope, p))
    wide = padded(squares, sides, sides, 0.0)
    image = builder.func("squares", wide.element, wide.shape, wide.at, names=names)

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        first = scope.index(point[axis]) + (margin - (size - 1) // 2)
        channel = first + scope.index(reduced[0])
        return old + image.at(scope, (*point[:axis], channel, *point[axis + 1 :]))

    total = builder.func(
        "square_sum",
        x.element,
        shape,
        lambda scope, point: scope.const(0.0, x.element),
        names=names,
        update=(Domain((("k", size),)), step),
    )
    alpha, beta, bias = (value.value.data for value in (op.alpha, op.beta, op.bias))
    by_polynomial = alpha >= 0 and bias > 0 and beta == 0.75 and x.element == f32

    def at(scope: Scope, point: Coordinates) -> Expr:
        base = total.at(scope, point) * (alpha / size) + bias
        if by_polynomial:
            return divided_by_three_quarters(x.at(scope, point), base.strict())
        return x.at(scope, point) / power(base, base.same(beta))

    value = Value(x.element, shape, at)
    value = builder.opaque(value) if by_polynomial else value
    return builder.func(
        "quotient", x.element, shape, value.at, names=names, contracts=by_polynomial
    )
