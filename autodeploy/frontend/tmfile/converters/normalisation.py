"""Normalisations and softmax."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, SqrtOp, SubOp
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.reduction import BatchNormOp, ReduceOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.types import element_count, element_of, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.frontend.nn.functions import log_softmax, per_channel, scaled, standardised
from autodeploy.frontend.tmfile.converters.registry import Node, converts
from autodeploy.weights import numpy_dtype


@converts("Softmax")
def softmax(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Softmax."""
    x = node.operand(0)
    return [b.emit(SoftmaxOp(x, node.axis("axis", len(shape_of(x.type)))))]


@converts("LogSoftmax")
def convert_log_softmax(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert LogSoftmax."""
    x = node.operand(0)
    return [log_softmax(b, x, node.axis("axis", len(shape_of(x.type))))]


@converts("BatchNormalization", on_images=True)
def batch_normalization(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert BatchNormalization.

    Caffe keeps mean and variance as sums, which 1 / ``rescale_factor`` makes means (0 makes zeros
    of them), and has no scale and no shift (``caffe_flavor`` 1).
    """
    x = node.operand(0)
    gamma, beta, mean, variance = (_channels(b, node, index) for index in range(1, 5))
    rescale = node.number("rescale_factor")
    if rescale != 1:
        factor = 0.0 if rescale == 0 else 1 / rescale
        mean, variance = (scaled(b, value, factor) for value in (mean, variance))
    if node.integer("caffe_flavor") == 1:
        gamma, beta = _filled(b, gamma, 1.0), _filled(b, beta, 0.0)
    return [b.emit(BatchNormOp(x, gamma, beta, mean, variance, node.number("eps")))]


def _channels(b: NnBuilder, node: Node, index: int) -> SSAValue:
    """Return a weight as one axis, which some files write as an image."""
    weight = node.weight(b, index)
    return b.reshape(weight, [element_count(weight.type)])


def _filled(b: NnBuilder, like: SSAValue, value: float) -> SSAValue:
    number = np.array(value).astype(numpy_dtype(element_of(like.type)))
    return b.make_constant(np.broadcast_to(number, shape_of(like.type)))


@converts("InstanceNorm", on_images=True)
def instance_norm(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert InstanceNorm: each channel of each image over its spatial axes."""
    x = node.image()
    normal, _, _ = standardised(b, x, (2, 3), node.number("eps"))
    scaled = b.emit(MulOp(normal, per_channel(b, _channels(b, node, 1), 4)))
    return [b.emit(AddOp(scaled, per_channel(b, _channels(b, node, 2), 4)))]


@converts("LayerNorm")
def layer_norm(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert LayerNorm, which is over the last axis."""
    x = node.operand(0)
    last = len(shape_of(x.type)) - 1
    gamma, beta = _channels(b, node, 1), _channels(b, node, 2)
    return [b.emit(LayerNormOp(x, gamma, beta, last, node.number("eps")))]


@converts("LRN", on_images=True)
def lrn(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert LRN across channels, whose denominator starts at ``k``."""
    size = node.integer("local_size")
    if node.integer("norm_region") != 0 or size % 2 == 0:
        raise ConversionError("it is supported across an odd number of channels only")
    result = LrnOp(
        node.operand(0),
        size=size,
        alpha=node.number("alpha"),
        beta=node.number("beta"),
        bias=node.number("k"),
    )
    return [b.emit(result)]


@converts("MVN", on_images=True)
def mean_variance_normalisation(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert MVN: x less its mean, over its deviation plus ``eps`` with ``normalize_variance``."""
    x = node.image()
    axes = (1, 2, 3) if node.integer("across_channels") else (2, 3)
    centred = b.emit(SubOp(x, b.emit(ReduceOp(x, Reduction.MEAN, axes, keepdims=True))))
    if not node.integer("normalize_variance"):
        return [centred]
    squares = b.emit(MulOp(centred, centred))
    deviation = b.emit(SqrtOp(b.emit(ReduceOp(squares, Reduction.MEAN, axes, keepdims=True))))
    epsilon = b.scalar(node.number("eps"), element_of(x.type))
    return [b.emit(DivOp(centred, b.emit(AddOp(deviation, epsilon))))]


@converts("Normalize", on_images=True)
def normalize(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Normalize: x over the length of its vectors of channels, times a scale of each."""
    x = node.image()
    if node.integer("across_spatial") or node.integer("channel_shared"):
        raise ConversionError("it is supported for each pixel and with a scale a channel only")
    normal = b.emit(DivOp(x, _length(b, x, (1,))))
    return [b.emit(MulOp(normal, per_channel(b, _channels(b, node, 1), 4)))]


@converts("L2Normalization", on_images=True)
def l2_normalization(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert L2Normalization: x over the length of its vectors of channels."""
    x = node.operand(0)
    if len(shape_of(x.type)) < 2:
        raise ConversionError(f"it takes rank 2 or more, found {x.type}")
    return [b.emit(DivOp(x, _length(b, x, (1,))))]


def _length(b: NnBuilder, x: SSAValue, axes: Sequence[int]) -> SSAValue:
    squares = b.emit(ReduceOp(b.emit(MulOp(x, x)), Reduction.SUM, axes, keepdims=True))
    return b.emit(SqrtOp(squares))
