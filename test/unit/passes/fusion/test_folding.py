"""Weights that are scaled when they are needed, against those that are scaled at once."""

import numpy as np
import pytest
from xdsl.dialects.test import TestOp as AnyOp

from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.types import tensor
from autodeploy.passes.fusion.folding import scaled_weights
from autodeploy.weights import LARGE_BYTES, WeightStore, element_type

ROWS, COLUMNS = 512, 1024


def scaled(matrix, factor):
    """Return the store, and the value of a matrix whose columns are scaled."""
    store = WeightStore()
    assert matrix.nbytes >= LARGE_BYTES
    value = store.attribute(matrix)
    rows = tensor(element_type(np.float32), (1, ROWS))
    types = [rows, value.type]
    product = MatMulOp(*AnyOp(result_types=types).results)
    return store, scaled_weights(store, product, value, factor)


def test_factors_of_columns_are_told_apart():
    matrix = np.random.default_rng(0).standard_normal((ROWS, COLUMNS)).astype(np.float32)
    names = set()
    for seed in range(2):
        factor = np.random.default_rng(seed).uniform(0.5, 2, COLUMNS)
        store, value = scaled(matrix, factor)
        expected = (matrix * factor).astype(np.float32)
        assert np.array_equal(store.array(value), expected)
        assert store.named(value) == WeightStore().attribute(expected)
        names.add(value)
    assert len(names) == 2


def test_equal_results_are_one_number():
    matrix = np.ones((ROWS, COLUMNS), np.float32)
    matrix[:, ::2] = 2
    value = scaled(matrix, np.where(np.arange(COLUMNS) % 2, 2.0, 1.0))[1]
    assert value == WeightStore().attribute(np.full((ROWS, COLUMNS), 2, np.float32))
    matrix = np.random.default_rng(0).standard_normal((ROWS, COLUMNS)).astype(np.float32)
    value = scaled(np.abs(matrix), np.zeros(COLUMNS))[1]
    assert value == WeightStore().attribute(np.zeros((ROWS, COLUMNS), np.float32))


@pytest.mark.parametrize(
    ("largest", "factor", "is_folded"),
    [(1e30, 1e8, True), (1e30, 1e9, False), (np.inf, 0.0, False), (np.nan, 1.0, False),
     (3e38, 1.0, True)],
)  # fmt: skip
def test_results_are_finite(largest, factor, is_folded):
    matrix = np.random.default_rng(0).uniform(0.1, 1, (ROWS, COLUMNS)).astype(np.float32)
    matrix[3, 5] = largest
    store, value = scaled(matrix, np.full(COLUMNS, factor))
    assert (value is not None) == is_folded
    if value is not None:
        assert np.array_equal(store.array(value), (matrix * np.float64(factor)).astype(np.float32))
