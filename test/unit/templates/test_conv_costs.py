"""The rule by which the way to compute a convolution is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.conv_costs import (
    ConvShape,
    best_winograd,
    direct_cost,
    row_cycles,
    winograd_cost,
)
from autodeploy.templates.tiles import Tile

AVX512 = Machine.named("x86-64-avx512")
MIDDLE = ConvShape(1, 56, 56, 64, 64, 4)
MACHINES = [Machine.named(name) for name in ("x86-64-avx2", "x86-64-avx512", "aarch64-neon")]


def test_a_direct_sum_costs_its_multiply_adds_or_its_weights() -> None:
    """Weights come while it computes; where runs differ, it waits for them."""
    steps, weights = 56 * 56 * 64 * 64 * 9 / 16, 9 * 64 * 64 * 4
    assert direct_cost(MIDDLE, AVX512) == pytest.approx(steps / 1.7)
    assert direct_cost(MIDDLE, AVX512, waits=True) == pytest.approx(steps / 1.7 + weights / 5)
    point = ConvShape(1, 1, 1, 512, 512, 4)
    assert direct_cost(point, AVX512) == pytest.approx(9 * 512 * 512 * 4 / 8)


def test_few_pixels_are_worth_the_smaller_transform() -> None:
    """As measured, 6x6 pixels with 256 channels take 0.61 of the time by F(2 x 2) with AVX2."""
    avx2 = replace(Machine.named("x86-64-avx2"), l2_bytes=1 << 20)
    for size in (4, 5, 6):
        assert best_winograd([ConvShape(1, size, size, 256, 256, 4)], avx2) == 2


def test_a_winograd_filter_is_fetched_while_products_are_computed() -> None:
    """A panel of 16 channels has a line to a step, so that one tile is enough to fetch it.

    The filter takes longer than the products of a tile, and counts alone beside the transforms.
    """
    avx2 = Machine.named("x86-64-avx2")
    cost = winograd_cost(ConvShape(1, 4, 4, 512, 512, 4), avx2, 4)
    transforms = 64 * 36 * 6 + 64 * (36 * 3 + 16 * 3)
    assert cost == pytest.approx(36 * 512 * 512 * 4 / 8 + transforms)


def test_products_of_few_tiles_wait_for_a_winograd_filter() -> None:
    """Panels of 32 channels have two lines to a step, and a group of tiles fetches one of them."""
    for size, waits in ((4, True), (12, True), (16, False)):
        tiles = (size // 4) ** 2
        cost = winograd_cost(ConvShape(1, size, size, 64, 32, 4), AVX512, 4)
        products, filter_ = tiles * 36 * 2 * 64 / 1.7, 36 * 64 * 32 * 4 / 8
        transforms = tiles * (4 * 36 * 6 + 2 * (36 * 3 + 16 * 3))
        expected = products + filter_ if waits else max(products, filter_)
        assert cost == pytest.approx(expected + transforms, rel=0.01)


def test_pixels_of_a_single_group_of_tiles_take_the_smaller_filter() -> None:
    """As measured: 12x12 pixels with 256 to 384 channels take 1.25 times as long by F(4 x 4)."""
    assert best_winograd([ConvShape(1, 12, 12, 256, 384, 4)], AVX512) == 2
    assert best_winograd([ConvShape(1, 13, 13, 256, 384, 4)], AVX512) == 4


def test_a_page_weighs_the_bytes_of_a_filter_against_cycles() -> None:
    """The layers of a ResNet-18: the later ones have larger filters and the same products."""
    page = Machine.named("wasm32-simd128")
    free = page.with_settings([("download_bytes_per_cycle", "1e9")])
    layers = [ConvShape(1, 3584 // n, 3584 // n, n, n, 4) for n in (64, 128, 256, 512)]
    assert [best_winograd([layer], page) for layer in layers] == [4, 4, 2, None]
    assert [best_winograd([layer], free) for layer in layers] == [4, 4, 4, 4]
    for m, grown in (2, 16 - 9), (4, 36 - 9):
        more = winograd_cost(layers[0], page, m) - winograd_cost(layers[0], free, m)
        assert more == pytest.approx(grown * 64 * 64 * 4)


def test_a_row_has_the_cost_of_its_tiles() -> None:
    tile = Tile(32, 8, 16)
    whole = row_cycles(AVX512, tile, 3, 16, 9)
    assert whole == pytest.approx(16 * 6 * 9 / 1.7)
    assert row_cycles(AVX512, tile, 3, 9, 9) == whole
    assert row_cycles(AVX512, tile, 3, 17, 9) == pytest.approx(whole * 1.5)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_tiles_that_overhang_cost_as_much_as_whole_ones(machine: Machine) -> None:
    for m in (2, 4):
        overhanging = replace(MIDDLE, height=56 - m + 1, width=56 - m + 1)
        whole = winograd_cost(MIDDLE, machine, m)
        assert winograd_cost(overhanging, machine, m) == pytest.approx(whole)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_many_pixels_and_channels_are_worth_a_transform(machine: Machine) -> None:
    assert best_winograd([MIDDLE], machine) == 4


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_few_channels_are_not(machine: Machine) -> None:
    assert best_winograd([replace(MIDDLE, inputs=3)], machine) is None


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_a_single_pixel_of_a_large_filter_is_not(machine: Machine) -> None:
    assert best_winograd([ConvShape(1, 1, 1, 512, 512, 4)], machine) is None


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_the_filter_decides_between_the_tiles(machine: Machine) -> None:
    """A filter of 36 points is fetched for longer than one of 16, however few pixels there are."""
    costs = {m: winograd_cost(ConvShape(1, 4, 4, 512, 512, 4), machine, m) for m in (2, 4)}
    assert costs[2] < costs[4]


def test_a_filter_that_no_cache_holds_is_fetched_for_every_band() -> None:
    shape = ConvShape(1, 112, 112, 128, 128, 4)
    small = replace(AVX512, l2_bytes=256 << 10)
    assert winograd_cost(shape, small, 4) > winograd_cost(shape, AVX512, 4)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_cost_does_not_fall_with_the_work(machine: Machine) -> None:
    larger = [
        replace(MIDDLE, batch=2),
        replace(MIDDLE, height=112),
        replace(MIDDLE, inputs=128),
        replace(MIDDLE, outputs=128),
    ]
    for shape in larger:
        assert direct_cost(shape, machine) > direct_cost(MIDDLE, machine)
        for m in (2, 4):
            assert winograd_cost(shape, machine, m) > winograd_cost(MIDDLE, machine, m)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_cores_share_the_sums_but_read_the_filter_each(machine: Machine) -> None:
    shape, two = ConvShape(1, 14, 14, 256, 256, 4), replace(machine, cores=2)
    one_core = [direct_cost(shape, machine), winograd_cost(shape, machine, 2)]
    two_cores = [direct_cost(shape, two), winograd_cost(shape, two, 2)]
    for one, both in zip(one_core, two_cores, strict=True):
        assert 0.45 * one < both < one
    pixel = replace(shape, height=1, width=1)
    fetched = 9 * 256 * 256 * 4 / 8
    assert direct_cost(pixel, machine) >= direct_cost(pixel, two) >= fetched


def test_few_tiles_of_many_channels_take_the_smaller_filter() -> None:
    """On one core 16 points of 16 tiles rather than 36 of 4, on two 16 of 49 rather than 36 of 16.

    Each core fetches the filter while it computes half as much.
    """
    two = replace(AVX512, cores=2)
    assert best_winograd([ConvShape(1, 7, 7, 512, 512, 4)], AVX512) == 2
    assert best_winograd([ConvShape(1, 14, 14, 256, 256, 4)], two) == 2
    for machine in (AVX512, two):
        assert best_winograd([ConvShape(1, 28, 28, 128, 128, 4)], machine) == 4


def test_the_longer_products_take_the_less_counts_the_filter() -> None:
    """A filter of 36 points is fetched while narrow vectors compute a few tiles."""
    few, more = ConvShape(1, 7, 7, 512, 512, 4), ConvShape(1, 14, 14, 256, 256, 4)
    avx2 = replace(Machine.named("x86-64-avx2"), l2_bytes=1 << 20)
    assert best_winograd([few], AVX512) == 2
    assert best_winograd([few], avx2) == 4
    assert best_winograd([more], AVX512) == best_winograd([more], avx2) == 4


def test_of_several_runs_each_counts_as_much() -> None:
    """A few small images do not take away what large ones gain, nor many the other way round."""
    large, small = ConvShape(1, 56, 56, 256, 256, 4), ConvShape(1, 1, 1, 256, 256, 4)
    assert best_winograd([large], AVX512) == 4
    assert best_winograd([small], AVX512) is None
    assert best_winograd([small, large, large, large], AVX512) == 4
    assert best_winograd([small, small, small, large], AVX512) is None
