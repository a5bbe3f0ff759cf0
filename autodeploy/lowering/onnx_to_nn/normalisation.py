"""Normalisations and softmax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import bf16, f16, f32
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.reduction import BatchNormOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of
from autodeploy.frontend.nn.functions import inverse_root, log_softmax, per_channel, standardised
from autodeploy.frontend.nn.term import Term
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import element_type, numpy_dtype


@converts("Softmax")
def softmax(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Softmax."""
    return [_along_axis(b, op, lambda x, axis: b.emit(SoftmaxOp(x, axis)))]


@converts("LogSoftmax")
def convert_log_softmax(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LogSoftmax."""
    return [_along_axis(b, op, lambda x, axis: log_softmax(b, x, axis))]


def _along_axis(
    b: ConversionContext, op: OnnxOp, build: Callable[[SSAValue, int], SSAValue]
) -> SSAValue:
    """Apply a function along the op's axis; before opset 13 along that axis and all after it."""
    x = b.operand(op, "input")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    if op.version >= 13 or are_same([prod(shape[axis + 1 :])], [1]):
        return build(x, axis)
    flat = b.reshape(x, (prod(shape[:axis]), prod(shape[axis:])))
    return b.reshape(build(flat, 1), shape)


@converts("BatchNormalization")
def batch_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert BatchNormalization, since opset 14 in training mode, too.

    An x of rank 1 has one channel. If x and the parameters differ in type (since opset 14) the
    widest one is used. With ``spatial = 0`` (before opset 9) each element of an image has
    its own parameters.
    """
    x, *parameters = op.operands
    if _trains(b, op):
        return _train(b, op, x, parameters)
    shape, element = shape_of(x.type), element_of(x.type)
    wide = _widest([element, *(element_of(value.type) for value in parameters)])
    x, *parameters = (b.cast(value, wide) for value in (x, *parameters))
    epsilon = b.number(op, "epsilon")
    if not b.integer(op, "spatial", 1) and len(shape) > 2:
        scale, shift, mean, variance = (Term(b, value) for value in parameters)
        centred = (Term(b, x) - mean) / (variance + epsilon).sqrt()
        result = (centred * scale + shift).value
    else:
        x = b.reshape(x, (*shape, 1)) if len(shape) == 1 else x
        result = b.reshape(b.emit(BatchNormOp(x, *parameters, epsilon=epsilon)), shape)
    return [b.cast(result, element)]


def _trains(b: ConversionContext, op: OnnxOp) -> bool:
    """Return whether the op takes the statistics of its own input.

    The attribute is ``is_test`` up to opset 6, ``training_mode`` since opset 14, and between them
    the number of outputs; raises ``ConversionError`` for these old versions.
    """
    if op.version >= 14:
        return b.integer(op, "training_mode") != 0
    if len(op.results) > 1 if op.version >= 7 else not b.integer(op, "is_test"):
        raise ConversionError("BatchNormalization in training mode is supported since opset 14")
    return False


def _train(
    b: ConversionContext, op: OnnxOp, x: SSAValue, parameters: Sequence[SSAValue]
) -> list[SSAValue]:
    """Normalise by the statistics of x; return these, too, mixed into what was known of others."""
    shape, element = shape_of(x.type), element_of(x.type)
    types = [element_of(value.type) for value in parameters]
    wide = _widest([f32, element, *types])
    shape = (*shape, 1) if len(shape) == 1 else shape
    x = b.reshape(b.cast(x, wide), shape)
    scale, shift, *known = (b.cast(value, wide) for value in parameters)
    axes = [axis for axis in range(len(shape)) if axis != 1]
    mean = Term(b, x).folded(Reduction.MEAN, axes)
    centred = Term(b, x) - mean
    variance = (centred * centred).folded(Reduction.MEAN, axes)
    own = [b.reshape(value.value, shape[1:2]) for value in (mean, variance)]
    result = b.emit(BatchNormOp(x, scale, shift, *own, epsilon=b.number(op, "epsilon")))
    momentum = b.number(op, "momentum")
    results = [b.cast(b.reshape(result, shape_of(op.operands[0].type)), element)]
    for old, new, type_ in zip(known, own, types[2:], strict=True):
        mixed = Term(b, old) * momentum + Term(b, new) * (1 - momentum)
        results.append(mixed.cast(type_).value)
    return results


@converts("LpNormalization")
def lp_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LpNormalization: x over the norm along an axis; 0 where that is 0."""
    given, p = b.operand(op, "input"), b.integer(op, "p")
    x, axis = b.in_32_bits(given), axis_of(b.integer(op, "axis"), len(shape_of(given.type)))
    if p not in (1, 2):
        raise ConversionError(f"p is 1 or 2, found {p}")
    term = Term(b, x)
    norm = (term.abs() if p == 1 else term * term).folded(Reduction.SUM, [axis])
    norm = norm if p == 1 else norm.sqrt()
    result = norm.equals(0).where(norm.same(0), term / norm)
    return [result.cast(element_of(given.type)).value]


def _widest(elements: Sequence[Attribute]) -> Attribute:
    """Return the smallest type that holds the numbers of all these types."""
    wide = numpy_dtype(elements[0])
    for element in elements[1:]:
        wide = np.promote_types(wide, numpy_dtype(element))
    return element_type(wide)


@converts("InstanceNormalization")
def instance_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert InstanceNormalization: each channel of each image over its spatial axes."""
    x = b.operand(op, "input")
    rank = len(shape_of(x.type))
    if rank < 3:
        raise ConversionError(f"InstanceNormalization takes rank 3 or more, found {x.type}")
    normal, _, _ = standardised(b, x, range(2, rank), b.number(op, "epsilon"))
    return [_scaled(b, normal, b.operand(op, "scale"), b.operand(op, "B"))]


def _scaled(b: ConversionContext, x: SSAValue, scale: SSAValue, shift: SSAValue) -> SSAValue:
    """Return x times a number a channel, plus another one."""
    rank = len(shape_of(x.type))
    factor, summand = (Term(b, per_channel(b, value, rank)) for value in (scale, shift))
    return (Term(b, x) * factor + summand).value


@converts("LayerNormalization")
def layer_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LayerNormalization with all three outputs: it normalises over the axes from ``axis``.

    The first stage is computed in the type that ``stash_type`` names. If that is f32, as nn
    computes in, and only the first output is used, it is one nn.layer_norm.
    """
    x, scale, shift = b.operand(op, "X"), b.operand(op, "Scale"), op.input_named("B")
    shape, element = shape_of(x.type), element_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    stash, epsilon = _stash_type(b, op), b.number(op, "epsilon")
    parameters = [scale] if shift is None else [scale, shift]
    if (
        stash == f32
        and element in (f32, f16, bf16)
        and all(shape_of(value.type) == shape[axis:] for value in parameters)
        and all(element_of(value.type) == element for value in parameters)
        and not any(result.uses for result in op.results[1:])
    ):
        return [b.emit(LayerNormOp(x, scale, shift, axis, epsilon))]
    stashed = b.cast(x, stash)
    normal, mean, inverse = standardised(b, stashed, range(axis, len(shape)), epsilon)
    result = Term(b, normal).cast(element) * Term(b, scale)
    result = (result if shift is None else result + Term(b, shift)).value
    if shape_of(result.type) != shape:
        raise ConversionError(f"the scale or the bias does not broadcast to {x.type}")
    return [result, mean, inverse]


@converts("GroupNormalization", since=21)
def group_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert GroupNormalization: each group of channels of each image is normalised as one."""
    x = b.operand(op, "X")
    shape, element = shape_of(x.type), element_of(x.type)
    groups = b.integer(op, "num_groups")
    if len(shape) < 2 or groups < 1 or shape[1] % groups:
        raise ConversionError(f"the channels of {x.type} do not make {groups} groups")
    grouped = b.reshape(x, (shape[0], groups, prod(shape[1:]) // groups))
    stashed = b.cast(grouped, _stash_type(b, op))
    normal, _, _ = standardised(b, stashed, [2], b.number(op, "epsilon"))
    normal = b.reshape(b.cast(normal, element), shape)
    return [_scaled(b, normal, b.operand(op, "scale"), b.operand(op, "bias"))]


@converts("MeanVarianceNormalization")
def mean_variance_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MeanVarianceNormalization: x less its mean, over its deviation + 1e-9.

    ONNX's own function takes the variance as mean(x * x) - mean(x)^2, which loses all digits where
    the mean is large; here it is the mean of (x - mean)^2.
    """
    x = b.operand(op, "X")
    wide = Term(b, b.in_32_bits(x))
    axes = axes_of(b.integers(op, "axes"), len(shape_of(x.type)))
    centred = wide - wide.folded(Reduction.MEAN, axes)
    deviation = (centred * centred).folded(Reduction.MEAN, axes).sqrt()
    return [(centred / (deviation + _MVN_EPSILON)).cast(element_of(x.type)).value]


_MVN_EPSILON = 1e-9
"""The number that ONNX adds to the deviation."""


@converts("LRN")
def lrn(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LRN, which is across channels."""
    normal = LrnOp(
        b.operand(op, "X"),
        size=b.integer(op, "size"),
        alpha=b.number(op, "alpha"),
        beta=b.number(op, "beta"),
        bias=b.number(op, "bias"),
    )
    return [b.emit(normal)]


@converts("RMSNormalization")
def rms_normalization(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert RMSNormalization: x over the root of the mean of x * x, scaled."""
    x = b.operand(op, "X")
    rank, element = len(shape_of(x.type)), element_of(x.type)
    axis = axis_of(b.integer(op, "axis"), rank)
    stashed = b.cast(x, _stash_type(b, op))
    inverse = inverse_root(b, stashed, range(axis, rank), b.number(op, "epsilon"))
    normal = (Term(b, stashed) * Term(b, inverse)).cast(element)
    return [(normal * Term(b, b.operand(op, "scale"))).value]


def _stash_type(b: ConversionContext, op: OnnxOp) -> Attribute:
    number = b.integer(op, "stash_type")
    element = element_types().get(number)
    if element is None:
        raise ConversionError(f"stash_type {number} is no element type")
    return element
