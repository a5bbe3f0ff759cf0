"""How far results may be off that are read at computed places, and determinants.

Such an element is a sum of numbers around a place, whose weights say how near each is. So its error
is a part of the largest number that it may read. Nothing is said where a place is far outside of
the image, as a rounded coordinate then has any weights, or where a number is infinite or nan, as
its weight may be 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fuzz_numbers import Array
from onnx import NodeProto, helper

PLACES = frozenset(("GridSample", "RoiAlign", "DeformConv"))
"""Operators that read between the elements of an image."""

FAR = 10
"""A place that is as many images, or as many elements for an offset, away has open weights."""

EXPONENTS = 120
"""Products of numbers whose powers of two sum to more may overflow, or vanish, in some order."""


def terms_of_places(node: NodeProto, inputs: Sequence[Array | None]) -> Array:
    """Return the largest sum of magnitudes that an element may be, ``inf`` where it is open."""
    x = inputs[0]
    assert x is not None
    if not _is_finite(x):
        return np.asarray(np.inf)
    if node.op_type == "GridSample":
        return _of_grid(node, x, inputs[1])
    if node.op_type == "DeformConv":
        return _of_offsets(x, *inputs[1:])
    return np.asarray(4.0 * _largest(x))


def terms_of_determinant(x: Array) -> Array:
    """Return the product of the sums of each row's magnitudes, which bounds the sum of terms."""
    rows = np.abs(x).sum(-1)
    powers = np.abs(np.log2(np.maximum(rows, 2.0**-1074))).sum(-1)
    open_ = (powers > EXPONENTS) | ~np.isfinite(x).all((-2, -1))
    return np.where(open_, np.inf, np.prod(np.where(np.isfinite(rows), rows, 1.0), -1))


def _of_grid(node: NodeProto, x: Array, grid: Array | None) -> Array:
    assert grid is not None
    near = (np.abs(grid) < FAR).all(-1)[:, None]
    mode = next((helper.get_attribute_value(a) for a in node.attribute if a.name == "mode"), b"")
    return np.where(near, 0.0 if mode == b"nearest" else 4.0 * _largest(x), np.inf)


def _of_offsets(
    x: Array,
    weights: Array | None,
    offsets: Array | None,
    bias: Array | None = None,
    mask: Array | None = None,
) -> Array:
    assert weights is not None and offsets is not None
    if not all(_is_finite(a) for a in (weights, bias, mask) if a is not None):
        return np.asarray(np.inf)
    filters = float(np.abs(weights).reshape(len(weights), -1).sum(-1).max(initial=0.0))
    factor = 1.0 if mask is None else _largest(mask)
    terms = 4.0 * _largest(x) * filters * factor + (0.0 if bias is None else _largest(bias))
    near = (np.abs(offsets) < FAR).all(1, keepdims=True)
    return np.where(near, terms, np.inf)


def _is_finite(x: Array) -> bool:
    return bool(np.isfinite(x).all())


def _largest(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0))
