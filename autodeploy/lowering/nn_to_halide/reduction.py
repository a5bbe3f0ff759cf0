"""Lowering of scans, places of extremes, normalisations, and softmax, also divided by a product."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from math import isqrt, prod

from xdsl.dialects.builtin import bf16, f16, f32, i32
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import channel_axis
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.reduction import (
    ArgReduceOp,
    Reduction,
    SoftmaxOp,
)
from autodeploy.dialects.nn.scan import ScanOp
from autodeploy.dialects.nn.types import bounds_of, element_of, highest, is_float, lowest
from autodeploy.lowering.nn_to_halide import functions
from autodeploy.lowering.nn_to_halide.contraction import is_opaque
from autodeploy.lowering.nn_to_halide.exponential import exp
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.folding import LANES, Fold
from autodeploy.lowering.nn_to_halide.functions import (
    divided_by_three_quarters,
    larger,
    power,
    smaller,
)
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    computed,
    lowers,
    rounded,
    widened,
)
from autodeploy.lowering.nn_to_halide.movement import padded
from autodeploy.lowering.nn_to_halide.padding import image_names
from autodeploy.templates.attention.template import DIVIDE, RESULT


def open_ends(builder: KernelBuilder, x: SSAValue, axes: Sequence[int]) -> dict[int, Growth]:
    """Return how those of the axes grow that are open."""
    growths = builder.open_axes(x)
    return {axis: growths[axis] for axis in axes if growths[axis]}


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
            # The extreme of a row with nan is nan, which equals nothing.
            hit = hit | ~value.equals(value)
        return hit.select(place, nowhere)

    places = Value(i32, x.shape, place_at)
    nearer = Expr.maximum if op.select_last else Expr.minimum
    found = Fold(builder, "place", nowhere, nearer, ends=ends).along(places, [axis])

    def at(scope: Scope, point: Coordinates) -> Expr:
        source = point if op.keepdims else (*point[:axis], 0, *point[axis:])
        return found.at(scope, source)

    return Value(i32, bounds_of(op.result.type), at)


@lowers(SoftmaxOp)
def softmax(builder: KernelBuilder, op: SoftmaxOp, operands: Sequence[Value]) -> Value:
    """Maximum, exponentials, the reciprocal of their sum, product: funcs for a schedule to place.

    With 16-bit floats each step is rounded, as in the function by which ONNX defines Softmax, and
    exponentials are divided by the sum.
    """
    powers, axis = exponentials(builder, op, operands), op.axis.value.data
    power = builder.func("power", powers.element, powers.shape, powers.at, contracts=True)
    rounds = _rounded_to(op) is not None
    share = share_of_rows(builder, op, power)

    def at(scope: Scope, point: Coordinates) -> Expr:
        row = (*point[:axis], 0, *point[axis + 1 :])
        value, own = power.at(scope, point), share.at(scope, row)
        return value / own if rounds else value * own

    return Value(power.element, power.shape, at)


def exponentials(builder: KernelBuilder, op: SoftmaxOp, operands: Sequence[Value]) -> Value:
    """Return the exponentials of a softmax, of how far each element is below the largest one.

    A func that holds them contracts. The maximum need not keep nan. The exponential of a nan makes
    the sum of its row nan, and so does that of an inf, and that of any element in a row of -inf.
    """
    x, axis = widened(operands[0]), op.axis.value.data
    result = _rounded_to(op)
    ends = open_ends(builder, op.x, [axis])
    largest = Fold(builder, "largest", -math.inf, Expr.maximum, ends=ends).along(x, [axis])

    def step(value: Expr) -> Expr:
        return value if result is None else computed(rounded(value, result))

    def power_at(scope: Scope, point: Coordinates) -> Expr:
        row = (*point[:axis], 0, *point[axis + 1 :])
        distance = scope.strictly(lambda: x.at(scope, point) - largest.at(scope, row))
        return step(exp(step(distance), falls=True))

    return builder.opaque(Value(x.element, x.shape, power_at))


def share_of_rows(builder: KernelBuilder, op: SoftmaxOp, power: Value) -> Value:
    """Return the reciprocal of the sum of each row of exponentials, the sum of 16-bit floats."""
    axis, result = op.axis.value.data, _rounded_to(op)
    ends = open_ends(builder, op.x, [axis])
    total = Fold(builder, "total", 0.0, Expr.__add__, ends=ends).along(power, [axis])

    def at(scope: Scope, point: Coordinates) -> Expr:
        value = total.at(scope, point)
        return 1.0 / value if result is None else computed(rounded(value, result))

    return builder.func("share", power.element, total.shape, at)


def _rounded_to(op: SoftmaxOp) -> Attribute | None:
    """Return the 16-bit type to which each step of a softmax is rounded, if it is."""
    result = element_of(op.result.type)
    return result if result in (f16, bf16) else None


def undivided_softmax(kernel: KernelOp) -> SoftmaxOp | None:
    """Return the softmax of a kernel whose result is divided in its place, if there is one."""
    config = kernel.config
    if config is None or config.template_name != "attention" or config.values(DIVIDE) != (RESULT,):
        return None
    return next((op for op in kernel.anchors if isinstance(op, SoftmaxOp)), None)


def divided(
    builder: KernelBuilder, softmax: SoftmaxOp, power: Value, op: MatMulOp, sums: Value
) -> Value:
    """Return the sums of a product, each times the share of its row of exponentials."""
    share = share_of_rows(builder, softmax, power)
    hidden = sums if is_opaque(op, power.element) else builder.opaque(sums)

    def at(scope: Scope, point: Coordinates) -> Expr:
        return hidden.at(scope, point) * share.at(scope, (*point[:-1], 0))

    return Value(sums.element, sums.shape, at)


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
