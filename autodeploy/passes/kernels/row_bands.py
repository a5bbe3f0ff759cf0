"""Row bands: images that are too large for the cache, each computed of the one before in bands.

A convolution, and the pools, depthwise and 1x1 convolutions of which each alone reads the one
before (expand, depthwise, project), become one kernel of template ``row_bands``. The rows of the
result are cut in bands, and of each image on the way as many rows as a band needs are computed for
it: where windows overlap, those between two bands twice. Images are channels last with two spatial
axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import Block

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.types import ELEMENT_BYTES, byte_size, element_of, is_float, shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.passes.kernels.fusion_costs import gain, is_far, stays_near
from autodeploy.passes.kernels.proposals import Proposal, sole_producer
from autodeploy.templates.conv_costs import row_cycles
from autodeploy.templates.direct_conv.tile import conv_tile
from autodeploy.templates.row_bands.bands import rows_of_band
from autodeploy.templates.winograd.template import winograd_form


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
        filter_bytes = byte_size(anchor.filter.type)
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


def best_bands(
    machine: Machine, images: Sequence[BandImage]
) -> tuple[tuple[int, ...], float] | None:
    """Return how many rows of each image make a band, and what that gains; ``None`` for no band.

    ``images`` are those of ``rows_of_band``. Each image on the way must be too large for the
    second-level cache, where the one that is read meanwhile passes, too. Bands of them must stay
    there beside the filters, and those of all cores must take no more memory than the smallest of
    the images did.
    """
    if not all(is_far(machine, old.bytes, new.bytes) for old, new in pairwise(images[:-1])):
        return None
    fitting = [
        rows
        for rows in range(1, images[-1].height + 1)
        if _fits(machine, images, rows_of_band(images, rows))
    ]
    if not fitting:
        return None
    best = min(fitting, key=lambda rows: (_cycles(machine, images, rows), rows))
    alone = sum(image.batch * image.height * image.row_cycles for image in images)
    lost = _cycles(machine, images, best) - alone / machine.cores
    moved = 2 * sum(image.bytes for image in images[1:-1])
    return rows_of_band(images, best), gain(machine, moved, lost)


def _fits(machine: Machine, images: Sequence[BandImage], rows: Sequence[int]) -> bool:
    """Tell whether bands stay in the cache of a core, and those of all cores are below an image."""
    bands, filters = band_bytes(images, rows), sum(image.filter_bytes for image in images)
    least = min(image.bytes for image in images[1:-1])
    return stays_near(machine, bands + filters) and bands * machine.cores <= least


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


def row_bands(block: Block, machine: Machine, *, winograd: bool) -> Iterator[Proposal]:
    """Yield chains that could be computed in bands; what is Winograd's is left alone.

    A chain is proposed with one more kernel where that gains more than the chain without.
    """
    ending: dict[KernelOp, Proposal] = {}
    for kernel in [op for op in block.ops if isinstance(op, KernelOp)]:
        producer = row_producer(kernel)
        if producer is None or (winograd and winograd_form(producer, machine) is not None):
            continue
        before = ending.get(producer)
        chain = (*(before.kernels if before else (producer,)), kernel)
        images = band_images(chain, machine)
        rows, gained = best_bands(machine, images) or (None, 0)
        if rows is not None and gained >= (before.gain if before else 0):
            config = ConfigAttr("row_bands", {"bands": rows})
            bytes_ = machine.cores * band_bytes(images, rows)
            ending[kernel] = Proposal(chain, config, gained, bytes_)
            yield ending[kernel]


def band_images(kernels: Sequence[KernelOp], machine: Machine) -> list[BandImage]:
    """Return the image that the first of a chain of kernels reads, and those that each makes."""
    anchors = [anchor for kernel in kernels for anchor in kernel.anchors]
    made = [image_made(a, machine) for a in anchors if isinstance(a, ConvOp | PoolOp)]
    return [image_read(anchors[0]), *made]


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
    """Tell whether an anchor has a window over single channels, or is a 1x1 convolution."""
    if isinstance(anchor, PoolOp):
        return anchor.layout == CHANNELS_LAST and _is_image(anchor)
    if not isinstance(anchor, ConvOp) or not _makes_rows(anchor):
        return False
    window, strides = anchor.filter_shape[2], ints(anchor.strides)
    pointwise = {*window, *strides} == {1} and not any(ints(anchor.pads))
    return anchor.layout == CHANNELS_LAST and (_is_depthwise(anchor) or pointwise)


def _makes_rows(anchor: AnchorOp) -> bool:
    """Tell whether an anchor is a convolution over all channels or a depthwise one."""
    return (
        isinstance(anchor, ConvOp)
        and result_layout(anchor.layout) == CHANNELS_LAST
        and anchor.is_kernel_in_out
        and (_is_depthwise(anchor) or sums_channels(anchor))
        and _is_image(anchor)
    )


def _is_image(anchor: AnchorOp) -> bool:
    """Tell whether images have two spatial axes, numbers with a point, and any element at all."""
    shapes = [shape_of(value.type) for value in (anchor.operands[0], *anchor.results)]
    floats = is_float(element_of(anchor.results[0].type))
    return floats and all(len(shape) == 4 and prod(shape) for shape in shapes)


def _is_depthwise(conv: ConvOp) -> bool:
    outputs, channels, window = conv.filter_shape
    return channels == 1 and conv.groups.value.data == outputs > 1 and prod(window) > 1
