"""Lowering of contractions: a func that starts from the bias and adds up products.

A transposed convolution sums what reaches an output element. With stride s, only every s-th element
of the filter meets an element of x. Which ones they are depends on the remainder of the position by
s; the sum runs over these elements alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Use

from autodeploy.dialects.halide.types import axis_names
from autodeploy.dialects.nn.base import NNOp, ints
from autodeploy.dialects.nn.contraction import (
    ContractionOp,
    ConvOp,
    MatMulOp,
    clamps_sums,
)
from autodeploy.dialects.nn.kernel import KernelOp, YieldOp
from autodeploy.dialects.nn.layout import (
    channel_axis,
    input_layout,
    result_layout,
    spatial_axes,
)
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.lowering.nn_to_halide.conv_in_parts import (
    conv_in_parts,
    conv_of_groups,
    is_of_groups,
)
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
    narrowed,
)
from autodeploy.lowering.nn_to_halide.padding import (
    Padding,
    image_ends,
    image_names,
    padded_image,
    padding_of,
    read_filter,
)
from autodeploy.lowering.nn_to_halide.sums_in_runs import (
    Kind,
    Start,
    Step,
    sums_in_runs,
    sums_of_parts,
)
from autodeploy.lowering.nn_to_halide.tile_registers import (
    conv_in_tiles,
    is_in_tiles,
    product_in_tiles,
)
from autodeploy.lowering.nn_to_halide.winograd import winograd_conv
from autodeploy.templates.device_tile.template import SPLIT, STAGED, STEPS


@lowers(ConvOp)
def conv(builder: KernelBuilder, op: ConvOp, operands: Sequence[Value]) -> Value:
    """Sum over window and channels of a group."""
    x, w, bias = summands(op, operands)
    if op.winograd is not None:
        total = winograd_conv(builder, op, x, read_filter(op, factor(op, w)), bias)
        return summed(builder, op, total)
    if is_in_tiles(op):
        total = conv_in_tiles(builder, op, x, w)
        return summed(builder, op, total if bias is None else _plus(total, bias))
    if op.filled_up or (op.filter_layout is not None and op.filter_layout.dot > 1):
        total = conv_in_parts(builder, op, x, w, bias)
        return summed(builder, op, total)
    if is_of_groups(op):
        total = conv_of_groups(builder, op, x, w, bias)
        return summed(builder, op, total)
    layout, rank = result_layout(op.layout), len(x.shape)
    strides, dilations = ints(op.strides), ints(op.dilations)
    places, channel = spatial_axes(layout, rank), channel_axis(layout, rank)
    source_layout = input_layout(op.layout)
    source_places = spatial_axes(source_layout, rank)
    out_channels, in_channels, window = op.filter_shape
    groups = op.groups.value.data
    group_out = out_channels // groups
    element, shape = op.sum_element, bounds_of(op.result.type)

    image = factor(op, padded_image(builder, x, source_layout.data, padding_of(builder, op)))
    image = _staged(builder, op, image, image_names(source_layout.data, len(window)))
    read = read_filter(op, factor(op, w))
    # A reduction variable of extent 1 (depthwise channel, 1x1 window) would only hide structure.
    axes = [(f"k{name}", n) for name, n in zip("zyx"[-len(window) :], window, strict=False)]
    domain = Domain(tuple((name, n) for name, n in (*axes, ("ci", in_channels)) if n > 1))

    def start(scope: Scope, point: Coordinates) -> Expr:
        if bias is None:
            return scope.const(0, element)
        return bias.at(scope, (point[channel],))

    def product(scope: Scope, point: Coordinates, reduced: Coordinates) -> Expr:
        named = dict(zip((name for name, _ in domain.axes), reduced, strict=True))
        taps = tuple(named.get(name, 0) for name, _ in axes)
        within: Coordinate = named.get("ci", 0)
        out = scope.index(point[channel])
        source: list[Coordinate] = list(point)
        source[channel_axis(source_layout, rank)] = (
            within
            if groups == 1
            else out
            if group_out == in_channels == 1
            else (out // group_out) * in_channels + within
        )
        for i, (tap, stride, dilation) in enumerate(zip(taps, strides, dilations, strict=True)):
            moved = scope.index(point[places[i]]) * stride
            source[source_places[i]] = moved + (tap * dilation)
        return image.at(scope, tuple(source)) * read(scope, out, within, taps)

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        return old + product(scope, point, reduced)

    kind = element, shape, image_names(layout.data, len(places))
    if domain.axes:
        total = _sums(builder, op, "conv", kind, start, domain, step)
    else:
        total = Value(element, shape, lambda scope, p: start(scope, p) + product(scope, p, ()))
    return summed(builder, op, total)


@lowers(MatMulOp)
def matmul(builder: KernelBuilder, op: MatMulOp, operands: Sequence[Value]) -> Value:
    """Sum over the inner axis.

    Sums start from the bias. If the right-hand side is padded or its columns are open, a tile of
    sums may be wider than the bias; then sums start from 0, and the bias is added after them.
    """
    lhs, rhs, bias = summands(op, operands)
    lhs, rhs = _staged(builder, op, factor(op, lhs)), factor(op, rhs)
    shape, element = bounds_of(op.result.type), op.sum_element
    inner = lhs.shape[-2] if op.transpose_lhs else lhs.shape[-1]
    growth = builder.open_axes(op.lhs)[-2 if op.transpose_lhs else -1]
    if not growth and not op.rhs_layout:
        growth = builder.open_axes(op.rhs)[-1 if op.transpose_rhs else -2]
    ends = {"k": builder.open_extent(builder.outside, growth)} if growth else {}

    tiling = None if op.rhs_layout is None else op.rhs_layout.tiling
    columns = builder.open_axes(op.result)[-1]
    if is_in_tiles(op):
        total = product_in_tiles(builder, op, lhs, rhs)
        return summed(builder, op, total if bias is None else _plus(total, bias))
    overhangs = bool(columns) or (tiling is not None and tiling.extent is not None)

    def start(scope: Scope, point: Coordinates) -> Expr:
        if bias is None or overhangs:
            return scope.const(0, element)
        return bias.broadcast(scope, point)

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (k,), (*batch, row, column) = reduced, point
        left = (*batch, k, row) if op.transpose_lhs else (*batch, row, k)
        if op.rhs_layout is not None:
            factor = rhs.at(scope, tuple(op.rhs_layout.index((k, scope.index(column)))))
        else:
            right = (*batch, column, k) if op.transpose_rhs else (*batch, k, column)
            factor = _in_batch(scope, rhs, right)
        return old + _in_batch(scope, lhs, left) * factor

    domain = Domain((("k", inner),), ends)
    kind = element, shape, tuple(reversed(axis_names(len(shape))))
    total = _sums(builder, op, "matmul", kind, start, domain, step)
    if bias is not None and overhangs:
        total = _plus(total, bias)
    return summed(builder, op, total)


def _sums(
    builder: KernelBuilder,
    op: ContractionOp,
    name: str,
    kind: Kind,
    start: Start,
    domain: Domain,
    step: Step,
) -> Value:
    """Return sums that are split in parts and read in steps as the kernel's config says."""
    kernel = op.parent_op()
    if not isinstance(kernel, KernelOp) or (config := kernel.config) is None:
        return sums_in_runs(builder, name, kind, start, domain, step)
    if len(kernel.anchors) > 1 and isinstance(op, ConvOp) and op.filter_shape[1] == 1:
        # Bands of rows take windows of one channel whole.
        element, shape, names = kind
        return builder.func(
            name, element, shape, start, names=names, update=(domain, step), contracts=True
        )
    multiple = config.number(STEPS) or config.number("fetch")
    if parts := config.number(SPLIT):
        return sums_of_parts(builder, parts, kind, start, domain, step, multiple)
    return sums_in_runs(builder, name, kind, start, domain, step, multiple)


