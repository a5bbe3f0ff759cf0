"""The product of a small matrix of numbers with a vector, in few operations.

The matrices of Winograd's transforms interpolate at points of either sign, so that rows, or
columns, are equal but for some signs. Common parts of two of them are computed once:

- Two rows are E + O and E - O: in F(4 x 4), (-4, -4, 1, 1) and (4,
  -4, -1, 1).
- Two columns are the factors of a sum and of a difference of their elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from autodeploy.lowering.nn_to_halide.expression import Expr

FEWEST_SHARED = 3
"""Factors of a row, or of a column, that two of them have in common, at least: sum and difference
take two operations."""


def matrix_times(matrix: Sequence[Sequence[float]], read: Callable[[int], Expr]) -> list[Expr]:
    """Return the elements of ``matrix`` times the vector whose elements ``read`` gives."""
    columns, vector = _paired_columns(list(zip(*matrix, strict=True)), read)
    rows = list(zip(*columns, strict=True))
    results: dict[int, Expr] = {}
    for one, other in _pairs(rows):
        even, odd = _parts(rows[one], rows[other])
        scale = _common_factor(odd)
        shared, differing = _dot(even, vector), _dot([n / scale for n in odd], vector)
        if scale != 1:
            differing = differing * scale
        results |= {one: shared + differing, other: shared - differing}
    return [
        results[number] if number in results else _dot(row, vector)
        for number, row in enumerate(rows)
    ]


def _paired_columns(
    columns: list[Sequence[float]], read: Callable[[int], Expr]
) -> tuple[list[Sequence[float]], list[Expr]]:
    """Return columns and elements; of two alike, those of their sum and their difference."""
    vector = [read(number) for number in range(len(columns))]
    for one, other in _pairs(columns):
        first, second = vector[one], vector[other]
        columns[one], columns[other] = _parts(columns[one], columns[other])
        vector[one], vector[other] = first + second, first - second
    return columns, vector


def _pairs(lines: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return which rows, or columns, are equal but for the signs of some of their factors."""
    found: list[tuple[int, int]] = []
    for one, other in combinations(range(len(lines)), 2):
        alike = [abs(n) for n in lines[one]] == [abs(n) for n in lines[other]]
        parts = _parts(lines[one], lines[other])
        worth_it = len(lines[one]) - lines[one].count(0) >= FEWEST_SHARED
        taken = any({one, other} & {*pair} for pair in found)
        if alike and worth_it and not taken and all(map(any, parts)):
            found.append((one, other))
    return found


def _parts(one: Sequence[float], other: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the factors of ``one`` that ``other`` has, too, and those that it has negated."""
    pairs = list(zip(one, other, strict=True))
    return [a if a == b else 0 for a, b in pairs], [a if a == -b else 0 for a, b in pairs]


def _common_factor(row: Sequence[float]) -> float:
    """Return the size of all factors of a row that are not zero; 1 where they differ."""
    sizes = {abs(factor) for factor in row if factor}
    return sizes.pop() if len(sizes) == 1 else 1


def _dot(row: Sequence[float], vector: Sequence[Expr]) -> Expr:
    """Return a row times a vector; zeros take no part, ones no multiplication.

    A factor of one is the first: each other one is then a multiply-add.
    """
    terms = [(factor, x) for factor, x in zip(row, vector, strict=True) if factor]
    total: Expr | None = None
    for factor, x in sorted(terms, key=lambda term: term[0] != 1):
        if total is None:
            total = x if factor == 1 else x * factor
        elif abs(factor) == 1:
            total = total + x if factor > 0 else total - x
        else:
            total = total - x * -factor if factor < 0 else total + x * factor
    assert total is not None  # no row of a transform is all zeros
    return total
