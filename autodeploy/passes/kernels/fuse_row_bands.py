"""``fuse-row-bands``: kernels whose images are too large for the cache compute them in bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Block

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.passes.kernels.band_costs import (
    BandImage,
    band_bytes,
    band_rows,
    image_made,
    image_read,
    sums_channels,
)
from autodeploy.passes.kernels.proposals import FuseProposalsPass, Proposal, sole_producer
from autodeploy.templates.winograd.template import winograd_form


@dataclass(frozen=True)
class FuseRowBandsPass(FuseProposalsPass):
    """Put a convolution, and the pool, depthwise or 1x1 convolution that alone reads it, into one
    kernel of template ``row_bands``, where a cost rule for the machine says so.

    The rows of the result are then cut in bands, and of the image on the way as many rows as a band
    needs are computed for each. That pays where the image does not stay in the second-level cache,
    and what overlapping windows compute twice costs less than to write and to read it. A kernel
    takes in further ones in the same way: 1x1, depthwise, 1x1. Images are channels last with two
    spatial axes. With ``winograd``, convolutions that Winograd's algorithm is for are left alone.
    Bands are scratch memory: where they would take more than the images that they replace, kernels
    are left alone, too.
    """

    name = "fuse-row-bands"

    winograd: bool = False

    def proposals(self, block: Block, machine: Machine) -> Sequence[Proposal]:
        """Return what the cost rule would merge."""
        found: dict[KernelOp, Proposal] = {}
        for kernel in [op for op in block.ops if isinstance(op, KernelOp)]:
            producer = row_producer(kernel)
            if producer is None:
                continue
            if self.winograd and winograd_form(producer, machine) is not None:
                continue
            before = found[producer].kernels if producer in found else (producer,)
            images = band_images((*before, kernel), machine)
            rows = band_rows(machine, images)
            if rows is not None:
                found.pop(producer, None)
                bytes_ = machine.cores * band_bytes(images, rows)
                config = ConfigAttr("row_bands", {"bands": rows})
                found[kernel] = Proposal((*before, kernel), bytes_, config)
        return list(found.values())


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
