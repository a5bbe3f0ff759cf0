"""Lines of weights that a product fetches: each of the next tile of columns once."""

from __future__ import annotations

import pytest

from autodeploy.templates.gemm.fetch import weights_map
from autodeploy.templates.gemm.tile import ProductTile

FLOATS_OF_LINE = 16


def fetched(tile: ProductTile, tiles: int, inner: int, steps: int, dot: int) -> list[int]:
    """Return the lines of packed weights that are fetched while a tile of columns is computed."""
    sharing = FLOATS_OF_LINE // tile.lanes
    rows = tiles * tile.rows
    map_ = weights_map(3, tile, rows, tiles, inner * dot, steps, sharing, dot)
    lines: list[int] = []
    for number in range(tiles):
        for step in range(0, inner * dot, steps * dot):
            *_, lane, row, vector = map_.eval([0, number * tile.rows, step], [])
            lines.append((lane + tile.lanes * (row + inner * vector)) // FLOATS_OF_LINE)
    return lines


@pytest.mark.parametrize(
    ("tile", "tiles", "inner", "steps"),
    [
        (ProductTile(8, 3, 16), 12, 96, 4),
        (ProductTile(6, 2, 8), 16, 96, 16),
        (ProductTile(4, 3, 8), 24, 64, 16),
        (ProductTile(6, 2, 8), 1, 96, 1),
        (ProductTile(5, 2, 8), 3, 90, 3),
        (ProductTile(3, 3, 4), 6, 96, 8),
    ],
)
@pytest.mark.parametrize("dot", [1, 4])
def test_each_line_is_fetched_once(
    tile: ProductTile, tiles: int, inner: int, steps: int, dot: int
) -> None:
    """Also where several vectors share a line, and where neighbours share an element of it."""
    first = inner * tile.columns // FLOATS_OF_LINE
    assert sorted(fetched(tile, tiles, inner, steps, dot)) == list(range(first, 2 * first))
