"""The matrices of Strassen's algorithm and its kind."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from autodeploy.dialects.nn.strassen import ROW_PARTS, STRASSEN


@pytest.mark.parametrize("parts", STRASSEN)
def test_the_sums_of_products_are_the_product(parts):
    steps, columns = parts
    algorithm = STRASSEN[parts]
    found = np.einsum("qp,pa,pb->qab", algorithm.result, algorithm.left, algorithm.right)
    expected = np.zeros((ROW_PARTS * columns, ROW_PARTS * steps, steps * columns))
    for row, column, step in product(range(ROW_PARTS), range(columns), range(steps)):
        expected[row * columns + column, row * steps + step, step * columns + column] = 1
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("parts", "products", "roundings"), [((2, 2), 7, 12), ((3, 3), 15, 23), ((4, 4), 26, 82)]
)
def test_products_and_errors(parts, products, roundings):
    """Of Strassen's four products of a quarter two are of sums of two: 4 + 2 + 2 + 4 roundings."""
    assert STRASSEN[parts].products == products
    assert STRASSEN[parts].error == roundings * 2.0**-24
