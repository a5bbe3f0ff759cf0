"""The matrices of Strassen's algorithm."""

from __future__ import annotations

from itertools import product

import numpy as np

from autodeploy.dialects.nn.strassen import LEFT_SUMS, RESULT_SUMS, RIGHT_SUMS, strassen_error


def test_the_sums_of_products_are_the_product():
    found = np.einsum("qp,pa,pb->qab", RESULT_SUMS, LEFT_SUMS, RIGHT_SUMS)
    expected = np.zeros((4, 4, 4))
    for row, column, step in product(range(2), repeat=3):
        expected[2 * row + column, 2 * row + step, 2 * step + column] = 1
    assert np.array_equal(found, expected)


def test_the_error_is_that_of_the_first_quarter():
    """Of its four products two are of sums of two, on either side: 4 + 2 + 2 + 4 roundings."""
    assert strassen_error() == 12 * 2.0**-24
