"""Contractions: convolution and matrix product, with their fused bias.

Constraints of all filters and windows:

- (filter_c1) a Winograd filter is O x I x (m + 2) x (m + 2), where m is 2 or 4
- (filter_c2) a filter has at least one axis of a window
- (window_c1) the window fits the padded image
- (window_c2) ``pads_by_remainder`` has for each spatial axis no numbers, or one for each
  remainder by the stride, from 0 to ``pads``, which is the largest
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
)

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    TENSOR,
    AnchorOp,
    PropertyValue,
    Tensor,
    check_length,
    check_same_element,
    i64_attr,
    ints,
    last_ints,
)
from autodeploy.dialects.nn.layout import (
    CHANNELS_FIRST,
    CHANNELS_LAST,
    LayoutAttr,
    channel_axis,
    image_shape,
    input_layout,
    result_layout,
    spatial_axes,
)
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import (
    AccumulatingOp,
    Iterator,
    IteratorKind,
    broadcast_map,
    parallel,
)
from autodeploy.dialects.nn.tiled import TiledAttr, kernel_in_out
from autodeploy.dialects.nn.types import (
    bounds_of,
    broadcast_shapes,
    compute_type,
    element_of,
    highest,
    is_float,
    lowest,
    may_sum,
    shape_of,
    tensor,
    ui8,
)
from autodeploy.dialects.nn.window_steps import (
    PADS_BY_REMAINDER,
    WINDOW_DEFAULTS,
    WindowSteps,
    check_pads_by_remainder,
    pads_at,
    window_extents,
)
from autodeploy.dialects.nn.winograd import WINOGRAD

_FALSE = BoolAttr.from_bool(False)


class ContractionOp(AnchorOp, AccumulatingOp, ABC):
    """A sum of products of the first two operands over one or more axes, plus a bias.

    Sums have the element type ``accumulator``; without it they have that of the operands, and
    16-bit floats are summed in 32 bits. The result has the element type of the operands or that of
    the sums, and the bias has the one of the result. Operands of two types are widened to the
    accumulator, which the result has as well: integers, or floats and narrower weights.
    """

    CONTRACTS: ClassVar[bool] = True
    ACCUMULATED: ClassVar[int] = 2

    accumulator = opt_prop_def(base(TypeAttribute))

    def start(self, element: Attribute) -> float | int:
        return 0

    def body(self, s: Scalars[E], total: E, x: E, weight: E) -> E:
        return total + x * weight

    def combine(self, s: Scalars[E], total: E, other: E) -> E:
        return total + other

    def finish(self, s: Scalars[E], total: E, count: E | int, *others: E) -> E:
        return total + others[0] if others else total

    @property
    def sum_element(self) -> Attribute:
        """The element type of the sums."""
        return self.accumulator or compute_type(element_of(self.operands[0].type))

    @property
    def has_narrow_weights(self) -> bool:
        """Whether the second factor alone has another type than the sums."""
        first, second = (element_of(operand.type) for operand in self.operands[:2])
        return first == self.sum_element != second

    @property
    def multiply_adds(self) -> int:
        """The number of products that are summed."""
        return prod(self.extents)

    def check_elements(self) -> Attribute:
        """Return the element type of the result.

        - (contraction_c1) the accumulator holds products of the operands' elements
        - (contraction_c2) elements of the result have the type of the operands or of the sums
        - (contraction_c3) a bias has the element type of the result
        """
        kinds = dict.fromkeys(element_of(operand.type) for operand in self.operands[:2])
        if self.accumulator is None:
            check_same_element(self.operands[:2])
        sums = self.sum_element
        for element in kinds if self.accumulator is not None else ():
            is_code = self.has_narrow_weights and is_float(sums) and element in (i8, ui8)
            if not (may_sum(sums, element) or is_code):
                raise invalid("contraction_c1", f"elements of {element} are not summed in {sums}")
        result = element_of(self.result.type)
        allowed = dict.fromkeys([*(kinds if len(kinds) == 1 else ()), sums])
        if result not in allowed:
            either = " or ".join(map(str, allowed))
            raise invalid("contraction_c2", f"expected a result of {either}, found {result}")
        for bias in self.operands[2:]:
            if element_of(bias.type) != result:
                raise invalid("contraction_c3", f"expected a bias of {result}, found {bias.type}")
        return result


def clamps_sums(op: Operation) -> bool:
    """Return whether an op clamps what a contraction sums; the two then round once, at the end."""
    if not isinstance(op, PointwiseOp) or not op.CLAMPS:
        return False
    return isinstance(op.operands[0].owner, ContractionOp)


class ConvolutionOp(ContractionOp, ABC):
    """A contraction of an image tensor in ``layout`` with a filter in ``filter_layout``."""

    AXES: ClassVar = {"layout": follow.layout}
    SPATIAL_DEFAULTS: ClassVar = WINDOW_DEFAULTS
    WANTS_CHANNELS_LAST: ClassVar[bool] = True
    READS_PLANES: ClassVar[bool] = False
    """Whether the op has the layout ``first_to_last``."""

    x = operand_def(TENSOR)
    filter = operand_def(TENSOR)
    bias = opt_operand_def(TENSOR)

    strides = prop_def(I64_ARRAY)
    pads = prop_def(I64_ARRAY)
    dilations = prop_def(I64_ARRAY)
    groups = prop_def(IntegerAttr.constr(i64), default_value=i64_attr(1))
    layout = prop_def(LayoutAttr, default_value=CHANNELS_FIRST)
    filter_layout = opt_prop_def(TiledAttr)
    winograd = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(
        self,
        x: SSAValue,
        filter: SSAValue,
        bias: SSAValue | None = None,
        *,
        strides: Sequence[int],
        pads: Sequence[int],
        dilations: Sequence[int],
        groups: int = 1,
        layout: LayoutAttr = CHANNELS_FIRST,
        filter_layout: TiledAttr | None = None,
        **others: PropertyValue,
    ):
        """Build a convolution; ``others`` are the properties that only some kinds have."""
        self.init_inferred(
            [x, filter, bias],
            strides=strides,
            pads=pads,
            dilations=dilations,
            groups=groups,
            layout=layout,
            filter_layout=filter_layout,
            **others,
        )

    @property
    def filter_shape(self) -> tuple[int, int, tuple[int, ...]]:
        """The output channels, the input channels of a group and the window of the filter.

        Raises ``VerifyException`` if the filter is not of such a shape.
        """
        stored = bounds_of(self.filter.type)
        shape = stored if self.filter_layout is None else self.filter_layout.logical_shape(stored)
        if len(shape) < 3:
            raise invalid("filter_c2", f"a filter has rank 3 or more, found {list(shape)}")
        outputs, channels, *window = shape
        if self.winograd is None:
            return outputs, channels, tuple(window)
        m = self.winograd.value.data
        if m not in WINOGRAD or window != [WINOGRAD[m].points] * 2:
            raise invalid(
                "filter_c1",
                "a filter in the domain of Winograd's F(m x m, 3 x 3), where m is 2 or 4, is "
                f"O x I x (m + 2) x (m + 2), found m = {m} and {list(shape)}",
            )
        return outputs, channels, (3, 3)

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        """The axes of the result, the channels that are summed, the places of the window."""
        _, channels, window = self.filter_shape
        taps = (Iterator(f"k{i}", n, IteratorKind.WINDOW) for i, n in enumerate(window))
        summed = Iterator("ci", channels, IteratorKind.REDUCTION)
        return (*parallel(bounds_of(self.result.type)), summed, *taps)

    @property
    def indexing_maps(self) -> tuple[AffineMap | None, ...]:
        """A filter in Winograd's domain has no map."""
        rank = len(bounds_of(self.x.type))
        place = [AffineExpr.dimension(i) for i in range(2 * rank - 1)]
        result, summed, taps = place[:rank], place[rank], place[rank + 1 :]
        out = result[channel_axis(result_layout(self.layout), rank)]
        filter_ = [out, summed, *taps]
        stored = filter_ if self.filter_layout is None else self.filter_layout.index(filter_)
        reads = [
            self._read_places(result, taps, summed),
            None if self.winograd is not None else stored,
            *([out] for _ in self.operands[2:]),
            result,
        ]
        return tuple(r if r is None else AffineMap(len(place), 0, tuple(r)) for r in reads)

    @abstractmethod
    def _read_places(
        self, place: Sequence[AffineExpr], taps: Sequence[AffineExpr], summed: AffineExpr
    ) -> Sequence[AffineExpr] | None:
        """Return where the image is read at a place of the result, in its layout.

        ``summed`` is the channel within the group. ``None`` if no affine expressions say it.
        """

    @property
    def is_kernel_in_out(self) -> bool:
        """Whether the filter is stored K… I O, as it is."""
        rank = len(bounds_of(self.filter.type))
        return self.winograd is None and self.filter_layout == kernel_in_out(rank)

    @property
    def filled_up(self) -> int:
        """The output channels of a tile of the filter that is stored wider, 0 for other filters."""
        layout = self.filter_layout
        tiling = None if layout is None else layout.tiling
        if layout is None or tiling is None:
            return 0
        return tiling.size if tiling.size < layout.width(bounds_of(self.filter.type)) else 0


