"""For how many tiles a Winograd convolution has memory."""

from __future__ import annotations

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.winograd.storage import MOST_ADDED, stored_tiles

MACHINE = Machine.parse("x86-64-avx512")
"""Its first-level cache has 64 sets of lines of 64 bytes, and eight ways."""


def _lines_of_set(points: int, apart: int) -> int:
    """Return how many points share a set of those that lie ``apart`` bytes apart."""
    places = [point * apart % 4096 // 64 for point in range(points)]
    return max(map(places.count, places))


@pytest.mark.parametrize("channels", [16, 32, 48, 64, 128, 256])
@pytest.mark.parametrize("points", [16, 36])
def test_no_set_has_more_lines_than_ways_where_that_can_be(points: int, channels: int) -> None:
    for tiles in range(1, 200):
        stored = stored_tiles(MACHINE, tiles, points, channels * 4)
        assert tiles <= stored <= tiles + MOST_ADDED
        lines = [_lines_of_set(points, (tiles + n) * channels * 4) for n in range(MOST_ADDED + 1)]
        found = lines[stored - tiles]
        assert found <= 8 or found == min(lines), (tiles, stored)


def test_memory_is_as_large_as_it_has_to_be() -> None:
    for tiles in range(1, 200):
        stored = stored_tiles(MACHINE, tiles, 36, 256)
        smaller = [_lines_of_set(36, n * 256) for n in range(tiles, stored)]
        assert all(lines > 8 for lines in smaller), tiles


def test_nothing_is_added_where_it_does_not_help() -> None:
    assert stored_tiles(MACHINE, 16, 36, 8192) == 16


def test_more_ways_need_less_memory() -> None:
    larger = Machine.parse("x86-64-avx512:l1=48K")
    assert stored_tiles(MACHINE, 12, 36, 256) == 13
    assert stored_tiles(larger, 12, 36, 256) == 12
