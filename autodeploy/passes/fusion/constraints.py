"""Native constraints of the fusion rules: what PDL cannot say about nn ops."""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, IntegerType, f32, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import AnchorOp, i64_array, i64_attr, ints
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr, WeightAttr
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import channel_axis, input_layout, result_layout
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import BatchNormOp
from autodeploy.dialects.nn.structure import IteratorKind, StructuredOp
from autodeploy.dialects.nn.types import (
    bounds_of,
    broadcast_shapes,
    element_of,
    is_float,
    largest_count,
    shape_of,
    tensor,
)
from autodeploy.passes.fusion.folding import Float64Array, batch_norm_factors, scaled_weights
from autodeploy.passes.fusion.natives import Found, PatternContext, native_constraint
from autodeploy.weights import Array, constant_value, numpy_dtype

SCALAR_TOLERANCE = 1e-3
"""Relative error within which a constant counts as a known number: half-precision models round."""

MODERATE = 2.0**16
"""A factor of up to this, or one over it, takes few of the powers of two that a float has."""


@native_constraint("are_constant")
def are_constant(_ctx: PatternContext, values: tuple[SSAValue, ...]) -> bool:
    """Return whether all values of a range (an optional operand, say) are constants."""
    return all(isinstance(value.owner, ConstantOp) for value in values)


@native_constraint("used_only_by")
def used_only_by(_ctx: PatternContext, value: SSAValue, op: Operation) -> bool:
    """Return whether one op has all uses of a value, however many."""
    return all(use.operation is op for use in value.uses)


@native_constraint("used_only_by_both")
def used_only_by_both(
    _ctx: PatternContext, value: SSAValue, first: Operation, second: Operation
) -> bool:
    """Return whether two ops have all uses of a value, and each has one."""
    return {use.operation for use in value.uses} == {first, second}


@native_constraint("same_shape")
def same_shape(_ctx: PatternContext, lhs: SSAValue, rhs: SSAValue) -> bool:
    """Return whether two tensors have equal extents, whatever their element types."""
    return bounds_of(lhs.type) == bounds_of(rhs.type)


@native_constraint("has_rank")
def has_rank(_ctx: PatternContext, value: SSAValue, rank: IntegerAttr) -> bool:
    """Return whether a tensor has the given number of axes."""
    return len(bounds_of(value.type)) == rank.value.data


@native_constraint("is_contraction")
def is_contraction(_ctx: PatternContext, op: Operation) -> bool:
    """Return whether an op sums products."""
    return isinstance(op, ContractionOp)


@native_constraint("is_floating")
def is_floating(_ctx: PatternContext, value: SSAValue) -> bool:
    """Return whether a tensor holds floating-point numbers."""
    return is_float(element_of(value.type))


@native_constraint("per_channel")
def per_channel(_ctx: PatternContext, op: Operation, value: SSAValue) -> Found:
    """Return whether ``value`` broadcasts along the channels of ``op``'s result and nothing else.

    ``op`` is a convolution or a batch normalisation. Gives the type of one value a channel.
    """
    if not isinstance(op, ConvOp | BatchNormOp):
        return False
    shape, extents = bounds_of(op.result.type), bounds_of(value.type)
    if len(extents) > len(shape):
        return False
    aligned = (1,) * (len(shape) - len(extents)) + extents
    axis = channel_axis(result_layout(op.layout), len(shape))
    fits = all(n == 1 or (i == axis and n == shape[i]) for i, n in enumerate(aligned))
    return fits, tensor(element_of(value.type), [shape_of(op.result.type)[axis]])


@native_constraint("row_vector")
def row_vector(_ctx: PatternContext, value: SSAValue) -> Found:
    """Return whether only the last axis of a tensor of rank 2 or more is not of extent 1.

    Gives the type without the others.
    """
    shape = bounds_of(value.type)
    if len(shape) < 2 or any(extent != 1 for extent in shape[:-1]):
        return False
    return True, tensor(element_of(value.type), shape_of(value.type)[-1:])


@native_constraint("wider_type")
def wider_type(_ctx: PatternContext, lhs: SSAValue, rhs: SSAValue) -> Found:
    """Return whether one of two tensors broadcasts to the type of the other; gives that type."""
    shapes = shape_of(lhs.type), shape_of(rhs.type)
    try:
        shape = broadcast_shapes(*shapes)
    except VerifyException:
        return False
    return any(are_same(shape, own) for own in shapes), tensor(element_of(lhs.type), shape)


@native_constraint("trailing_axes")
def trailing_axes(_ctx: PatternContext, x: SSAValue, axes: Attribute, parameter: SSAValue) -> Found:
    """Return whether axes are all axes of a tensor from one on, and a parameter has just these.

    Gives the first of them.
    """
    if not isa(axes, DenseArrayBase[IntegerType]):
        return False
    found, shape = ints(axes), bounds_of(x.type)
    if not found or found != tuple(range(found[0], len(shape))):
        return False
    return bounds_of(parameter.type) == shape[found[0] :], i64_attr(found[0])


@native_constraint("scalar_number")
def scalar_number(ctx: PatternContext, value: Attribute) -> Found:
    """Return whether all elements of a constant's value are one number; gives it as an f64."""
    number = _number(ctx, value)
    return False if number is None else (True, FloatAttr(number, f64))


@native_constraint("moderate_number")
def moderate_number(ctx: PatternContext, value: Attribute) -> bool:
    """Return whether all elements of a constant's value are one number of moderate size.

    It has 32 or 64 bits; see ``MODERATE``.
    """
    if not isinstance(value, DenseAttr | WeightAttr) or element_of(value.type) not in (f32, f64):
        return False
    number = _number(ctx, value)
    return number is not None and 1 / MODERATE <= abs(number) <= MODERATE


