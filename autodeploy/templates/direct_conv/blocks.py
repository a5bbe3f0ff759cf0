"""For how many of its inputs a convolution sweeps all pixels, before it takes the next: the rule.

Weights of few inputs stay in the first-level cache meanwhile, as the sums that lie in memory do,
and little else need be near.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import ConvTile

BLOCK_SHARE = 4
"""Blocks pay where the weights of a tile and of the next take more than 1/n of the second-level
cache."""

FEW_TILES = 8
"""Blocks pay where so many tiles of channels or fewer are computed: the first one is not fetched
ahead, but for its first block."""

BLOCK_L1_SHARE = 2
"""The weights of a block, and the sums, take at most 1/n of the first-level cache each."""

BLOCK_REGISTERS = 2 / 3
"""Sums that blocks take from memory and back fill so much of the registers, at most: with more,
compilers spill some while they compute addresses."""


def input_block(
    machine: Machine,
    tile: ConvTile,
    element_bytes: int,
    taps: Mapping[str, int],
    pixels: int,
    count: int,
) -> int:
    """Return the inputs of a tap for which all pixels are swept; 0 where all of all taps are.

    ``taps`` are the extents of the reduction, its inputs ``ci`` and the window, and ``count`` the
    tiles of channels.
    """
    sums = tile.channels // tile.lanes * tile.columns
    tile_bytes = prod(taps.values()) * tile.channels * element_bytes
    if (
        (2 * tile_bytes * BLOCK_SHARE <= machine.l2_bytes and count > FEW_TILES)
        or pixels * tile.channels * element_bytes * BLOCK_L1_SHARE > machine.l1_bytes
        or sums > machine.vector_registers * BLOCK_REGISTERS
    ):
        return 0
    step_bytes = tile.channels * element_bytes
    block = taps["ci"]
    while block % 2 == 0 and block * step_bytes * BLOCK_L1_SHARE > machine.l1_bytes:
        block //= 2
    return block if block * step_bytes * BLOCK_L1_SHARE <= machine.l1_bytes else 0