def _staged(
    builder: KernelBuilder, op: ContractionOp, x: Value, names: Sequence[str] | None = None
) -> Value:
    """Return the left-hand side as a func, if the kernel's config says that it is read in steps."""
    kernel = op.parent_op()
    config = kernel.config if isinstance(kernel, KernelOp) else None
    if config is None or not config.number(STEPS):
        return x
    return builder.func(STAGED, x.element, x.shape, x.at, names=names)


def _plus(x: Value, y: Value) -> Value:
    """Return a tensor plus one that broadcasts to it."""
    return Value(
        x.element, x.shape, lambda scope, point: x.at(scope, point) + y.broadcast(scope, point)
    )


def _in_batch(scope: Scope, x: Value, point: Coordinates) -> Expr:
    """Return an element of a stack of matrices; only the leading axes are broadcast.

    An inner axis of extent 1 is read by its variable too, which Halide wants to see in use.
    """
    batch = point[len(point) - len(x.shape) : -2]
    leading = (0 if n == 1 else c for n, c in zip(x.shape[:-2], batch, strict=True))
    return x.at(scope, (*leading, *point[-2:]))


def summands(op: ContractionOp, operands: Sequence[Value]) -> tuple[Value, Value, Value | None]:
    """Return what a sum of products reads: the factors, strict, and the bias, in its type.

    Those that are narrower than a stated accumulator stay so, that a copy of them takes no more
    memory; ``factor`` widens one where it is multiplied.
    """
    element = op.sum_element
    if op.accumulator is not None:
        first, second, *bias = operands
    else:
        first, second, *bias = (narrowed(operand, element) for operand in operands)
    return strict(first), strict(second), narrowed(bias[0], element) if bias else None