@native_constraint("reciprocal")
def reciprocal(ctx: PatternContext, value: Attribute) -> Found:
    """Give one over each number of a constant's value.

    Does not hold unless these and those are normal numbers of 32 or 64 bits.
    """
    if not isinstance(value, DenseAttr | WeightAttr) or element_of(value.type) not in (f32, f64):
        return False
    array = ctx.store.array(value)
    with np.errstate(all="ignore"):
        inverse: Array = np.reciprocal(array)
    sizes = np.abs(np.stack([array, inverse]))
    is_normal = np.isfinite(sizes) & (sizes >= np.finfo(str(array.dtype)).tiny)
    return bool(is_normal.all()) and (True, ctx.store.attribute(inverse))


@native_constraint("spatial_pads")
def spatial_pads(_ctx: PatternContext, pad: Operation, conv: Operation) -> Found:
    """Return whether an ``nn.pad`` widens only the spatial axes of the convolution that reads it.

    Gives the pads of both together.
    """
    if not isinstance(pad, PadOp) or not isinstance(conv, ConvOp):
        return False
    if conv.fill is not None:  # its pads are no zeros
        return False
    if conv.pads_by_remainder is not None:  # which follows from the extents of the padded image
        return False
    added = pad.spatial_pads(input_layout(conv.layout))
    if added is None:
        return False
    return True, i64_array([a + b for a, b in zip(added, ints(conv.pads), strict=True)])


@native_constraint("fold_batch_norm")
def fold_batch_norm(ctx: PatternContext, op: Operation, norm: Operation) -> Found:
    """Fold a batch normalisation into the constant weights and bias of the contraction before it.

    Gives the values of the new weights and of the new bias, and the type of the bias. Does not hold
    where one of them would not be finite, the two take channels from different axes, the filter
    is filled up with zeros or the matrix packed, or the result has wider elements than the weights.
    """
    if not isinstance(norm, BatchNormOp):
        return False
    if isinstance(op, ConvOp) and result_layout(op.layout) != norm.layout:
        return False
    parameters = [array for array in map(ctx.array, norm.operands[1:]) if array is not None]
    if len(parameters) != 4:
        return False
    scale, shift, mean, variance = parameters
    factor, offset = batch_norm_factors(scale, shift, mean, variance, norm.epsilon.value.data)
    return _fold(ctx, op, factor, offset)


@native_constraint("fold_scale")
def fold_scale(ctx: PatternContext, op: Operation, value: SSAValue) -> Found:
    """Fold a multiplication with a per-channel constant into the convolution before it.

    Gives what ``fold_batch_norm`` gives.
    """
    scale = ctx.array(value)
    if not isinstance(op, ConvOp) or scale is None:
        return False
    shape = bounds_of(op.result.type)
    channels = shape[channel_axis(result_layout(op.layout), len(shape))]
    if scale.size not in (1, channels):
        return False
    factor = np.broadcast_to(scale.astype(np.float64).reshape(-1), channels)
    return _fold(ctx, op, factor, np.zeros(channels))


def _fold(ctx: PatternContext, op: Operation, factor: Float64Array, offset: Float64Array) -> Found:
    if not isinstance(op, ConvOp | MatMulOp):
        return False
    if op.filled_up if isinstance(op, ConvOp) else op.rhs_layout is not None:
        return False
    if element_of(op.result.type) != element_of(op.operands[1].type):
        return False  # the weights have fewer digits than what is scaled
    weights = constant_value(op.operands[1])
    bias = None if op.bias is None else ctx.array(op.bias)
    if weights is None or (bias is None) != (op.bias is None):
        return False
    with np.errstate(all="ignore"):
        moved = offset if bias is None else bias.astype(np.float64) * factor + offset
        moved = moved.astype(numpy_dtype(element_of(weights.type)))
    if not np.isfinite(moved).all():
        return False
    if (new_weights := scaled_weights(ctx.store, op, weights, factor)) is None:
        return False
    return True, new_weights, *ctx.stored(moved)


@native_constraint("is_number")
def is_number(ctx: PatternContext, value: SSAValue, number: FloatAttr) -> bool:
    """Return whether a value is a constant, all of whose elements are a number, nearly."""
    attribute = constant_value(value)
    found = None if attribute is None else _number(ctx, attribute)
    return found is not None and math.isclose(found, number.value.data, rel_tol=SCALAR_TOLERANCE)


def _number(ctx: PatternContext, value: Attribute) -> float | None:
    if not isinstance(value, DenseAttr) or not (value.is_splat or largest_count(value.type) == 1):
        return None
    return float(ctx.store.array(value).flat[0])


@native_constraint("has_anchor")
def has_anchor(_ctx: PatternContext, op: Operation) -> bool:
    """Return whether an op is an anchor or a kernel around one; its config must be open."""
    if isinstance(op, KernelOp):
        return op.config is None and op.anchor is not None
    return isinstance(op, AnchorOp)


@native_constraint("is_pointwise")
def is_pointwise(_ctx: PatternContext, op: Operation) -> bool:
    """Return whether each element of an op's result needs one element of each operand.

    That holds for structured ops without reductions and windows that are no anchors, and for
    kernels of nothing else.
    """
    if isinstance(op, KernelOp):
        parts = (part for part in op.body_ops if not isinstance(part, ConstantOp))
        return op.config is None and all(is_pointwise(_ctx, part) for part in parts)
    if not isinstance(op, StructuredOp) or isinstance(op, AnchorOp):
        return False  # an anchor is one, too, where it reduces no axis
    return all(iterator.kind == IteratorKind.PARALLEL for iterator in op.iterators)
