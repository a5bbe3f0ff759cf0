"""In which blocks a Winograd convolution of several groups is computed: the rule.

A group reads inputs and weights of its own. So whole groups make a block of channels: the inputs of
that block are transformed, multiplied and transformed back, and no other block reads them. Blocks
are the outermost loop. Within one, the image is worked on in bands of tile rows, so that the
transformed tiles of a band lie in the first-level cache from one step to the next. All bands read
the same filter, which is small, from the second-level cache.

Several cores take a band each instead, the outermost loop then, in which all blocks follow each
other. Each core reads the whole filter, once a band where it does not stay in the second-level
cache, and hardly more than its own part of the image. Where there are too few rows cores share the
blocks; then each fetches most of its inputs from where the others have made them, and so does who
reads the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from autodeploy.machine import Machine
from autodeploy.templates.tiles import best_divisor
from autodeploy.templates.winograd.blocks import WinogradShape, most_tiles

L1_SHARE = 3 / 4
"""The part of the first-level cache that transformed tiles find room in: weights pass through it,
too. As measured with AVX2 and groups of 8 channels, bands that fill it take 1.1 times as long."""


@dataclass(frozen=True)
class GroupedShape:
    """Sizes of a Winograd convolution of several groups, of one image."""

    group: WinogradShape
    """The sizes of a group."""
    groups: int
    image_bytes: int
    """Bytes of the image and of the result, of all groups."""

    @property
    def filter_bytes(self) -> int:
        """Return the bytes of the transformed filter, of all groups."""
        return self.group.filter_bytes * self.groups

    def groups_of_block(self, machine: Machine) -> int:
        """Return how many groups make a block, by the rule.

        They are the fewest whose inputs of a pixel take a cache line.
        """
        input_bytes = self.group.inputs * self.group.element_bytes
        least = min(ceil(machine.line_bytes / input_bytes), self.groups)
        return next(n for n in range(least, self.groups + 1) if self.groups % n == 0)


@dataclass(frozen=True)
class GroupedBlocks:
    """A band of ``rows`` tile rows, ``channels`` output channels at a time."""

    rows: int
    channels: int
    product_cycles: float
    """Cycles of the products of the core that has most to do, of one image."""
    filter_cycles: float
    """Cycles in which its filter comes from beyond the second-level cache."""
    image_cycles: float
    """Cycles in which inputs come that other cores have made, and results go to others."""
    share: float
    """The part of the work that this core does."""
    shares_bands: bool
    """Several cores work on a band each. Otherwise they share the blocks."""

    @property
    def cycles(self) -> float:
        """Return what tells blocks apart; the filter comes while products are computed."""
        return max(self.product_cycles, self.filter_cycles) + self.image_cycles


def choose_grouped_blocks(
    machine: Machine, shape: GroupedShape, *, whole: bool = False
) -> GroupedBlocks:
    """Return the blocks by which the core that has most to do is done first.

    With ``whole`` bands divide the rows of tiles.
    """
    choices = _choices(machine, shape, whole=whole)
    return min(choices, key=lambda blocks: (blocks.cycles, blocks.product_cycles, blocks.rows))


def _choices(machine: Machine, shape: GroupedShape, *, whole: bool) -> Iterator[GroupedBlocks]:
    cores, tile_rows = machine.cores, shape.group.tile_rows
    of_block = shape.groups_of_block(machine)
    blocks, channels = shape.groups // of_block, of_block * shape.group.outputs
    filter_ = shape.filter_bytes / machine.costs.beyond_l2_bytes_per_cycle
    stays = shape.filter_bytes <= machine.resident_bytes
    for rows in range(1, tile_rows + 1):
        if whole and tile_rows % rows:
            continue
        bands, band = ceil(tile_rows / rows), blocks * _band_cycles(machine, shape, rows)
        if cores > 1 and bands >= cores:
            times = ceil(bands / cores)
            read, share = filter_ * (1 if stays else times), times * rows / tile_rows
            yield GroupedBlocks(rows, channels, times * band, read, 0, share, True)
        share = ceil(blocks / cores) / blocks
        moved = _others_cycles(machine, shape)
        products = share * bands * band
        yield GroupedBlocks(rows, channels, products, share * filter_, moved, share, False)


def _band_cycles(machine: Machine, shape: GroupedShape, rows: int) -> float:
    """Return the cycles of the products of a block in a band of ``rows`` tile rows.

    The sums of few tiles wait for each other. What a cache has no room for comes from the next one.
    """
    costs, group = machine.costs, shape.group
    tiles = rows * group.tile_columns
    size = best_divisor(tiles, most_tiles(machine, group.tile_channels, group.element_bytes))
    vectors = ceil(group.tile_channels / machine.lanes(group.element_bytes))
    # Each group of tiles costs one more for filling the registers.
    step = max((size + 1) * vectors / costs.steps_per_cycle, costs.fma_latency)
    of_block = shape.groups_of_block(machine)
    steps = group.points * group.inputs * group.channel_tiles * of_block
    held = tiles * group.tile_bytes(group.inputs + group.outputs) * of_block
    passed = max(held - machine.l1_bytes * L1_SHARE, 0) / costs.passing_bytes_per_cycle
    far = max(held - machine.resident_bytes, 0) / costs.scattered_bytes_per_cycle
    return ceil(tiles / size) * step * steps + passed + far


def _others_cycles(machine: Machine, shape: GroupedShape) -> float:
    """Return the cycles in which images pass between cores that share the blocks.

    A core transforms the inputs of its own blocks. Another core wrote all but 1/n of them, where
    there are n cores. Results, too, are read by other cores, all but 1/n of them.
    """
    own = shape.image_bytes / machine.cores
    passed = own * (machine.cores - 1) / machine.cores
    return passed / machine.costs.scattered_bytes_per_cycle
