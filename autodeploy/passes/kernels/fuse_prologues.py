"""``fuse-prologues``: what a product or a convolution reads is computed by its own kernel."""

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
from autodeploy.dialects.nn.layout import (
    CHANNELS_LAST,
    input_layout,
    result_layout,
    spatial_axes,
)
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    byte_size,
    element_count,
    element_of,
    is_float,
    shape_of,
)
from autodeploy.machine import Machine
from autodeploy.passes.kernels.prologue_costs import (
    ComputedImage,
    ConvImage,
    ProductShape,
    conv_scratch,
    product_scratch,
)
from autodeploy.passes.kernels.proposals import FuseProposalsPass, Proposal, sole_producer
from autodeploy.passes.nn.flatten_convs import is_flat, is_flat_prologue
from autodeploy.templates.direct_conv.tile import are_tiles_outermost
from autodeploy.templates.view import STORED_WORK
from autodeploy.templates.winograd.template import winograd_form


@dataclass(frozen=True)
class FuseProloguesPass(FuseProposalsPass):
    """Put pointwise ops into the kernel of the convolution or product that alone reads what they
    make, as image or left-hand side, where a cost rule for the machine says so.

    A product computes a block of rows at a time, which all of its columns then read. That pays
    where the whole does not stay in the second-level cache. A convolution that pads its image
    computes it while it does so. Where rows between bands are computed twice, or by one thread
    what several could share, that must cost less than to write and to read the image. With
    ``winograd``, convolutions are counted as of Winograd's algorithm where that costs less. Rows
    are scratch memory: where they would make the arena larger, kernels are left alone.
    """

    name = "fuse-prologues"

    winograd: bool = False

    def proposals(self, block: Block, machine: Machine) -> Sequence[Proposal]:
        """Return what the cost rule would merge."""
        found: list[Proposal] = []
        for producer, reader, shape in prologues(block, machine, winograd=self.winograd):
            image = _computed(machine, producer)
            if isinstance(shape, ProductShape):
                scratch = product_scratch(machine, image, shape)
            else:
                scratch = conv_scratch(machine, image, shape)
            if scratch is not None:
                found.append(Proposal((producer, reader), scratch))
        return found


def prologues(
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
            # What would keep the convolution from being a product is not worth it.
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
        or not element_count(made.type)
        or not element_count(anchor.result.type)
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
    vectors = element_count(made.type) / machine.lanes(ELEMENT_BYTES[element_of(made.type)])
    read = sum(byte_size(value.type) for value in producer.inputs)
    return ComputedImage(byte_size(made.type), read, vectors * cycles)


def _product(product: MatMulOp) -> ProductShape | None:
    """Return a product whose left-hand side is read once, row by row; ``None`` for another one."""
    *stack, rows, columns = shape_of(product.result.type)
    left = shape_of(product.lhs.type)
    if product.transpose_lhs or left[:-1] != (*stack, rows):
        return None
    element = ELEMENT_BYTES[element_of(product.lhs.type)]
    return ProductShape(rows, left[-1], columns, stack[::-1], element)


def _flat_product(conv: ConvOp) -> ProductShape:
    """Return the product that a 1x1 convolution is."""
    *pixels, inner = shape_of(conv.x.type)
    columns = shape_of(conv.result.type)[-1]
    element = ELEMENT_BYTES[element_of(conv.x.type)]
    return ProductShape(prod(pixels), inner, columns, (), element)


def _is_direct(conv: ConvOp) -> bool:
    """Tell whether a convolution has a template that keeps its image: it sums over channels."""
    _, channels, window = conv.filter_shape
    depthwise = channels == 1 and conv.groups.value.data > 1
    return (
        result_layout(conv.layout) == CHANNELS_LAST
        and conv.is_kernel_in_out
        and not depthwise
        and channels * prod(window) > 1
    )


def _conv_image(machine: Machine, conv: ConvOp, *, whole: bool) -> ConvImage:
    """Return how a convolution reads its image; ``whole``: of which all is made at once."""
    _, channels, window = conv.filter_shape
    image, result = shape_of(conv.x.type), shape_of(conv.result.type)
    *rows, width, outputs = result
    element, inner = ELEMENT_BYTES[element_of(conv.x.type)], channels * prod(window)
    grouped = conv.groups.value.data > 1
    by_tiles = are_tiles_outermost(machine, element, outputs, width, prod(rows), inner)
    axis = spatial_axes(input_layout(conv.layout), len(image))[0]
    return ConvImage(
        height=result[-3] if len(result) > 3 else 1,
        rows=prod(image[:1]) * image[axis],
        reach=(window[0] - 1) * ints(conv.dilations)[0] + 1,
        stride=ints(conv.strides)[0],
        padded=any(ints(conv.pads)),
        tiles_first=whole or grouped or by_tiles,
        grouped=grouped,
        work=element_count(conv.result.type) * (inner + STORED_WORK),
    )
