"""Lowering of transposed convolutions: for each output element, a sum over what reaches it.

With stride s, only every s-th element of the filter meets an element of x. Which ones they are
depends on the remainder of the position by s; the sum runs over these elements alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.layout import channel_axis, spatial_axes
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.contraction import factor, summands, summed
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
)
from autodeploy.lowering.nn_to_halide.padding import (
    Padding,
    image_ends,
    image_names,
    padded_image,
    read_filter,
)
from autodeploy.lowering.nn_to_halide.sums_in_runs import sums_in_runs


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
