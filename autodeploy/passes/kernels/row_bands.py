"""Row bands: images that are too large for the cache, each computed of the one before in bands.

A convolution, and the pools, depthwise and 1x1 convolutions of which each alone reads the one
before (expand, depthwise, project), become one kernel of template ``row_bands``. The rows of the
result are cut in bands, and of each image on the way as many rows as a band needs are computed for
it: where windows overlap, those between two strips of bands twice. Images are channels last with
two spatial axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import Block
from xdsl.ir.affine import AffineExpr

from autodeploy.dialects.nn.base import AnchorOp, AxisRead
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.structure import IteratorKind, StructuredOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, byte_size, element_of, is_float
from autodeploy.machine import Machine
from autodeploy.passes.kernels.fusion_costs import exceeds_l2, fits_l2, gain
from autodeploy.passes.kernels.proposals import Proposal, sole_producer
from autodeploy.templates.conv_costs import row_cycles
from autodeploy.templates.direct_conv.tile import conv_tile
from autodeploy.templates.row_bands.bands import bands_of_strip, rows_of_band
from autodeploy.templates.winograd.template import winograd_form

SAME = 1.03
"""Among bands of about the same cost the lowest are taken: they stay in nearer caches."""


@dataclass(frozen=True)
class BandImage:
    """An image of N x H x W pixels, and the cost of a row.

    A row needs ``reach`` rows of the image before, the next one those ``stride`` rows further down.
    The image that the first anchor reads is not computed: its numbers after ``row_bytes`` are 0.
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


