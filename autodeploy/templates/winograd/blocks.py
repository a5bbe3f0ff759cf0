"""In which blocks a Winograd convolution is computed: the rule, by the bytes that move.

The image is worked on in bands of tile rows. A band's inputs are transformed once, for all input
channels. Then, a block of output channels at a time, come the products of all points, and the
output transform. The transformed filter is read once a band; the transformed inputs and the
products are written and read within it, from the second-level cache where both fit, else from
beyond.

Each core computes bands of its own. Where bands do not divide the rows, the last one reaches below
the end. Where there are too few rows this costs more than it balances, and where a large filter
takes longer to come than the products: then the cores share one band. Each reads a part of the
filter, but also the inputs that the others have transformed. So it has to cost less whether the
products wait for their filter or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autodeploy.machine import Machine
from autodeploy.templates.space import divisors
from autodeploy.templates.tiles import MAX_COLUMNS


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
    def channel_tiles(self) -> int:
        """Return how many tiles of output channels there are."""
        return self.outputs // self.tile_channels

    @property
    def filter_bytes(self) -> int:
        """Return the bytes of the transformed filter."""
        return self.points * self.inputs * self.outputs * self.element_bytes

    def tile_bytes(self, channels: int) -> int:
        """Return the bytes of one transformed tile of ``channels`` channels."""
        return self.points * channels * self.element_bytes


@dataclass(frozen=True)
class Blocks:
    """A band of ``rows`` tile rows, ``channels`` output channels at a time."""

    rows: int
    channels: int
    far_bytes: float
    """Bytes of a stream from beyond the second-level cache that take as long as what the core that
    has most to do fetches from there."""
    filter_bytes: float
    """Those of them that are of the filter, which is read in the order in which it lies."""
    share: float
    """The part of the work that this core does."""
    shares_bands: bool
    """Several cores work on a band each. Otherwise they share the only one: its tiles, then its
    channels."""


def choose_blocks(machine: Machine, shape: WinogradShape, *, whole: bool = False) -> Blocks:
    """Return the blocks by which the core that has most to do is done first.

    With ``whole`` bands divide the rows of tiles.
    """
    bands = list(_bands(machine, shape, whole=whole))
    if machine.cores == 1:
        return _cheapest(bands).blocks
    parts = list(_blocks(machine, shape, shape.tile_rows, shares_bands=False))
    own, shared = _cheapest(bands), _cheapest(parts)
    pays = shared.cost < own.cost and shared.fetched_cost < own.fetched_cost
    return (shared if pays else own).blocks


@dataclass(frozen=True)
class _Choice:
    """Blocks, and what they cost."""

    blocks: Blocks
    cost: float
    """In bytes of a stream, where products wait for their filter."""
    fetched_cost: float
    """The like, where the filter comes while products are computed, if it can."""


def _cheapest(choices: Sequence[_Choice]) -> _Choice:
    return min(
        choices, key=lambda choice: (choice.cost, choice.blocks.rows, choice.blocks.channels)
    )


def _bands(machine: Machine, shape: WinogradShape, *, whole: bool) -> Iterator[_Choice]:
    cores = machine.cores
    for rows in range(1, shape.tile_rows + 1):
        # The last band reaches below the end to give each core as many bands, for nothing else.
        even = cores > 1 and -(-shape.tile_rows // rows) % cores == 0
        if shape.tile_rows % rows == 0 or (even and not whole):
            yield from _blocks(machine, shape, rows, shares_bands=True)


def _blocks(
    machine: Machine, shape: WinogradShape, rows: int, *, shares_bands: bool
) -> Iterator[_Choice]:
    """Return the blocks of channels that there are for a band, each with its cost.

    The cost is that of the busiest core, in bytes of a stream. Where bands do not divide the rows
    the last one takes as long as the others.
    """
    costs, room = machine.costs, machine.resident_bytes
    stream = costs.streamed_bytes_per_cycle
    near_cost = stream / costs.l2_wait_bytes_per_cycle
    scattered_cost = stream / costs.scattered_bytes_per_cycle
    bands, tiles = -(-shape.tile_rows // rows), rows * shape.tile_columns
    inputs = tiles * shape.tile_bytes(shape.inputs)
    steps = tiles * shape.points * shape.inputs * shape.outputs
    work = steps / machine.lanes(shape.element_bytes) / costs.steps_per_cycle * stream
    for channels in (n * shape.tile_channels for n in divisors(shape.channel_tiles)):
        blocks = shape.outputs // channels
        held = inputs + tiles * shape.tile_bytes(channels)
        near = inputs * blocks
        far = max(held - room, 0) * scattered_cost
        stays = shape.filter_bytes + held <= room
        if stays:
            near += shape.filter_bytes
        else:
            far += shape.filter_bytes
        if shares_bands:
            times: float = -(-bands // machine.cores)
            share = times * rows / shape.tile_rows
            far_bytes: float = times * far
        else:
            times = share = -(-blocks // machine.cores) / blocks
            # Most of the inputs are fetched from the cache of the core that has transformed them.
            others = inputs * (machine.cores - 1) / machine.cores
            far_bytes = times * far + others * scattered_cost
        cost = times * (work + near * near_cost) + far_bytes
        fetched = 0 if stays else times * shape.filter_bytes
        waited = cost - fetched
        if can_fetch_ahead(machine, shape, tiles):
            unhurried = fetched * stream / costs.beyond_l2_bytes_per_cycle
            waited += max(unhurried - times * work, 0)
        else:
            waited += fetched
        blocks_ = Blocks(rows, channels, far_bytes, fetched, share, shares_bands)
        yield _Choice(blocks_, cost, waited)


def can_fetch_ahead(machine: Machine, shape: WinogradShape, tiles: int) -> bool:
    """Tell whether products of a point last long enough to fetch the panel of the next one.

    Each step of a group of tiles fetches a line at most. Products of few groups wait for their
    weights: 12x12 pixels are one group of F(4 x 4), with two lines to a step of 32 channels.
    """
    groups = -(-tiles // most_tiles(machine, shape.tile_channels, shape.element_bytes))
    lines = -(-shape.tile_channels * shape.element_bytes // machine.line_bytes)
    return machine.fetches_ahead and groups >= lines


def most_tiles(machine: Machine, channels: int, element_bytes: int) -> int:
    """Return how many tiles fit into the registers beside ``channels`` weights and an input."""
    vectors = channels // min(machine.lanes(element_bytes), channels)
    return min((machine.vector_registers - vectors - 1) // vectors, MAX_COLUMNS)
