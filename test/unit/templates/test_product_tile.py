"""Tiles, blocks and prefetches of products: properties of the rules for many shapes."""

from __future__ import annotations

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import UNROLLED
from autodeploy.templates.gemm.fetch import fetch_steps
from autodeploy.templates.gemm.order import block_tiles
from autodeploy.templates.gemm.tile import (
    ANY,
    ProductSizes,
    ProductTile,
    possible_tiles,
    product_tile,
)

MACHINES = ("x86-64-avx512:l2=1M", "x86-64-avx2", "x86-64-sse41", "aarch64-neon", "riscv64-rvv128")
SHAPES = [
    (rows, inner, columns)
    for rows in (2, 7, 49, 77, 169, 784)
    for inner in (32, 90, 384, 4096)
    for columns in (9, 64, 200, 1000)
]


def sizes_of(rows: int, inner: int, columns: int) -> ProductSizes:
    return ProductSizes(columns, rows, inner, element_bytes=4, row_bytes=inner * 4)


def tile_of(machine: Machine, rows: int, inner: int, columns: int) -> ProductTile:
    return product_tile(machine, sizes_of(rows, inner, columns), ANY)


@pytest.mark.parametrize("name", MACHINES)
def test_tiles_fit_the_registers(name: str) -> None:
    """Accumulators leave room for operands: a vector of each column, and one for an input."""
    machine = Machine.parse(name)
    for rows, inner, columns in SHAPES:
        tile = tile_of(machine, rows, inner, columns)
        assert tile.rows <= rows
        assert tile.rows * tile.vectors + tile.vectors + 1 <= machine.vector_registers
        assert tile.rows * tile.vectors <= machine.vector_registers - 4
        assert tile in possible_tiles(machine, sizes_of(rows, inner, columns), ANY)


@pytest.mark.parametrize("name", MACHINES)
def test_lines_of_a_tile_of_rows_fit_the_sets_of_l1(name: str) -> None:
    machine = Machine.parse(name)
    ways = machine.l1_bytes // machine.costs.set_bytes
    for rows, _, columns in SHAPES:
        assert tile_of(machine, rows, 4096, columns).rows <= ways


@pytest.mark.parametrize("name", MACHINES)
def test_blocks_stay_in_l2_and_are_even(name: str) -> None:
    machine = Machine.parse(name)
    for rows, inner, columns in SHAPES:
        tile = tile_of(machine, rows, inner, columns)
        tiles = -(-rows // tile.rows)
        block = block_tiles(machine, sizes_of(rows, inner, columns), tile, ahead=False)
        bytes_ = block * tile.rows * inner * 4
        assert block <= 4 or bytes_ <= machine.resident_bytes
        blocks = -(-tiles // block)
        assert block - 1 <= tiles / blocks


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("block", [1, 6, 30, 200])
def test_prefetches_bring_a_whole_tile_of_columns(name: str, block: int) -> None:
    """A line every few unrolled steps: enough for all lines, and not too many at a time."""
    machine = Machine.parse(name)
    for rows, inner, columns in SHAPES:
        tile = tile_of(machine, rows, inner, columns)
        steps = fetch_steps(machine, tile, inner, block)
        if not steps:
            continue
        sums = tile.rows * tile.vectors
        sharing = max(machine.line_bytes // machine.vector_bytes, 1)
        assert inner % steps == 0
        assert block * inner // steps * sharing >= inner * tile.vectors
        assert steps == 1 or steps * sums <= UNROLLED
        assert steps * sums * sharing >= machine.costs.steps_per_prefetch
