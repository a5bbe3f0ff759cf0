"""Strassen's product of 2 x 2 matrices, whose elements are matrices, by 7 products instead of 8.

Y = C [(A x) ⊙ (B w)]: a row of ``LEFT_SUMS`` times the four quarters of the left-hand side, and the
same row of ``RIGHT_SUMS`` times those of the right-hand side, are the operands of a product; a row
of ``RESULT_SUMS`` times the seven products is a quarter of the result (Strassen, "Gaussian
Elimination is not Optimal", 1969). Quarters are numbered row after row: 11, 12, 21, 22.
"""

from __future__ import annotations

from autodeploy.dialects.nn.winograd import ROUNDING, Matrix

PRODUCTS = 7

LEFT_SUMS: Matrix = (
    (1, 0, 0, 1),
    (0, 0, 1, 1),
    (1, 0, 0, 0),
    (0, 0, 0, 1),
    (1, 1, 0, 0),
    (-1, 0, 1, 0),
    (0, 1, 0, -1),
)

RIGHT_SUMS: Matrix = (
    (1, 0, 0, 1),
    (1, 0, 0, 0),
    (0, 1, 0, -1),
    (-1, 0, 1, 0),
    (0, 0, 0, 1),
    (1, 1, 0, 0),
    (0, 0, 1, 1),
)

RESULT_SUMS: Matrix = (
    (1, 0, 0, 1, -1, 0, 1),
    (0, 0, 1, 0, 1, 0, 0),
    (0, 1, 0, 1, 0, 0, 0),
    (1, -1, 1, 0, 0, 1, 0),
)


def strassen_error() -> float:
    """Return the error that rounding to 32 bits can make, relative to the largest product.

    As of Winograd's transforms, see ``Winograd.error``.
    """
    largest = [
        sum(map(abs, left)) * sum(map(abs, right))
        for left, right in zip(LEFT_SUMS, RIGHT_SUMS, strict=True)
    ]
    return ROUNDING * max(
        sum(abs(factor) * product for factor, product in zip(row, largest, strict=True))
        for row in RESULT_SUMS
    )
