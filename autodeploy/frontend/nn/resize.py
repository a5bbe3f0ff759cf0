"""Resizing: from extents, scales and a way to compute places to an nn.resize."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.arithmetic import AddOp, SubOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.resampling import (
    CUBIC_COEFFICIENT,
    LARGEST_POSITION,
    Interpolation,
    ResizeOp,
    Rounding,
)
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
)
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, check_new_constant
from autodeploy.frontend.nn.places import Places, read_places
from autodeploy.weights import Array

_HALF = Fraction(1, 2)
INTEGER_SLACK = 1 / 4096
"""Interpolated integers that are as near to the next one, away from zero, are this one."""

LARGEST_COUNT = 1 << 24
"""Single precision counts no further."""

LARGEST_DENOMINATOR = 1 << 12
"""A scale is a 32-bit float: fractions with smaller denominators are told apart by it."""


TIE = 1e-6
"""A place in single precision that is as near to the middle of two elements is there."""


class Axis:
    """One resized axis: its extents before and after, and the scale.

    ``given`` is the scale as a model states it, in single precision, where no sizes do; ``region``
    is the part of the axis that a crop takes, from 0 to 1.
    """

    def __init__(
        self,
        before: int,
        after: int,
        scale: Fraction,
        region: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1)),
        given: float | None = None,
    ):
        self.before, self.after, self.scale, self.region = before, after, scale, region
        self.given = given

    @staticmethod
    def of_sizes(before: int, after: int) -> Axis | VaryingAxis:
        """Return an axis whose scale follows from its extents."""
        if isinstance(before, Extent) or isinstance(after, Extent):
            return VaryingAxis(before, after, Axis.of_sizes)
        return Axis(before, after, Fraction(after, before) if before and after else Fraction(1))

    @staticmethod
    def of_scale(before: int, scale: float) -> Axis | VaryingAxis:
        """Return an axis whose extent after follows from the scale."""
        if isinstance(before, Extent):
            after = each(lambda n: scaled_extent(n, scale), before)
            return VaryingAxis(before, after, lambda n, _: Axis.of_scale(n, scale))
        after = scaled_extent(before, scale)
        return Axis(before, after, fraction_of(scale, before, after), given=scale)

    def line(self, mode: str) -> tuple[Fraction, Fraction]:
        """Return step and offset: element i is at ``i * step + offset`` of the operand."""
        step = 1 / self.scale
        match mode:
            case "half_pixel":
                return step, step * _HALF - _HALF
            case "pytorch_half_pixel":
                single = Fraction(0), Fraction(0)
                return (step, step * _HALF - _HALF) if self.after > 1 else single
            case "half_pixel_symmetric":
                centre = Fraction(self.before, 2) * (1 - self.after / (self.scale * self.before))
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
        if self.after == 1:
            return Fraction(0), single
        return (last - first) / (self.after - 1), first

    def nearest(self, mode: str, rounding: Rounding) -> Array | None:
        """Return the nearest elements by a ``given`` scale, ``None`` if it does not decide.

        Which element is the nearest may hang on the last digit of a place. These are in single
        precision, in the steps that ONNX's text has, so that onnxruntime takes the same elements.
        """
        if self.given is None or mode in ("align_corners", "tf_crop_and_resize"):
            return None
        if self.after > LARGEST_COUNT:
            raise ConversionError(f"{self.after} elements are too many to resize to by a scale")
        i, scale = np.arange(self.after, dtype=np.float32), np.float32(self.given)
        half, before, after = np.float32(0.5), np.float32(self.before), np.float32(self.after)
        match mode:
            case "asymmetric":
                places = i / scale
            case "tf_half_pixel_for_nn":
                places = (i + half) / scale
            case "half_pixel_symmetric":
                offset = float(before * half * (1 - after / (scale * before)))
                places = np.float32(offset + (i + 0.5).astype(np.float64) / float(scale) - 0.5)
            case "pytorch_half_pixel" if self.after == 1:
                places = np.zeros_like(i)
            case _:
                places = (i + half) / scale - half
        below = np.floor(places)
        part = (places - below).astype(np.float64)
        part[np.abs(part - 0.5) < TIE] = 0.5
        match rounding:
            case Rounding.FLOOR:
                up = part < 0
            case Rounding.CEIL:
                up = part > 0
            case Rounding.HALF_UP:
                up = part >= 0.5
            case Rounding.HALF_DOWN:
                up = part > 0.5
        return np.clip(below.astype(np.int64) + up, 0, self.before - 1)


class VaryingAxis:
    """One resized axis whose extents differ between numbers of a run; ``at`` is it for some."""

    def __init__(self, before: int, after: int, at: Callable[[int, int], Axis | VaryingAxis]):
        self.before, self.after, self._at = before, after, at

    def at(self, before: int, after: int) -> Axis:
        """Return the axis for some extents."""
        found = self._at(before, after)
        assert isinstance(found, Axis)
        return found

    def line(
        self, mode: str, interpolation: Interpolation, rounding: Rounding
    ) -> tuple[int, int, int]:
        """Return numerator, offset and denominator of the places.

        Raises ``ConversionError`` if the nearest elements are on no line for some extents.
        """
        lines: dict[tuple[int, int], tuple[int, int, int]] = {}

        def line(before: int, after: int) -> tuple[int, int, int]:
            if (before, after) not in lines:
                axis = self.at(before, after)
                lines[before, after] = found = _whole(*axis.line(mode), before, after)
                elements = None
                if interpolation == Interpolation.NEAREST and after:
                    elements = axis.nearest(mode, rounding)
                if elements is not None and not np.array_equal(
                    elements, _nearest_on(found, axis, rounding)
                ):
                    raise ConversionError(
                        f"the elements nearest to those of {after} among {before} are on no line"
                    )
            return lines[before, after]

        given = self.before, self.after
        return (
            each(lambda n, m: line(n, m)[0], *given),
            each(lambda n, m: line(n, m)[1], *given),
            each(lambda n, m: line(n, m)[2], *given),
        )


def resize(
    b: NnBuilder,
    x: SSAValue,
    resized: Mapping[int, Axis | VaryingAxis],
    mode: str,
    interpolation: Interpolation,
    rounding: Rounding,
    *,
    coefficient: float = CUBIC_COEFFICIENT,
    exclude_outside: bool = False,
    extrapolation: float | None = None,
) -> SSAValue:
    """Build the nn.resize of the given axes; x itself where there are none.

    ``mode`` is the name that ONNX has for the way places are computed. An axis whose nearest
    elements are not those on an exact line is looked up at constant places. Raises
    ``ConversionError`` for an unknown mode, for integers and a cubic, and for an axis of no
    elements.
    """
    element = element_of(x.type)
    if interpolation != Interpolation.NEAREST and not is_float(element) and resized:
        floats = resize(
            b,
            widened(b, x, interpolation),
            resized,
            mode,
            interpolation,
            rounding,
            exclude_outside=exclude_outside,
            extrapolation=extrapolation,
        )
        return truncated(b, floats, element)
    source, shape = shape_of(x.type), list(shape_of(x.type))
    lines = [(1, 0, 1)] * len(shape)
    looked_up: dict[int, Places] = {}
    for axis, one in resized.items():
        if not source[axis] and one.after:
            raise ConversionError(f"axis {axis} of {x.type} has no elements to resize")
        shape[axis] = one.after
        if isinstance(one, VaryingAxis):
            lines[axis] = one.line(mode, interpolation, rounding)
            continue
        line = _whole(*one.line(mode), one.before, one.after)
        elements = None
        if interpolation == Interpolation.NEAREST and one.after:
            elements = one.nearest(mode, rounding)
        if elements is None or np.array_equal(elements, _nearest_on(line, one, rounding)):
            lines[axis] = line
        else:
            looked_up[axis] = Places(b.make_constant(elements))
    x = read_places(b, x, looked_up)
    if len(looked_up) == len(resized):
        return x
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


def widened(b: NnBuilder, x: SSAValue, interpolation: Interpolation) -> SSAValue:
    """Return integers as floats that tell all sums apart, to interpolate them.

    Raises ``ConversionError`` for truth values, and for cubic interpolation, which no engine has.
    """
    element = element_of(x.type)
    if interpolation != Interpolation.LINEAR or is_bool(element):
        raise ConversionError(f"mode '{interpolation}' is not supported on {x.type}")
    return b.cast(x, f32 if ELEMENT_BYTES[element] == 1 else f64)


def truncated(b: NnBuilder, x: SSAValue, element: Attribute) -> SSAValue:
    """Return interpolated integers: rounded towards zero, as onnxruntime does.

    A sum that is whole but for rounding errors of its weights is whole.
    """
    slack = b.scalar(INTEGER_SLACK, element_of(x.type))
    more = b.emit(AddOp(x, slack))
    if not is_unsigned(element):
        below = b.emit(LessOp(x, b.scalar(0, element_of(x.type))))
        more = b.emit(WhereOp(below, b.emit(SubOp(x, slack)), more))
    return b.cast(more, element)


def _nearest_on(line: tuple[int, int, int], axis: Axis, rounding: Rounding) -> Array:
    """Return the elements that an nn.resize takes whose places are on a line."""
    step, offset, unit = line
    places = np.arange(axis.after, dtype=np.int64) * step + offset
    match rounding:
        case Rounding.FLOOR:
            elements = places // unit
        case Rounding.CEIL:
            elements = (places + unit - 1) // unit
        case Rounding.HALF_UP:
            elements = (2 * places + unit) // (2 * unit)
        case Rounding.HALF_DOWN:
            elements = (2 * places + unit - 1) // (2 * unit)
    return np.clip(elements, 0, axis.before - 1)


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


@dataclass(frozen=True)
class Weighting:
    """How a value is made of the elements around a place."""

    interpolation: Interpolation
    rounding: Rounding
    coefficient: float
    exclude_outside: bool


def antialiased(
    b: NnBuilder,
    x: SSAValue,
    resized: Mapping[int, Axis],
    mode: str,
    weighting: Weighting,
    extrapolation: float | None,
) -> SSAValue:
    """Return ``x`` resized along some axes; that of an axis that shrinks is a wider sum.

    ``weighting`` is not to the nearest; ``mode`` and ``extrapolation`` are those of ``resize``.
    """
    if not is_float(element_of(x.type)):
        raise ConversionError("antialiasing is supported on floating-point numbers only")
    wide = b.in_32_bits(x)
    read: dict[int, Places] = {}
    for number, axis in resized.items():
        places, weights = _taps(axis, mode, weighting, extrapolation is not None)
        read[number] = Places(b.make_constant(places), b.make_constant(weights))
    beyond = None if extrapolation is None else b.scalar(extrapolation, element_of(wide.type))
    return b.cast(read_places(b, wide, read, beyond), element_of(x.type))


def _taps(axis: Axis, mode: str, weighting: Weighting, extrapolates: bool) -> tuple[Array, Array]:
    """Return the places that each element reads and their weights, both of shape [n, taps]."""
    step, offset = axis.line(mode)
    places = np.array([float(i * step + offset) for i in range(axis.after)])[:, None]
    scale = float(min(axis.scale, 1))
    reach = (1 if weighting.interpolation == Interpolation.LINEAR else 2) / scale
    check_new_constant(axis.after * ceil(2 * reach), 16)
    numbers = np.floor(places - reach) + 1 + np.arange(ceil(2 * reach))
    distance = np.abs(numbers - places) * scale
    if weighting.interpolation == Interpolation.LINEAR:
        weights = np.maximum(1 - distance, 0)
    else:
        weights = _cubic(distance, weighting.coefficient)
    outside = (numbers < 0) | (numbers >= axis.before)
    if weighting.exclude_outside:
        weights = np.where(outside, 0, weights)
    weights = weights / weights.sum(1, keepdims=True)
    numbers = np.clip(numbers, 0, axis.before - 1).astype(np.int64)
    if extrapolates:
        numbers = np.where((places < 0) | (places > axis.before - 1), -1, numbers)
    return numbers, weights


def _cubic(distance: Array, a: float) -> Array:
    """Return the weights of cubic convolution (Keys 1981) with the free parameter ``a``."""
    x = np.asarray(distance, np.float64)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))
