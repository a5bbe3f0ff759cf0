"""Blocks of inputs: a convolution computes all pixels for one block, then for the next.

The weights of a block stay in the first-level cache, and so do the sums, which lie in memory.
"""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import ConvTile

FEW_TILES = 4
"""The most tiles of channels with which blocks pay: without blocks nothing is fetched ahead for the
first tile. With more, the sums that blocks load and store cost more, even where the weights of two
tiles exceed the second-level cache."""

BLOCK_L1_SHARE = 2
"""The weights of a block, and the sums, take at most 1/n of the first-level cache each."""

BLOCK_REGISTERS = 2 / 3
"""The largest part of the registers for sums that blocks load and store: with more, compilers spill
some while they compute addresses."""


def input_block(
    machine: Machine,
    tile: ConvTile,
    element_bytes: int,
    inputs: int,
    pixels: int,
    count: int,
) -> int:
    """Return the inputs of a tap in a block; 0 where there are no blocks.

    ``inputs`` are those of a tap, ``count`` the tiles of channels.
    """
    sums = tile.channels // tile.lanes * tile.columns
    if (
        count > FEW_TILES
        or pixels * tile.channels * element_bytes * BLOCK_L1_SHARE > machine.l1_bytes
        or sums > machine.vector_registers * BLOCK_REGISTERS
    ):
        return 0
    step_bytes = tile.channels * element_bytes
    block = inputs
    while block % 2 == 0 and block * step_bytes * BLOCK_L1_SHARE > machine.l1_bytes:
        block //= 2
    return block if block * step_bytes * BLOCK_L1_SHARE <= machine.l1_bytes else 0
