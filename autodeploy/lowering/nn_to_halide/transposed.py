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
from autodeploy.dialects.nn.types import shape_of
from autodeploy.lowering.nn_to_halide.contraction import summands, summed
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.filters import read_filter
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.padding import image_names, padded_image
from autodeploy.lowering.nn_to_halide.registry import lowers


@dataclass(frozen=True)
class _Axis:
    """A spatial axis: extent of the filter, stride, dilation, pad, extents of x and result."""

    window: int
    stride: int
    dilation: int
    pad: int
    extent: int
    count: int

    @property
    def taps(self) -> int:
        """Return how many elements of the filter are tried for each position."""
        return self.window if self.dilation > 1 else -(-self.window // self.stride)

    def reach(self) -> tuple[int, int]:
        """Return how many elements before x and behind it the taps reach."""
        before = after = 0
        for tap in (0, self.taps - 1):
            back = tap * self.dilation if self.dilation > 1 else tap * self.stride
            before = max(before, -((self.pad - back) // self.stride))
            last = (self.count - 1 + self.pad - back) // self.stride
            after = max(after, last - self.extent + 1)
        return before, after

    def tap(self, point: Expr, tap: Coordinate) -> tuple[Coordinate, Expr, list[Expr]]:
        """Return the element of the filter, that of x, and what must hold for them to meet."""
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
    shape, element = shape_of(op.result.type), x.element
    spatial, channels = spatial_axes(op.layout, len(shape)), channel_axis(op.layout, len(shape))
    out_channels, in_channels, window = op.filter_shape
    group_out, groups = out_channels // op.groups.value.data, op.groups.value.data
    axes = [
        _Axis(window[i], ints(op.strides)[i], ints(op.dilations)[i], ints(op.pads)[i],
              x.shape[axis], shape[axis])
        for i, axis in enumerate(spatial)
    ]  # fmt: skip
    before, after = zip(*(axis.reach() for axis in axes), strict=True)
    image = padded_image(builder, x, op.layout.data, (*before, *after), 0.0)
    read = read_filter(op, w)
    domain = Domain((*((f"k{i}", axis.taps) for i, axis in enumerate(axes)), ("ci", in_channels)))

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
        for axis, place, tap, low in zip(axes, spatial, taps, before, strict=True):
            position, found, tests = axis.tap(scope.index(point[place]), tap)
            elements.append(position)
            source[place] = found + low
            meets += tests
        product = image.at(scope, tuple(source)) * read(scope, out, channel, tuple(elements))
        for test in meets:
            product = test.select(product, 0)
        return old + product

    total = builder.func(
        "conv",
        element,
        shape,
        start,
        names=image_names(op.layout.data, len(axes)),
        update=(domain, step),
        contracts=True,
    )
    return summed(builder, op, total)
