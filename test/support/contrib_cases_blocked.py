"""Cases of com.microsoft.nchwc, whose channels and weights are stored in blocks."""

from __future__ import annotations

from functools import partial

import numpy as np
from contrib_cases_quantised import ms
from onnx_case import Array, Const, OnnxCase, case, f32, i64s


def in_blocks(filters: Array, size: int) -> Array:
    """Return filters in the order of onnxruntime; a filter of few channels keeps theirs whole."""
    count, channels, *window = filters.shape
    inner = size if channels >= size else 1
    parts = filters.reshape(count // size, size, channels // inner, inner, *window)
    return np.ascontiguousarray(parts.transpose(0, 2, 4, 5, 3, 1)).reshape(filters.shape)


def _plain(op_type: str, *inputs: Array | Const | None, **attributes: object) -> Array:
    """Return the result of an operator of ONNX."""
    (result,) = case(op_type, op_type, *inputs, opset=18, **attributes).expected
    return result


def blocked(name: str, op_type: str, *inputs: Array | Const, **rest: object) -> OnnxCase:
    """Make a case of an operator on blocks, by default one of the same name and meaning."""
    given = {"oracle": partial(_plain, op_type, **rest), **rest}
    return ms(f"blocked_{name}", op_type, *inputs, domain="com.microsoft.nchwc", **given)


def _conv(name: str, image: Array, filters: Array, size: int, **rest: object) -> OnnxCase:
    """Make a case of a convolution in blocks of a number of channels."""
    return blocked(
        name,
        *("Conv", image, Const(in_blocks(filters, size))),
        oracle=lambda x, _: _plain("Conv", x, filters, **rest),
        **rest,
    )


def _filled(x: Array, count: int) -> Array:
    return np.pad(x, ((0, 0), (0, count), (0, 0), (0, 0)))


SUM = f32(8, 8, 3, 2), f32(8), f32(2, 8, 5, 4)

BLOCKED_CASES = (
    _conv("conv", f32(1, 16, 5, 4), f32(32, 16, 3, 3), 16, pads=[1, 1, 1, 1]),
    _conv("conv_8", f32(2, 16, 5, 4), f32(24, 16, 1, 1), 8, strides=[2, 2]),
    _conv("conv_groups", f32(1, 16, 5, 4), f32(24, 8, 2, 2), 8, group=2, auto_pad="SAME_UPPER"),
    _conv("conv_of_colours", f32(1, 3, 5, 4), f32(32, 3, 3, 3), 16, dilations=[1, 1]),
    _conv("conv_depthwise", f32(1, 24, 5, 4), f32(24, 1, 3, 3), 8, group=24, kernel_shape=[3, 3]),
    blocked(
        "conv_of_sum",
        *("Conv", f32(2, 8, 7, 5), Const(in_blocks(SUM[0], 8)), Const(SUM[1]), SUM[2]),
        oracle=lambda x, _, b, z: np.maximum(_plain("Conv", x, SUM[0], b) + z, 0),
        activation="Relu",
    ),
    blocked("max", "MaxPool", f32(1, 16, 6, 5), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    blocked(
        "mean",
        *("AveragePool", f32(1, 16, 6, 5)),
        kernel_shape=[3, 3],
        pads=[1, 1, 0, 0],
        count_include_pad=1,
    ),
    blocked("max_of_all", "GlobalMaxPool", f32(2, 16, 3, 4)),
    blocked("mean_of_all", "GlobalAveragePool", f32(2, 16, 3, 4)),
    blocked("in", "ReorderInput", f32(2, 20, 3, 4), oracle=lambda x: _filled(x, 12)),
    blocked(
        "in_last",
        *("ReorderInput", f32(2, 3, 4, 20)),
        channels_last=1,
        oracle=lambda x: _filled(np.moveaxis(x, -1, 1), 12),
    ),
    blocked("out", "ReorderOutput", f32(2, 32, 3, 4), channels=20, oracle=lambda x: x[:, :20]),
    blocked(
        "out_last",
        *("ReorderOutput", f32(2, 32, 3, 4)),
        channels=20,
        channels_last=1,
        oracle=lambda x: np.moveaxis(x[:, :20], 1, -1),
    ),
    blocked(
        "larger",
        *("Upsample", f32(1, 16, 3, 4)),
        scales=[1, 1, 2, 3],
        oracle=lambda x: x.repeat(2, 2).repeat(3, 3),
    ),
    blocked(
        "larger_linear",
        *("Upsample", f32(1, 16, 3, 4)),
        scales=[1, 1, 2, 3],
        mode="linear",
        coordinate_transformation_mode="align_corners",
        oracle=lambda x: _plain(
            *("Resize", x, None, None, i64s(1, 16, 6, 12)),
            mode="linear",
            coordinate_transformation_mode="align_corners",
        ),
    ),
)
"""A case or more of each text."""
