"""In which blocks a Winograd convolution is computed: the rule, by the bytes that move.

The image is worked on in bands of tile rows. A band's inputs are transformed once, for all input
channels. Then, a block of output channels at a time, come the products of all points, and the
output transform. The transformed filter is read once a band; the transformed inputs and the
products are written and read within it, from the second-level cache where both fit, else from
beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.passes.schedule.tiles import RESIDENT_SHARE

NEAR_BYTES = 2
"""Bytes from the second-level cache that cost as much as one of a stream from beyond."""

SCATTERED_BYTES = 8
"""Bytes of a stream that cost as much as one of the transformed tiles that the second-level cache
has no room for: these are fetched, written back and read again, in pieces far apart."""

EVEN_BANDS = 4
"""So many bands for each core keep all of them busy, whatever remains for the last round."""


@dataclass(frozen=True)
class WinogradShape:
    """Sizes of a Winograd convolution, of one image."""

    tile_rows: int
    tile_columns: int
    points: int
    """Points of a transformed tile, of both axes together."""
    inputs: int
    outputs: int
    tile_channels: int
    """Output channels whose sums are in registers at a time; they divide ``outputs``."""
    element_bytes: int

    @property
    def filter_bytes(self) -> int:
        """Return the bytes of the transformed filter."""
        return self.points * self.inputs * self.outputs * self.element_bytes

    def tile_bytes(self, channels: int) -> int:
        """Return the bytes of one transformed tile of so many channels."""
        return self.points * channels * self.element_bytes


@dataclass(frozen=True)
class Blocks:
    """A band of ``rows`` tile rows, ``channels`` output channels at a time.

    ``far_bytes`` are those of a stream from beyond the second-level cache that take as long as what
    all bands fetch from there. ``shares_bands`` says that several cores work on a band each;
    otherwise they share the only one: its tiles, then its channels.
    """

    rows: int
    channels: int
    far_bytes: int
    shares_bands: bool


def choose_blocks(machine: Machine, shape: WinogradShape) -> Blocks:
    """Return the blocks that move the least."""
    choices = list(_choices(machine, shape))
    return min(choices, key=lambda choice: (choice[0], choice[1].rows, choice[1].channels))[1]


def _choices(machine: Machine, shape: WinogradShape) -> Iterator[tuple[float, Blocks]]:
    cores = machine.cores
    for rows in _divisors(shape.tile_rows):
        bands = shape.tile_rows // rows
        if bands % cores == 0 or bands >= EVEN_BANDS * cores:
            yield from _blocks(machine, shape, rows, shares_bands=True)
        if cores > 1 and bands == 1:
            yield from _blocks(machine, shape, rows, shares_bands=False)


def _blocks(
    machine: Machine, shape: WinogradShape, rows: int, *, shares_bands: bool
) -> Iterator[tuple[float, Blocks]]:
    """Return the blocks of channels that there are for a band, each with its cost."""
    room = machine.l2_bytes // RESIDENT_SHARE
    bands, tiles = shape.tile_rows // rows, rows * shape.tile_columns
    inputs = tiles * shape.tile_bytes(shape.inputs)
    sizes = [n * shape.tile_channels for n in _divisors(shape.outputs // shape.tile_channels)]
    if not shares_bands:
        # Channels that cannot be shared evenly are shared as far as they can.
        sizes = [n for n in sizes if shape.outputs // n % machine.cores == 0] or sizes[:1]
    for channels in sizes:
        held = inputs + tiles * shape.tile_bytes(channels)
        near = inputs * (shape.outputs // channels)
        far = max(held - room, 0) * SCATTERED_BYTES
        if shape.filter_bytes + held <= room:
            near += shape.filter_bytes
        else:
            far += shape.filter_bytes
        blocks = Blocks(rows, channels, bands * far, shares_bands)
        yield bands * (far + near / NEAR_BYTES), blocks


def _divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]
