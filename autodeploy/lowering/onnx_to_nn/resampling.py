"""Ops that resample an image: Resize and its older name Upsample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, lcm

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.resampling import (
    LARGEST_POSITION,
    Interpolation,
    ResizeOp,
    Rounding,
)
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.context import (
    ConversionContext,
    ConversionError,
    axes_of,
    check_count,
)
from autodeploy.lowering.onnx_to_nn.registry import converts

_INTERPOLATIONS: Mapping[str, Interpolation] = {
    "nearest": Interpolation.NEAREST,
    "linear": Interpolation.LINEAR,
    "bilinear": Interpolation.LINEAR,
    "cubic": Interpolation.CUBIC,
}
_ROUNDINGS: Mapping[str, Rounding] = {
    "round_prefer_floor": Rounding.HALF_DOWN,
    "round_prefer_ceil": Rounding.HALF_UP,
    "floor": Rounding.FLOOR,
    "ceil": Rounding.CEIL,
}
_HALF = Fraction(1, 2)
_LARGEST_DENOMINATOR = 1 << 12
"""A scale is a 32-bit float: fractions with smaller denominators are told apart by it."""


class _Axis:
    """One resized axis: its extents before and after, and the scale that lies between.

    The scale times the extent before need not be whole; ``length`` is that product, ``region`` the
    part of the axis that a crop takes, from 0 to 1.
    """

    def __init__(self, before: int, after: int, scale: Fraction, region: tuple[Fraction, Fraction]):
        self.before, self.after, self.scale, self.region = before, after, scale, region
        self.length = scale * before

    def line(self, mode: str) -> tuple[Fraction, Fraction]:
        """Return step and offset: element i stands at ``i * step + offset`` of the operand."""
        step = 1 / self.scale
        match mode:
            case "half_pixel":
                return step, step * _HALF - _HALF
            case "pytorch_half_pixel":
                single = Fraction(0), Fraction(0)
                return (step, step * _HALF - _HALF) if self.after > 1 else single
            case "half_pixel_symmetric":
                centre = Fraction(self.before, 2) * (1 - self.after / self.length)
                return step, centre + step * _HALF - _HALF
            case "tf_half_pixel_for_nn":
                return step, step * _HALF
            case "asymmetric":
                return step, Fraction(0)
            case "align_corners":
                return self._between(Fraction(0), Fraction(self.before - 1), Fraction(0))
            case "tf_crop_and_resize":
                first, last = (Fraction(self.before - 1) * end for end in self.region)
                return self._between(first, last, (first + last) / 2)
            case _:
                raise ConversionError(f"coordinate_transformation_mode '{mode}' is unknown")

    def _between(
        self, first: Fraction, last: Fraction, single: Fraction
    ) -> tuple[Fraction, Fraction]:
        """Return the line from the first to the last place; a single element has its own."""
        if self.length == 1 or self.after == 1:
            return Fraction(0), single if self.length == 1 else first
        return (last - first) / (self.length - 1), first


@converts("Resize", since=11)
def resize(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Resize: its scales, sizes and coordinates become one exact line of places an axis.

    With ``align_corners`` the places of the corners follow from the extent times the scale, as ONNX
    defines it, where that is no whole number, too; onnxruntime rounds it first. Antialiasing is not
    supported where an axis shrinks.
    """
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    mode = b.text(op, "coordinate_transformation_mode", "half_pixel")
    named = b.integers(op, "axes") if b.setting(op, "axes") is not None else range(len(shape))
    axes = axes_of(named, len(shape))
    regions = _regions(b, op, len(axes)) if mode == "tf_crop_and_resize" else None
    resized: dict[int, _Axis] = {}
    for i, (axis, (after, scale)) in enumerate(zip(axes, _scales(b, op, shape, axes), strict=True)):
        region = (Fraction(0), Fraction(1)) if regions is None else regions[i]
        if after != shape[axis] or scale != 1 or regions is not None:
            resized[axis] = _Axis(shape[axis], after, scale, region)
    if b.integer(op, "antialias", 0) and any(axis.scale < 1 for axis in resized.values()):
        raise ConversionError("antialias is not supported where an axis shrinks")
    extrapolation = b.number(op, "extrapolation_value") if regions is not None else None
    return [_emit(b, op, x, resized, mode, extrapolation)]


