"""Pools of regions of images: RoiAlign, MaxRoiPool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import check_at_least, check_length
from autodeploy.dialects.nn.types import element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("RoiAlign")
def roi_align(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert RoiAlign; before opset 16 regions do not start half an element earlier."""
    x, rois = b.operand(op, "X"), b.operand(op, "rois")
    batches = b.cast(b.operand(op, "batch_indices"), i64)
    _check(x, rois, 4)
    regions = shape_of(rois.type)[0]
    if shape_of(batches.type) != (regions,):
        raise ConversionError(f"{batches.type} does not number the images of {regions} regions")
    mode = b.text(op, "mode", "avg")
    transform = b.text(op, "coordinate_transformation_mode", "output_half_pixel")
    if mode not in ("avg", "max") or transform not in ("half_pixel", "output_half_pixel"):
        raise ConversionError(f"mode '{mode}' with '{transform}' is unknown")
    image = (b.integer(op, "output_height"), b.integer(op, "output_width"))
    check_at_least("output_height and output_width", image, 1)
    element = element_of(x.type)
    wide = f64 if element == f64 else f32
    scale = b.make_constant(np.array(b.number(op, "spatial_scale"), np.float64))
    result = tensor(wide, (regions, shape_of(x.type)[1], *image))
    (pooled,) = b.call(
        "roi_align",
        [b.cast(x, wide), b.cast(rois, wide), batches, scale],
        [result],
        [b.integer(op, "sampling_ratio"), int(mode == "max"), int(transform == "half_pixel")],
        checks=True,
        sized=True,
    )
    return [b.cast(pooled, element)]


@converts("MaxRoiPool")
def max_roi_pool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxRoiPool; a region begins with the number of its image."""
    x, rois = b.operand(op, "X"), b.operand(op, "rois")
    _check(x, rois, 5)
    element = element_of(x.type)
    if element == f64:
        raise ConversionError("elements of type f64 are not supported")
    image = b.integers(op, "pooled_shape")
    check_length("pooled_shape", image, 2)
    check_at_least("pooled_shape", image, 1)
    scale = b.scalar(b.number(op, "spatial_scale"), f32)
    result = tensor(f32, (shape_of(rois.type)[0], shape_of(x.type)[1], *image))
    given = [b.cast(x, f32), b.cast(rois, f32), scale]
    (pooled,) = b.call("roi_pool", given, [result], checks=True, sized=True)
    return [b.cast(pooled, element)]


def _check(x: SSAValue, rois: SSAValue, width: int) -> None:
    shape = shape_of(rois.type)
    if len(shape_of(x.type)) != 4 or not is_float(element_of(x.type)):
        raise ConversionError(f"images of floating-point numbers are needed, not {x.type}")
    if len(shape) != 2 or shape[1] != width:
        raise ConversionError(f"a region is {width} numbers, found {rois.type}")
