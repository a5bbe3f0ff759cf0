"""Slices, pads and resizes by numbers that the program computes, to a shape that is known.

The library computes which elements are read along each axis, and refuses numbers that lead to
another shape. The elements are looked up then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadMode
from autodeploy.dialects.nn.resampling import CUBIC_COEFFICIENT, Interpolation, Rounding
from autodeploy.dialects.nn.types import element_count, element_of, is_float, shape_of, tensor
from autodeploy.frontend.nn.builder import ConversionError, axes_of, check_count
from autodeploy.frontend.nn.places import Places, read_places
from autodeploy.frontend.nn.resize import truncated, widened
from autodeploy.lowering.onnx_to_nn.context import ConversionContext

PAD_MODES = (PadMode.CONSTANT, PadMode.REFLECT, PadMode.EDGE, PadMode.WRAP)
"""By the numbers that the library has for them."""

TRANSFORMS = (
    "half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn",
    "asymmetric", "align_corners", "tf_crop_and_resize",
)  # fmt: skip
"""ONNX's names of how places are computed, by the numbers that the library has for them."""

INTERPOLATIONS = (Interpolation.NEAREST, Interpolation.LINEAR, Interpolation.CUBIC)
ROUNDINGS = (Rounding.HALF_DOWN, Rounding.HALF_UP, Rounding.FLOOR, Rounding.CEIL)
POLICIES = ("stretch", "not_larger", "not_smaller")

EXCLUDE_OUTSIDE, ANTIALIAS, EXTRAPOLATE = 1, 2, 4


def slice_by(
    b: ConversionContext,
    x: SSAValue,
    bounds: Sequence[SSAValue],
    axes: Sequence[int] | SSAValue | None,
    shape: Sequence[int],
) -> SSAValue:
    """Return a slice of ``shape``; ``bounds`` are starts, ends and steps, one each an axis.

    All axes that are not said are left alone; raises ``ConversionError`` if that is not so in
    the shape.
    """
    source = shape_of(x.type)
    count = element_count(bounds[0].type)
    named, places = _axes(b, axes, len(source), count)
    _check_rest(source, shape, places)
    rows = [_integers(b, row, count) for row in bounds]
    given = [b.emit(ConcatOp(rows, 0)), named, _extents(b, source, shape)]
    (numbers,) = b.call("slice", given, [tensor(i64, (sum(shape),))], checks=True)
    return read_places(b, x, _split(b, numbers, shape, places))


def pad_by(
    b: ConversionContext,
    x: SSAValue,
    pads: SSAValue,
    axes: Sequence[int] | SSAValue | None,
    shape: Sequence[int],
    mode: PadMode,
    value: SSAValue,
) -> SSAValue:
    """Return ``x`` padded to ``shape``; ``value`` is a scalar."""
    source = shape_of(x.type)
    count = element_count(pads.type) // 2
    named, places = _axes(b, axes, len(source), count)
    _check_rest(source, shape, places)
    given = [_integers(b, pads, 2 * count), named, _extents(b, source, shape)]
    (numbers,) = b.call(
        "pad", given, [tensor(i64, (sum(shape),))], [PAD_MODES.index(mode)], checks=True
    )
    taken = _split(b, numbers, shape, places)
    return read_places(b, x, taken, value if mode == PadMode.CONSTANT else None)