@converts("Resize", until=10)
@converts("Upsample")
def upsample(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Upsample and the first Resize: places are i / scale, the nearest is the one below.

    Where an axis shrinks the nearest is the one above, as onnxruntime has it.
    """
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    scales = _old_scales(b, op)
    check_count("scales", [int(scale) for scale in scales], len(shape))
    resized: dict[int, _Axis] = {}
    for axis, (extent, scale) in enumerate(zip(shape, scales, strict=True)):
        after = _scaled_extent(extent, scale)
        if after != extent or scale != 1:
            line = _Axis(extent, after, _fraction(scale, extent, after), (Fraction(0), Fraction(1)))
            resized[axis] = line
    shrinks = any(axis.scale < 1 for axis in resized.values())
    rounding = Rounding.CEIL if shrinks else Rounding.FLOOR
    return [_emit(b, op, x, resized, "asymmetric", None, rounding)]


def _old_scales(b: ConversionContext, op: OnnxOp) -> tuple[float, ...]:
    if "height_scale" in op.schema.attributes:
        return (1.0, 1.0, b.number(op, "height_scale"), b.number(op, "width_scale"))
    if "scales" in op.schema.attributes:
        given = op.setting("scales")
        values = given if isinstance(given, tuple) else ()
        return tuple(float(value) for value in values if isinstance(value, int | float))
    return tuple(float(value) for value in b.constant(op, "scales").reshape(-1))


def _emit(
    b: ConversionContext,
    op: OnnxOp,
    x: SSAValue,
    resized: Mapping[int, _Axis],
    mode: str,
    extrapolation: float | None,
    rounding: Rounding | None = None,
) -> SSAValue:
    """Build the nn.resize of the given axes; x itself where there are none."""
    interpolation = _INTERPOLATIONS.get(name := b.text(op, "mode", "nearest"))
    if interpolation is None:
        raise ConversionError(f"mode '{name}' is unknown, expected nearest, linear or cubic")
    if interpolation != Interpolation.NEAREST and not is_float(element_of(x.type)):
        raise ConversionError(f"mode '{name}' is supported on floating-point numbers only")
    if rounding is None:
        rounding = _ROUNDINGS.get(nearest := b.text(op, "nearest_mode", "round_prefer_floor"))
        if rounding is None:
            raise ConversionError(f"nearest_mode '{nearest}' is unknown")
    if not resized:
        return x
    source, shape = shape_of(x.type), list(shape_of(x.type))
    lines = [(1, 0, 1)] * len(shape)
    for axis, one in resized.items():
        shape[axis] = one.after
        if one.after and not source[axis]:
            raise ConversionError(f"axis {axis} of {x.type} has no elements to resize")
        lines[axis] = _whole(*one.line(mode), one.before, one.after)
    cubic = interpolation == Interpolation.CUBIC
    numerators, offsets, denominators = zip(*lines, strict=True)
    resized_op = ResizeOp(
        x,
        shape,
        interpolation,
        numerators=numerators,
        offsets=offsets,
        denominators=denominators,
        rounding=rounding if interpolation == Interpolation.NEAREST else Rounding.HALF_DOWN,
        **({"coefficient": b.number(op, "cubic_coeff_a")} if cubic else {}),
        exclude_outside=cubic and b.integer(op, "exclude_outside") != 0,
        extrapolation=extrapolation,
    )
    return b.emit(resized_op)


def _whole(step: Fraction, offset: Fraction, before: int, after: int) -> tuple[int, int, int]:
    """Return numerator, offset and denominator of a line as whole numbers that fit 32 bits.

    A line whose own do not is replaced by the nearest one that does; the places move by less than
    the last digits of a 32-bit float.
    """
    limit = LARGEST_POSITION
    while True:
        near_step, near_offset = step.limit_denominator(limit), offset.limit_denominator(limit)
        common = lcm(near_step.denominator, near_offset.denominator)
        line = (int(near_step * common), int(near_offset * common), common)
        furthest = max(after - 1, 0) * abs(line[0]) + abs(line[1])
        if max(furthest, before * common) <= LARGEST_POSITION:
            return line
        limit //= 2
        if not limit:
            raise ConversionError(f"extents {before} and {after} are too large to resize")


def _scales(
    b: ConversionContext, op: OnnxOp, shape: Sequence[int], axes: Sequence[int]
) -> list[tuple[int, Fraction]]:
    """Return the new extent and the scale of each axis, from the scales or the sizes."""
    scales, sizes = _optional(b, op, "scales"), _optional(b, op, "sizes")
    before = [shape[axis] for axis in axes]
    if (scales is None) == (sizes is None):
        raise ConversionError("either 'scales' or 'sizes' must be given")
    if scales is not None:
        check_count("scales", [int(scale) for scale in scales], len(axes))
        afters = [_scaled_extent(n, s) for n, s in zip(before, scales, strict=True)]
        return [
            (after, _fraction(scale, n, after))
            for n, scale, after in zip(before, scales, afters, strict=True)
        ]
    wanted = [int(size) for size in sizes or ()]
    check_count("sizes", wanted, len(axes))
    if min(wanted, default=0) < 0:
        raise ConversionError(f"'sizes' must not be negative, found {wanted}")
    ratios = [
        Fraction(m, n) if n and m else Fraction(1) for n, m in zip(before, wanted, strict=True)
    ]
    match policy := b.text(op, "keep_aspect_ratio_policy", "stretch"):
        case "stretch":
            return list(zip(wanted, ratios, strict=True))
        case "not_larger":
            common = min(ratios)
        case "not_smaller":
            common = max(ratios)
        case _:
            raise ConversionError(f"keep_aspect_ratio_policy '{policy}' is unknown")
    return [(floor(common * n + _HALF), common) for n in before]


def _optional(b: ConversionContext, op: OnnxOp, name: str) -> tuple[float, ...] | None:
    """Return the elements of a constant input; before opset 13 an empty one stands for none."""
    if op.input_named(name) is None:
        return None
    array = b.constant(op, name).reshape(-1)
    return tuple(float(value) for value in array) if array.size else None


def _scaled_extent(extent: int, scale: float) -> int:
    """Return the extent that ONNX infers, in single precision."""
    if not scale > 0:
        raise ConversionError(f"'scales' must be positive, found {scale}")
    return int(np.floor(np.float32(extent) * np.float32(scale)))


def _fraction(scale: float, before: int, after: int) -> Fraction:
    """Return the number that a scale in single precision stands for.

    Most come from two extents, or are short decimals: 0.6 is not meant to be 0.60000002.
    """
    if before and after and np.float32(after / before) == np.float32(scale):
        return Fraction(after, before)
    return Fraction(scale).limit_denominator(_LARGEST_DENOMINATOR)


def _regions(b: ConversionContext, op: OnnxOp, count: int) -> list[tuple[Fraction, Fraction]]:
    """Return the first and the last place of each axis that a crop takes, as parts of it."""
    ends = [
        Fraction(v).limit_denominator(_LARGEST_DENOMINATOR) for v in _optional(b, op, "roi") or ()
    ]
    if len(ends) != 2 * count:
        raise ConversionError(f"'roi' must have {2 * count} entries, found {len(ends)}")
    return list(zip(ends[:count], ends[count:], strict=True))
