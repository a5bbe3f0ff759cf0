"""Reductions over whole axes, the place of an extreme, softmax, and batch normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import auto
from itertools import chain
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, prop_def
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.arithmetic import AddOp, MulOp
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    NUMBER,
    TENSOR,
    AnchorOp,
    AxisRead,
    NNOp,
    Tensor,
    check_axes,
    check_floats,
    check_numbers,
    check_same_element,
    ints,
)
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, LayoutAttr, channel_axis
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.structure import (
    AccumulatingOp,
    Iterator,
    IteratorKind,
    StructuredOp,
    parallel,
)
from autodeploy.dialects.nn.types import (
    bounds_of,
    element_of,
    highest,
    is_float,
    lowest,
    shape_of,
    tensor,
)


class Reduction(StrEnum):
    """How the elements along the reduced axes become one."""

    SUM = auto()
    MEAN = auto()
    MAX = auto()
    MIN = auto()
    PROD = auto()


@irdl_attr_definition
class ReductionAttr(EnumAttribute[Reduction], SpacedOpaqueSyntaxAttribute):
    """Kind of a reduction: ``#nn<reduction mean>``."""

    name = "nn.reduction"


@irdl_op_definition
class ReduceOp(AnchorOp, AccumulatingOp):
    """Reduce over ``axes`` (rising, none negative); they stay as extent 1 where ``keepdims``.

    Over no elements a sum is 0, a product 1, a maximum the lowest and a minimum the highest value
    of the type, a mean nan (ONNX Reduce…, GlobalAveragePool, GlobalMaxPool).
    """

    name = "nn.reduce"
    AXES: ClassVar = {"axes": follow.axes}
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = True

    x = operand_def(TENSOR)

    kind = prop_def(ReductionAttr)
    axes = prop_def(I64_ARRAY)
    keepdims = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))

    def __init__(self, x: SSAValue, kind: Reduction, axes: Sequence[int], keepdims: bool = False):
        self.init_inferred([x], kind=ReductionAttr(kind), axes=sorted(axes), keepdims=keepdims)

    @property
    def role(self) -> str:
        return f"reduce_{self.kind.data}"

    @property
    def folded_axes(self) -> tuple[int, ...]:
        """The axes that are reduced."""
        return ints(self.axes)

    @property
    def mean_axes(self) -> tuple[int, ...]:
        return self.folded_axes if self.kind.data == Reduction.MEAN else ()

    @property
    def folds_none(self) -> bool:
        """Whether it is a sum or a product."""
        return self.kind.data in (Reduction.SUM, Reduction.PROD)

    @property
    def folds_in_parts(self) -> bool:
        """Whether it is no mean of integers, which is rounded down each time."""
        return self.kind.data != Reduction.MEAN or is_float(element_of(self.x.type))

    @property
    def folds_in_any_order(self) -> bool:
        """Whether it is a maximum or a minimum, or sums or multiplies integers."""
        kind = self.kind.data
        is_integer = not is_float(element_of(self.x.type)) and kind != Reduction.MEAN
        return kind in (Reduction.MAX, Reduction.MIN) or is_integer

    def fold_of(self, x: SSAValue, axes: Sequence[int]) -> ReduceOp:
        """Return the reduction of another tensor."""
        return ReduceOp(x, self.kind.data, axes)

    def dropped_axes(self) -> tuple[int, ...]:
        """Return the axes that are reduced and do not stay."""
        return () if self.keepdims else ints(self.axes)

    def infer_result_type(self) -> Tensor:
        """Return the operand's type without the reduced axes, or with extent 1 there.

        - (reduce_c1) elements are numbers
        """
        shape, element, axes = shape_of(self.x.type), element_of(self.x.type), ints(self.axes)
        check_axes("axes", axes, len(shape))
        check_numbers("reduce_c1", self, self.x)
        if self.keepdims:
            return tensor(element, [1 if i in axes else n for i, n in enumerate(shape)])
        return tensor(element, [n for i, n in enumerate(shape) if i not in axes])

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        axes, all_ = ints(self.axes), parallel(bounds_of(self.x.type))
        return tuple(
            replace(iterator, kind=IteratorKind.REDUCTION) if i in axes else iterator
            for i, iterator in enumerate(all_)
        )

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        """Each element of the operand, and the axes that are kept."""
        axes, identity = ints(self.axes), AffineMap.identity(len(bounds_of(self.x.type)))
        zeros = (AffineExpr.constant(0),) if self.keepdims else ()
        kept = [zeros if i in axes else (place,) for i, place in enumerate(identity.results)]
        return identity, AffineMap(identity.num_dims, 0, tuple(chain(*kept)))

    def start(self, element: Attribute) -> float | int:
        match self.kind.data:
            case Reduction.SUM | Reduction.MEAN:
                return 0
            case Reduction.PROD:
                return 1
            case Reduction.MAX:
                return lowest(element)
            case Reduction.MIN:
                return highest(element)

    def body(self, s: Scalars[E], total: E, x: E) -> E:
        match self.kind.data:
            case Reduction.SUM | Reduction.MEAN:
                return total + x
            case Reduction.PROD:
                return total * x
            case Reduction.MAX:
                return s.larger(total, x)
            case Reduction.MIN:
                return s.smaller(total, x)

    def finish(self, s: Scalars[E], total: E, count: E | int, *others: E) -> E:
        return s.mean(total, count) if self.kind.data == Reduction.MEAN else total


