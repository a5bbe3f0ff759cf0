"""Operators that resize images."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.resampling import Interpolation, Rounding
from autodeploy.dialects.nn.types import is_addressable, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.frontend.nn.resize import Axis, fraction_of, resize, scaled_extent
from autodeploy.frontend.tmfile.converters.registry import Node, converts


@converts("Upsample", on_images=True)
def upsample(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Upsample, which repeats pixels in both directions."""
    scale = node.number("scale")
    return [_resized(b, node, (scale, scale), Interpolation.NEAREST, "asymmetric")]


@converts("Resize", "BilinearResize", on_images=True)
def convert_resize(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Resize, whose ``scale_x`` is that of the columns."""
    linear = node.operator == "BilinearResize" or node.integer("type") == 1
    scales = node.number("scale_y"), node.number("scale_x")
    interpolation = Interpolation.LINEAR if linear else Interpolation.NEAREST
    mode = "half_pixel" if linear else "asymmetric"
    return [_resized(b, node, scales, interpolation, mode)]


@converts("Interp", on_images=True)
def interp(b: NnBuilder, node: Node) -> Sequence[SSAValue]:
    """Convert Interp by its scales, or by the extents of its result where one of these is 0."""
    extents = shape_of(node.image().type)[2:]
    scales = node.number("height_scale"), node.number("width_scale")
    if 0 in scales:
        wanted = node.integer("output_height"), node.integer("output_width")
        if min(extents) < 1 or min(wanted) < 1:
            raise ConversionError(f"extents {list(extents)} do not become {list(wanted)}")
        scales = wanted[0] / extents[0], wanted[1] / extents[1]
    match node.integer("resize_type"):
        case 1:
            return [_resized(b, node, scales, Interpolation.NEAREST, "asymmetric")]
        case 2:
            return [_resized(b, node, scales, Interpolation.LINEAR, "half_pixel")]
        case 4:
            return [_resized(b, node, scales, Interpolation.LINEAR, "align_corners")]
        case kind:
            raise ConversionError(
                f"resize_type {kind} is not supported, expected 1 (nearest), 2 (bilinear) or "
                "4 (bilinear with aligned corners)"
            )


def _resized(
    b: NnBuilder,
    node: Node,
    scales: tuple[float, float],
    interpolation: Interpolation,
    mode: str,
) -> SSAValue:
    x = node.image()
    shape = list(shape_of(x.type))
    resized: dict[int, Axis] = {}
    for axis, scale in zip((2, 3), scales, strict=True):
        if not isfinite(scale) or not 0 < scale <= _LARGEST_SCALE:
            raise ConversionError(f"a scale must be positive and finite, found {scale}")
        before, shape[axis] = shape[axis], scaled_extent(shape[axis], scale)
        if shape[axis] != before or scale != 1:
            resized[axis] = Axis(before, shape[axis], fraction_of(scale, before, shape[axis]))
    if not is_addressable(shape):
        raise ConversionError(f"the result of {shape} is too large")
    return resize(b, x, resized, mode, interpolation, Rounding.FLOOR)


_LARGEST_SCALE = 1 << 20
"""A scale beyond this is none: no image of a network is larger."""
