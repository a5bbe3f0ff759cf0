"""``pack-weights``: constant weights in the order in which the kernel reads them.

A kernel sums a tile of output channels at a time. Packed, the weights of a tile follow each other
without a gap, so they stream through the cache line after line, and no power-of-two stride makes
them evict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import NNOp, i64_attr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import (
    CHANNELS_LAST,
    KERNEL_IN_OUT,
    WINOGRAD_LAYOUTS,
    FilterLayout,
    FilterLayoutAttr,
    result_layout,
)
from autodeploy.dialects.nn.movement import PadOp, ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import conv_tile
from autodeploy.templates.gemm.tile import ANY, packed_lanes, product_tile
from autodeploy.templates.tiles import accumulator_tile, gemv_columns
from autodeploy.weights import Array, WeightStore, constant_array


@dataclass(frozen=True)
class PackWeightsPass(ModulePass):
    """Pack the constant weights of convolutions and matrix products into tiles.

    A filter whose kernel is to be computed by Winograd's algorithm is transformed first. The tile
    is that of the schedule for the machine. Where whole vectors do not divide the output channels
    of a convolution, tiles may be filled up with zeros, and matrices always are. Other weights that
    their tile does not divide stay as they are. The movements of constants are left to
    fold-nn-constants.
    """

    name = "pack-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Pack the weights of all kernels of the module."""
        machine = machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            layout = _winograd_layout(kernel)
            for anchor in kernel.anchors:
                if isinstance(anchor, ConvOp) and layout is not None:
                    if anchor.filter_layout == KERNEL_IN_OUT:
                        _transform_filter(ctx, kernel, anchor, machine, layout)
                elif isinstance(anchor, ConvOp):
                    _pack_conv(ctx, kernel, anchor, machine)
                elif isinstance(anchor, MatMulOp):
                    _pack_matmul(kernel, anchor, machine)


def _winograd_layout(kernel: KernelOp) -> FilterLayout | None:
    """Return the layout of a filter that is to be in Winograd's domain."""
    m = 0 if kernel.config is None else kernel.config.number("transform")
    found = (name for name, form in WINOGRAD_LAYOUTS.items() if form.outputs == m)
    return next(found, None)