@irdl_op_definition
class ArgReduceOp(AnchorOp):
    """The place along ``axis`` of the largest or smallest element, as i32 (ONNX ArgMax, ArgMin).

    ``kind`` is max or min. The first of equal elements counts, with ``select_last`` the last; a
    nan is larger and smaller than any number. The axis stays as extent 1 where ``keepdims``.
    """

    name = "nn.arg_reduce"
    AXES: ClassVar = {"axis": follow.axis}
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = True

    x = operand_def(TENSOR)

    kind = prop_def(ReductionAttr)
    axis = prop_def(IntegerAttr.constr(i64))
    keepdims = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    select_last = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))

    def __init__(
        self,
        x: SSAValue,
        kind: Reduction,
        axis: int,
        keepdims: bool = False,
        select_last: bool = False,
    ):
        self.init_inferred(
            [x], kind=ReductionAttr(kind), axis=axis, keepdims=keepdims, select_last=select_last
        )

    def dropped_axes(self) -> tuple[int, ...]:
        """Return the axis unless it stays."""
        return () if self.keepdims else (self.axis.value.data,)

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes but the one along which is searched."""
        own, gone = self.axis.value.data, len(self.dropped_axes())
        axes = range(len(bounds_of(self.x.type)))
        return [None if a == own else AxisRead(a - gone * (a > own)) for a in axes]

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes; the result lacks the one along which is searched."""
        behind = len(bounds_of(self.result.type))
        return [AxisRead(behind) if read is None else read for read in self.axis_reads(index)]

    def infer_result_type(self) -> Tensor:
        """Return places in the operand's shape without the axis, or with extent 1 there.

        - (arg_reduce_c1) elements are numbers
        - (arg_reduce_c2) the kind is max or min
        - (arg_reduce_c3) the axis has elements
        """
        shape, axis = shape_of(self.x.type), self.axis.value.data
        check_axes("axis", [axis], len(shape))
        check_numbers("arg_reduce_c1", self, self.x)
        if self.kind.data not in (Reduction.MAX, Reduction.MIN):
            raise invalid(
                "arg_reduce_c2", f"nn.arg_reduce finds max or min, found {self.kind.data}"
            )
        if not shape[axis]:
            raise invalid("arg_reduce_c3", f"axis {axis} of {self.x.type} has no elements")
        kept = (1,) if self.keepdims else ()
        return tensor(i32, (*shape[:axis], *kept, *shape[axis + 1 :]))


