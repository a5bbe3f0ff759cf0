"""Lines of a filter that a direct convolution fetches: all of the next tile of channels."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from autodeploy.templates.direct_conv.fetch import filter_map
from autodeploy.templates.direct_conv.tile import ConvTile

LINE = 16
TILES = 3


def tile(channels: int, columns: int) -> ConvTile:
    return ConvTile(channels, columns, min(channels, LINE), channels)


@pytest.mark.parametrize(
    ("shape", "inputs", "window", "pixels", "unrolled"),
    [
        (tile(32, 7), 16, (3, 3), (7, 7, 1), 2),
        (tile(64, 5), 8, (3, 3), (14, 14, 1), 4),
        (tile(8, 4), 12, (3,), (9, 5), 4),
        (tile(24, 3), 8, (1, 3), (3, 2, 2), 1),
        (tile(16, 2), 4, (2, 2, 2), (5, 3, 2, 1), 4),
    ],
)
@pytest.mark.parametrize("dot", [2, 4])
def test_the_next_tile_is_fetched(
    shape: ConvTile,
    inputs: int,
    window: tuple[int, ...],
    pixels: tuple[int, ...],
    unrolled: int,
    dot: int,
) -> None:
    """One line after the other, from the first one of the next tile on."""
    names = ["c", "p", "x", "y", "z", "n"][: 2 + len(pixels)]
    taps = {"ci": inputs * dot} | dict(zip(("kx", "ky", "kz"), window, strict=False))
    packed = (dot, shape.channels, inputs, *window, TILES)
    map_ = filter_map(names, taps, pixels, packed, shape, unrolled, LINE)
    strides = [prod(packed[1:axis]) for axis in range(1, len(packed))]
    lines: list[int] = []
    columns, *rows = pixels
    for place in product(*map(range, reversed(rows)), range(0, columns, shape.columns)):
        for step in product(*map(range, reversed(window)), range(0, inputs * dot, unrolled * dot)):
            neighbour, *point = map_.eval([0, 1, *reversed(place), *reversed(step)], [])
            element = sum(map(prod, zip(point, strides, strict=True)))
            assert neighbour == 0 == element % LINE
            lines.append(element // LINE)
    begin = 2 * prod(packed[1:-1]) // LINE
    assert lines == list(range(begin, begin + len(lines)))