def factor(op: ContractionOp, x: Value) -> Value:
    """Return a factor in the type of the sums."""
    return narrowed(x, op.sum_element)


def strict(x: Value) -> Value:
    """Return a tensor whose elements are computed as IEEE 754 says, wherever they are read."""
    return Value(
        x.element, x.shape, lambda scope, point: scope.strictly(lambda: x.at(scope, point))
    )


def summed(builder: KernelBuilder, op: NNOp, total: Value) -> Value:
    """Return the sums of a contraction as other ops read them.

    They are hidden from LLVM before they are rounded, and where an op reads them that neither
    stores nor clamps them. A clamp is right for nan without that: it selects its second operand.
    """
    return builder.opaque(total) if is_opaque(op, total.element) else total


def is_opaque(op: NNOp, element: Attribute) -> bool:
    """Return whether the sums of a contraction, in this type, are hidden from LLVM."""
    return element_of(op.result.type) != element or not all(map(_only_bounds, op.result.uses))


def _only_bounds(use: Use) -> bool:
    """Return whether a value is stored as it is, or after bounds."""
    user = use.operation
    if clamps_sums(user):
        return all(isinstance(other.operation, YieldOp) for other in user.results[0].uses)
    return isinstance(user, YieldOp)


@dataclass(frozen=True)
class _Axis:
    """A spatial axis: extent of the filter, stride, dilation, pad."""

    window: int
    stride: int
    dilation: int
    pad: int

    def tap(self, point: Expr, tap: Coordinate) -> tuple[Coordinate, Expr, list[Expr]]:
        """Return the elements of the filter and of x, and the condition for them to meet."""
        scope = point.scope
        position, number = point + self.pad, scope.index(tap)
        if self.dilation > 1:
            moved = position - number * self.dilation
            tests = [(moved % self.stride).equals(0)] if self.stride > 1 else []
            return tap, moved // self.stride, tests
        element = position % self.stride + number * self.stride
        source = position // self.stride - number
        if self.window % self.stride == 0:
            return element, source, []
        return element.minimum(self.window - 1), source, [element < self.window]


@lowers(ConvTransposeOp)
def conv_transpose(builder: KernelBuilder, op: ConvTransposeOp, operands: Sequence[Value]) -> Value:
    """Sum over the taps and the channels of a group."""
    x, w, bias = summands(op, operands)
    shape, element = bounds_of(op.result.type), op.sum_element
    spatial, channels = spatial_axes(op.layout, len(shape)), channel_axis(op.layout, len(shape))
    out_channels, in_channels, window = op.filter_shape
    group_out, groups = out_channels // op.groups.value.data, op.groups.value.data
    axes = [
        _Axis(window[i], ints(op.strides)[i], ints(op.dilations)[i], ints(op.pads)[i])
        for i in range(len(spatial))
    ]
    padding = Padding(op.reach, ends=image_ends(builder, op.x, op.layout))
    image = factor(op, padded_image(builder, x, op.layout.data, padding))
    read = read_filter(op, factor(op, w))
    domain = Domain((*((f"k{i}", taps) for i, taps in enumerate(op.taps)), ("ci", in_channels)))

    def start(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(0, element) if bias is None else bias.at(scope, (point[channels],))

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (*taps, channel), out = reduced, scope.index(point[channels])
        source: list[Coordinate] = list(point)
        source[channels] = (
            channel if groups == 1 else out // group_out * in_channels + scope.index(channel)
        )
        elements: list[Coordinate] = []
        meets: list[Expr] = []
        for axis, place, tap, low in zip(axes, spatial, taps, op.reach, strict=False):
            position, found, tests = axis.tap(scope.index(point[place]), tap)
            elements.append(position)
            source[place] = found + low
            meets += tests
        product = image.at(scope, tuple(source)) * read(scope, out, channel, tuple(elements))
        for test in meets:
            product = test.select(product, 0)
        return old + product

    kind = element, shape, image_names(op.layout.data, len(axes))
    total = sums_in_runs(builder, "conv", kind, start, domain, step)
    return summed(builder, op, total)