@irdl_op_definition
class ConvOp(ConvolutionOp):
    """Cross-correlation over any number of spatial axes, zero-padded (ONNX Conv).

    ``x`` is an image tensor in ``layout``; ``bias`` has one value an output channel. ``filter`` is
    O I K…: output channels, input channels of a group, window; ``filter_layout`` says how it is
    stored where that is another order. ``pads`` lists the zeros before each spatial axis, then
    those after; with ``fill`` they hold that integer. With ``pads_by_remainder`` they are the
    maximum, and the number before an axis follows from the remainder of its extent by the stride: a
    list has them for a rest of 0, 1, …; an empty one where ``pads`` says it. With ``winograd`` = m
    the filter is in the domain of F(m x m, 3 x 3). ``accumulator`` is the element type of the sums,
    by default that of the operands, and f32 for 16-bit floats; the result has one of these two
    types. If left out, ``strides`` and ``dilations`` are 1, and ``pads`` 0.
    """

    name = "nn.conv"
    PADS_DYNAMIC_WINDOW: ClassVar[bool] = True
    READS_PLANES: ClassVar[bool] = True

    pads_by_remainder = opt_prop_def(PADS_BY_REMAINDER)
    fill = opt_prop_def(IntegerAttr.constr(i64))

    def outside(self, element: Attribute) -> float | int:
        return 0 if self.fill is None else self.fill.value.data

    def _read_places(
        self, place: Sequence[AffineExpr], taps: Sequence[AffineExpr], summed: AffineExpr
    ) -> tuple[AffineExpr, ...]:
        rank, result = len(place), result_layout(self.layout)
        spatial = (place[axis] for axis in spatial_axes(result, rank))
        shape, strides = bounds_of(self.x.type), ints(self.strides)
        extents = [shape[axis] for axis in spatial_axes(input_layout(self.layout), rank)]
        before = pads_at(self.pads_by_remainder, last_ints(self.pads), strides, extents)
        lists = (strides, ints(self.dilations), before)
        window = tuple(
            at * stride + tap * dilation - pad
            for at, tap, stride, dilation, pad in zip(spatial, taps, *lists, strict=False)
        )
        outputs, channels, _ = self.filter_shape
        groups = self.groups.value.data
        if groups > 1:
            out, size = place[channel_axis(result, rank)], outputs // groups
            group = out if size == 1 else out // size
            summed = group if channels == 1 else group * channels + summed
        return image_shape(input_layout(self.layout), place[0], summed, window)

    def infer_result_type(self) -> Tensor:
        """Return N x output channels x spatial extents, in ``layout``.

        - (conv_c1) x has at least one spatial axis
        - (conv_c2) the channels of x, the groups and the filter fit each other
        - (conv_c4) a bias has one element an output channel
        """
        shape = shape_of(self.x.type)
        if len(shape) < 3:
            raise invalid("conv_c1", f"x has rank 3 or more, found {self.x.type}")
        out_channels, in_channels, window = self.filter_shape
        check_length("the filter's window", window, len(shape) - 2)
        layout, groups = input_layout(self.layout), self.groups.value.data
        channels = shape[channel_axis(layout, len(shape))]
        if groups < 1 or channels != in_channels * groups or out_channels % groups:
            raise invalid(
                "conv_c2",
                f"{channels} channels in {groups} groups do not fit a filter that takes "
                f"{in_channels} channels a group to {out_channels}",
            )
        self._check_filter(out_channels)
        if self.bias is not None and shape_of(self.bias.type) != (out_channels,):
            raise invalid("conv_c4", f"expected a bias of {out_channels}, found {self.bias.type}")
        element = self.check_elements()
        self._check_fill()
        spatial = window_extents(
            [shape[axis] for axis in spatial_axes(layout, len(shape))],
            window,
            ints(self.strides),
            ints(self.pads),
            ints(self.dilations),
        )
        check_pads_by_remainder(self.pads_by_remainder, ints(self.pads), ints(self.strides))
        result = image_shape(result_layout(self.layout), shape[0], out_channels, spatial)
        return tensor(element, result)

    def window_steps(self) -> tuple[WindowSteps, ...]:
        _, _, window = self.filter_shape
        return WindowSteps.of(window, ints(self.strides), ints(self.pads), ints(self.dilations))

    def _check_fill(self) -> None:
        """Check (conv_c6) that ``fill`` is an integer of x."""
        element = element_of(self.x.type)
        if self.fill is None:
            return
        if is_float(element) or not lowest(element) <= self.fill.value.data <= highest(element):
            raise invalid("conv_c6", f"{self.fill.value.data} is no integer of {self.x.type}")

    def _check_filter(self, outputs: int) -> None:
        """Raise ``VerifyException`` if the filter is stored as nothing can read it.

        - (conv_c3) a Winograd filter is for channels_last, one group, strides and dilations of 1
        - (conv_c5) a filter in tiles that are filled up is for results with channels last, and
          groups of whole tiles
        """
        groups = self.groups.value.data
        if self.winograd is not None and not (
            self.layout == CHANNELS_LAST
            and groups == 1
            and {*ints(self.strides), *ints(self.dilations)} == {1}
        ):
            raise invalid(
                "conv_c3",
                "a Winograd filter is for channels_last, one group, strides and dilations of 1",
            )
        size = self.filled_up
        if size and (result_layout(self.layout) != CHANNELS_LAST or outputs // groups % size):
            raise invalid(
                "conv_c5",
                f"a filter in tiles of {size} that are filled up is for results with channels "
                "last, and groups of whole tiles",
            )


@irdl_op_definition
class MatMulOp(ContractionOp):
    """Matrix product over the last two axes, leading axes broadcast (ONNX MatMul and Gemm).

    ``lhs`` is … x M x K (… x K x M where ``transpose_lhs``), ``rhs`` … x K x N (… x N x K where
    ``transpose_rhs``); ``bias`` broadcasts to the result without widening it. ``rhs_layout``
    says how a matrix K x N is stored where that is another order; ``#nn.tiled<[1, 0], 1 by t>`` is
    tile after tile of t columns, contiguous as a kernel reads it. ``accumulator`` is the element
    type of the sums, by default that of the operands, and f32 for 16-bit floats; the result has one
    of these two types.
    """

    name = "nn.matmul"
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = True

    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)
    bias = opt_operand_def(TENSOR)

    transpose_lhs = prop_def(BoolAttr, default_value=_FALSE)
    transpose_rhs = prop_def(BoolAttr, default_value=_FALSE)
    rhs_layout = opt_prop_def(TiledAttr)

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        bias: SSAValue | None = None,
        *,
        transpose_lhs: bool = False,
        transpose_rhs: bool = False,
        accumulator: Attribute | None = None,
        element: Attribute | None = None,
    ):
        self.init_inferred(
            [lhs, rhs, bias],
            element,
            transpose_lhs=transpose_lhs,
            transpose_rhs=transpose_rhs,
            accumulator=accumulator,
        )

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        """The axes of the result, and the inner one."""
        shape = bounds_of(self.lhs.type)
        inner = shape[-2] if self.transpose_lhs else shape[-1]
        result = parallel(bounds_of(self.result.type))
        return (*result, Iterator("k", inner, IteratorKind.REDUCTION))

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        """Leading axes are broadcast."""
        shape = bounds_of(self.result.type)
        rank = len(shape)
        *_, row, column, inner = place = [AffineExpr.dimension(i) for i in range(rank + 1)]
        left = [inner, row] if self.transpose_lhs else [row, inner]
        right = [column, inner] if self.transpose_rhs else [inner, column]
        if self.rhs_layout is not None:
            right = self.rhs_layout.index(right)
        stacks = (bounds_of(operand.type)[:-2] for operand in (self.lhs, self.rhs))
        reads = [
            (*(broadcast_map(stack, shape[:-2]).results if stored is None else ()), *last)
            for stack, last, stored in zip(
                stacks, (left, right), (None, self.rhs_layout), strict=True
            )
        ]
        if self.bias is not None:
            reads.append(broadcast_map(bounds_of(self.bias.type), shape).results)
        return tuple(AffineMap(rank + 1, 0, results) for results in (*reads, tuple(place[:rank])))

    def infer_result_type(self) -> Tensor:
        """Return … x M x N.

        - (matmul_c1) operands have at least two axes
        - (matmul_c2) a rhs that is stored otherwise is a matrix, and not transposed
        - (matmul_c3) the inner extents agree
        - (matmul_c4) a bias broadcasts to the result
        """
        lhs, rhs = list(shape_of(self.lhs.type)), list(shape_of(self.rhs.type))
        if self.rhs_layout is not None:
            rhs = list(self.rhs_layout.logical_shape(rhs))
            if len(rhs) != 2 or self.transpose_rhs:
                raise invalid(
                    "matmul_c2", f"a rhs in {self.rhs_layout} is a matrix, not transposed"
                )
        if min(len(lhs), len(rhs)) < 2:
            raise invalid("matmul_c1", f"operands have rank 2 or more, found {lhs} and {rhs}")
        if self.transpose_lhs:
            lhs[-2:] = lhs[-1], lhs[-2]
        if self.transpose_rhs:
            rhs[-2:] = rhs[-1], rhs[-2]
        if lhs[-1] != rhs[-2]:
            raise invalid("matmul_c3", f"inner extents differ: {lhs} times {rhs}")
        shape = (*broadcast_shapes(lhs[:-2], rhs[:-2]), lhs[-2], rhs[-1])
        if self.bias is not None and broadcast_shapes(shape, shape_of(self.bias.type)) != shape:
            raise invalid("matmul_c4", f"bias {self.bias.type} does not broadcast to {list(shape)}")
        return tensor(self.check_elements(), shape)
