"""Lowering of a 3x3 convolution whose filter is in Winograd's domain.

Tiles of outputs are numbered row after row. Each func is one transform along one axis. The matrix
products in the middle are two funcs. The first has one update, so that a schedule tiles it like any
other contraction. The second holds the results, so that a tile of sums can stay in registers from
its first addition to its last.
``dialects/nn/winograd.py`` has the matrices and the source.

Codes are transformed in 16 bits and summed in 32, with a filter that the denominator of its
transform has multiplied (``templates/winograd/whole.py`` says when that is exact).

If only a run knows the width of the image, it knows the number of tiles in a row, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from xdsl.ir import Attribute

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import Layout
from autodeploy.dialects.nn.open_extent import Axes
from autodeploy.dialects.nn.types import bounds_of, is_float, ui32
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    narrowed,
)
from autodeploy.lowering.nn_to_halide.padding import FilterReader, Padding, image_ends, padded_image

TILE_NAMES = ("n", "j", "i", "t", "c")
"""Image, place within the transformed tile (row, column), number of the tile, channel."""


def winograd_conv(
    builder: KernelBuilder, op: ConvOp, x: Value, read: FilterReader, bias: Value | None
) -> Value:
    """Return the convolution with its bias."""
    assert op.winograd is not None
    transform = WINOGRAD[op.winograd.value.data]
    m, points = transform.outputs, transform.points
    batch, height, width, outputs = bounds_of(op.result.type)
    rows, columns = -(-height // m), -(-width // m)
    ends, growths = image_ends(builder, op.x, op.layout), builder.open_axes(op.result)
    reach = _reach(op, x, m, growths[1:3])
    element = op.sum_element
    fill = 0 if op.fill is None else op.fill.value.data
    image = padded_image(builder, x, Layout.CHANNELS_LAST, Padding(reach, fill, ends=ends))
    channels, tiles = x.shape[-1], rows * columns

    def row_tiles(scope: Scope) -> Expr | int:
        """Return how many tiles a row of them has."""
        if not growths[2]:
            return columns
        # Halide knows then that it is positive.
        return ((builder.open_extent(scope, growths[2]) + (m - 1)) // m).maximum(1)

    def transformed(
        name: str,
        element: Attribute,
        shape: Sequence[int],
        matrix: Sequence[Sequence[float]],
        axis: int,
        read: Callable[[Scope, Coordinates, int], Expr],
    ) -> Value:
        """Define a func that is ``matrix`` times what ``read`` gives along ``axis``."""

        def at(scope: Scope, point: Coordinates) -> Expr:
            values = matrix_times(matrix, lambda k: read(scope, point, k))
            place, result = scope.index(point[axis]), values[-1]
            for number in reversed(range(len(values) - 1)):
                result = place.equals(number).select(values[number], result)
            return result

        return builder.func(name, element, shape, at, names=TILE_NAMES, contracts=True)

    def pixel(scope: Scope, point: Coordinates, k: int) -> Expr:
        n, j, _, t, c = point
        tile = scope.index(t)
        row = row_tiles(scope)
        return image.at(scope, (n, tile // row * m + j, tile % row * m + k, c))

    inner = transformed(
        "input_rows",
        x.element,
        (batch, points, points, tiles, channels),
        transform.input_transform,
        2,
        pixel,
    )
    data = transformed(
        "input_tiles",
        x.element,
        (batch, points, points, tiles, channels),
        transform.input_transform,
        1,
        lambda scope, p, k: inner.at(scope, (p[0], k, *p[2:])),
    )
    factors = narrowed(data, element)

    def product(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (n, j, i, t, c), (ci,) = point, reduced
        factor = read(scope, c, ci, (j, i))
        return old + factors.at(scope, (n, j, i, t, ci)) * factor

    shape = (batch, points, points, tiles, outputs)
    sums = builder.func(
        "sums",
        element,
        shape,
        lambda scope, point: scope.const(0, element),
        names=TILE_NAMES,
        update=(Domain((("ci", channels),)), product),
        contracts=True,
    )
    total = builder.func("products", element, shape, sums.at, names=TILE_NAMES)
    # Intermediate sums may exceed 32 bits although the result does not.
    held = element if is_float(element) else ui32
    partial = transformed(
        "output_rows",
        held,
        (batch, points, m, tiles, outputs),
        transform.output_transform,
        2,
        lambda scope, p, k: total.at(scope, (*p[:2], k, *p[3:])).cast(held),
    )
    result = transformed(
        "output_tiles",
        held,
        (batch, m, m, tiles, outputs),
        transform.output_transform,
        1,
        lambda scope, p, k: partial.at(scope, (p[0], k, *p[2:])),
    )

    def at(scope: Scope, point: Coordinates) -> Expr:
        n, y, x_, c = (scope.index(coordinate) for coordinate in point)
        tile = y // m * row_tiles(scope) + x_ // m
        value = result.at(scope, (n, y % m, x_ % m, tile, c))
        if not is_float(element):  # sums of the multiplied filter, which the factor divides
            value = value.cast(element) // transform.denominator**2
        return value if bias is None else value + bias.at(scope, (c,))

    return Value(element, bounds_of(op.result.type), at)


def _reach(op: ConvOp, x: Value, m: int, growths: Axes) -> tuple[int, ...]:
    """Return the pads, those after each axis widened to the end of the last tiles.

    ``growths`` are those of rows and columns; of open ones a last tile may hold a single one.
    """
    before, after = ints(op.pads)[:2], list(ints(op.pads)[2:])
    extents = zip(bounds_of(op.result.type)[1:3], before, x.shape[1:3], strict=True)
    for axis, (result, pad, extent) in enumerate(extents):
        need = -(-result // m) * m + 2 - pad - extent
        after[axis] = after[axis] + m - 1 if growths[axis] else max(need, 0)
    return (*before, *after)


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
