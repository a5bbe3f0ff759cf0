"""Prologues: pointwise ops that compute what a product or a convolution reads, within its kernel.

A product computes a block of rows at a time, which stays in the second-level cache until all of its
columns have read it. A convolution that pads copies its image anyway, whole or in bands of rows,
and computes it during the copy: where bands overlap, the rows between them twice, or by one core
what several could share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Block

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    bounds_of,
    byte_size,
    element_of,
    is_float,
    largest_count,
)
from autodeploy.machine import Machine
from autodeploy.passes.kernels.fusion_costs import exceeds_l2, fits_l2, gain
from autodeploy.passes.kernels.proposals import Proposal, sole_producer
from autodeploy.passes.nn.flatten_products import is_flat, is_flat_prologue
from autodeploy.templates.direct_conv.image_rows import image_rows
from autodeploy.templates.direct_conv.tile import are_tiles_outermost
from autodeploy.templates.gemm.order import product_order
from autodeploy.templates.gemm.tile import ANY, product_tile
from autodeploy.templates.view import STORED_WORK
from autodeploy.templates.winograd.template import winograd_form


@dataclass(frozen=True)
class ComputedImage:
    """An image, or a left-hand side, that pointwise ops make."""

    bytes: int
    read_bytes: int
    """Bytes of its operands."""
    cycles: float
    """Cycles of one core to compute all of it once."""


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
    """The rows of the image that a convolution reads for rows of its result.

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


def product_gain(
    machine: Machine, image: ComputedImage, shape: ProductShape
) -> tuple[float, int] | None:
    """Return what blocks of rows gain, and their bytes, of all cores; ``None`` for no blocks.

    The image must be too large for the second-level cache, in which blocks of its rows, those that
    they are made of, and the right-hand side then stay. Cores share blocks, as they do where rows
    that many are read, so that each row is made once.
    """
    if shape.rows < 2 or not exceeds_l2(machine, image.read_bytes, image.bytes):
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
    if not fits_l2(machine, 2 * block + right):
        return None
    return gain(machine, 2 * image.bytes, 0), block * machine.cores


