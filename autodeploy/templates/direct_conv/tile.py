"""How large the tile of sums of a convolution is: the rule that packing and scheduling share.

A tile of ``v`` vectors of output channels by ``p`` pixels of a row takes, for each step of the
reduction, v * p multiply-adds, v loads of weights and p broadcasts of inputs. A core starts a
limited number of multiply-adds and of instructions in a cycle; the weights come through the caches.
The tile is the one with which a whole row takes the fewest cycles, overlaps included. Where only a
run knows how wide a row is, that is on average over some widths, from the least to the largest; a
tile has no more pixels than the least.

Tiles of whole vectors overlap where they do not divide the channels. Where vectors do not divide
them, the channels are cut into equal parts, each one tile, filled up with zeros.

Neighbouring pixels of a transposed convolution read the same inputs with other weights: of a tile
of ``p`` pixels with stride s, p / s broadcasts serve v * s vectors of weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd, isqrt
from typing import TypeAlias

from autodeploy.machine import Machine
from autodeploy.machine.costs import CostModel
from autodeploy.templates.dots import most_dot_sums
from autodeploy.templates.tiles import MAX_COLUMNS, Tile, packed_lanes
from autodeploy.templates.view import vector_lanes

Widths: TypeAlias = Sequence[int]
"""The pixels of a row in some runs, the fewest first; one number where all runs have as many."""

SUMS_SHARE = 13 / 16
"""Sums take at most this part of the registers. Compilers load the weights of the next step early,
and a sum that has no register then waits for memory each step, which cost 4 to 10 % of kernels of
3x3 with AVX-512 (28 sums of 32 registers) and 24 % with AVX2 (14 of 16)."""


@dataclass(frozen=True)
class ConvTile(Tile):
    """A tile of channels by pixels of a row of accumulators."""

    used: int
    """Channels that a tile computes; the others of it are filled up with zeros."""

    @property
    def filled_up(self) -> bool:
        """Whether the tile is wider than what it computes."""
        return self.used < self.channels


def conv_tile(
    machine: Machine,
    element_bytes: int,
    channels: int,
    widths: Widths,
    *,
    grouped: bool = False,
    limit: int = MAX_COLUMNS,
) -> ConvTile:
    """Return the tile for rows of ``widths`` pixels, ``limit`` at most, with ``channels``.

    A vector must not reach from one group into the next: with ``grouped``, tiles whose place among
    the channels is not that of whole vectors are none.
    """
    overlapping = overlapping_tile(machine, element_bytes, channels, widths, limit)
    if channels % overlapping.lanes == 0:
        return overlapping
    filled = _best(machine, _parts(machine, element_bytes, channels), channels, widths, limit)
    if grouped:
        return filled
    return min(filled, overlapping, key=lambda t: tile_cycles(machine, t, channels, widths))


def _parts(machine: Machine, element_bytes: int, channels: int) -> list[ConvTile]:
    """Return the tiles, of one pixel each, for equal parts of the channels."""
    lanes = packed_lanes(machine, element_bytes, channels)
    return [
        ConvTile(-(-part // lanes) * lanes, 1, lanes, part)
        for part in range(1, min(channels, _most_vectors(machine) * lanes) + 1)
        if channels % part == 0
    ]


def whole_parts(
    machine: Machine, element_bytes: int, channels: int, widths: Widths, limit: int, least: int
) -> ConvTile:
    """Return the best tile of dots that is an equal part of the channels, filled up or not."""
    tiles = _parts(machine, element_bytes, channels)
    if (most := most_dot_sums(machine)) is None:
        wide = [tile for tile in tiles if tile.channels >= least * tile.lanes]
        return _best(machine, wide or tiles, channels, widths, limit)
    square = isqrt(most)
    tile = next(tile for tile in reversed(tiles) if tile.channels <= square)
    return replace(tile, columns=min(most // tile.channels, widths[0]))


def filled_tiles(machine: Machine, element_bytes: int, channels: int) -> list[ConvTile]:
    """Return the tiles that are filled up, where vectors do not divide the channels."""
    parts = _parts(machine, element_bytes, channels)
    return [] if channels % parts[0].lanes == 0 else [tile for tile in parts if tile.filled_up]


def overlapping_tile(
    machine: Machine, element_bytes: int, channels: int, widths: Widths, limit: int
) -> ConvTile:
    """Return the tile for a filter as it is: of whole vectors, no more than there are."""
    lanes = vector_lanes(channels, machine.lanes(element_bytes))
    most = min(channels // lanes, _most_vectors(machine))
    tiles = [ConvTile(v * lanes, 1, lanes, v * lanes) for v in range(1, most + 1)]
    return _best(machine, tiles, channels, widths, limit)


def transposed_tile(
    machine: Machine, element_bytes: int, channels: int, widths: Widths, spread: int
) -> ConvTile | None:
    """Return the tile of a transposed convolution; ``None`` where weights leave no registers.

    ``spread`` neighbouring pixels read the same inputs, each with weights of its own, as further
    channels of one pixel would. So it is the tile of ``spread`` times as many channels of a row
    that is as many times shorter: there are registers for the weights of all of these pixels.
    """
    lanes = vector_lanes(channels, machine.lanes(element_bytes))
    shorter, limit = [max(width // spread, 1) for width in widths], MAX_COLUMNS // spread
    best, least = None, 0.0
    most = min(channels // lanes, _most_vectors(machine) // spread) if limit else 0
    for vectors in range(1, most + 1):
        pixels, used = _columns(machine, vectors * spread, shorter, limit), vectors * lanes
        tiles = -(-channels // used)
        cycles = tiles * _row_cycles(machine.costs, vectors * spread, pixels, shorter)
        if best is None or cycles < least:
            columns = min(pixels * spread, widths[0])
            best, least = ConvTile(used, columns, lanes, used), cycles
    return best


def are_tiles_outermost(machine: Machine, element_bytes: int, channels: int, inner: int) -> bool:
    """Tell whether the loop over tiles of channels is outermost, around that over all pixels.

    It is where the filter does not stay in the second-level cache meanwhile.
    """
    return channels * inner * element_bytes > machine.resident_bytes


def group_channels(machine: Machine, element_bytes: int, channels: int, groups: int) -> int:
    """Return the channels of the fewest groups whose channels are whole vectors; 0 for none.

    Where as many groups do not divide all of them, vectors are of half the lanes.
    """
    lanes = machine.lanes(element_bytes)
    while lanes > 1 and groups > 1:
        count = lanes // gcd(lanes, channels)
        tile = count * channels
        whole = tile % min(tile, machine.lanes(element_bytes)) == 0
        if groups % count == 0 and whole and tile <= _most_vectors(machine) * lanes:
            return tile
        lanes //= 2
    return 0


def possible_tiles(
    machine: Machine, element_bytes: int, channels: int, columns: int
) -> list[ConvTile]:
    """Return all tiles of whole vectors whose sums fit into the registers."""
    lanes = vector_lanes(channels, machine.lanes(element_bytes))
    return [
        ConvTile(v * lanes, count, lanes, v * lanes)
        for v in range(1, min(channels // lanes, _most_vectors(machine)) + 1)
        for count in range(1, most_columns(machine, v, columns) + 1)
    ]


def whole_tile(
    machine: Machine,
    element_bytes: int,
    channels: int,
    widths: Widths,
    *,
    shares_inputs: bool = False,
) -> ConvTile:
    """Return the tile that holds all ``channels`` of a part, as it is packed.

    With ``shares_inputs`` taps along a row are unrolled. Compilers load an input once for all of
    them, so that the inputs of a tile need registers beside its sums.
    """
    lanes = min(machine.lanes(element_bytes), channels)
    vectors = channels // lanes
    most = machine.vector_registers // (vectors + 1) if shares_inputs else MAX_COLUMNS
    return ConvTile(channels, _columns(machine, vectors, widths, most), lanes, channels)


def _best(
    machine: Machine, tiles: Sequence[ConvTile], channels: int, widths: Widths, limit: int
) -> ConvTile:
    """Give each tile its pixels and return the one of the fewest cycles."""
    wide = [
        replace(tile, columns=_columns(machine, tile.channels // tile.lanes, widths, limit))
        for tile in tiles
    ]
    # Of equals the one with fewer channels: fewer weights pass for each pixel.
    return min(wide, key=lambda tile: (tile_cycles(machine, tile, channels, widths), tile.channels))


def tile_cycles(machine: Machine, tile: ConvTile, channels: int, widths: Widths) -> float:
    """Return the cycles of a step of the reduction, for a row of all channels."""
    tiles = -(-channels // tile.used)
    vectors = tile.channels // tile.lanes
    return tiles * _row_cycles(machine.costs, vectors, tile.columns, widths)


def _most_vectors(machine: Machine) -> int:
    """Return how many vectors of channels leave registers for one pixel."""
    return max(1, machine.vector_registers // 2 - 1)


def _room(machine: Machine, vectors: int) -> int:
    """Return how many pixels fit beside the weights and one input, and what is loaded early."""
    registers = machine.vector_registers
    sums = min(registers - vectors - 1, int(registers * SUMS_SHARE))
    return max(1, sums // vectors)


def most_columns(machine: Machine, vectors: int, columns: int) -> int:
    """Return how many pixels of a row a tile of ``vectors`` vectors may have."""
    return max(1, min(columns, _room(machine, vectors), MAX_COLUMNS))


def _columns(machine: Machine, vectors: int, widths: Widths, limit: int = MAX_COLUMNS) -> int:
    """Return the pixels of a tile of ``vectors`` vectors that give a row the fewest cycles.

    There are at most ``limit``.
    """
    most = min(most_columns(machine, vectors, widths[0]), max(limit, 1))
    costs = machine.costs
    return min(range(1, most + 1), key=lambda p: (_row_cycles(costs, vectors, p, widths), -p))


def _row_cycles(costs: CostModel, vectors: int, pixels: int, widths: Widths) -> float:
    """Return the cycles of a step of the reduction, for a row of one tile of channels.

    Of several widths that is the average, in which each pixel counts as one of the shortest row.
    """
    sums = vectors * pixels
    instructions = sums + vectors + pixels + costs.loop_instructions
    started = instructions / costs.instructions_per_cycle
    computed = max(sums / costs.fma_per_cycle, started, costs.fma_latency)
    step = computed + vectors * costs.l2_vector_cycles
    shortest = widths[0]
    tiles = sum(-(-width // pixels) * shortest / width for width in widths) / len(widths)
    return tiles * step