def _transform_filter(
    ctx: Context, kernel: KernelOp, conv: ConvOp, machine: Machine, layout: FilterLayout
) -> None:
    """Bring a constant 3x3 filter into Winograd's domain, in double precision, and pack it."""
    weights = conv.filter
    assert isinstance(weights, BlockArgument)
    array = constant_array(ctx, kernel.inputs[weights.index])
    if array is None or not weights.has_one_use():
        raise PassFailedException(
            "only a constant filter of one use is brought to Winograd's domain"
        )
    *_, channels, outputs = array.shape
    width = shape_of(conv.result.type)[-2]
    element = ELEMENT_BYTES[element_of(conv.x.type)]
    tile = accumulator_tile(machine, element, outputs, width).channels
    transform = WINOGRAD_LAYOUTS[layout]
    matrix = np.array(transform.filter_transform, np.float64)
    turned = np.einsum("ai,ijco,bj->abco", matrix, array.astype(np.float64), matrix, optimize=True)
    split = turned.reshape(transform.points, transform.points, channels, outputs // tile, tile)
    packed = np.ascontiguousarray(split.transpose(3, 0, 1, 2, 4).astype(array.dtype))
    _replace_filter(ctx, kernel, conv, packed, layout)


def _pack_conv(ctx: Context, kernel: KernelOp, conv: ConvOp, machine: Machine) -> None:
    template = "" if kernel.config is None else kernel.config.template_name
    in_bands = template == "row_bands" and conv.groups.value.data == 1
    if template not in ("direct_conv", "grouped_conv") and not in_bands:
        return
    if conv.filter_layout != KERNEL_IN_OUT or result_layout(conv.layout) != CHANNELS_LAST:
        return
    *window, channels, outputs = shape_of(conv.filter.type)
    groups = conv.groups.value.data
    *rows, width, _ = shape_of(conv.result.type)
    element = ELEMENT_BYTES[element_of(conv.x.type)]
    inner = prod(window) * channels if groups == 1 else 0
    group = outputs // groups
    tile = conv_tile(machine, element, group, width, prod(rows), inner, grouped=groups > 1)
    if tile.filled_up:
        if prod(window) * channels > 1:
            _pack_parts(ctx, kernel, conv, outputs // tile.used, tile.channels)
        return
    if outputs // groups % tile.lanes:
        return
    # Tiles that do not divide the channels overlap, and by whole vectors.
    packed = tile.lanes if outputs // groups % tile.channels else tile.channels
    rank = len(window)
    split = (*window, channels, outputs // packed, packed)
    order = (rank + 1, *range(rank), rank, rank + 2)
    if _pack(kernel, conv.filter, split, order):
        conv.filter_layout = FilterLayoutAttr(FilterLayout.PACKED)


def _pack_parts(ctx: Context, kernel: KernelOp, conv: ConvOp, parts: int, tile: int) -> None:
    """Make each part of the output channels one tile, filled up with zeros."""
    weights = conv.filter
    if not isinstance(weights, BlockArgument) or not weights.has_one_use():
        return
    array = constant_array(ctx, kernel.inputs[weights.index])
    if array is None:
        return
    *window, channels, outputs = array.shape
    rank, used = len(window), outputs // parts
    apart = array.reshape(*window, channels, parts, used)
    filled = np.pad(apart, (*((0, 0),) * (rank + 2), (0, tile - used)))
    packed = np.ascontiguousarray(np.moveaxis(filled, rank + 1, 0))
    _replace_filter(ctx, kernel, conv, packed, FilterLayout.PACKED_PARTS)
    conv.outputs = i64_attr(outputs)


def _replace_filter(
    ctx: Context, kernel: KernelOp, conv: ConvOp, packed: Array, layout: FilterLayout
) -> None:
    """Give a convolution new weights, of the layout said."""
    weights = conv.filter
    assert isinstance(weights, BlockArgument)
    constant = ConstantOp(WeightStore.of(ctx).attribute(packed))
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    kernel.operands[weights.index] = constant.result
    Rewriter.replace_value_with_new_type(weights, constant.result.type)
    conv.filter_layout = FilterLayoutAttr(layout)


def _pack_matmul(kernel: KernelOp, product: MatMulOp, machine: Machine) -> None:
    shape = shape_of(product.rhs.type)
    if len(shape) != 2 or product.transpose_rhs or product.packed_rhs:
        return
    inner, columns = shape
    if not inner or not columns:  # there is nothing to pack
        return
    rows = shape_of(product.result.type)[-2]
    element = ELEMENT_BYTES[element_of(product.lhs.type)]
    if kernel.config is not None and kernel.config.template_name == "gemv":
        tile = gemv_columns(machine, element, columns)
        width = min(packed_lanes(machine, element, columns), tile)
    else:
        width = packed_lanes(machine, element, columns)
        row_bytes = 0 if product.transpose_lhs else inner * element
        tile = product_tile(
            machine, element, columns, rows, inner, packed_columns=ANY, row_bytes=row_bytes
        ).columns
    padded = -(-columns // tile) * tile
    split = (inner, padded // width, width)
    if _pack(kernel, product.rhs, split, (1, 0, 2)):
        product.packed_rhs = BoolAttr.from_bool(True)
        if padded != columns:
            product.columns = IntegerAttr(columns, i64)


def _pack(kernel: KernelOp, weights: SSAValue, split: Sequence[int], order: Sequence[int]) -> bool:
    """Split and reorder the axes of a constant operand of a kernel; False if it is none.

    Where ``split`` has more elements, the last axis is filled up with zeros first. The operand must
    have this one use inside the kernel, since it changes its shape.
    """
    if not isinstance(weights, BlockArgument) or not weights.has_one_use():
        return False
    outside = kernel.inputs[weights.index]
    if not isinstance(outside.owner, ConstantOp):
        return False
    steps: list[NNOp] = []
    shape = shape_of(outside.type)
    more = prod(split) // prod(shape[:-1]) - shape[-1]
    if more:
        steps.append(PadOp(outside, (*(0 for _ in shape), *(0 for _ in shape[1:]), more)))
    apart = ReshapeOp(steps[-1].result if steps else outside, split)
    turned = TransposeOp(apart.result, order)
    for step in (*steps, apart, turned):
        Rewriter.insert_op(step, InsertPoint.before(kernel))
    kernel.operands[weights.index] = turned.result
    Rewriter.replace_value_with_new_type(weights, turned.result.type)
    return True
