"""The rule by which products and the softmax between them are computed in bands of rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.passes.kernels.attention import (
    ChainProduct,
    RowChain,
    band_cycles,
    best_band,
    busiest_bands,
)

MACHINE = replace(Machine.named("x86-64-avx512"), l1_bytes=48 << 10, l2_bytes=1 << 20)
MACHINES = [Machine.named(name) for name in ("x86-64-avx2", "x86-64-avx512", "aarch64-neon")]


def attention(heads: int, queries: int, keys: int, channels: int) -> RowChain:
    products = (ChainProduct(keys, channels), ChainProduct(channels, keys))
    return RowChain((heads,), queries, keys, 4, products)


def band_height(machine: Machine, chain: RowChain) -> int | None:
    """Return the rows of a band where it gains."""
    rows, gain = best_band(machine, chain) or (0, -1)
    return rows if gain >= 0 else None


LONG = attention(12, 512, 512, 32)


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_bands_stay_in_the_second_level_cache(machine: Machine) -> None:
    for chain in (LONG, attention(4, 2048, 2048, 64)):
        rows = band_height(machine, chain)
        assert rows is not None
        assert chain.band_bytes(rows) <= machine.l2_bytes * 2 / 3


def test_band_bytes_are_those_of_all_matrices_on_the_way() -> None:
    assert LONG.band_bytes(10) == 2 * 10 * 512 * 4
    assert replace(LONG, products=LONG.products[:1]).band_bytes(10) == 10 * 512 * 4


def test_scores_that_take_little_of_the_cache_are_left_there() -> None:
    small = attention(12, 128, 128, 32)
    assert small.matrix_bytes == 12 * 128 * 128 * 4
    assert band_height(replace(MACHINE, l2_bytes=4 * small.matrix_bytes), small) is None
    assert band_height(replace(MACHINE, l2_bytes=4 * small.matrix_bytes - 1), small) is not None


def test_scores_that_stay_in_the_cache_gain_less() -> None:
    """What is neither written nor read passes through the second-level cache, not through it."""
    small = attention(12, 128, 128, 32)
    near, far = (
        best_band(replace(MACHINE, l2_bytes=2 * small.matrix_bytes - less), small)
        for less in (0, 1)
    )
    assert near is not None
    assert far is not None
    assert near[0] == far[0]
    moved = 2 * 2 * small.matrix_bytes * 0.5
    assert far[1] - near[1] == pytest.approx(moved / 8 - moved / 32)


def test_a_height_that_divides_the_rows_costs_less() -> None:
    short = attention(12, 128, 128, 32)
    assert band_cycles(MACHINE, short, 32) < band_cycles(MACHINE, short, 28)
    rows = band_height(MACHINE, short)
    assert rows is not None
    assert 128 % rows == 0


def test_bands_larger_than_the_first_level_cache_cost_more() -> None:
    chain = attention(1, 1024, 1024, 32)
    roomy = replace(MACHINE, l1_bytes=1 << 20)
    small = replace(MACHINE, l1_bytes=256 << 10)  # which makes the same tiles
    assert band_cycles(small, chain, 33) > band_cycles(roomy, chain, 33)
    assert band_cycles(small, chain, 32) == band_cycles(roomy, chain, 32)


def test_right_hand_sides_beyond_l2_bound_low_bands() -> None:
    wide = attention(1, 4096, 4096, 64)
    beyond = band_cycles(MACHINE, wide, 1)
    assert beyond == 4096 * 2 * 4096 * 64 * 4 / 8
    assert band_cycles(replace(MACHINE, l2_bytes=16 << 20), wide, 1) < beyond


def test_packed_weights_beyond_l2_are_not_read_for_each_band() -> None:
    product = ChainProduct(1000, 512, packed=True)
    chain = RowChain((), 512, 1000, 4, (product,))
    assert band_height(MACHINE, chain) is None
    near = replace(chain, products=(replace(product, inner=64),))
    assert band_height(MACHINE, near) is not None


def test_the_bands_of_all_cores_are_no_larger_than_a_matrix() -> None:
    chain = attention(8, 28, 2048, 32)
    alone, beside = (band_height(replace(MACHINE, cores=cores), chain) for cores in (1, 8))
    assert alone is not None
    assert beside is not None
    assert 8 * chain.band_bytes(beside) <= chain.matrix_bytes < 8 * chain.band_bytes(alone)


def test_no_band_fits() -> None:
    assert band_height(replace(MACHINE, l2_bytes=2048), LONG) is None


@pytest.mark.parametrize(
    ("cores", "stack", "rows", "most"),
    [
        (1, (12,), 40, 120),
        (2, (12,), 40, 60),
        (2, (3,), 40, 15),  # the bands of each matrix are shared
        (4, (3,), 40, 9),
        (4, (3,), 39, 12),  # the last band overlaps the one before, bands are shared in pairs
        (2, (), 10, 3),  # of three bands there are no pairs
        (2, (5, 4), 28, 70),
        (2, (), 28, 4),
    ],
)
def test_cores_share_the_stack_or_the_bands(
    cores: int, stack: tuple[int, ...], rows: int, most: int
) -> None:
    assert busiest_bands(cores, stack, rows, height=4) == most