def resize_by(
    b: ConversionContext,
    x: SSAValue,
    sizes: SSAValue,
    policy: str | None,
    regions: SSAValue | None,
    axes: Sequence[int],
    shape: Sequence[int],
    mode: str,
    interpolation: Interpolation,
    rounding: Rounding = Rounding.HALF_DOWN,
    *,
    coefficient: float = CUBIC_COEFFICIENT,
    exclude_outside: bool = False,
    antialias: bool = False,
    extrapolation: float | None = None,
) -> SSAValue:
    """Return ``x`` resized to ``shape`` by scales, or with a ``policy`` by sizes."""
    source, element = shape_of(x.type), element_of(x.type)
    nearest = interpolation == Interpolation.NEAREST
    if mode not in TRANSFORMS:
        raise ConversionError(f"coordinate_transformation_mode '{mode}' is unknown")
    if policy is not None and policy not in POLICIES:
        raise ConversionError(f"keep_aspect_ratio_policy '{policy}' is unknown")
    is_whole = not nearest and not is_float(element)
    if is_whole and antialias:
        raise ConversionError("antialiasing is supported on floating-point numbers only")
    check_count("scales' or 'sizes", [0] * element_count(sizes.type), len(axes))
    _check_rest(source, shape, axes)
    before, after = [source[axis] for axis in axes], [shape[axis] for axis in axes]
    if any(m and not n for n, m in zip(before, after, strict=True)):
        raise ConversionError(f"{x.type} has no elements to resize")
    reach = 1 if interpolation == Interpolation.LINEAR else 2
    taps = [
        1 if nearest else ceil(2 * reach * max(1.0, n / (m - 0.5) if m and antialias else 1.0))
        for n, m in zip(before, after, strict=True)
    ]
    total = sum(n * m for n, m in zip(after, taps, strict=True))
    if regions is None:
        regions = b.make_constant(np.array([0.0] * len(axes) + [1.0] * len(axes)))
    flags = (
        EXCLUDE_OUTSIDE * (exclude_outside and not nearest)
        + ANTIALIAS * (antialias and not nearest)
        + EXTRAPOLATE * (extrapolation is not None)
    )
    numbers, weights = b.call(
        "resize",
        [
            b.reshape(b.cast(sizes, f64), (len(axes),)),
            b.reshape(b.cast(regions, f64), (2 * len(axes),)),
            b.make_constant(np.array([before, after, taps], np.int64)),
            b.make_constant(np.array(coefficient, np.float64)),
        ],
        [tensor(i64, (total,)), tensor(f64, (total,))],
        [
            0 if policy is None else 1 + POLICIES.index(policy),
            TRANSFORMS.index(mode),
            INTERPOLATIONS.index(interpolation),
            ROUNDINGS.index(rounding),
            flags,
        ],
        checks=True,
    )
    read: dict[int, Places] = {}
    start = 0
    for axis, n, m in zip(axes, after, taps, strict=True):
        own = {0: range(start, start + n * m)}
        start += n * m
        places, shares = (b.slice(values, own) for values in (numbers, weights))
        if nearest:
            read[axis] = Places(places)
        else:
            read[axis] = Places(b.reshape(places, (n, m)), b.reshape(shares, (n, m)))
    wide = x if nearest else widened(b, x, interpolation) if is_whole else b.in_32_bits(x)
    beyond = None if extrapolation is None else _number(b, wide, extrapolation)
    found = read_places(b, wide, read, beyond)
    return truncated(b, found, element) if is_whole else b.cast(found, element)


def _number(b: ConversionContext, x: SSAValue, number: float) -> SSAValue:
    """Return a scalar in the type of ``x``."""
    element = element_of(x.type)
    return b.scalar(number if is_float(element) else int(number), element)


def _axes(
    b: ConversionContext, axes: Sequence[int] | SSAValue | None, rank: int, count: int
) -> tuple[SSAValue, Sequence[int]]:
    """Return the axes as a value, and which they may be."""
    if isinstance(axes, SSAValue):
        if element_count(axes.type) != count:
            raise ConversionError(f"'axes' must have {count} entries, found {axes.type}")
        return _integers(b, axes, count), range(rank)
    known = axes_of(range(count) if axes is None else axes, rank)
    check_count("axes", known, count)
    return b.make_constant(np.array(known, np.int64)), sorted(known)


def _check_rest(source: Sequence[int], shape: Sequence[int], places: Sequence[int]) -> None:
    if len(source) != len(shape) or any(
        n != m for axis, (n, m) in enumerate(zip(source, shape, strict=True)) if axis not in places
    ):
        raise ConversionError(f"extents {list(source)} do not become {list(shape)}")


def _integers(b: ConversionContext, values: SSAValue, count: int) -> SSAValue:
    if element_count(values.type) != count:
        raise ConversionError(f"{values.type} was found where {count} numbers are expected")
    return b.reshape(b.cast(values, i64), (count,))


def _extents(b: ConversionContext, source: Sequence[int], shape: Sequence[int]) -> SSAValue:
    return b.make_constant(np.array([source, shape], np.int64))


def _split(
    b: ConversionContext, numbers: SSAValue, shape: Sequence[int], axes: Sequence[int]
) -> Mapping[int, Places]:
    """Return the places along some axes, of those along all, one axis after the other."""
    starts = np.cumsum([0, *shape]).tolist()
    return {
        axis: Places(b.slice(numbers, {0: range(starts[axis], starts[axis + 1])})) for axis in axes
    }
