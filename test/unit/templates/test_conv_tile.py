"""The tile of a convolution's sums, for rows of one width and of several."""

from __future__ import annotations

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import (
    Widths,
    conv_tile,
    tile_cycles,
    transposed_tile,
    whole_tile,
)
from autodeploy.templates.tiles import MAX_COLUMNS

AVX512 = Machine.named("x86-64-avx512")


def columns(*widths: int) -> int:
    return conv_tile(AVX512, 4, 64, widths).columns


@pytest.mark.parametrize(("widths", "expected"), [((16,), 8), ((8, 12, 16), 4), ((20, 40, 64), 5)])
def test_tiles_divide_most_of_the_widths(widths: Widths, expected: int) -> None:
    assert columns(*widths) == expected


def test_no_width_has_fewer_pixels_than_a_tile() -> None:
    assert columns(3, 56) == 3


def test_widths_count_as_much_whatever_their_length() -> None:
    """The cycles are those of the shortest row, to which the others are scaled."""
    tile = conv_tile(AVX512, 4, 64, (8,))
    shortest = tile_cycles(AVX512, tile, 64, (8,))
    assert tile_cycles(AVX512, tile, 64, (8, 16, 24)) == pytest.approx(shortest)
    # The last tile of a row of 9 is computed twice but for one pixel.
    overlapping = shortest * (1 + 2 * 8 / 9) / 2
    assert tile_cycles(AVX512, tile, 64, (8, 9)) == pytest.approx(overlapping)


AVX2 = Machine.named("x86-64-avx2")


@pytest.mark.parametrize(
    ("machine", "channels", "width", "own", "shared"),
    [
        (AVX2, 16, 28, 6, 5),
        (AVX2, 8, 28, 10, 7),
        (AVX2, 8, 56, 12, 8),
        (AVX512, 16, 28, 14, 14),
    ],
)
def test_inputs_that_taps_share_have_registers(
    machine: Machine, channels: int, width: int, own: int, shared: int
) -> None:
    assert whole_tile(machine, 4, channels, (width,)).columns == own
    assert whole_tile(machine, 4, channels, (width,), shares_inputs=True).columns == shared


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=["avx2", "avx512"])
@pytest.mark.parametrize("spread", [2, 3, 4])
@pytest.mark.parametrize("channels", [1, 8, 24, 32, 64])
@pytest.mark.parametrize("width", [5, 28, 64])
def test_transposed_tiles_have_registers_for_the_weights_of_all_their_pixels(
    machine: Machine, spread: int, channels: int, width: int
) -> None:
    tile = transposed_tile(machine, 4, channels, (width,), spread)
    assert tile is not None
    vectors = tile.channels // tile.lanes
    assert vectors * (tile.columns + spread) < machine.vector_registers
    assert tile.columns % spread == 0
    assert tile.columns <= min(width, MAX_COLUMNS)


def test_a_transposed_tile_leaves_registers_that_a_plain_one_takes() -> None:
    """Tiles of 16x6 would take 17 registers: 12 sums, 4 vectors of weights, and an input."""
    found = transposed_tile(AVX2, 4, 32, (128,), 2)
    assert found is not None
    assert (found.channels, found.columns) == (8, 12)
    assert conv_tile(AVX2, 4, 32, (128,)).columns == 6


def test_no_tile_is_as_wide_as_the_longest_strides() -> None:
    assert transposed_tile(AVX2, 4, 32, (128,), 8) is None
    assert transposed_tile(AVX512, 4, 32, (128,), 15) is None


def test_a_transposed_tile_is_no_wider_than_the_narrowest_row() -> None:
    found = transposed_tile(AVX2, 4, 32, (1, 64), 2)
    assert found is not None
    assert found.columns == 1