def conv_gain(machine: Machine, image: ComputedImage, conv: ConvImage) -> tuple[float, int] | None:
    """Return what rows gain that are computed as they are read, and their bytes, of all cores.

    Those that are padded anyway take no more. ``None`` if nothing is padded, and the image stays
    in the second-level cache or would be computed as a whole.
    """
    far = exceeds_l2(machine, image.read_bytes, image.bytes)
    shared = machine.cores > 1 and conv.work >= machine.costs.parallel_work
    rows = 0
    if not conv.tiles_first or (conv.grouped and shared):
        rows = image_rows(
            machine,
            conv.height,
            image.bytes // conv.rows,
            step=conv.stride,
            read=conv.reach,
            shared=shared,
        )
    if not conv.padded and not (rows and far):
        return None
    reached = (rows - 1) * conv.stride + conv.reach if rows else 0
    twice = max(reached / (rows * conv.stride), 1) if rows else 1
    busy = machine.cores if rows and shared else 1
    lost = image.cycles * (twice / busy - 1 / machine.cores)
    bytes_ = 0 if conv.padded else -(-image.bytes * reached // conv.rows) * machine.cores
    return gain(machine, 2 * image.bytes, lost, far=far), bytes_


def prologues(block: Block, machine: Machine, *, winograd: bool) -> Iterator[Proposal]:
    """Yield what could be computed within the kernel that reads it.

    With ``winograd``, convolutions are counted as of Winograd's algorithm where that costs less.
    """
    for producer, reader, shape in prologues_of(block, machine, winograd=winograd):
        image = _computed(machine, producer)
        if isinstance(shape, ProductShape):
            found = product_gain(machine, image, shape)
        else:
            found = conv_gain(machine, image, shape)
        if found is not None:
            yield Proposal((producer, reader), None, *found)


def prologues_of(
    block: Block, machine: Machine, *, winograd: bool
) -> Iterator[tuple[KernelOp, KernelOp, ProductShape | ConvImage]]:
    """Yield the kernels that can be merged, and how the second one reads what the first makes."""
    for reader in [op for op in block.ops if isinstance(op, KernelOp)]:
        producer, anchor = _producer(reader), reader.anchor
        shape: ProductShape | ConvImage | None = None
        if producer is None:
            continue
        if isinstance(anchor, MatMulOp):
            shape = _product(anchor)
        elif isinstance(anchor, ConvOp) and is_flat(reader):
            # A prologue that prevents the convolution from being a product is not worth it.
            shape = _flat_product(anchor) if is_flat_prologue(producer, anchor) else None
        elif isinstance(anchor, ConvOp) and _is_direct(anchor):
            whole = winograd and winograd_form(reader, machine) is not None
            shape = _conv_image(machine, anchor, whole=whole)
        if shape is not None:
            yield producer, reader, shape


def _producer(reader: KernelOp) -> KernelOp | None:
    """Return the kernel of pointwise ops whose only result the anchor of ``reader`` alone reads."""
    anchor, producer = reader.anchor, sole_producer(reader)
    if not isinstance(anchor, ConvOp | MatMulOp) or producer is None:
        return None
    (made,) = producer.outputs
    if (
        not all(isinstance(op, PointwiseOp | ConstantOp) for op in producer.body_ops)
        or not is_float(element_of(made.type))
        or not largest_count(made.type)
        or not largest_count(anchor.result.type)
    ):
        return None
    return producer


def _computed(machine: Machine, producer: KernelOp) -> ComputedImage:
    """Return what is known of an image by the ops that make it."""
    (made,) = producer.outputs
    cycles = sum(
        machine.costs.slow_op_cycles if body_cost(op).is_slow else 1
        for op in producer.body_ops
        if isinstance(op, PointwiseOp)
    )
    vectors = largest_count(made.type) / machine.lanes(ELEMENT_BYTES[element_of(made.type)])
    read = sum(byte_size(value.type) for value in producer.inputs)
    return ComputedImage(byte_size(made.type), read, vectors * cycles)


def _product(product: MatMulOp) -> ProductShape | None:
    """Return a product whose left-hand side is read once, row by row; ``None`` for another one."""
    *stack, rows, columns = bounds_of(product.result.type)
    left = bounds_of(product.lhs.type)
    if product.transpose_lhs or left[:-1] != (*stack, rows):
        return None
    element = ELEMENT_BYTES[element_of(product.lhs.type)]
    return ProductShape(rows, left[-1], columns, stack[::-1], element)


def _flat_product(conv: ConvOp) -> ProductShape:
    """Return the product that a 1x1 convolution is."""
    *pixels, inner = bounds_of(conv.x.type)
    columns = bounds_of(conv.result.type)[-1]
    element = ELEMENT_BYTES[element_of(conv.x.type)]
    return ProductShape(prod(pixels), inner, columns, (), element)


def _is_direct(conv: ConvOp) -> bool:
    """Return whether a convolution has a template that keeps its image: it sums over channels."""
    _, channels, window = conv.filter_shape
    depthwise = channels == 1 and conv.groups.value.data > 1
    return (
        result_layout(conv.layout) == CHANNELS_LAST
        and conv.is_kernel_in_out
        and not depthwise
        and channels * prod(window) > 1
    )


def _conv_image(machine: Machine, conv: ConvOp, *, whole: bool) -> ConvImage:
    """Return how a convolution reads its image, which with ``whole`` is computed as a whole."""
    _, channels, window = conv.filter_shape
    image, result = bounds_of(conv.x.type), bounds_of(conv.result.type)
    outputs = result[-1]
    element, inner = ELEMENT_BYTES[element_of(conv.x.type)], channels * prod(window)
    grouped = conv.groups.value.data > 1
    by_tiles = are_tiles_outermost(machine, element, outputs, inner)
    read = conv.window_reads()[0]
    return ConvImage(
        height=result[-3] if len(result) > 3 else 1,
        rows=image[0] * image[read.axis],
        reach=read.reach,
        stride=read.stride,
        padded=any(ints(conv.pads)),
        tiles_first=whole or grouped or by_tiles,
        grouped=grouped,
        work=largest_count(conv.result.type) * (inner + STORED_WORK),
    )
