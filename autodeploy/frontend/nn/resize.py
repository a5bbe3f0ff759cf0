"""Resizing: from extents, scales and a way to compute places to an nn.resize."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.resampling import (
    CUBIC_COEFFICIENT,
    LARGEST_POSITION,
    Interpolation,
    ResizeOp,
    Rounding,
)
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder

_HALF = Fraction(1, 2)
LARGEST_DENOMINATOR = 1 << 12
"""A scale is a 32-bit float: fractions with smaller denominators are told apart by it."""


class Axis:
    """One resized axis: its extents before and after, and the scale that lies between.

    The scale times the extent before need not be whole; ``length`` is that product, ``region`` the
    part of the axis that a crop takes, from 0 to 1.
    """

    def __init__(
        self,
        before: int,
        after: int,
        scale: Fraction,
        region: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1)),
    ):
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


def resize(
    b: NnBuilder,
    x: SSAValue,
    resized: Mapping[int, Axis],
    mode: str,
    interpolation: Interpolation,
    rounding: Rounding,
    *,
    coefficient: float = CUBIC_COEFFICIENT,
    exclude_outside: bool = False,
    extrapolation: float | None = None,
) -> SSAValue:
    """Build the nn.resize of the given axes; x itself where there are none.

    ``mode`` is the name that ONNX has for the way places are computed. Raises ``ConversionError``
    for an unknown one, for integers that are interpolated, and for an axis of no elements.
    """
    if interpolation != Interpolation.NEAREST and not is_float(element_of(x.type)):
        raise ConversionError(f"mode '{interpolation}' is supported on floating-point numbers only")
    if not resized:
        return x
    source, shape = shape_of(x.type), list(shape_of(x.type))
    lines = [(1, 0, 1)] * len(shape)
    for axis, one in resized.items():
        shape[axis] = one.after
        if one.after and not source[axis]:
            raise ConversionError(f"axis {axis} of {x.type} has no elements to resize")
        lines[axis] = _whole(*one.line(mode), one.before, one.after)
    numerators, offsets, denominators = zip(*lines, strict=True)
    resized_op = ResizeOp(
        x,
        shape,
        interpolation,
        numerators=numerators,
        offsets=offsets,
        denominators=denominators,
        rounding=rounding if interpolation == Interpolation.NEAREST else Rounding.HALF_DOWN,
        coefficient=coefficient,
        exclude_outside=exclude_outside,
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


def scaled_extent(extent: int, scale: float) -> int:
    """Return the extent that ONNX infers, in single precision."""
    if not scale > 0:
        raise ConversionError(f"'scales' must be positive, found {scale}")
    return int(np.floor(np.float32(extent) * np.float32(scale)))


def fraction_of(scale: float, before: int, after: int) -> Fraction:
    """Return the number that a scale in single precision stands for.

    Most come from two extents, or are short decimals: 0.6 is not meant to be 0.60000002.
    """
    if before and after and np.float32(after / before) == np.float32(scale):
        return Fraction(after, before)
    return Fraction(scale).limit_denominator(LARGEST_DENOMINATOR) or Fraction(scale)