def image_read(anchor: StructuredOp) -> BandImage:
    """Return the image that an anchor reads; rows of its two orders have as many bytes."""
    value = anchor.operands[0]
    shape = bounds_of(value.type)
    height = shape[anchor.window_reads()[0].axis]
    return BandImage(shape[0], height, byte_size(value.type) // shape[0] // height)


def image_made(anchor: StructuredOp, machine: Machine) -> BandImage:
    """Return the image that an anchor makes, by the tiles in which its template computes it."""
    batch, height, width, channels = bounds_of(anchor.result.type)
    bytes_ = ELEMENT_BYTES[element_of(anchor.result.type)]
    rows = anchor.window_reads()[0]
    filter_bytes = sum(byte_size(value.type) for value in anchor.operands[1:2])
    inner = prod(i.extent for i in anchor.iterators if i.kind != IteratorKind.PARALLEL)
    if sums_channels(anchor):
        tile = conv_tile(machine, bytes_, channels, (width,))
        cycles = row_cycles(machine, tile, -(-channels // tile.used), width, inner)
    else:
        vectors = -(-channels // machine.lanes(bytes_))
        cycles = width * vectors * inner / machine.costs.window_steps_per_cycle
    row_bytes = width * channels * bytes_
    return BandImage(batch, height, row_bytes, cycles, filter_bytes, rows.reach, rows.stride)


def sums_channels(anchor: StructuredOp) -> bool:
    """Return whether an anchor sums over several channels, all those of its image."""
    summed = {
        number
        for number, iterator in enumerate(anchor.iterators)
        if iterator.kind == IteratorKind.REDUCTION and iterator.extent > 1
    }
    return any(
        read is not None and read.inner and read.iterator in summed
        for read in anchor.axis_reads(0) or ()
    )


def best_bands(
    machine: Machine, images: Sequence[BandImage]
) -> tuple[tuple[int, ...], float] | None:
    """Return the rows of each image in a band, and the gain; ``None`` for no band.

    ``images`` are those of ``rows_of_band``. Each image on the way must be too large for the
    second-level cache, where the one that is read meanwhile passes, too. Bands of them must stay
    there together with the filters, and those of all cores must take no more memory than the
    smallest of the images did. The gain is that of bands which each make all of their rows: chains
    that pay only where rows are kept from band to band were not faster."""
    if not all(exceeds_l2(machine, old.bytes, new.bytes) for old, new in pairwise(images[:-1])):
        return None
    fitting = [
        rows
        for rows in range(1, images[-1].height + 1)
        if _fits(machine, images, rows_of_band(images, rows))
    ]
    if not fitting:
        return None
    costs = {rows: _cycles(machine, images, rows, keeps=True) for rows in fitting}
    best = min(rows for rows in fitting if costs[rows] <= SAME * min(costs.values()))
    alone = sum(image.batch * image.height * image.row_cycles for image in images)
    lost = min(_cycles(machine, images, rows) for rows in fitting) - alone / machine.cores
    moved = 2 * sum(image.bytes for image in images[1:-1])
    return rows_of_band(images, best), gain(machine, moved, lost)


def _fits(machine: Machine, images: Sequence[BandImage], rows: Sequence[int]) -> bool:
    """Return whether bands fit the L2 of a core, and those of all cores are below an image."""
    bands, filters = band_bytes(images, rows), sum(image.filter_bytes for image in images)
    least = min(image.bytes for image in images[1:-1])
    return fits_l2(machine, bands + filters) and bands * machine.cores <= least


def band_bytes(images: Sequence[BandImage], rows: Sequence[int]) -> int:
    """Return the bytes of all bands that ``rows`` of the images, but the result, make at a time."""
    counted = zip(images[:-1], rows[:-1], strict=True)
    return sum(image.row_bytes * count for image, count in counted)


def _cycles(
    machine: Machine, images: Sequence[BandImage], rows: int, *, keeps: bool = False
) -> float:
    """Return the cycles until the core that has the most bands has computed them.

    Bands that ``keep`` rows make strips, whose rows are made once.
    """
    strip = bands_of_strip(images, rows, machine.cores) if keeps else 1
    counts = rows_of_band(images, strip * rows)
    computed = sum(image.row_cycles * count for image, count in zip(images, counts, strict=True))
    strips = -(-images[-1].height // (strip * rows))
    filter_bytes = sum(image.filter_bytes for image in images)
    filters = strip * filter_bytes / machine.costs.l2_wait_bytes_per_cycle
    return images[-1].batch * -(-strips // machine.cores) * (computed + filters)


def row_bands(block: Block, machine: Machine, *, winograd: bool) -> Iterator[Proposal]:
    """Yield chains that could be computed in bands; what is Winograd's is left alone.

    A chain may begin with any of its kernels. It is proposed with one more kernel where that gains
    more than the chain without.
    """
    ending: dict[KernelOp, list[Proposal]] = {}
    for kernel in [op for op in block.ops if isinstance(op, KernelOp)]:
        producer = row_producer(kernel)
        if producer is None or (winograd and winograd_form(producer, machine) is not None):
            continue
        found = ending.setdefault(kernel, [])
        for before in (None, *ending.get(producer, ())):
            chain = (*(before.kernels if before else (producer,)), kernel)
            images = band_images(chain, machine)
            rows, gained = best_bands(machine, images) or (None, 0)
            if rows is not None and gained >= (before.gain if before else 0):
                config = ConfigAttr("row_bands", {"bands": rows})
                bytes_ = machine.cores * band_bytes(images, rows)
                found.append(Proposal(chain, config, gained, bytes_))
        yield from found


def band_images(kernels: Sequence[KernelOp], machine: Machine) -> list[BandImage]:
    """Return the image that the first of a chain of kernels reads, and those that each makes."""
    anchors = _anchors(kernels)
    return [image_read(anchors[0]), *(image_made(anchor, machine) for anchor in anchors)]


def _anchors(kernels: Sequence[KernelOp]) -> list[StructuredOp]:
    return [op for kernel in kernels for op in kernel.anchors if isinstance(op, StructuredOp)]


def row_producer(kernel: KernelOp) -> KernelOp | None:
    """Return the kernel whose only result is read by nothing but the anchor of another, as image.

    Both must be of kinds that are computed row by row from rows.
    """
    producer = sole_producer(kernel)
    if producer is None or not producer.anchors:
        return None
    (anchor,) = kernel.anchors
    if not _reads_rows(anchor) or not all(_makes_rows(op) for op in producer.anchors):
        return None
    return producer


def _reads_rows(anchor: AnchorOp) -> bool:
    """Return whether an anchor has a window over single channels, or is a 1x1 convolution."""
    if not isinstance(anchor, StructuredOp) or not _is_image(anchor):
        return False
    rows, columns = anchor.window_reads()
    if (rows.axis, columns.axis) != (1, 2):
        return False
    if len(anchor.operands) == 1:
        return True
    shapes = (bounds_of(value.type)[:-1] for value in (anchor.operands[0], anchor.result))
    same = len(set(shapes)) == 1 and {*rows[2:], *columns[2:]} == {1}
    return _makes_rows(anchor) and (_is_depthwise(anchor) or same)


def _makes_rows(anchor: AnchorOp) -> bool:
    """Return whether an anchor is a convolution over all channels or a depthwise one.

    Its filter has the output channels innermost.
    """
    if not isinstance(anchor, ContractionOp) or not _is_image(anchor):
        return False
    stored = anchor.indexing_maps[1]
    innermost = stored is not None and stored.results[-1] == AffineExpr.dimension(3)
    return innermost and (_is_depthwise(anchor) or sums_channels(anchor))


def _is_image(anchor: StructuredOp) -> bool:
    """Return whether windows move along two axes of floats, with results in channels last."""
    windows = [window.result_axis for window in anchor.window_reads()]
    shapes = [bounds_of(value.type) for value in (anchor.operands[0], anchor.result)]
    floats = is_float(element_of(anchor.result.type))
    return windows == [1, 2] and floats and all(len(shape) == 4 and prod(shape) for shape in shapes)


def _is_depthwise(anchor: StructuredOp) -> bool:
    """Return whether each channel is computed from the same channel, by more than one element."""
    reads = anchor.axis_reads(0) or ()
    inner = prod(i.extent for i in anchor.iterators if i.kind != IteratorKind.PARALLEL)
    return AxisRead(3) in reads and bounds_of(anchor.result.type)[3] > 1 and inner > 1
