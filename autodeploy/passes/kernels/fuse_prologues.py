"""``fuse-prologues``: what a product or a convolution reads is computed by its own kernel."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_LAST,
    KERNEL_IN_OUT,
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
from autodeploy.passes.fusion.kernels import form_kernel
from autodeploy.passes.kernels.band_memory import BandGroup, smaller_groups
from autodeploy.passes.kernels.kernel_chains import sole_producer
from autodeploy.passes.kernels.prologue_costs import (
    ComputedImage,
    ConvImage,
    ProductShape,
    conv_scratch,
    product_scratch,
)
from autodeploy.passes.nn.flatten_convs import is_flat, is_flat_prologue
from autodeploy.templates.direct_conv.tile import is_swept
from autodeploy.templates.view import STORED_WORK
from autodeploy.templates.winograd.template import winograd_form


@dataclass(frozen=True)
class FuseProloguesPass(ModulePass):
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

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge kernels of the module."""
        machine = machine_of(op)
        for func in [f for f in op.walk() if isinstance(f, FuncOp) and not f.is_declaration]:
            for block in func.body.blocks:
                for group in smaller_groups(block, self._groups(block, machine)):
                    producer, reader = group.kernels
                    Rewriter.replace_op(reader, form_kernel(group.kernels))
                    Rewriter.erase_op(producer)

    def _groups(self, block: Block, machine: Machine) -> list[BandGroup]:
        """Return what the cost rule would merge."""
        groups: list[BandGroup] = []
        for reader in [op for op in block.ops if isinstance(op, KernelOp)]:
            producer = _producer(reader)
            if producer is None:
                continue
            scratch = self._scratch(machine, producer, reader)
            if scratch is not None:
                groups.append(BandGroup((producer, reader), (), scratch))
        return groups

    def _scratch(self, machine: Machine, producer: KernelOp, reader: KernelOp) -> int | None:
        """Return the bytes that all cores have of the image at a time, ``None`` for no merging."""
        anchor, image = reader.anchor, _computed(machine, producer)
        if isinstance(anchor, MatMulOp):
            shape = _product(anchor)
            return None if shape is None else product_scratch(machine, image, shape)
        assert isinstance(anchor, ConvOp)
        if is_flat(reader):
            # What would keep the convolution from being a product is not worth it.
            flat = is_flat_prologue(producer, anchor)
            return product_scratch(machine, image, _flat_product(anchor)) if flat else None
        if not _is_direct(anchor):
            return None
        winograd = self.winograd and winograd_form(reader, machine) is not None
        return conv_scratch(machine, image, _conv_image(machine, anchor, whole=winograd))


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
        and conv.filter_layout == KERNEL_IN_OUT
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
    swept = is_swept(machine, element, outputs, width, prod(rows), inner)
    axis = spatial_axes(input_layout(conv.layout), len(image))[0]
    return ConvImage(
        height=result[-3] if len(result) > 3 else 1,
        rows=prod(image[:1]) * image[axis],
        reach=(window[0] - 1) * ints(conv.dilations)[0] + 1,
        stride=ints(conv.strides)[0],
        padded=any(ints(conv.pads)),
        tiles_first=whole or grouped or swept,
        grouped=grouped,
        work=element_count(conv.result.type) * (inner + STORED_WORK),
    )
