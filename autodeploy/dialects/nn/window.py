"""Pooling: a reduction over a sliding window of the spatial axes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from math import inf
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    TENSOR,
    AnchorOp,
    PropertyValue,
    Tensor,
    check_floats,
    check_length,
    check_numbers,
    ints,
    last_ints,
)
from autodeploy.dialects.nn.layout import (
    CHANNELS_FIRST,
    LayoutAttr,
    channel_axis,
    image_shape,
    spatial_axes,
)
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import AccumulatingOp, Iterator, IteratorKind, parallel
from autodeploy.dialects.nn.types import bounds_of, element_of, is_float, lowest, shape_of, tensor
from autodeploy.dialects.nn.window_steps import (
    PADS_BY_REMAINDER,
    WINDOW_DEFAULTS,
    WindowSteps,
    check_pads_by_remainder,
    pads_at,
    window_extents,
)

_FALSE = BoolAttr.from_bool(False)


class PoolOp(AnchorOp, AccumulatingOp, ABC):
    """A reduction over a window of each channel of an image tensor in ``layout``.

    ``pads`` lists the elements before each spatial axis, then those after. With
    ``pads_by_remainder`` they are the maximum, and the number before an axis depends on the
    remainder of its extent by the stride (``nn.conv``). In ``ceil_mode`` a last window may end
    beyond the padding. If left out, ``strides`` and ``dilations`` are 1, ``pads`` 0.
    """

    AXES: ClassVar = {"layout": follow.layout}
    PADS_DYNAMIC_WINDOW: ClassVar[bool] = True
    SPATIAL_DEFAULTS: ClassVar = WINDOW_DEFAULTS
    WANTS_CHANNELS_LAST: ClassVar[bool] = True

    x = operand_def(TENSOR)

    window = prop_def(I64_ARRAY)
    strides = prop_def(I64_ARRAY)
    pads = prop_def(I64_ARRAY)
    dilations = prop_def(I64_ARRAY)
    pads_by_remainder = opt_prop_def(PADS_BY_REMAINDER)
    ceil_mode = prop_def(BoolAttr, default_value=_FALSE)
    layout = prop_def(LayoutAttr, default_value=CHANNELS_FIRST)

    def __init__(
        self,
        x: SSAValue,
        *,
        window: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        dilations: Sequence[int],
        ceil_mode: bool = False,
        layout: LayoutAttr = CHANNELS_FIRST,
        **others: PropertyValue,
    ):
        """Build a pool; ``others`` are the properties that only some kinds have."""
        self.init_inferred(
            [x],
            window=window,
            strides=strides,
            pads=pads,
            dilations=dilations,
            ceil_mode=ceil_mode,
            layout=layout,
            **others,
        )

    @property
    def padding_value(self) -> float | None:
        """The number that padding may be with the same result; ``None`` if none may be."""
        return None

    def infer_result_type(self) -> Tensor:
        """Return N x channels x number of windows along each spatial axis, in ``layout``.

        - (pool_c1) elements are numbers
        - (pool_c2) x has at least one spatial axis
        """
        shape, element = shape_of(self.x.type), element_of(self.x.type)
        check_numbers("pool_c1", self, self.x)
        if len(shape) < 3:
            raise invalid("pool_c2", f"x has rank 3 or more, found {self.x.type}")
        window = ints(self.window)
        check_length("window", window, len(shape) - 2)
        spatial = window_extents(
            [shape[axis] for axis in spatial_axes(self.layout, len(shape))],
            window,
            ints(self.strides),
            ints(self.pads),
            ints(self.dilations),
            bool(self.ceil_mode),
        )
        check_pads_by_remainder(self.pads_by_remainder, ints(self.pads), ints(self.strides))
        channels = shape[channel_axis(self.layout, len(shape))]
        return tensor(element, image_shape(self.layout, shape[0], channels, spatial))

    def window_steps(self) -> tuple[WindowSteps, ...]:
        return WindowSteps.of(
            ints(self.window),
            ints(self.strides),
            ints(self.pads),
            ints(self.dilations),
            bool(self.ceil_mode),
        )

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        window = (
            Iterator(f"k{i}", n, IteratorKind.WINDOW) for i, n in enumerate(ints(self.window))
        )
        return (*parallel(bounds_of(self.result.type)), *window)

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        """A spatial axis is read at the window, plus the place within it, less the padding."""
        rank, taps = len(bounds_of(self.x.type)), len(ints(self.window))
        result = AffineMap(rank + taps, 0, AffineMap.identity(rank).results)
        places = list(result.results)
        strides, spatial = ints(self.strides), spatial_axes(self.layout, rank)
        extents = [bounds_of(self.x.type)[axis] for axis in spatial]
        before = pads_at(self.pads_by_remainder, last_ints(self.pads), strides, extents)
        lists = (strides, ints(self.dilations), before)
        for i, (axis, stride, dilation, pad) in enumerate(zip(spatial, *lists, strict=False)):
            tap = AffineExpr.dimension(rank + i) * dilation
            places[axis] = places[axis] * stride + tap - pad
        return AffineMap(rank + taps, 0, tuple(places)), result


@irdl_op_definition
class MaxPoolOp(PoolOp):
    """Largest element of each window; padding never wins (ONNX MaxPool)."""

    name = "nn.max_pool"

    @property
    def padding_value(self) -> float | None:
        """The number below all others, of floats."""
        return -inf if is_float(element_of(self.x.type)) and not self.ceil_mode else None

    def start(self, element: Attribute) -> float | int:
        return lowest(element)

    def body(self, s: Scalars[E], total: E, x: E) -> E:
        return s.larger(total, x)


@irdl_op_definition
class AveragePoolOp(PoolOp):
    """Mean of each window (ONNX AveragePool).

    The divisor counts the elements of the image, with ``count_include_pad`` those of the padding
    too, but never elements beyond the padding.
    """

    name = "nn.average_pool"

    count_include_pad = prop_def(BoolAttr, default_value=_FALSE)

    def infer_result_type(self) -> Tensor:
        """Return the pooled type.

        - (average_pool_c1) elements are floats
        """
        check_floats("average_pool_c1", self, self.x)
        return super().infer_result_type()

    def start(self, element: Attribute) -> float | int:
        return 0

    def body(self, s: Scalars[E], total: E, x: E) -> E:
        return total + x

    def finish(self, s: Scalars[E], total: E, count: E | int, *others: E) -> E:
        return s.mean(total, count)

    @property
    def mean_axes(self) -> tuple[int, ...]:
        """Those of an image that is one window without pads."""
        shape = bounds_of(self.x.type)
        axes = spatial_axes(self.layout, len(shape))
        is_whole = ints(self.window) == tuple(shape[axis] for axis in axes)
        return tuple(axes) if is_whole and not any(ints(self.pads)) else ()

    @property
    def counted_margins(self) -> tuple[tuple[int, int], ...]:
        margins = [(0, 0)] * len(bounds_of(self.x.type))
        if self.count_include_pad:
            pads, spatial = ints(self.pads), spatial_axes(self.layout, len(margins))
            for i, axis in enumerate(spatial):
                margins[axis] = (pads[i], pads[len(spatial) + i])
        return tuple(margins)
