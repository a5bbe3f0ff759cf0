"""When numbers that a compiled program computes are right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

RELATIVE = {2: 2e-3, 4: 1e-5, 8: 1e-5}
"""How far a float of so many bytes may be off, as a part of the largest expected number."""


def assert_close(found: npt.NDArray, expected: npt.NDArray) -> None:
    """Check shape and numbers.

    Integers and booleans are equal. Floats have nan and the infinities in the same places; the
    others differ by no more than ``RELATIVE`` of the largest finite number that is expected (of 1
    where that is less), since sums cancel to small numbers with the error of large ones.
    """
    assert found.shape == expected.shape
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
        return
    limit = RELATIVE[found.dtype.itemsize]
    ours, theirs = found.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    finite = np.isfinite(theirs)
    np.testing.assert_array_equal(ours[~finite], theirs[~finite])
    scale = np.abs(theirs[finite]).max(initial=0)
    np.testing.assert_allclose(ours[finite], theirs[finite], rtol=0, atol=limit * scale)
