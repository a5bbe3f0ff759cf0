"""Which blocks of a Winograd convolution cores share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.conv_costs import ConvShape, best_winograd
from autodeploy.templates.winograd.blocks import WinogradShape, choose_blocks

AVX2 = Machine.parse("x86-64-avx2:cores=2:l2=1M")


def shape(tile_rows: int, channels: int) -> WinogradShape:
    return WinogradShape(tile_rows, tile_rows, 36, channels, channels, 16, 4)


def test_each_core_has_rows_if_the_filter_is_prefetched() -> None:
    """14x14 pixels: the products of two rows of tiles take as long as the filter."""
    blocks = choose_blocks(AVX2, shape(4, 256))
    assert (blocks.rows, blocks.shares_bands) == (2, True)


def test_cores_share_a_filter_for_which_products_would_wait() -> None:
    """7x7 pixels, and a machine that fetches nothing ahead."""
    blocks = choose_blocks(AVX2, shape(2, 512))
    assert (blocks.rows, blocks.shares_bands) == (2, False)
    blocks = choose_blocks(Machine.parse("aarch64-neon:cores=2"), shape(4, 256))
    assert (blocks.rows, blocks.shares_bands) == (4, False)


def test_wider_vectors_wait_for_their_filter() -> None:
    """7x7 pixels, with half as many cycles for the products of 4x4."""
    wide = Machine.parse("x86-64-avx512:cores=2:l2=1M")
    tiles = replace(shape(2, 512), tile_channels=32)
    assert not choose_blocks(wide, tiles).shares_bands


@pytest.mark.parametrize(("cores", "transform"), [(1, 4), (2, 2)])
def test_two_cores_take_smaller_tiles_for_a_large_filter(cores: int, transform: int) -> None:
    """F(2 x 2) has tiles enough for rows of each core, and a filter of half as many bytes."""
    machine = Machine.parse(f"x86-64-avx2:cores={cores}:l2=1M")
    assert best_winograd([ConvShape(1, 7, 7, 512, 512, 4)], machine) == transform
