"""Ops on a sliding window: Conv, the pools, and the padding they share."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AbsOp, MulOp, PowOp, SqrtOp
from autodeploy.dialects.nn.base import check_at_least, check_length
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.padding_by_remainder import SAME_ATTRIBUTE
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp, PoolOp
from autodeploy.dialects.nn.window_steps import window_extents
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_count
from autodeploy.frontend.nn.functions import same_pads
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.lowering.onnx_to_nn.unpooling import places_of_maxima

Windows = TypeVar("Windows", bound=ConvOp | PoolOp)


@converts("Conv")
def conv(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Conv over any number of spatial axes; the window is that of the filter."""
    return [convolved(b, op, b.operand(op, "X"), b.operand(op, "W"), op.input_named("B"))]


def convolved(
    b: ConversionContext, op: OnnxOp, x: SSAValue, filter_: SSAValue, bias: SSAValue | None
) -> SSAValue:
    """Build a convolution with the attributes of an op."""
    window = shape_of(filter_.type)[2:]
    if b.integers(op, "kernel_shape", window) != window:
        raise ConversionError(
            f"kernel_shape {list(b.integers(op, 'kernel_shape'))} contradicts filter {filter_.type}"
        )
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    converted = ConvOp(
        x,
        filter_,
        bias,
        strides=strides,
        pads=_pads(b, op, x, window, strides, dilations),
        dilations=dilations,
        groups=b.integer(op, "group"),
    )
    return b.emit(_marked(b, op, converted))


@converts("MaxPool")
def max_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxPool; its second output, the places of the largest elements, is looked up."""
    x = b.operand(op, "X")
    window = b.integers(op, "kernel_shape")
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    converted = MaxPoolOp(
        x,
        window=window,
        strides=strides,
        pads=_pads(b, op, x, window, strides, dilations),
        dilations=dilations,
        ceil_mode=b.integer(op, "ceil_mode", 0) != 0,
    )
    result, outputs = b.emit(_marked(b, op, converted)), op.outputs_by_position()
    if len(outputs) < 2 or outputs[1] is None or not outputs[1].uses:
        return [result]
    column_major = b.integer(op, "storage_order") != 0
    return [result, places_of_maxima(b, converted, column_major)]


@converts("AveragePool")
def average_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert AveragePool; before opset 7 padding is never counted."""
    x = b.operand(op, "X")
    window = b.integers(op, "kernel_shape")
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    converted = AveragePoolOp(
        x,
        window=window,
        strides=strides,
        pads=_pads(b, op, x, window, strides, dilations),
        dilations=dilations,
        ceil_mode=b.integer(op, "ceil_mode", 0) != 0,
        count_include_pad=b.integer(op, "count_include_pad", 0) != 0,
    )
    return [b.emit(_marked(b, op, converted))]


@converts("GlobalAveragePool", "GlobalMaxPool")
def global_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a global pool to a reduction over all spatial axes, which stay with extent 1."""
    x = b.operand(op, "X")
    rank = len(shape_of(x.type))
    if rank < 2:
        raise ConversionError(f"{op.op_type} takes rank 2 or more, found {x.type}")
    axes = range(2, rank)
    if not axes:
        return [x]
    kind = Reduction.MEAN if op.op_type == "GlobalAveragePool" else Reduction.MAX
    return [b.emit(ReduceOp(x, kind, axes, keepdims=True))]


@converts("LpPool")
def lp_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LpPool: the p-th root of the sum of |x| to the power p over each window.

    The sum is the mean of a window, its padding counted, times the elements of the window. With
    ``ceil_mode`` the last window ends within more padding.
    """
    x = b.operand(op, "X")
    window, p = b.integers(op, "kernel_shape"), _norm(b, op)
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    pads = _pads(b, op, x, window, strides, dilations)
    if b.integer(op, "ceil_mode", 0):
        pads = _padded_to_the_end(shape_of(x.type)[2:], window, strides, pads, dilations)
    mean = AveragePoolOp(
        _power(b, b.in_32_bits(x), p),
        window=window,
        strides=strides,
        pads=pads,
        dilations=dilations,
        count_include_pad=True,
    )
    total = b.emit(_marked(b, op, mean))
    total = b.emit(MulOp(total, b.scalar(prod(window), element_of(total.type))))
    return [b.cast(_root(b, total, p), element_of(x.type))]


