"""Resizing with antialiasing: an element of an axis that shrinks is a sum over all it covers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.resampling import Interpolation, Rounding
from autodeploy.dialects.nn.types import element_of, is_float
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, check_new_constant
from autodeploy.frontend.nn.places import Places, read_places
from autodeploy.frontend.nn.resize import Axis
from autodeploy.weights import Array


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
