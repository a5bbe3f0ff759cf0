"""Lowering of a matrix product whose right-hand side has the sums of Strassen's algorithm.

The left-hand side is cut in quarters of even and of odd rows, and of the first and the second half
of the inner axis; the result in those of even and of odd rows, and of tiles of columns that take
turns. So a tile of rows and columns of each quarter makes one of the result. The products in the
middle are two funcs, as those of Winograd's algorithm. ``dialects/nn/strassen.py`` has the matrices
and the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.strassen import LEFT_SUMS, PRODUCTS, RESULT_SUMS
from autodeploy.dialects.nn.types import shape_of
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.small_matrix import matrix_times


def strassen_product(
    builder: KernelBuilder, op: MatMulOp, lhs: Value, rhs: Value, bias: Value | None
) -> Value:
    """Return the product with its bias."""
    layout = op.rhs_layout
    assert layout is not None and layout.tiling is not None
    tile = layout.tiling.size
    *stack, rows, columns = shape_of(op.result.type)
    pairs, inner = -(-rows // 2), lhs.shape[-1] // 2
    # With those that fill up the last tile, whose results are not stored.
    half = -(-columns // (2 * tile)) * tile
    first = (0,) * (len(lhs.shape) - 2)

    def left_at(scope: Scope, point: Coordinates) -> Expr:
        number, pair, k = point

        def quarter(place: int) -> Expr:
            # Rows behind the last one fill up a pair or a tile; their results are not stored.
            row = (scope.index(pair) * 2 + place // 2).minimum(rows - 1)
            return lhs.at(scope, (*first, row, scope.index(k) + place % 2 * inner))

        return _chosen(scope, number, matrix_times(LEFT_SUMS, quarter))

    left = builder.func(
        "left_sums",
        lhs.element,
        (PRODUCTS, pairs, inner),
        left_at,
        names=("p", "r", "k"),
        contracts=True,
    )

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (number, pair, column), (k,) = point, reduced
        factor = rhs.at(scope, tuple(layout.index((number, k, scope.index(column)))))
        return old + left.at(scope, (number, pair, k)) * factor

    shape, names = (PRODUCTS, pairs, half), ("p", "r", "c")
    sums = builder.func(
        "sums",
        lhs.element,
        shape,
        lambda scope, point: scope.const(0, lhs.element),
        names=names,
        update=(Domain((("k", inner),)), step),
        contracts=True,
    )
    products = builder.func("products", lhs.element, shape, sums.at, names=names)

    def quarters_at(scope: Scope, point: Coordinates) -> Expr:
        place, pair, column = point
        values = matrix_times(RESULT_SUMS, lambda p: products.at(scope, (p, pair, column)))
        return _chosen(scope, place, values)

    quarters = builder.func(
        "quarters",
        lhs.element,
        (4, pairs, half),
        quarters_at,
        names=("q", "r", "c"),
        contracts=True,
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        row, column = (scope.index(coordinate) for coordinate in point[-2:])
        place = row % 2 * 2 + column // tile % 2
        within = column // (2 * tile) * tile + column % tile
        value = quarters.at(scope, (place, row // 2, within))
        return value if bias is None else value + bias.broadcast(scope, point)

    return Value(lhs.element, (*stack, rows, columns), at)


def _chosen(scope: Scope, number: Coordinate, values: Sequence[Expr]) -> Expr:
    """Return the value of a number; loops over it are unrolled."""
    place, result = scope.index(number), values[-1]
    for other in reversed(range(len(values) - 1)):
        result = place.equals(other).select(values[other], result)
    return result