@converts("GlobalLpPool")
def global_lp_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert GlobalLpPool to a reduction over all spatial axes."""
    x, p = b.operand(op, "X"), _norm(b, op)
    axes = range(2, len(shape_of(x.type)))
    power = _power(b, b.in_32_bits(x), p)
    total = b.emit(ReduceOp(power, Reduction.SUM, axes, keepdims=True))
    return [b.cast(_root(b, total, p), element_of(x.type))]


def _norm(b: ConversionContext, op: OnnxOp) -> float:
    """Return p, a FLOAT in the first version and an INT since."""
    p = b.setting(op, "p")
    if not isinstance(p, int | float) or p <= 0:
        raise ConversionError(f"attribute 'p' must be a positive number, found {p}")
    return float(p)


def _power(b: ConversionContext, x: SSAValue, p: float) -> SSAValue:
    """Return |x| to the power p."""
    if p == 2:
        return b.emit(MulOp(x, x))
    size = b.emit(AbsOp(x))
    return size if p == 1 else b.emit(PowOp(size, b.scalar(p, element_of(x.type))))


def _root(b: ConversionContext, x: SSAValue, p: float) -> SSAValue:
    """Return the p-th root of x."""
    if p == 2:
        return b.emit(SqrtOp(x))
    return x if p == 1 else b.emit(PowOp(x, b.scalar(1 / p, element_of(x.type))))


def per_axis(b: ConversionContext, op: OnnxOp, name: str, x: SSAValue) -> tuple[int, ...]:
    """Return an attribute that has one positive entry a spatial axis, 1 by default."""
    rank = len(shape_of(x.type)) - 2
    if rank < 1:
        raise ConversionError(f"{op.op_type} takes rank 3 or more, found {x.type}")
    values = b.integers(op, name, [1] * rank)
    check_length(name, values, rank)
    check_at_least(name, values, 1)
    return values


def _pads(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[int, ...]:
    """Return the padding before each spatial axis, then after: as given, or by ``auto_pad``."""
    spatial, auto_pad = shape_of(x.type)[2:], b.text(op, "auto_pad", "NOTSET")
    check_count("kernel_shape", window, len(spatial))
    match auto_pad:
        case "NOTSET" | "":
            return b.integers(op, "pads", [0] * (2 * len(spatial)))
        case "VALID":
            return (0,) * (2 * len(spatial))
        case "SAME_UPPER" | "SAME_LOWER":
            pass
        case _:
            raise ConversionError(
                f"auto_pad '{auto_pad}' is unknown, expected NOTSET, VALID, SAME_UPPER or "
                "SAME_LOWER"
            )
    return same_pads(spatial, window, strides, dilations, upper=auto_pad == "SAME_UPPER")


def _padded_to_the_end(
    spatial: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
) -> tuple[int, ...]:
    """Return pads with which the windows of ``ceil_mode`` end within the padding."""
    counts = window_extents(spatial, window, strides, pads, dilations, True)
    before, after = pads[: len(spatial)], pads[len(spatial) :]
    ends = (
        (count - 1) * stride + (taps - 1) * dilation + 1
        for count, stride, taps, dilation in zip(counts, strides, window, dilations, strict=True)
    )
    missing = (end - n - p for end, n, p in zip(ends, spatial, before, strict=True))
    return (*before, *map(max, after, missing))


def _marked(b: ConversionContext, op: OnnxOp, converted: Windows) -> Windows:
    """Return an op that says how its pads follow from extents, if these are to stay open."""
    auto_pad = b.text(op, "auto_pad", "NOTSET")
    if b.open is not None and auto_pad.startswith("SAME"):
        end = "upper" if auto_pad == "SAME_UPPER" else "lower"
        converted.attributes[SAME_ATTRIBUTE] = StringAttr(end)
    return converted
