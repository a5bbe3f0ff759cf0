"""Native constraints of the rules for codes: integers that stand for floats (``nn.quantised``)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, UnitAttr, i16, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.activation import ClampOp
from autodeploy.dialects.nn.base import NNOp, i64_attr, ints
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST
from autodeploy.dialects.nn.quantised import DequantizeOp, QuantizeOp
from autodeploy.dialects.nn.types import (
    bounds_of,
    broadcast_shapes,
    element_of,
    i8,
    largest_count,
    shape_of,
    tensor,
    ui8,
)
from autodeploy.passes.fusion.natives import Found, PatternContext, native_constraint
from autodeploy.weights import Array, numpy_dtype

Scales: TypeAlias = npt.NDArray[np.float32]

_LARGEST_SUM = 2**31 - 1

SCALE_TOLERANCE = 1e-6
"""Relative difference of two scales that are meant to be one: their products are rounded."""


@native_constraint("same_constant")
def same_constant(ctx: PatternContext, lhs: SSAValue, rhs: SSAValue) -> bool:
    """Tell whether two constants have one type and the same elements."""
    one, other = ctx.array(lhs), ctx.array(rhs)
    return one is not None and other is not None and _are_same(one, other)


def _are_same(one: Array, other: Array) -> bool:
    if one.dtype != other.dtype or (one.size != 1 != other.size and one.shape != other.shape):
        return False
    first, second = np.broadcast_arrays(one, other)
    return bool(np.array_equal(first, second))


@native_constraint("sum_scale")
def sum_scale(ctx: PatternContext, op: Operation, x_scale: SSAValue, w_scale: SSAValue) -> Found:
    """Give the scale of sums of products of codes: the product of the factors' scales.

    It broadcasts to the result. Does not hold unless x has one scale and the weights one, or one an
    output channel, and all products are positive numbers.
    """
    one, several = (_scale(ctx, value) for value in (x_scale, w_scale))
    if one is None or several is None or one.size != 1:
        return False
    along = _along_outputs(op, several)
    if along is None:
        return False
    with np.errstate(all="ignore"):
        scale = one.reshape(()) * along
    return _are_normal(scale) and (True, *ctx.stored(scale))


def _scale(ctx: PatternContext, value: SSAValue) -> Scales | None:
    array = ctx.array(value)
    return None if array is None else array.astype(np.float32)


def _are_normal(scales: Scales) -> bool:
    """Tell whether all scales are positive numbers that are no subnormal ones."""
    return bool((np.isfinite(scales) & (scales >= np.finfo(np.float32).tiny)).all())


def _along_outputs(op: Operation, parameter: Scales) -> Scales | None:
    """Return a parameter of weights in a shape that broadcasts to the result of ``op``.

    ``None`` unless it is one element, or one an output channel.
    """
    if parameter.size == 1:
        return parameter.reshape(())
    if not _has_plain_weights(op):
        return None
    shape = bounds_of(op.operands[1].type)
    outputs = _output_axis(op)
    aligned = (1,) * (len(shape) - parameter.ndim) + parameter.shape
    if any(n != (shape[i] if i == outputs else 1) for i, n in enumerate(aligned)):
        return None
    trailing = len(shape) - 2 if isinstance(op, ConvOp) else 0
    return parameter.reshape(-1, *[1] * trailing)


def _has_plain_weights(op: Operation) -> TypeGuard[ConvOp | MatMulOp]:
    """Tell whether a contraction has its channels, and its weights, in the order of ONNX."""
    if isinstance(op, ConvOp):
        return op.layout == CHANNELS_FIRST and op.filter_layout is None
    return isinstance(op, MatMulOp) and op.rhs_layout is None


def _output_axis(op: ConvOp | MatMulOp) -> int:
    """Return the axis of the weights that has the output channels."""
    if isinstance(op, ConvOp):
        return 0
    rank = len(bounds_of(op.rhs.type))
    return rank - 2 if op.transpose_rhs else rank - 1


@native_constraint("integer_sum")
def integer_sum(
    ctx: PatternContext,
    op: Operation,
    codes: SSAValue,
    zero: SSAValue,
    weights: SSAValue,
    weights_zero: SSAValue,
    bias: tuple[SSAValue, ...],
    scale: Attribute,
) -> Found:
    """Give the weights and the bias with which a contraction sums codes in 32-bit integers.

    The bias holds the products of the zero point of ``codes``, so that none is left in the sum. A
    bias that there is consists of codes of this very ``scale``, or of constant floats that are
    rounded to such codes, as onnxruntime does, where the result is quantised. With a unit for a
    scale the contraction sums distances from zero points, and its bias is one of integers. Gives
    the values of weights and bias with their types, what pads hold, and the type of the sums. Does
    not hold where codes have more than 8 bits or several zero points, or where a sum might exceed
    32 bits.
    """
    start = _start(ctx, op, bias, scale)
    if start is None or not _has_plain_weights(op):
        return False
    x_zero, found = ctx.array(zero), _distances(ctx, op, codes, weights, weights_zero)
    if x_zero is None or x_zero.size != 1 or found is None:
        return False
    (distances, most), place = found, int(x_zero.reshape(()))
    start = start.reshape(-1) - place * _sums_of_outputs(op, distances)
    if np.abs(start).max(initial=0) + most > _LARGEST_SUM:
        return False
    outputs = bounds_of(op.result.type)[1 if isinstance(op, ConvOp) else -1]
    new_bias = np.broadcast_to(start, outputs).astype(np.int32)
    padded = isinstance(op, ConvOp) and any(ints(op.pads)) and place
    fill = i64_attr(place) if padded else None
    result = tensor(i32, shape_of(op.result.type))
    return True, *ctx.stored(distances, new_bias), fill, result


@native_constraint("run_time_zero")
def run_time_zero(
    ctx: PatternContext,
    op: Operation,
    codes: SSAValue,
    zero: SSAValue,
    weights: SSAValue,
    weights_zero: SSAValue,
) -> Found:
    """Give the weights of a contraction, and the sum of those of each output channel.

    The zero point of the codes is one, or one a row of a product, and only a run knows it. Gives
    values and types, and the type of the sums times the zero point. Does not hold where a sum of
    products might exceed 32 bits, nor for a convolution with groups or pads.
    """
    if not _has_plain_weights(op) or element_of(op.results[0].type) != i32:
        return False
    found = _distances(ctx, op, codes, weights, weights_zero)
    if found is None or ctx.array(zero) is not None:
        return False
    distances, _ = found
    columns = _sums_of_outputs(op, distances)
    if isinstance(op, ConvOp):
        if not _sums_all(op) or largest_count(zero.type) != 1:
            return False
        columns = columns.reshape(-1, *[1] * (distances.ndim - 2))
    elif distances.ndim != 2:
        return False
    shape = broadcast_shapes(shape_of(zero.type), columns.shape)
    if len(shape) > len(shape_of(op.results[0].type)):
        return False
    return True, *ctx.stored(distances, columns.astype(np.int32)), tensor(i32, shape)


@native_constraint("distances")
def distances_of_run(
    ctx: PatternContext,
    op: Operation,
    codes: SSAValue,
    zero: SSAValue,
    weights: SSAValue,
    weights_zero: SSAValue,
) -> Found:
    """Give the weights of a convolution, and the types of codes and zero point in 16 bits.

    Does not hold where codes or zero points have more than 8 bits, or a sum might exceed 32, nor
    for a convolution without groups and pads.
    """
    if not isinstance(op, ConvOp) or _sums_all(op):
        return False
    if not _has_plain_weights(op) or element_of(op.results[0].type) != i32:
        return False
    found = _distances(ctx, op, codes, weights, weights_zero)
    if found is None or not _has_8_bits(zero):
        return False
    wide, place = (tensor(i16, shape_of(x.type)) for x in (codes, zero))
    return True, *ctx.stored(found[0]), wide, place


def _sums_all(conv: ConvOp) -> bool:
    """Tell whether each result of a convolution is a sum with all weights of its channel."""
    return conv.groups.value.data == 1 and not any(ints(conv.pads))


def _has_8_bits(codes: SSAValue) -> bool:
    return element_of(codes.type) in (ui8, i8)


def _distances(
    ctx: PatternContext,
    op: ConvOp | MatMulOp,
    codes: SSAValue,
    weights: SSAValue,
    zero: SSAValue,
) -> tuple[Array, int] | None:
    """Return the distances of constant weights from their zero points, in 8 bits or 16.

    The second value is the largest sum of their products with codes. Returns ``None`` if that
    might exceed 32 bits, or if codes, weights or zero points have more than 8.
    """
    array, places = ctx.array(weights), ctx.array(zero)
    if not _has_8_bits(codes) or array is None or places is None or array.dtype.itemsize > 1:
        return None
    if np.abs(places.astype(np.int64)).max(initial=0) > 255:
        return None
    wide = array.astype(np.int16) - places.astype(np.int16)
    if wide.shape != array.shape:
        return None
    most = 255 * int(_sums_of_outputs(op, np.abs(wide.astype(np.int32))).max(initial=0))
    narrow = wide.min(initial=0) >= -128 and wide.max(initial=0) <= 127
    return (wide.astype(np.int8) if narrow else wide, most) if most <= _LARGEST_SUM else None


def _start(
    ctx: PatternContext, op: Operation, bias: Sequence[SSAValue], scale: Attribute
) -> npt.NDArray[np.int64] | None:
    """Return the integers of a bias, or its codes in this scale; else ``None``."""
    of_integers = isinstance(scale, UnitAttr)
    if of_integers and element_of(op.results[0].type) != i32:  # other types may have fractions
        return None
    if not bias:
        return np.zeros(1, np.int64)
    if of_integers:
        integers = ctx.array(bias[0])
        return None if integers is None or integers.ndim != 1 else integers.astype(np.int64)
    if not isinstance(scale, DenseAttr | WeightAttr):
        return None
    owner, wanted = bias[0].owner, ctx.store.array(scale).reshape(-1)
    if not isinstance(owner, DequantizeOp):
        floats = ctx.array(bias[0])
        if floats is None or floats.dtype != np.float32 or floats.ndim != 1:
            return None
        is_quantised = _is_quantised(op.results[0])
        return _rounded(floats, wanted.astype(np.float32)) if is_quantised else None
    codes, own = map(ctx.array, owner.operands[:2])
    if codes is None or own is None or codes.dtype != np.int32 or codes.ndim != 1:
        return None
    if own.size not in (1, codes.size) or wanted.size not in (1, codes.size):
        return None
    same = np.allclose(own.reshape(-1), wanted, rtol=SCALE_TOLERANCE, atol=0)
    return codes.astype(np.int64) if same else None


def _rounded(bias: Array, scale: Scales) -> npt.NDArray[np.int64] | None:
    """Return the codes nearest to a bias; ``None`` where they exceed 32 bits."""
    if scale.size not in (1, bias.size):
        return None
    with np.errstate(over="ignore"):
        codes = np.rint(bias.astype(np.float32) / scale)
    fits = np.isfinite(codes).all() and np.abs(codes).max(initial=0) <= _LARGEST_SUM
    return codes.astype(np.int64) if fits else None


def _is_quantised(value: SSAValue) -> bool:
    """Tell whether all readers of a value quantise it, with bounds before that or without."""
    readers = [use.operation for use in value.uses]
    return bool(readers) and all(
        isinstance(reader, QuantizeOp)
        or (isinstance(reader, ClampOp) and _is_quantised(reader.result))
        for reader in readers
    )


def _sums_of_outputs(op: ConvOp | MatMulOp, weights: Array) -> npt.NDArray[np.int64]:
    """Return the sum of the weights of each output channel."""
    others = tuple(axis for axis in range(weights.ndim) if axis != _output_axis(op))
    return weights.sum(axis=others, dtype=np.int64)


@native_constraint("scale_ratio")
def scale_ratio(ctx: PatternContext, factor: SSAValue, scale: SSAValue) -> Found:
    """Give one scale over another, and a scale of 1, with their types.

    Does not hold unless the second is a single one other than 1, and all quotients are positive
    numbers.
    """
    over, under = (_scale(ctx, value) for value in (factor, scale))
    if over is None or under is None or under.size != 1 or under.reshape(()) == 1:
        return False
    with np.errstate(all="ignore"):
        ratio = over / under.reshape(())
    return _are_normal(ratio) and (True, *ctx.stored(ratio, np.ones((), np.float32)))


@native_constraint("moves_codes")
def moves_codes(
    ctx: PatternContext, op: Operation, codes: SSAValue, scale: SSAValue, zero: SSAValue
) -> Found:
    """Tell whether codes may take the place of numbers in an op that moves or compares them.

    The codes have 8 bits, one positive scale and one zero point. Gives the type of the codes of the
    result.
    """
    factor, place = _scale(ctx, scale), ctx.array(zero)
    if factor is None or place is None or factor.size != 1 or place.size != 1:
        return False
    if not _has_8_bits(codes) or not factor.reshape(()) > 0:
        return False
    return True, tensor(element_of(codes.type), shape_of(op.results[0].type))


@native_constraint("zero_code")
def zero_code(
    ctx: PatternContext, codes: SSAValue, scale: SSAValue, zero: tuple[SSAValue, ...]
) -> Found:
    """Give the code of 0 as a constant's value with its type: that is the zero point.

    Does not hold unless scales are positive.
    """
    factor = _scale(ctx, scale)
    if factor is None or not bool((factor > 0).all()):
        return False
    none = np.zeros((), numpy_dtype(element_of(codes.type)))
    place = ctx.array(zero[0]) if zero else none
    return place is not None and (True, *ctx.stored(place))


@native_constraint("sum_of_codes")
def sum_of_codes(
    ctx: PatternContext, op: Operation, codes: SSAValue, scale: SSAValue, zero: SSAValue
) -> Found:
    """Give the parts of a sum of codes in 32 bits, which is scaled to their mean.

    The codes have 8 bits, one positive scale and one zero point. The types say how many are added
    up. A pool has one window, of the whole image, without pads.
    """
    factor, place = _scale(ctx, scale), ctx.array(zero)
    shape, axes = shape_of(codes.type), op.mean_axes if isinstance(op, NNOp) else ()
    if factor is None or place is None or factor.size != 1 or place.size != 1 or not axes:
        return False
    if not _has_8_bits(codes):
        return False
    count = prod(shape[axis] for axis in axes)
    if isinstance(count, Extent) or not 0 < count * 255 <= _LARGEST_SUM:
        return False
    share = factor.reshape(()) / np.float32(count)
    if not _are_normal(share):
        return False
    zeros = np.array(int(place.reshape(())) * count, np.int32)
    keepdims = op.properties.get("keepdims", BoolAttr.from_bool(True))
    wide, sums = (tensor(i32, shape_of(x.type)) for x in (codes, op.results[0]))
    attributes = DenseArrayBase.from_list(i64, list(axes)), keepdims
    return True, wide, *attributes, sums, *ctx.stored(zeros, share)
