"""Transposed convolution, which makes images larger."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    AxisRead,
    Tensor,
    check_at_least,
    check_length,
    ints,
)
from autodeploy.dialects.nn.contraction import ConvolutionOp
from autodeploy.dialects.nn.layout import (
    channel_axis,
    image_shape,
    spatial_axes,
)
from autodeploy.dialects.nn.types import bounds_of, shape_of, tensor
from autodeploy.dialects.nn.window_steps import WINDOW_DEFAULTS


@irdl_op_definition
class ConvTransposeOp(ConvolutionOp):
    """Each element of x times the filter, added up where the copies overlap (ONNX ConvTranspose).

    Element i of x starts its copy at ``i * stride - pad`` along a spatial axis, element k of the
    filter is ``k * dilation`` after that. ``pads`` lists what is cut off before each spatial
    axis, then after; ``output_padding`` widens each axis at its end. ``x``, ``filter`` and ``bias``
    are those of nn.conv: output channels of the result, input channels of x within a group.
    ``accumulator`` is the element type of the sums, by default that of the operands, and f32 for
    16-bit floats; the result has one of these two types. If left out, ``strides`` and
    ``dilations`` are 1, ``pads`` and ``output_padding`` 0.
    """

    name = "nn.conv_transpose"
    SPATIAL_DEFAULTS: ClassVar = {**WINDOW_DEFAULTS, "output_padding": (0,)}

    output_padding = prop_def(I64_ARRAY)

    @property
    def multiply_adds(self) -> int:
        """The number of products: each element of x, times the filters of its group."""
        outputs, _, window = self.filter_shape
        each = outputs // self.groups.value.data * prod(window)
        return prod(bounds_of(self.x.type)) * each

    @property
    def taps(self) -> tuple[int, ...]:
        """How many elements of the filter are tried for each position, along each spatial axis."""
        axes = zip(self.filter_shape[2], ints(self.strides), ints(self.dilations), strict=True)
        return tuple(n if dilation > 1 else -(-n // stride) for n, stride, dilation in axes)

    @property
    def reach(self) -> tuple[int, ...]:
        """How many elements before each spatial axis of x, then after each, the taps reach."""
        places = spatial_axes(self.layout, len(bounds_of(self.x.type)))
        before, after = [0] * len(places), [0] * len(places)
        for i, axis in enumerate(places):
            stride, dilation, pad = (
                ints(values)[i] for values in (self.strides, self.dilations, self.pads)
            )
            extent, count = bounds_of(self.x.type)[axis], bounds_of(self.result.type)[axis]
            for tap in (0, self.taps[i] - 1):
                back = tap * dilation if dilation > 1 else tap * stride
                before[i] = max(before[i], -((pad - back) // stride))
                after[i] = max(after[i], (count - 1 + pad - back) // stride - extent + 1)
        return (*before, *after)

    def axis_reads(self, index: int) -> Sequence[AxisRead | None] | None:
        """Return the axis of the images, which stand for themselves."""
        if index:
            return super().axis_reads(index)
        return [AxisRead(0), *[None] * (len(bounds_of(self.x.type)) - 1)]

    def stretched_axes(self) -> frozenset[int]:
        """Return that each element of an axis becomes as many as the stride says, and some more."""
        return frozenset(spatial_axes(self.layout, len(bounds_of(self.x.type))))

    def _read_places(
        self, place: Sequence[AffineExpr], taps: Sequence[AffineExpr], summed: AffineExpr
    ) -> None:
        """There are elements only where the stride divides the distance."""

    def infer_result_type(self) -> Tensor:
        """Return N x output channels x spatial extents, in ``layout``.

        - (conv_transpose_c1) x has at least one spatial axis
        - (conv_transpose_c2) the channels of x, the groups and the filter fit each other
        - (conv_transpose_c3) a bias has one element an output channel
        - (conv_transpose_c4) pads leave some elements of each spatial axis
        - (conv_transpose_c5) the filter is not in Winograd's domain, its tiles are not filled up
        """
        shape = shape_of(self.x.type)
        if len(shape) < 3:
            raise invalid("conv_transpose_c1", f"x has rank 3 or more, found {self.x.type}")
        if self.winograd is not None or self.filled_up:
            raise invalid(
                "conv_transpose_c5",
                "nn.conv_transpose takes no Winograd filter and none filled up",
            )
        out_channels, in_channels, window = self.filter_shape
        check_length("the filter's window", window, len(shape) - 2)
        channels, groups = shape[channel_axis(self.layout, len(shape))], self.groups.value.data
        if groups < 1 or channels != in_channels * groups or out_channels % groups:
            raise invalid(
                "conv_transpose_c2",
                f"{channels} channels in {groups} groups do not fit a filter that takes "
                f"{in_channels} channels a group to {out_channels}",
            )
        if self.bias is not None and shape_of(self.bias.type) != (out_channels,):
            raise invalid(
                "conv_transpose_c3", f"expected a bias of {out_channels}, found {self.bias.type}"
            )
        element = self.check_elements()
        spatial = [shape[axis] for axis in spatial_axes(self.layout, len(shape))]
        return tensor(
            element,
            image_shape(self.layout, shape[0], out_channels, self._extents(spatial, window)),
        )

    def _extents(self, spatial: Sequence[int], window: Sequence[int]) -> tuple[int, ...]:
        """Return what all copies of the filter cover, without the pads, along each spatial axis."""
        rank = len(spatial)
        strides, pads, dilations = ints(self.strides), ints(self.pads), ints(self.dilations)
        extra = ints(self.output_padding)
        check_length("strides", strides, rank)
        check_length("pads", pads, 2 * rank)
        check_length("dilations", dilations, rank)
        check_length("output_padding", extra, rank)
        check_at_least("strides", strides, 1)
        check_at_least("pads", pads, 0)
        check_at_least("dilations", dilations, 1)
        check_at_least("output_padding", extra, 0)
        check_at_least("the window", window, 1)
        check_at_least("spatial extents", spatial, 1)
        extents: list[int] = []
        for axis in range(rank):
            covered = strides[axis] * (spatial[axis] - 1) + dilations[axis] * (window[axis] - 1) + 1
            extents.append(covered + extra[axis] - pads[axis] - pads[rank + axis])
            if extents[-1] < 1:
                raise invalid(
                    "conv_transpose_c4",
                    f"pads {pads[axis]} and {pads[rank + axis]} leave nothing of the "
                    f"{covered + extra[axis]} elements of spatial axis {axis}",
                )
        return tuple(extents)
