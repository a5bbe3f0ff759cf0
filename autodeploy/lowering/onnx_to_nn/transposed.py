"""ConvTranspose."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_count
from autodeploy.frontend.nn.functions import swap_channels
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.lowering.onnx_to_nn.window import per_axis


@converts("ConvTranspose")
def conv_transpose(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ConvTranspose; its filter gets the order of axes that nn.conv has."""
    x, filter_ = b.operand(op, "X"), b.operand(op, "W")
    window, groups = shape_of(filter_.type)[2:], b.integer(op, "group")
    if b.integers(op, "kernel_shape", window) != window:
        raise ConversionError(
            f"kernel_shape {list(b.integers(op, 'kernel_shape'))} contradicts filter {filter_.type}"
        )
    strides, dilations = per_axis(b, op, "strides", x), per_axis(b, op, "dilations", x)
    check_count("the filter's window", window, len(strides))
    pads, extra = _pads(b, op, x, window, strides, dilations)
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


def _pads(
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
