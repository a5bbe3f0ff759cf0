"""Whether what a candidate computes is what the rule's config computes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.nn.types import ELEMENT_NAMES
from autodeploy.weights import numpy_dtype

_TOLERANCES = {"float64": 1e-9, "float32": 1e-3, "float16": 2e-2, "bfloat16": 1e-1}
"""Differences that sums in another order may make, relative to the largest result."""

_ROUNDED = 0.01
"""The share of integers that may differ by one: they may be rounded floats."""

_DTYPES = {name: numpy_dtype(element) for element, name in ELEMENT_NAMES.items()}


def disagreement(found: bytes, expected: bytes, results: Sequence[tuple[str, int]]) -> str | None:
    """Return the difference of results from the expected ones, ``None`` if they agree.

    ``results`` are the names of the element types and the numbers of elements, in order.
    """
    if len(found) != len(expected):
        return f"{len(found)} bytes of results, expected {len(expected)}"
    offset = 0
    for number, (element, count) in enumerate(results):
        dtype = _DTYPES[element]
        pair = (np.frombuffer(data, dtype, count, offset) for data in (found, expected))
        if (wrong := _difference(element, *pair)) is not None:
            return f"result {number} differs {wrong}"
        offset += count * dtype.itemsize
    return None


def _difference(
    element: str, found: npt.NDArray[np.generic], expected: npt.NDArray[np.generic]
) -> str | None:
    if element not in _TOLERANCES:
        apart = found.astype(np.float64) - expected.astype(np.float64)
        if np.all(np.abs(apart) <= 1) and np.count_nonzero(apart) <= _ROUNDED * len(apart):
            return None
        return f"in {np.count_nonzero(apart)} of {len(apart)} elements"
    x, y = found.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(y)
    if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
        return "in infinities or nans"
    scale = float(np.max(np.abs(y[finite]), initial=0.0))
    apart = np.abs(x[finite] - y[finite])
    # Not "greater than": a nan among the results is a difference, too.
    if np.all(apart <= _TOLERANCES[element] * scale):
        return None
    return f"by {float(np.max(apart)):.3g}, the largest is {scale:.3g}"
