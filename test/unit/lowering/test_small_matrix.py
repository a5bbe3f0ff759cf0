"""A small matrix times a vector: what it is, and in how many operations."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.nn.winograd import WINOGRAD_2, WINOGRAD_4, Matrix
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.winograd import matrix_times


def product(matrix: Matrix) -> tuple[list[list[float]], int]:
    """Return the matrix that the expressions compute, and how many sums and differences they take.

    A factor is part of a multiply-add, unless it is that of a first term.
    """
    size = len(matrix[0])
    block = Block(arg_types=[f32] * size)
    scope = Scope(block)
    results = matrix_times(matrix, lambda number: Expr(block.args[number], scope))
    known: dict[SSAValue, np.ndarray | float] = dict(zip(block.args, np.eye(size), strict=True))
    sums = 0
    for op in block.ops:
        if isinstance(op, h.ConstOp):
            known[op.results[0]] = op.value.value.data
            continue
        one, other = (known[operand] for operand in op.operands)
        if isinstance(op, h.MulOp):
            known[op.results[0]] = one * other
            continue
        assert isinstance(op, h.AddOp | h.SubOp)
        known[op.results[0]] = one + other if isinstance(op, h.AddOp) else one - other
        sums += 1
    return [np.asarray(known[result.value]).tolist() for result in results], sums


@pytest.mark.parametrize(
    ("matrix", "sums"),
    [
        # Two pairs of rows, each of two parts of two elements.
        (WINOGRAD_4.input_transform, 12),
        # Two pairs of columns.
        (WINOGRAD_4.output_transform, 10),
        # Two elements a row, two rows a column: sharing them would gain nothing.
        (WINOGRAD_2.input_transform, 4),
        (WINOGRAD_2.output_transform, 4),
        # Alike but for their sizes.
        (((1, 2, 3), (1, -2, 4)), 4),
        # Equal, and opposite.
        (((1, 1, 1), (1, 1, 1), (-1, -1, -1)), 4),
    ],
)
def test_rows_and_columns_share_sums(matrix: Matrix, sums: int) -> None:
    computed, taken = product(matrix)
    assert computed == [list(row) for row in matrix]
    assert taken == sums
