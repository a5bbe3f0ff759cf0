"""Ops on a sliding window: convolutions, pools, MaxUnpool, and the padding they share."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias, TypeVar

import numpy as np
from xdsl.dialects.builtin import StringAttr, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AbsOp, MulOp, PowOp, SqrtOp
from autodeploy.dialects.nn.base import check_at_least, check_length, ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import (
    element_count,
    element_of,
    shape_of,
    tensor,
)
from autodeploy.dialects.nn.window import AveragePoolOp, MaxPoolOp, PoolOp
from autodeploy.dialects.nn.window_steps import SAME_ATTRIBUTE, window_extents
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_count
from autodeploy.frontend.nn.functions import same_pads, swap_channels
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.selection import ordered_type

Windows = TypeVar("Windows", bound=ConvOp | PoolOp)
Steps: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@converts("Conv")
def conv(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Conv over any number of spatial axes; the window is that of the filter."""
    return [convolved(b, op, b.operand(op, "X"), b.operand(op, "W"), op.input_named("B"))]


def convolved(
    b: ConversionContext, op: OnnxOp, x: SSAValue, filter_: SSAValue, bias: SSAValue | None
) -> SSAValue:
    """Build a convolution with the attributes of an op."""
    strides, pads, dilations = _steps(b, op, x, _window_of(b, op, filter_))
    groups = b.integer(op, "group")
    converted = ConvOp(
        x, filter_, bias, strides=strides, pads=pads, dilations=dilations, groups=groups
    )
    return b.emit(_marked(b, op, converted))


def _window_of(b: ConversionContext, op: OnnxOp, filter_: SSAValue) -> tuple[int, ...]:
    """Return the window of a filter, which ``kernel_shape`` may state too."""
    window = shape_of(filter_.type)[2:]
    if b.integers(op, "kernel_shape", window) != window:
        raise ConversionError(
            f"kernel_shape {list(b.integers(op, 'kernel_shape'))} contradicts filter {filter_.type}"
        )
    return window


@converts("MaxPool")
def max_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxPool; its second output, the places of the largest elements, is looked up."""
    x, window = b.operand(op, "X"), b.integers(op, "kernel_shape")
    strides, pads, dilations = _steps(b, op, x, window)
    converted = MaxPoolOp(
        x,
        window=window,
        strides=strides,
        pads=pads,
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
    x, window = b.operand(op, "X"), b.integers(op, "kernel_shape")
    strides, pads, dilations = _steps(b, op, x, window)
    converted = AveragePoolOp(
        x,
        window=window,
        strides=strides,
        pads=pads,
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
    strides, pads, dilations = _steps(b, op, x, window)
    if b.integer(op, "ceil_mode", 0):
        pads = _padded_to_the_end(shape_of(x.type)[2:], window, (strides, pads, dilations))
    power = _power(b, b.in_32_bits(x), p)
    mean = AveragePoolOp(
        power,
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


def _steps(b: ConversionContext, op: OnnxOp, x: SSAValue, window: Sequence[int]) -> Steps:
    """Return the strides, the pads and the dilations of the windows of an op over ``x``."""
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    pads = _pads(b, op, x, window, strides, dilations)
    return strides, pads, dilations


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
    spatial: Sequence[int], window: Sequence[int], steps: Steps
) -> tuple[int, ...]:
    """Return pads with which the windows of ``ceil_mode`` end within the padding."""
    strides, pads, dilations = steps
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


def places_of_maxima(b: ConversionContext, pool: MaxPoolOp, column_major: bool) -> SSAValue:
    """Return which element each maximum is, counted over the whole operand.

    Within an image the first axis is counted fastest where ``column_major`` holds.
    """
    x = pool.x
    shape, result = shape_of(x.type), shape_of(pool.result.type)
    if prod(shape) == 0 or prod(result) == 0:
        return b.make_constant(np.zeros(result, np.int64))
    extents, planes = shape[2:], prod(shape[:2])
    axes = range(len(extents))
    steps = [prod(extents[:i] if column_major else extents[i + 1 :]) for i in axes]
    geometry = [extents, result[2:], ints(pool.window), ints(pool.strides), ints(pool.dilations),
                ints(pool.pads)[: len(extents)], steps]  # fmt: skip
    rows = b.reshape(b.cast(x, ordered_type(element_of(x.type))), (planes, prod(extents)))
    given = [rows, b.make_constant(np.array(geometry, np.int64))]
    (places,) = b.call("pool_places", given, [tensor(i64, (planes, prod(result[2:])))])
    return b.reshape(places, result)


@converts("MaxUnpool")
def max_unpool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxUnpool; places are those of a result without ``output_shape``.

    If that asks for more, zeros follow along each axis.
    """
    x, places = b.operand(op, "X"), b.operand(op, "I")
    shape = shape_of(x.type)
    rank = len(shape) - 2
    if rank < 1 or shape_of(places.type) != shape:
        raise ConversionError(f"places {places.type} do not fit {x.type}")
    window = b.integers(op, "kernel_shape")
    strides, pads = b.integers(op, "strides", [1] * rank), b.integers(op, "pads", [0] * 2 * rank)
    for name, values, count in (("kernel_shape", window, rank), ("strides", strides, rank),
                                ("pads", pads, 2 * rank)):  # fmt: skip
        check_length(name, values, count)
    check_at_least("strides", strides, 1)
    image = [
        (extent - 1) * stride - before - behind + size
        for extent, stride, before, behind, size in zip(
            shape[2:], strides, pads[:rank], pads[rank:], window, strict=True
        )
    ]
    check_at_least("the result's extents", image, 1)
    inferred = (*shape[:2], *image)
    wanted = b.constant_integers(op, "output_shape") or inferred
    check_length("output_shape", wanted, len(inferred))
    if any(n > m for n, m in zip(inferred, wanted, strict=True)):
        raise ConversionError(f"'output_shape' is {list(inferred)} at least, not {list(wanted)}")
    rows = (element_count(x.type), 1)
    empty = b.broadcast(b.scalar(0, element_of(x.type)), (prod(inferred), 1))
    given = [empty, b.reshape(b.cast(places, i64), rows[:1]), b.reshape(x, rows)]
    (flat,) = b.call("scatter", given, [empty.type], [0, 0], checks=True, rows=True)
    result = b.reshape(flat, inferred)
    if inferred == tuple(wanted):
        return [result]
    behind = [m - n for n, m in zip(inferred, wanted, strict=True)]
    return [b.emit(PadOp(result, [*[0] * len(behind), *behind]))]


