"""Lowering of a matrix product whose right-hand side has the sums of Strassen's algorithm.

The left-hand side is cut in parts of even and of odd rows, and of steps of the inner axis that
follow each other; the result in those of even and of odd rows, and of tiles of columns that take
turns. So a tile of rows and columns of each part makes one of the result. The products in the
middle are two funcs, as those of Winograd's algorithm. ``dialects/nn/strassen.py`` has the matrices
and the sources.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.strassen import ROW_PARTS, STRASSEN
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
    assert op.strassen is not None and layout is not None and layout.tiling is not None
    algorithm = STRASSEN[ints(op.strassen)]
    tile = layout.tiling.size
    *stack, rows, columns = shape_of(op.result.type)
    pairs, inner = -(-rows // ROW_PARTS), lhs.shape[-1] // algorithm.steps
    # With those that fill up the last tile, whose results are not stored.
    width = -(-columns // (algorithm.columns * tile)) * tile
    first = (0,) * (len(lhs.shape) - 2)

    def left_at(scope: Scope, point: Coordinates) -> Expr:
        number, pair, k = point

        def part(place: int) -> Expr:
            # Rows behind the last one fill up a pair or a tile; their results are not stored.
            row = (scope.index(pair) * ROW_PARTS + place // algorithm.steps).minimum(rows - 1)
            step = scope.index(k) + place % algorithm.steps * inner
            return lhs.at(scope, (*first, row, step))

        return _chosen(scope, number, matrix_times(algorithm.left, part))

    left = builder.func(
        "left_sums",
        lhs.element,
        (algorithm.products, pairs, inner),
        left_at,
        names=("p", "r", "k"),
        contracts=True,
    )

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (number, pair, column), (k,) = point, reduced
        factor = rhs.at(scope, tuple(layout.index((number, k, scope.index(column)))))
        return old + left.at(scope, (number, pair, k)) * factor

    shape, names = (algorithm.products, pairs, width), ("p", "r", "c")
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

    def parts_at(scope: Scope, point: Coordinates) -> Expr:
        place, pair, column = point
        values = matrix_times(algorithm.result, lambda p: products.at(scope, (p, pair, column)))
        return _chosen(scope, place, values)

    parts = builder.func(
        "parts",
        lhs.element,
        (ROW_PARTS * algorithm.columns, pairs, width),
        parts_at,
        names=("q", "r", "c"),
        contracts=True,
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        row, column = (scope.index(coordinate) for coordinate in point[-2:])
        place = row % ROW_PARTS * algorithm.columns + column // tile % algorithm.columns
        within = column // (algorithm.columns * tile) * tile + column % tile
        value = parts.at(scope, (place, row // ROW_PARTS, within))
        return value if bias is None else value + bias.broadcast(scope, point)

    return Value(lhs.element, (*stack, rows, columns), at)


def _chosen(scope: Scope, number: Coordinate, values: Sequence[Expr]) -> Expr:
    """Return the value of a number; loops over it are unrolled."""
    place, result = scope.index(number), values[-1]
    for other in reversed(range(len(values) - 1)):
        result = place.equals(other).select(values[other], result)
    return result
