"""What it costs to compute images in bands of rows, each image for the next.

In a kernel of its own, an anchor writes an image that exceeds the second-level cache to the
third-level one or to memory, and the next kernel reads it from there. Bands stay in the cache; but
where windows overlap, the rows between two bands are computed for both. A cost is an estimate of
core cycles, like those of ``conv_costs``. Images are channels last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import result_layout
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.conv_costs import row_cycles
from autodeploy.templates.direct_conv.tile import conv_tile
from autodeploy.templates.row_bands.bands import rows_of_band

BAND_SHARE = 2 / 3
"""Bands may take so much of the second-level cache. What one band leaves there the next one writes
over, so little else passes; and the higher a band is, the fewer rows are computed twice."""

WORTH_IT = 0.5
"""What is computed twice may cost so much of what moving the images would."""


@dataclass(frozen=True)
class BandImage:
    """An image of N x H x W pixels, and what computing a row of it takes.

    A row needs ``reach`` rows of the image before, the next one those ``stride`` rows further down.
    The image that the first anchor reads is not computed: its numbers behind ``row_bytes`` are 0.
    """

    batch: int
    height: int
    row_bytes: int
    row_cycles: float = 0
    filter_bytes: int = 0
    reach: int = 0
    stride: int = 0

    @property
    def bytes(self) -> int:
        """Return the bytes of the whole image."""
        return self.batch * self.height * self.row_bytes


def image_read(anchor: AnchorOp) -> BandImage:
    """Return the image that an anchor reads; rows of its two orders have as many bytes."""
    value = anchor.operands[0]
    shape = shape_of(value.type)
    channels_first = isinstance(anchor, ConvOp) and result_layout(anchor.layout) != anchor.layout
    height = shape[2] if channels_first else shape[1]
    row = prod(shape[1:]) // height * ELEMENT_BYTES[element_of(value.type)]
    return BandImage(shape[0], height, row)


def image_made(anchor: ConvOp | PoolOp, machine: Machine) -> BandImage:
    """Return the image that an anchor makes, by the tiles in which its template computes it."""
    batch, height, width, channels = shape_of(anchor.result.type)
    bytes_ = ELEMENT_BYTES[element_of(anchor.result.type)]
    window = anchor.filter_shape[2] if isinstance(anchor, ConvOp) else ints(anchor.window)
    reach = (window[0] - 1) * ints(anchor.dilations)[0] + 1
    filter_bytes = 0
    if isinstance(anchor, ConvOp):
        filter_bytes = prod(shape_of(anchor.filter.type)) * bytes_
    if isinstance(anchor, ConvOp) and sums_channels(anchor):
        inner = prod(window) * anchor.filter_shape[1]
        tile = conv_tile(machine, bytes_, channels, width, batch * height, inner)
        cycles = row_cycles(machine, tile, -(-channels // tile.used), width, inner)
    else:
        vectors = -(-channels // machine.lanes(bytes_))
        cycles = width * vectors * prod(window) / machine.costs.window_steps_per_cycle
    stride = ints(anchor.strides)[0]
    return BandImage(batch, height, width * channels * bytes_, cycles, filter_bytes, reach, stride)


def sums_channels(conv: ConvOp) -> bool:
    """Tell whether a convolution sums over several channels, all those of its image."""
    return conv.groups.value.data == 1 and conv.filter_shape[1] > 1


def band_rows(machine: Machine, images: Sequence[BandImage]) -> tuple[int, ...] | None:
    """Return how many rows of each image make a band, where bands cost less; else ``None``.

    ``images`` are those of ``rows_of_band``. Each image on the way must be too large for the
    second-level cache, where the one that is read meanwhile passes, too. Bands of them must stay
    there beside the filters, and those of all cores must take no more memory than the smallest of
    the images did. Of three anchors or more, the first ones are in bands already: it is the last
    image on the way that must be worth what higher or lower bands of all cost.
    """
    between = images[1:-1]
    if not all(is_far(machine, old.bytes, new.bytes) for old, new in pairwise(images[:-1])):
        return None
    best = _best_rows(machine, images)
    if best is None:
        return None
    lost = _lost_cycles(machine, images, best)
    before = _best_rows(machine, images[:-1]) if len(between) > 1 else None
    if before is not None:
        lost -= _lost_cycles(machine, images[:-1], before)
    moved = 2 * between[-1].bytes / machine.costs.far_bytes_per_cycle / machine.cores
    return rows_of_band(images, best) if lost <= moved * WORTH_IT else None


def _best_rows(machine: Machine, images: Sequence[BandImage]) -> int | None:
    """Return how many rows of the last image make a band, ``None`` where no band fits."""
    fitting = [
        rows
        for rows in range(1, images[-1].height + 1)
        if _fits(machine, images, rows_of_band(images, rows))
    ]
    return min(fitting, key=lambda rows: (_cycles(machine, images, rows), rows), default=None)


def _lost_cycles(machine: Machine, images: Sequence[BandImage], rows: int) -> float:
    """Return the cycles by which bands take longer than images that all cores share evenly."""
    alone = sum(image.batch * image.height * image.row_cycles for image in images)
    return _cycles(machine, images, rows) - alone / machine.cores


def is_far(machine: Machine, read_bytes: int, made_bytes: int) -> bool:
    """Tell whether an image exceeds the second-level cache beside the one that it is made of."""
    large = made_bytes > machine.resident_bytes
    return large and read_bytes + made_bytes > machine.l2_bytes


def _fits(machine: Machine, images: Sequence[BandImage], rows: Sequence[int]) -> bool:
    """Tell whether bands stay in the cache of a core, and those of all cores are below an image."""
    bands, filters = band_bytes(images, rows), sum(image.filter_bytes for image in images)
    near = bands + filters <= machine.l2_bytes * BAND_SHARE
    return near and bands * machine.cores <= min(image.bytes for image in images[1:-1])


def band_bytes(images: Sequence[BandImage], rows: Sequence[int]) -> int:
    """Return the bytes of all bands that ``rows`` of the images, but the result, make at a time."""
    counted = zip(images[:-1], rows[:-1], strict=True)
    return sum(image.row_bytes * count for image, count in counted)


def _cycles(machine: Machine, images: Sequence[BandImage], rows: int) -> float:
    """Return the cycles until the core that has the most bands has computed them."""
    counts = rows_of_band(images, rows)
    band = sum(image.row_cycles * count for image, count in zip(images, counts, strict=True))
    bands = -(-images[-1].height // rows)
    filter_bytes = sum(image.filter_bytes for image in images)
    filters = filter_bytes / machine.costs.l2_wait_bytes_per_cycle
    return images[-1].batch * -(-bands // machine.cores) * (band + filters)
