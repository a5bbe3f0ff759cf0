"""How large a tile of accumulators is: the rule that packing and scheduling share.

A tile holds ``channels`` x ``columns`` sums in vector registers while a contraction runs over its
reduction. Each step then loads ``channels / lanes`` vectors of weights and broadcasts ``columns``
inputs for their product of multiply-adds, so a larger tile means fewer loads; a tile that does not
fit the register file spills, which halves the speed.
"""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.templates.view import vector_lanes

MAX_COLUMNS = 14
"""Wider tiles gain nothing: the loads are hidden by then, and more extents leave a remainder."""

GEMV_VECTORS = 4
"""Vectors of columns that a vector-matrix product sums at a time."""


@dataclass(frozen=True)
class Tile:
    """A tile of ``channels`` channels (vectorised) by ``columns`` columns of accumulators."""

    channels: int
    columns: int
    lanes: int
    """Elements of one vector; it divides ``channels``."""


def accumulator_tile(machine: Machine, element_bytes: int, channels: int, columns: int) -> Tile:
    """Return the tile for an output of ``channels`` channels and ``columns`` columns.

    Two vectors of channels are best; one where that many channels are not there or would leave more
    of a last tile empty. The columns fill the registers that remain, less those that hold weights
    and one input, and are the number that wastes the least of a row: a tile that does not divide
    the extent computes the overlap twice.
    """
    lanes = vector_lanes(channels, machine.lanes(element_bytes))
    widths = [lanes * 2, lanes] if channels >= lanes * 2 else [lanes]
    vectors = min(widths, key=lambda width: (_padded(channels, width), -width)) // lanes
    room = min((machine.vector_registers - vectors - 1) // vectors, MAX_COLUMNS)
    return Tile(vectors * lanes, best_divisor(columns, room), lanes)


def packed_lanes(machine: Machine, element_bytes: int, columns: int) -> int:
    """Return how many columns of a right-hand side are packed side by side: those of one vector.

    A matrix that is narrower takes the next power of two. Packed by vectors rather than by tiles,
    a tile reads as many runs of memory as it has vectors, and may be of any width.
    """
    lanes = machine.lanes(element_bytes)
    while lanes > 1 and lanes // 2 >= columns:
        lanes //= 2
    return max(lanes, 1)


def gemv_columns(machine: Machine, element_bytes: int, columns: int) -> int:
    """Return how many columns of a vector-matrix product are summed at a time.

    Several vectors hide the latency of the multiply-add and read whole cache lines in a row.
    """
    return vector_lanes(columns, machine.lanes(element_bytes) * GEMV_VECTORS)


def best_divisor(extent: int, limit: int) -> int:
    """Return the tile length up to ``limit`` that covers an extent with the least work.

    Every tile costs its length, and one more for filling and emptying the registers.
    """
    lengths = range(1, max(1, min(extent, limit)) + 1)  # 1 where there is nothing to cover
    return min(lengths, key=lambda length: (-(-extent // length) * (length + 1), -length))


def _padded(extent: int, tile: int) -> int:
    return -(-extent // tile) * tile