@converts("ConvTranspose")
def conv_transpose(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ConvTranspose; its filter gets the order of axes that nn.conv has."""
    x, filter_ = b.operand(op, "X"), b.operand(op, "W")
    window, groups = _window_of(b, op, filter_), b.integer(op, "group")
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    check_count("the filter's window", window, len(strides))
    pads, extra = _cut(b, op, x, window, strides, dilations)
    converted = ConvTransposeOp(
        x,
        swap_channels(b, filter_, groups),
        op.input_named("B"),
        strides=strides,
        pads=pads,
        dilations=dilations,
        output_padding=extra,
        groups=groups,
    )
    return [b.emit(converted)]


def _cut(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the elements to cut off before and after each spatial axis, and to add at its end.

    They are given, or follow from the extents that the result shall have: ``output_shape``, or with
    SAME the extents of x times the strides. The odd element is cut off at the end with SAME_UPPER,
    else at the beginning. The part of an ``output_shape`` that no copy of the filter covers is
    added at the end; with SAME nothing is, so that a filter smaller than its stride makes less, as
    ONNX's shape inference and onnxruntime have it.
    """
    spatial, auto_pad = shape_of(x.type)[2:], b.text(op, "auto_pad", "NOTSET")
    rank = len(spatial)
    extra = list(b.integers(op, "output_padding", [0] * rank))
    check_count("output_padding", extra, rank)
    if auto_pad not in ("NOTSET", "", "VALID", "SAME_UPPER", "SAME_LOWER"):
        raise ConversionError(
            f"auto_pad '{auto_pad}' is unknown, expected NOTSET, VALID, SAME_UPPER or SAME_LOWER"
        )
    wanted = b.integers(op, "output_shape")[-rank:]
    same = not wanted
    if same:
        if not auto_pad.startswith("SAME"):
            none = [0] * (2 * rank)
            pads = none if auto_pad == "VALID" else b.integers(op, "pads", none)
            return tuple(pads), tuple(extra)
        wanted = tuple(n * stride for n, stride in zip(spatial, strides, strict=True))
    check_count("output_shape", wanted, rank)
    less: list[int] = []
    more: list[int] = []
    for axis in range(rank):
        covered = strides[axis] * (spatial[axis] - 1) + dilations[axis] * (window[axis] - 1) + 1
        total = covered + extra[axis] - wanted[axis]
        extra[axis] += 0 if same else max(-total, 0)
        less.append(max(total, 0) // 2)
        more.append(max(total, 0) - less[-1])
    pads = (*less, *more) if auto_pad == "SAME_UPPER" else (*more, *less)
    return pads, tuple(extra)