@irdl_op_definition
class SoftmaxOp(AnchorOp):
    """exp(x - max) / sum of exp(x - max) along one axis (ONNX Softmax since opset 13)."""

    name = "nn.softmax"
    AXES: ClassVar = {"axis": follow.axis}
    CONTRACTS: ClassVar[bool] = True
    MASKS_DYNAMIC_REDUCTION: ClassVar[bool] = True

    x = operand_def(TENSOR)

    axis = prop_def(IntegerAttr.constr(i64))

    def __init__(self, x: SSAValue, axis: int):
        self.init_inferred([x], axis=axis)

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes but the one along which is summed."""
        own = self.axis.value.data
        return [None if a == own else AxisRead(a) for a in range(len(bounds_of(self.x.type)))]

    def identity_axes(self, index: int) -> Sequence[AxisRead | None]:
        """Return all axes; along its own, the sum ends where the elements of a run do."""
        return [AxisRead(axis) for axis in range(len(bounds_of(self.x.type)))]

    def infer_result_type(self) -> Tensor:
        """Return the operand's type.

        - (softmax_c1) elements are floats
        """
        shape = shape_of(self.x.type)
        check_axes("axis", [self.axis.value.data], len(shape))
        check_floats("softmax_c1", self, self.x)
        return tensor(element_of(self.x.type), shape)


@irdl_op_definition
class BatchNormOp(StructuredOp):
    """(x - mean) / sqrt(variance + epsilon) * scale + shift, each per channel.

    The inference form of ONNX BatchNormalization; ``x`` is an image tensor in ``layout`` of rank 2
    or more, the others have one value a channel.
    """

    name = "nn.batch_norm"
    AXES: ClassVar = {"layout": follow.layout}

    x = operand_def(TENSOR)
    scale = operand_def(TENSOR)
    shift = operand_def(TENSOR)
    mean = operand_def(TENSOR)
    variance = operand_def(TENSOR)

    epsilon = prop_def(NUMBER)
    layout = prop_def(LayoutAttr, default_value=CHANNELS_FIRST)

    def __init__(
        self,
        x: SSAValue,
        scale: SSAValue,
        shift: SSAValue,
        mean: SSAValue,
        variance: SSAValue,
        epsilon: float,
        layout: LayoutAttr = CHANNELS_FIRST,
    ):
        self.init_inferred([x, scale, shift, mean, variance], epsilon=float(epsilon), layout=layout)

    def expanded(self, factor: SSAValue, offset: SSAValue) -> tuple[NNOp, NNOp]:
        """Return the product and the sum, yet to be inserted, that it is with constants."""
        product = MulOp(self.x, factor)
        return product, AddOp(product.result, offset)

    def infer_result_type(self) -> Tensor:
        """Return the type of x.

        - (batch_norm_c1) x has at least two axes
        - (batch_norm_c2) parameters have one element a channel
        - (batch_norm_c3) elements are floats
        """
        shape = shape_of(self.x.type)
        if len(shape) < 2:
            raise invalid("batch_norm_c1", f"x has rank 2 or more, found {self.x.type}")
        channels = shape[channel_axis(self.layout, len(shape))]
        for parameter in self.operands[1:]:
            if shape_of(parameter.type) != (channels,):
                raise invalid(
                    "batch_norm_c2",
                    f"expected parameters of {channels} channels, found {parameter.type}",
                )
        element = check_same_element(self.operands)
        check_floats("batch_norm_c3", self, self.x)
        return tensor(element, shape)

    @property
    def iterators(self) -> tuple[Iterator, ...]:
        return parallel(bounds_of(self.x.type))

    @property
    def indexing_maps(self) -> tuple[AffineMap, ...]:
        """Each parameter is read at the channel."""
        rank = len(bounds_of(self.x.type))
        channel = AffineExpr.dimension(channel_axis(self.layout, rank))
        identity = AffineMap.identity(rank)
        return (identity, *[AffineMap(rank, 0, (channel,))] * 4, identity)

    def body(self, s: Scalars[E], x: E, scale: E, shift: E, mean: E, variance: E) -> E:
        deviation = s.sqrt(variance + self.epsilon.value.data)
        return (x - mean) / deviation * scale + shift
