"""The rule by which images are computed in bands of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_LAST,
    FIRST_TO_LAST,
    LayoutAttr,
)
from autodeploy.dialects.nn.tiled import kernel_in_out
from autodeploy.dialects.nn.types import tensor
from autodeploy.dialects.nn.window import MaxPoolOp
from autodeploy.machine import Machine
from autodeploy.passes.kernels.row_bands import (
    BandImage,
    band_bytes,
    best_bands,
    image_made,
    image_read,
)
from autodeploy.templates.row_bands.bands import bands_of_strip, rows_of_band

MACHINE = replace(Machine.named("x86-64-avx512"), l2_bytes=1 << 20)
READ = BandImage(1, 100, 2048)
WIDE = BandImage(1, 100, 16384, row_cycles=1000, reach=1, stride=1)
SLID = BandImage(1, 100, 4096, row_cycles=1000, reach=3, stride=1)
CHAIN = (READ, WIDE, SLID)


def band_rows(machine: Machine, images: Sequence[BandImage]) -> tuple[int, ...] | None:
    """Return the rows of bands where they gain."""
    rows, gain = best_bands(machine, images) or ((), -1)
    return rows if gain >= 0 else None


def test_rows_are_counted_from_the_last_image_back() -> None:
    halved = replace(SLID, height=50, stride=2)
    assert rows_of_band((READ, WIDE, halved, replace(WIDE, height=50)), 4) == (9, 9, 4, 4)


def test_a_band_has_at_most_the_rows_of_the_padded_image() -> None:
    padded = replace(WIDE, height=6, reach=7, stride=2)
    assert rows_of_band((READ, padded, replace(SLID, height=6)), 6) == (17, 6, 6)


def test_larger_caches_have_room_for_higher_bands() -> None:
    heights: list[int] = []
    # Each band reads the filter, so higher bands cost less.
    chain = (READ, replace(WIDE, filter_bytes=1 << 15), SLID)
    for bytes_ in (1 << 18, 1 << 19, 1 << 20):
        rows = band_rows(replace(MACHINE, l2_bytes=bytes_), chain)
        assert rows is not None
        assert band_bytes(chain, rows) <= bytes_ * 2 / 3
        heights.append(rows[-1])
    assert heights == sorted(set(heights))


def test_filters_take_of_the_room() -> None:
    small, large = (
        band_rows(MACHINE, (READ, replace(WIDE, filter_bytes=bytes_), SLID))
        for bytes_ in (1 << 17, 1 << 18)
    )
    assert small is not None
    assert large is not None
    assert large[-1] < small[-1]


def test_the_lowest_of_bands_that_cost_the_same_are_taken() -> None:
    # Each row is made once, whatever the height.
    assert band_rows(MACHINE, CHAIN) == (3, 3, 1)


def test_a_strip_keeps_rows_from_band_to_band() -> None:
    assert bands_of_strip(CHAIN, 4, 1) == 25
    assert bands_of_strip(CHAIN, 5, 2) == 10
    assert bands_of_strip(CHAIN, 5, 4) == 5


def test_without_rows_to_keep_each_band_is_alone() -> None:
    apart = replace(SLID, height=50, reach=2, stride=2)
    gaps = replace(SLID, height=33, reach=2, stride=3)
    uneven = replace(SLID, height=101)
    assert bands_of_strip((READ, WIDE, apart), 5, 1) == 1
    assert bands_of_strip((READ, WIDE, gaps), 3, 1) == 1
    assert bands_of_strip((READ, WIDE, uneven), 4, 1) == 1
    # Rows that the first anchor leaves out are no rows that could be kept.
    assert bands_of_strip((READ, replace(WIDE, stride=2), SLID), 5, 1) == 1


@pytest.mark.parametrize("cores", [2, 3, 4])
def test_no_core_waits_for_long(cores: int) -> None:
    rows = band_rows(replace(MACHINE, cores=cores), CHAIN)
    assert rows is not None
    bands = -(-SLID.height // rows[-1])
    assert bands % cores in (0, cores - 1)


def test_the_bands_of_all_cores_are_no_larger_than_the_image() -> None:
    rows = band_rows(replace(MACHINE, cores=8), CHAIN)
    assert rows is not None
    assert 8 * band_bytes(CHAIN, rows) <= WIDE.bytes


def test_an_image_that_stays_in_the_cache_is_left_there() -> None:
    assert band_rows(replace(MACHINE, l2_bytes=WIDE.bytes + READ.bytes), CHAIN) is None
    assert band_rows(replace(MACHINE, l2_bytes=WIDE.bytes + READ.bytes - 1), CHAIN) is not None


def test_reads_alone_do_not_make_an_image_exceed_l2() -> None:
    large = replace(READ, row_bytes=1 << 16)
    small = replace(WIDE, row_bytes=5000)
    assert band_rows(MACHINE, (large, small, SLID)) is None


def test_rows_that_are_costly_are_not_computed_twice() -> None:
    costly = replace(WIDE, row_cycles=100_000)
    assert band_rows(MACHINE, (READ, costly, SLID)) is None
    # Windows that do not overlap share no rows.
    apart = replace(SLID, height=50, reach=2, stride=2)
    assert band_rows(MACHINE, (READ, costly, apart)) is not None


def test_bands_of_few_rows_read_large_filters_too_often() -> None:
    small = replace(MACHINE, l2_bytes=1 << 18)
    narrow = (READ, replace(WIDE, reach=3), replace(SLID, reach=1))
    assert band_rows(small, narrow) is not None
    filters = replace(narrow[-1], filter_bytes=3 << 15)
    assert band_rows(small, (*narrow[:-1], filters)) is None


def test_one_more_anchor_gains_more_than_it_costs() -> None:
    wide = replace(SLID, row_bytes=8192, row_cycles=3000)
    # Windows of the last one reach as far as those before: halves of the bands are computed twice.
    chains = [
        (READ, WIDE, wide),
        (READ, WIDE, wide, replace(SLID, reach=1)),
        (READ, WIDE, wide, replace(SLID, reach=9)),
    ]
    two, near, far = (best_bands(MACHINE, chain) for chain in chains)
    assert two is not None
    assert near is not None
    assert far is not None
    assert near[1] > two[1] > max(0, far[1])


def test_a_row_that_is_too_large_for_the_cache() -> None:
    assert band_rows(MACHINE, (READ, replace(WIDE, row_bytes=1 << 20), SLID)) is None


def conv(
    image: tuple[int, ...],
    filter_: tuple[int, ...],
    stride: int,
    groups: int = 1,
    layout: LayoutAttr = CHANNELS_LAST,
) -> ConvOp:
    x, w = (create_ssa_value(tensor(f32, shape)) for shape in (image, filter_))
    return ConvOp(
        x,
        w,
        strides=[stride] * 2,
        pads=[filter_[0] // 2] * 4,
        dilations=[1, 1],
        groups=groups,
        layout=layout,
        filter_layout=kernel_in_out(4),
    )


def test_an_image_has_as_many_rows_and_bytes_in_both_orders() -> None:
    last = conv((2, 30, 20, 3), (3, 3, 3, 8), 1)
    first = conv((2, 3, 30, 20), (3, 3, 3, 8), 1, layout=FIRST_TO_LAST)
    assert image_read(last) == image_read(first) == BandImage(2, 30, 20 * 3 * 4)


def test_sums_over_channels_cost_their_products_and_windows_their_elements() -> None:
    dense = image_made(conv((1, 30, 20, 32), (3, 3, 32, 64), 2), MACHINE)
    assert (dense.batch, dense.height, dense.row_bytes) == (1, 15, 10 * 64 * 4)
    assert (dense.reach, dense.stride, dense.filter_bytes) == (3, 2, 9 * 32 * 64 * 4)
    twice = image_made(conv((1, 30, 20, 64), (3, 3, 64, 64), 2), MACHINE)
    assert twice.row_cycles == pytest.approx(2 * dense.row_cycles)

    # Two vectors of 16 channels, the second not full, and nine elements for each of 20 pixels.
    depthwise = image_made(conv((1, 30, 20, 24), (3, 3, 1, 24), 1, groups=24), MACHINE)
    assert depthwise.row_cycles == 2 * 9 * 20
    assert depthwise.filter_bytes == 9 * 24 * 4

    x = create_ssa_value(tensor(f32, (1, 30, 20, 24)))
    pool = MaxPoolOp(
        x, window=[2, 3], strides=[2, 1], pads=[0] * 4, dilations=[3, 1], layout=CHANNELS_LAST
    )
    assert image_made(pool, MACHINE) == BandImage(1, 14, 18 * 24 * 4, 2 * 6 * 18, 0, 4, 2)
