"""Tiles and blocks of the template for sums on a device."""

from __future__ import annotations

import pytest

from autodeploy.machine.devices import DEVICES
from autodeploy.templates.device_tile.template import _height, _threads


@pytest.mark.parametrize(
    ("rows", "columns", "height", "threads"),
    [
        (56, 16, 7, (16, 4)),  # 8 rows would leave 7 tiles for 4 threads
        (112, 16, 7, (16, 4)),
        (64, 16, 8, (16, 4)),
        (14, 64, 7, (64, 1)),
        (1, 250, 1, (50, 1)),
        (55, 24, 5, (4, 11)),
        (13, 1, 1, (1, 13)),
    ],
)
def test_blocks_have_whole_tiles(rows, columns, height, threads):
    assert _height(rows, columns, DEVICES["opencl"]) == height
    assert _threads(columns, rows // height, 64) == threads
    assert columns % threads[0] == 0
    assert rows // height % threads[1] == 0


def test_threads_are_idle_where_few_divide_the_tiles():
    assert _threads(257, 1, 64) == (64, 1)
    assert _threads(67, 67, 64) == (64, 1)
