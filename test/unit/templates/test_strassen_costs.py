"""The rule by which products are computed by Strassen's algorithm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.strassen.costs import (
    best_order,
    fetch_steps,
    strassen_pays,
    strassen_tiles,
)
from autodeploy.templates.strassen.products import StrassenProducts

AVX2 = Machine.named("x86-64-avx2")
SERVERS = [AVX2, Machine.named("x86-64-avx512")]


def products(rows: int, inner: int, columns: int) -> StrassenProducts:
    pairs = -(-rows // 2)
    work = 7 * pairs * inner * columns // 4 + 4 * rows * columns
    return StrassenProducts(pairs, inner // 2, columns // 2, 0, 4, work)


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
    return strassen_pays(machine, products(rows, inner, columns), plain)


@pytest.mark.parametrize("machine", SERVERS)
def test_large_products_pay(machine):
    assert pays(machine, 384, 768, 3072)
    assert pays(machine, 384, 768, 768)


def test_low_blocks_pay_where_arithmetic_is_slow():
    """Of 3072 steps few rows fit the cache, and each block reads all weights."""
    assert pays(AVX2, 384, 3072, 768)
    assert not pays(Machine.named("x86-64-avx512"), 384, 3072, 768)


@pytest.mark.parametrize("machine", SERVERS)
def test_few_steps_columns_or_rows_do_not(machine):
    assert not pays(machine, 3136, 64, 256)
    assert not pays(machine, 3136, 256, 32)
    assert not pays(machine, 2, 768, 3072)


@pytest.mark.parametrize("machine", SERVERS)
def test_columns_that_no_tile_divides_are_filled_up(machine):
    """Of 5000 half are no whole vectors."""
    assert pays(machine, 384, 768, 5000)
    tile = best_order(machine, products(384, 768, 5000)).tile
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


def test_cores_do_not_share_it():
    assert not pays(replace(AVX2, cores=2), 384, 768, 3072)


@pytest.mark.parametrize("machine", SERVERS)
@pytest.mark.parametrize("inner", [64, 768, 3072])
def test_the_sums_of_a_block_stay_in_the_cache(machine, inner):
    order = best_order(machine, products(384, inner, 768))
    rows = order.block * order.tile.rows
    assert order.block == 1 or rows * 7 * inner // 2 * 4 <= machine.resident_bytes
    assert (384 // 2) % order.tile.rows or order.block * order.tile.rows <= 384 // 2


def test_blocks_are_even():
    order = best_order(AVX2, products(384, 768, 768))
    tiles = -(-192 // order.tile.rows)
    blocks = -(-tiles // order.block)
    assert blocks * order.block - tiles < blocks


def test_what_is_packed_too_wide_has_a_tile():
    """As of one that was packed for wider vectors."""
    order = best_order(AVX2, replace(products(384, 768, 768), packed=128))
    assert (order.tile.columns, order.tile.rows) == (128, 1)


def test_few_tiles_fetch_nothing():
    """A line of 64 bytes a step at most: 16 columns of 4 bytes take one."""
    large = products(384, 768, 768)
    order = best_order(AVX2, large)
    tile = replace(order.tile, rows=6, vectors=2, lanes=8)
    assert fetch_steps(AVX2, large, tile, 8) == 8
    assert fetch_steps(AVX2, large, tile, 3) == 2
    assert fetch_steps(AVX2, large, replace(tile, vectors=4), 1) == 0
    assert fetch_steps(Machine.named("aarch64-neon"), large, tile, 8) == 0
