"""The rule by which products are computed by Strassen's algorithm."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import pytest

from autodeploy.dialects.nn.strassen import STRASSEN
from autodeploy.machine import Machine
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ProductTile
from autodeploy.templates.strassen.costs import (
    StrassenOrder,
    best_order,
    fetch_steps,
    strassen_pays,
    strassen_tiles,
)
from autodeploy.templates.strassen.products import StrassenProducts, products_of_sizes
from autodeploy.templates.strassen.shares import (
    COLUMNS_OF_BLOCKS,
    ROWS,
    SURE_LINES,
    column_group,
    least_line_steps,
    passes_l1,
    possible_shares,
    sums_exceed_l2,
)

AVX2 = Machine.named("x86-64-avx2")
TWO_CORES = replace(AVX2, cores=2, l2_bytes=1 << 20)
AVX512 = Machine.named("x86-64-avx512")
LARGE_CACHES = replace(AVX512, l1_bytes=48 << 10, l2_bytes=2 << 20)
SERVERS = [AVX2, AVX512]


def products(
    rows: int, inner: int, columns: int, parts: tuple[int, int] = (2, 2)
) -> StrassenProducts:
    return StrassenProducts.of_sizes(STRASSEN[parts], rows, inner, columns, 4)


def order(machine: Machine, of_products: StrassenProducts, *given, **knobs) -> StrassenOrder:
    return best_order(machine, [of_products], *given, **knobs)


def pays(machine: Machine, rows: int, inner: int, columns: int) -> bool:
    plain = Product(
        columns,
        rows,
        inner,
        (),
        4,
        4,
        (),
        packable=True,
        transposed_left=False,
        made=False,
        reads_left=True,
        reads_addend=False,
        work=rows * columns * (inner + 4),
    )
    return strassen_pays(machine, products_of_sizes(rows, inner, columns, 4), plain)


@pytest.mark.parametrize("machine", SERVERS)
def test_large_products_pay(machine):
    assert pays(machine, 384, 768, 3072)
    assert pays(machine, 384, 768, 768)


def test_low_blocks_pay_where_arithmetic_is_slow():
    """Of 3072 steps few rows fit the cache, and each block reads all weights.

    Where vectors are lines, a block exceeds the cache by as little as lets weights come.
    """
    large = products(384, 3072, 768)
    assert pays(AVX2, 384, 3072, 768)
    assert not sums_exceed_l2(AVX2, large, order(AVX2, large).tile, order(AVX2, large).share.block)
    found = order(AVX512, large)
    assert pays(AVX512, 384, 3072, 768)
    assert sums_exceed_l2(AVX512, large, found.tile, found.share.block)
    steps = fetch_steps(AVX512, large, found.tile, found.share.block)
    assert steps * found.tile.sums >= SURE_LINES * least_line_steps(AVX512)
    assert found.share.block < ceil(192 / found.tile.rows)


@pytest.mark.parametrize("rows", [49, 64])
def test_too_few_rows_for_lines_to_come_do_not_pay(rows):
    """Where vectors are lines, weights of 1024 columns come too fast for 5 tiles of rows."""
    assert pays(AVX2, rows, 2048, 1024)
    assert not pays(AVX512, rows, 2048, 1024)


@pytest.mark.parametrize(
    "sizes", [(384, 768, 3072), (384, 768, 768), (784, 192, 768), (197, 384, 1536)]
)
def test_lines_are_far_enough_apart(sizes):
    """A line every 24 multiply-adds takes more time than these."""
    large = products(*sizes)
    found = order(AVX512, large)
    steps = fetch_steps(AVX512, large, found.tile, found.share.block)
    assert steps * found.tile.sums >= least_line_steps(AVX512)


def test_waiting_for_lines_costs():
    large, tile = products(384, 768, 768), ProductTile.of(48, 8, 16)
    low, high = (order(LARGE_CACHES, large, tile, block=block).cost for block in (3, 6))
    assert low > high * 1.2


def test_rows_that_no_tile_covers_evenly_take_one_that_does():
    """99 pairs of rows are 11 tiles of 9. A wide tile need not stay in the first-level cache."""
    found = order(LARGE_CACHES, products(197, 384, 1536))
    assert (found.tile.columns, found.tile.rows, found.share.block) == (48, 9, 11)


@pytest.mark.parametrize("machine", SERVERS)
def test_few_steps_columns_or_rows_do_not(machine):
    assert not pays(machine, 3136, 64, 256)
    assert not pays(machine, 3136, 256, 32)
    assert not pays(machine, 2, 768, 3072)


@pytest.mark.parametrize("machine", SERVERS)
def test_columns_that_no_tile_divides_are_filled_up(machine):
    """Of 5000 half are no whole vectors."""
    assert pays(machine, 384, 768, 5000)
    tile = order(machine, products(384, 768, 5000)).tile
    assert tile.lanes == machine.lanes(4)
    assert 2500 % tile.columns


@pytest.mark.parametrize("machine", SERVERS)
def test_no_columns_are_filled_up_where_a_tile_divides_them(machine):
    assert all(1536 % tile.columns == 0 for tile in strassen_tiles(machine, products(384, 8, 3072)))


def test_many_columns_of_zeros_do_not_pay():
    """Half of 36 columns are a vector and two columns of another."""
    assert pays(AVX2, 3136, 768, 128)
    assert not pays(AVX2, 3136, 768, 36)


def test_weights_have_to_come_meanwhile():
    assert not pays(Machine.named("aarch64-neon"), 384, 768, 3072)


def test_cores_have_rows_of_their_own_where_all_have_as_many():
    assert order(TWO_CORES, products(384, 768, 3072)).share.parallel == ROWS
    assert pays(TWO_CORES, 384, 768, 3072)


@pytest.mark.parametrize("sizes", [(49, 2048, 1024), (49, 1024, 2048)])
def test_cores_have_columns_where_one_would_have_more_rows(sizes):
    """Of 5 tiles of rows one core would have 3, the other one 2."""
    found = order(TWO_CORES, products(*sizes))
    assert found.share.parallel == COLUMNS_OF_BLOCKS
    assert found.share.group * found.tile.columns * 4 == sizes[2]
    assert pays(TWO_CORES, *sizes)


def test_a_core_has_several_blocks_unless_they_are_low():
    """One that is done sooner helps another; low blocks fetch too much at a time."""
    tile = ProductTile(5, 2, 8)
    for cores, block in ((2, 5), (4, 5)):
        machine = replace(TWO_CORES, cores=cores)
        rows, _ = possible_shares(machine, products(197, 384, 1536), tile)
        assert (rows.parallel, rows.block) == (ROWS, block)


def test_reading_from_other_cores_counts():
    """197x384x1536 has as many rows for each core with a tile that is slower itself."""
    found = order(TWO_CORES, products(197, 384, 1536))
    assert found.share.parallel == ROWS
    assert found.share.pairs == 50


def test_sums_that_each_core_makes_have_to_pay():
    """With few columns, what each core does to have columns of its own takes back the gain."""
    assert pays(replace(TWO_CORES, cores=1), 196, 320, 320)
    assert not pays(TWO_CORES, 196, 320, 320)


def test_a_small_product_is_not_shared():
    small = replace(products(49, 128, 128), work=TWO_CORES.costs.parallel_work - 1)
    assert order(TWO_CORES, small).share.parallel == ()
    assert order(TWO_CORES, replace(small, work=small.work + 1)).share.parallel


def test_what_is_given_is_kept():
    large = products(384, 768, 3072)
    found = order(TWO_CORES, large, block=5, parallel=COLUMNS_OF_BLOCKS)
    assert (found.share.block, found.share.parallel) == (5, COLUMNS_OF_BLOCKS)
    # A single block of rows is for one core.
    assert order(TWO_CORES, large, block=192).share.parallel == COLUMNS_OF_BLOCKS


def test_a_lower_block_waits_for_weights():
    """Blocks of 5 tiles have 25 of them without a rest, blocks of 6 leave one tile."""
    rows = products(197, 1536, 384)
    even, uneven = (order(AVX2, rows, ProductTile(4, 3, 8), block=block).cost for block in (5, 6))
    assert even < uneven


@pytest.mark.parametrize(
    ("l2_bytes", "sizes", "blocks"),
    [
        (1 << 20, (49, 2048, 1024), 1),
        (1 << 20, (49, 3072, 768), 1),
        (1 << 20, (49, 4096, 768), 5),  # sums of 1.4 MB
        (512 << 10, (49, 2048, 1024), 5),  # of 0.7 MB
        (1 << 20, (79, 1024, 512), 2),  # blocks that are high enough to fetch
    ],
)
def test_few_rows_are_one_block(l2_bytes, sizes, blocks):
    machine = replace(AVX2, l2_bytes=l2_bytes)
    tile, of_sizes = ProductTile(5, 2, 8), products(*sizes)
    (share,) = possible_shares(machine, of_sizes, tile)
    assert ceil(of_sizes.pairs / tile.rows / share.block) == blocks


@pytest.mark.parametrize("machine", SERVERS)
@pytest.mark.parametrize("inner", [64, 768, 3072])
def test_the_sums_of_a_block_stay_in_the_cache(machine, inner):
    large = products(384, inner, 768)
    found = order(machine, large)
    rows = found.share.block * found.tile.rows
    if found.share.block > 1 and rows * 7 * inner // 2 * 4 > machine.resident_bytes:
        # Where vectors are lines, a block may leave the cache, but is no higher than lines need.
        enough = ceil(SURE_LINES * least_line_steps(machine) / found.tile.sums)
        assert found.share.block <= enough * found.tile.vectors
    assert (384 // 2) % found.tile.rows or found.share.block * found.tile.rows <= 384 // 2


def test_blocks_are_even():
    found = order(AVX2, products(384, 768, 768))
    tiles = -(-192 // found.tile.rows)
    blocks = -(-tiles // found.share.block)
    assert blocks * found.share.block - tiles < blocks


def test_what_is_packed_too_wide_has_a_tile():
    """As of one that was packed for wider vectors."""
    found = order(AVX2, replace(products(384, 768, 768), packed=128))
    assert (found.tile.columns, found.tile.rows) == (128, 1)


def test_few_tiles_fetch_nothing():
    """A line of 64 bytes a step at most: 16 columns of 4 bytes take one."""
    large = products(384, 768, 768)
    found = order(AVX2, large)
    tile = replace(found.tile, rows=6, vectors=2, lanes=8)
    assert fetch_steps(AVX2, large, tile, 8) == 8
    assert fetch_steps(AVX2, large, tile, 3) == 3
    assert fetch_steps(AVX2, large, tile, 5) == 4
    assert fetch_steps(AVX2, large, replace(tile, vectors=4), 1) == 0
    assert fetch_steps(Machine.named("aarch64-neon"), large, tile, 8) == 0


def test_the_last_group_of_columns_has_those_that_fill_up_a_tile():
    """Of 65 columns a second core has the ninth tile of 8, which has a single one."""
    tile = ProductTile.of(8, 2, 8)
    assert column_group(TWO_CORES, products(49, 64, 130), tile) == 5
    assert column_group(TWO_CORES, products(49, 64, 128), tile) == 4


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ((384, 768, 3072), (4, 4)),
        ((384, 3072, 768), (4, 4)),
        ((384, 768, 768), (4, 4)),
        ((384, 768, 3070), (2, 2)),  # columns without quarters
        ((384, 774, 3072), (3, 3)),  # an inner axis without quarters
        ((784, 256, 512), (2, 2)),  # few steps to a product for the sums of 26
        ((197, 1536, 384), (2, 2)),  # few columns for 26 sums of the left-hand side
    ],
)
def test_more_parts_where_they_save_more_than_their_sums_take(sizes, parts):
    machine = replace(AVX2, l2_bytes=1 << 20, l3_bytes=32 << 20)
    found = best_order(machine, products_of_sizes(*sizes, 4))
    assert found.products.algorithm.parts == parts


def test_weights_of_low_blocks_come_from_the_third_level_cache():
    """Without one, 26 products would wait for them."""
    possible = products_of_sizes(384, 3072, 768, 4)
    machine = replace(AVX2, l2_bytes=1 << 20)
    assert best_order(machine, possible).products.algorithm.parts == (2, 2)


def test_blocks_keep_their_products_near():
    """26 products of 12 pairs by 16 columns take 20 KB, their weights 12."""
    found = order(replace(AVX2, l2_bytes=1 << 20), products(384, 768, 3072, (4, 4)))
    assert (found.tile.columns, found.tile.rows, found.share.block) == (16, 6, 2)
    assert not passes_l1(AVX2, found.products, found.tile, 2)
    assert passes_l1(AVX2, found.products, found.tile, 3)


def test_seven_products_may_leave_the_first_level_cache():
    large = products(384, 768, 3072)
    assert not passes_l1(AVX2, large, ProductTile.of(24, 4, 8), 48)
