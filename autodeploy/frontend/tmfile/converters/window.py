"""Operators that slide a window over images, and fully connected layers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import ClipOp, ReluOp
from autodeploy.dialects.nn.arithmetic import MulOp, SqrtOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.frontend.nn.functions import same_pads, swap_channels
from autodeploy.frontend.tmfile.converters.registry import Node, converts

_SAME_UPPER, _SAME_LOWER = -1, -2
"""Pads that stand for those with which a stride of 1 keeps the extents."""
_CAFFE, _TOTAL_PAD, _COUNT_PADDING = 1, 2, 0x10
"""Values of ``caffe_flavor``: Caffe's rounding up, pads that are those of both sides, and a bit."""


@converts("Convolution", on_images=True)
def convolution(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Convolution; the activation that Tengine has folded into it becomes its own op."""
    x, filter_ = node.image(), node.weight(b, 1)
    window = _pair(node, "kernel")
    _check_filter(filter_, window)
    strides, dilations = _pair(node, "stride"), _pair(node, "dilation")
    pads = [node.integer(f"pad_{side}") for side in ("h0", "w0", "h1", "w1")]
    if pads[0] in (_SAME_UPPER, _SAME_LOWER):
        _check_strides(strides)
        pads = same_pads(
            shape_of(x.type)[2:], window, strides, dilations, upper=pads[0] == _SAME_UPPER
        )
    result = ConvOp(
        x,
        filter_,
        _bias(b, node),
        strides=strides,
        pads=pads,
        dilations=dilations,
        groups=node.integer("group"),
    )
    return [_activated(b, node, b.emit(result))]


@converts("Deconvolution", on_images=True)
def deconvolution(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Deconvolution, whose filter has the input channels first."""
    x, filter_, groups = node.image(), node.weight(b, 1), node.integer("group")
    _check_filter(filter_, _pair(node, "kernel"))
    result = ConvTransposeOp(
        x,
        swap_channels(b, filter_, groups),
        _bias(b, node),
        strides=_pair(node, "stride"),
        pads=[node.integer(f"pad_{side}") for side in ("h0", "w0", "h1", "w1")],
        dilations=_pair(node, "dilation"),
        output_padding=[node.integer("output_pad_h0", 0), node.integer("output_pad_w0", 0)],
        groups=groups,
    )
    return [_activated(b, node, b.emit(result))]


def _pair(node: Node, name: str) -> tuple[int, int]:
    return node.integer(f"{name}_h"), node.integer(f"{name}_w")


def _check_filter(filter_: SSAValue, window: tuple[int, int]) -> None:
    if len(shape := shape_of(filter_.type)) != 4 or shape[2:] != window:
        raise ConversionError(
            f"a window of {window[0]}x{window[1]} contradicts filter {filter_.type}"
        )


def _check_strides(strides: Sequence[int]) -> None:
    if min(strides) < 1:
        raise ConversionError(f"strides must be at least 1, found {list(strides)}")


def _bias(b: NnBuilder, node: Node) -> SSAValue | None:
    """Return the bias as one axis, which some files write as an image."""
    bias = node.parameter(b, 2)
    return bias if bias is None else b.reshape(bias, [element_count(bias.type)])


def _activated(b: NnBuilder, node: Node, x: SSAValue) -> SSAValue:
    """Apply ``activation``: -1 for none, 0 for a relu, else what it is clipped to from above."""
    match node.integer("activation"):
        case -1:
            return x
        case 0:
            return b.emit(ReluOp(x))
        case bound if bound > 0:
            return b.emit(ClipOp(x, 0.0, float(bound)))
        case unknown:
            raise ConversionError(f"activation {unknown} is unknown, expected -1 or more")


@converts("FullyConnected")
def fully_connected(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert FullyConnected: all axes but the first are one; the weight has a row an output."""
    x, weight = node.operand(0), node.weight(b, 1)
    shape, outputs = shape_of(x.type), node.integer("num_output")
    if outputs < 1 or element_count(weight.type) % outputs:
        raise ConversionError(f"weight {weight.type} has no {outputs} rows")
    columns = element_count(weight.type) // outputs
    rows = b.reshape(x, (shape[0] if shape else 1, prod(shape[1:])))
    matrix = b.reshape(weight, (outputs, columns))
    return [b.emit(MatMulOp(rows, matrix, _bias(b, node), transpose_rhs=True))]


@converts("Pooling", on_images=True)
def pooling(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Pooling: the rounding of its extents and the divisor of a mean have flavours.

    The pads after an image are never those of the file: they follow from those before it. A window
    of the whole image is a reduction. The mean counts padding in all flavours but 0.
    """
    x, algorithm = node.image(), node.integer("alg")
    if algorithm not in (0, 1):
        raise ConversionError(f"alg {algorithm} is unknown, expected 0 (maximum) or 1 (mean)")
    spatial = shape_of(x.type)[2:]
    window, strides = _pair(node, "kernel"), _pair(node, "stride")
    before, flavour = (node.integer("pad_h0"), node.integer("pad_w0")), node.integer("caffe_flavor")
    if node.integer("global") or (window == spatial and before == (0, 0)):
        kind = Reduction.MEAN if algorithm else Reduction.MAX
        return [b.emit(ReduceOp(x, kind, (2, 3), keepdims=True))]
    if before[0] in (_SAME_UPPER, _SAME_LOWER):
        _check_strides(strides)
        pads = same_pads(spatial, window, strides, (1, 1), upper=before[0] == _SAME_UPPER)
    elif flavour == _TOTAL_PAD:
        pads = (*(pad // 2 for pad in before), *(pad - pad // 2 for pad in before))
    else:
        pads = (*before, *before)
    if flavour not in (0, _CAFFE, _TOTAL_PAD, _COUNT_PADDING, _COUNT_PADDING | _CAFFE):
        raise ConversionError(f"caffe_flavor {flavour} is unknown")
    ceil_mode = flavour == _CAFFE
    if algorithm == 0:
        result = MaxPoolOp(
            x, window=window, strides=strides, pads=pads, dilations=(1, 1), ceil_mode=ceil_mode
        )
    else:
        result = AveragePoolOp(
            x,
            window=window,
            strides=strides,
            pads=pads,
            dilations=(1, 1),
            ceil_mode=ceil_mode,
            count_include_pad=flavour != 0,
        )
    return [b.emit(result)]


@converts("L2Pool", on_images=True)
def l2_pool(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert L2Pool: the root of the mean of x * x; ``paddingType`` 1 is SAME, 0 and 2 none."""
    x = node.image()
    window, strides = _pair(node, "kernel"), _pair(node, "stride")
    match node.integer("paddingType"):
        case 0 | 2:
            pads: Sequence[int] = (0, 0, 0, 0)
        case 1:
            _check_strides(strides)
            pads = same_pads(shape_of(x.type)[2:], window, strides, (1, 1), upper=True)
        case unknown:
            raise ConversionError(f"paddingType {unknown} is unknown, expected 0 to 2")
    squares = b.emit(MulOp(x, x))
    mean = AveragePoolOp(squares, window=window, strides=strides, pads=pads, dilations=(1, 1))
    return [b.emit(SqrtOp(b.emit(mean)))]
