"""In which blocks a Winograd convolution of several groups is computed, and what that costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.conv_costs import ConvShape, best_winograd, winograd_cost
from autodeploy.templates.winograd.blocks import WinogradShape
from autodeploy.templates.winograd.group_blocks import (
    GroupedBlocks,
    GroupedShape,
    choose_grouped_blocks,
)

AVX2 = Machine.parse("x86-64-avx2:l2=1M")
TWO = Machine.parse("x86-64-avx2:cores=2:l2=1M")


def shape(tile_rows: int, channels: int, groups: int, points: int = 36) -> GroupedShape:
    group = WinogradShape(tile_rows, tile_rows, points, channels, channels, min(channels, 16), 4)
    m = round(points**0.5) - 2
    return GroupedShape(group, groups, 2 * (tile_rows * m) ** 2 * channels * groups * 4)


def blocks(machine: Machine, *sizes: int, whole: bool = False) -> GroupedBlocks:
    return choose_grouped_blocks(machine, shape(*sizes), whole=whole)


@pytest.mark.parametrize(
    ("channels", "groups", "of_block"),
    [(16, 20, 16), (32, 32, 32), (8, 32, 16), (4, 32, 16), (8, 5, 40), (8, 1, 8)],
)
def test_a_block_reads_whole_lines(channels: int, groups: int, of_block: int) -> None:
    """Where no smaller number of groups divides them, a block is all groups."""
    assert blocks(AVX2, 4, channels, groups).channels == of_block


def test_bands_stay_in_the_first_level_cache() -> None:
    """14x14 pixels: four tiles are a group of sums, and a row of them stays."""
    assert blocks(AVX2, 4, 16, 20).rows == 1
    large = replace(AVX2, l1_bytes=1 << 20)
    assert choose_grouped_blocks(large, shape(7, 8, 32)).rows > blocks(AVX2, 7, 8, 32).rows == 1


def test_few_tiles_share_a_band() -> None:
    """7x7 pixels: sums of two tiles would wait for each other."""
    assert blocks(AVX2, 2, 16, 48).rows == 2


def test_a_prime_number_of_tiles_a_row_makes_higher_bands() -> None:
    """28x28 pixels: seven tiles are two groups of sums, 49 are ten of five."""
    assert blocks(AVX2, 7, 16, 8).rows == 7


def test_bands_divide_the_rows_of_an_image_without_padding() -> None:
    for machine in (AVX2, TWO):
        for rows in range(1, 12):
            assert rows % blocks(machine, rows, 16, 8, whole=True).rows == 0


def test_each_core_has_rows_of_all_groups() -> None:
    found = blocks(TWO, 4, 16, 20)
    assert (found.rows, found.shares_bands, found.share) == (2, True, 0.5)
    assert found.image_cycles == 0


def test_a_large_filter_is_read_once_a_core() -> None:
    """It does not stay in the second-level cache: two bands of a core would read it twice."""
    large = replace(TWO, l2_bytes=16 << 20)
    assert blocks(TWO, 4, 16, 20).filter_cycles == 36 * 16 * 320 * 4 / 8
    assert choose_grouped_blocks(large, shape(4, 16, 20)).rows == 1


def test_cores_share_groups_where_there_is_one_row() -> None:
    found = blocks(TWO, 1, 16, 20)
    assert (found.shares_bands, found.share) == (False, 0.5)
    assert found.image_cycles > 0
    assert blocks(TWO, 1, 16, 3).share == pytest.approx(2 / 3)


def test_which_form_groups_take() -> None:
    """As measured with AVX2: F(4 x 4) takes 0.42 to 0.82 of the time, of 4 channels 1.2."""
    for size, channels, groups in (
        (28, 256, 32), (14, 256, 32), (7, 256, 32), (14, 512, 32), (7, 1024, 32), (28, 128, 8),
        (14, 320, 20), (7, 768, 48), (14, 240, 10), (14, 384, 8), (14, 256, 4), (7, 512, 8),
    ):  # fmt: skip
        conv = ConvShape(1, size, size, channels // groups, channels, 4, groups)
        assert best_winograd([conv], AVX2) == 4
    assert best_winograd([ConvShape(1, 56, 56, 4, 128, 4, 32)], AVX2) is None


def test_transforms_of_near_tiles_are_twice_as_fast() -> None:
    """14x14 pixels: 16 tiles of 40 vectors, whose 36 points are transformed, and back to 16."""
    conv = ConvShape(1, 14, 14, 16, 320, 4, 20)
    transforms = 16 * 40 * (36 * 6 + 36 * 3 + 16 * 3)
    products = blocks(AVX2, 4, 16, 20).product_cycles
    assert winograd_cost(conv, AVX2, 4) == pytest.approx(products + transforms / 2)


def test_half_vectors_cost_as_much_as_whole_ones() -> None:
    """AVX-512: sums of 8 channels leave half of a vector empty, those of 16 none."""
    avx512 = Machine.parse("x86-64-avx512")
    half = ConvShape(1, 28, 28, 8, 256, 4, 32)
    assert best_winograd([half], AVX2) == 4
    assert best_winograd([half], avx512) is None
    assert best_winograd([ConvShape(1, 28, 28, 16, 256, 4, 16)], avx512) == 4


def test_cost_does_not_fall_with_the_work() -> None:
    conv = ConvShape(1, 28, 28, 16, 128, 4, 8)
    larger = [replace(conv, batch=2), replace(conv, height=56), replace(conv, outputs=256)]
    for machine in (AVX2, TWO):
        for m in (2, 4):
            cost = winograd_cost(conv, machine, m)
            assert all(winograd_cost(other, machine, m) > cost for other in larger)
