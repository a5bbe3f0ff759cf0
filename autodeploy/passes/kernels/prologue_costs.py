"""What it costs to compute an image within the kernel that reads it.

In a kernel of its own, a pointwise op writes its image to the cache that has room for it, and the
next kernel reads it from there. Within the kernel of a product, a block of its rows stays in the
second-level cache until all columns are computed. A convolution that pads copies its image anyway,
whole or in bands of rows, and computes it during the copy. A cost is an estimate of core cycles,
like those of ``conv_costs``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from autodeploy.machine import Machine
from autodeploy.passes.kernels.band_costs import BAND_SHARE, WORTH_IT, is_far
from autodeploy.templates.direct_conv.image_rows import image_rows
from autodeploy.templates.gemm.order import product_order
from autodeploy.templates.gemm.tile import ANY, product_tile
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class ComputedImage:
    """An image, or a left-hand side, that pointwise ops make."""

    bytes: int
    read_bytes: int
    """Bytes of what it is made of."""
    cycles: float
    """What one core takes to compute all of it once."""


@dataclass(frozen=True)
class ProductShape:
    """A product of rows x inner by inner x columns, or a stack of them, extents innermost first."""

    rows: int
    inner: int
    columns: int
    stack: Sequence[int]
    element_bytes: int


@dataclass(frozen=True)
class ConvImage:
    """How a convolution reads its image: the rows of its result, and what there is of the image.

    A row of the result reads ``reach`` rows, the next one those ``stride`` rows further down.
    """

    height: int
    rows: int
    """Rows of the images of the batch."""
    reach: int
    stride: int
    padded: bool
    tiles_first: bool
    grouped: bool
    work: int
    """Updates of the kernel."""


def product_scratch(machine: Machine, image: ComputedImage, shape: ProductShape) -> int | None:
    """Return the bytes of rows that all cores have at a time; ``None`` where it does not pay.

    The image must be too large for the second-level cache, in which blocks of its rows, those that
    they are made of, and the right-hand side then stay. Cores share blocks, as they do where rows
    that many are read, so that each row is made once.
    """
    if shape.rows < 2 or not is_far(machine, image.read_bytes, image.bytes):
        return None
    sizes = shape.columns, shape.rows, shape.inner
    tile = product_tile(machine, shape.element_bytes, *sizes, packed_columns=ANY)
    results = prod(shape.stack) * shape.rows * shape.columns
    order = product_order(
        machine,
        shape.element_bytes,
        tile,
        *sizes,
        shape.stack,
        shared=results * (shape.inner + STORED_WORK) >= machine.costs.parallel_work,
        made=True,
        filled_up=True,
    )
    block = min(order.block * tile.rows, shape.rows) * shape.inner * shape.element_bytes
    right = shape.inner * shape.columns * shape.element_bytes
    fits = 2 * block + right <= machine.l2_bytes * BAND_SHARE
    return block * machine.cores if fits else None


def conv_scratch(machine: Machine, image: ComputedImage, conv: ConvImage) -> int | None:
    """Return the bytes of rows that all cores have at a time, beyond those that are padded anyway.

    ``None`` where it does not pay: where nothing is padded, and the image stays in the second-level
    cache or would be computed as a whole; and where more is computed, for two bands or by one core
    that all wait for, than it takes to move the image.
    """
    far = is_far(machine, image.read_bytes, image.bytes)
    shared = machine.cores > 1 and conv.work >= machine.costs.parallel_work
    rows = image_rows(
        machine,
        conv.height,
        image.bytes,
        tiles_first=conv.tiles_first,
        grouped=conv.grouped,
        shared=shared,
    )
    if not conv.padded and not (rows and far):
        return None
    reached = (rows - 1) * conv.stride + conv.reach if rows else 0
    twice = max(reached / (rows * conv.stride), 1) if rows else 1
    busy = machine.cores if rows and shared else 1
    lost = image.cycles * (twice / busy - 1 / machine.cores)
    costs = machine.costs
    moved = 2 * image.bytes / (costs.far_bytes_per_cycle if far else costs.passing_bytes_per_cycle)
    if lost > moved / machine.cores * WORTH_IT:
        return None
    return 0 if conv.padded else -(-image.bytes * reached // conv.rows) * machine.cores
