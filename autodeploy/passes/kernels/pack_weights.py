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
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.nn.base import NNOp, i64_attr
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import PadOp, ReshapeOp, TransposeOp
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling, packed_filter
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.weights import Array, WeightStore, constant_array


@dataclass(frozen=True)
class PackWeightsPass(ModulePass):
    """Pack the constant weights of convolutions and matrix products into tiles.

    The config of each kernel says how: ``pack`` is what lies side by side, with ``parts`` the
    output channels of a convolution are cut into equal ones and filled up with zeros, with
    ``transform`` a filter is brought into Winograd's domain first. Weights of a kernel whose config
    says nothing stay as they are. The movements of constants are left to fold-nn-constants.
    """

    name = "pack-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Pack the weights of all kernels of the module."""
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            for anchor, config in zip(kernel.anchors, _configs(kernel), strict=False):
                if isinstance(anchor, ConvOp) and config.number("transform"):
                    _transform_filter(ctx, kernel, anchor, config)
                elif isinstance(anchor, ConvOp):
                    _pack_conv(ctx, kernel, anchor, config)
                elif isinstance(anchor, MatMulOp):
                    _pack_matmul(kernel, anchor, config)


def _configs(kernel: KernelOp) -> Sequence[ConfigAttr]:
    """Return the configs of the anchors of a kernel."""
    if kernel.config is None:
        return ()
    return kernel.config.configs("parts") if len(kernel.anchors) > 1 else (kernel.config,)


def _transform_filter(ctx: Context, kernel: KernelOp, conv: ConvOp, config: ConfigAttr) -> None:
    """Bring a constant 3x3 filter into Winograd's domain, in double precision, and pack it."""
    if not conv.is_kernel_in_out:
        return
    weights = conv.filter
    assert isinstance(weights, BlockArgument)
    array = constant_array(ctx, kernel.inputs[weights.index])
    if array is None or not weights.has_one_use():
        raise PassFailedException(
            "only a constant filter of one use is brought to Winograd's domain"
        )
    *_, channels, outputs = array.shape
    transform, tile = WINOGRAD[config.number("transform")], config.number("tile")
    matrix = np.array(transform.filter_transform, np.float64)
    transformed = np.einsum(
        "ai,ijco,bj->abco", matrix, array.astype(np.float64), matrix, optimize=True
    )
    split = transformed.reshape(transform.points, transform.points, channels, outputs // tile, tile)
    packed = np.ascontiguousarray(split.transpose(3, 0, 1, 2, 4).astype(array.dtype))
    _replace_filter(ctx, kernel, conv, packed, packed_filter(4, tile))
    conv.winograd = i64_attr(transform.outputs)


def _pack_conv(ctx: Context, kernel: KernelOp, conv: ConvOp, config: ConfigAttr) -> None:
    packed, parts = config.number("pack"), config.number("parts")
    if not packed or not conv.is_kernel_in_out:
        return
    if parts:
        _pack_parts(ctx, kernel, conv, parts, packed)
        return
    *window, channels, outputs = shape_of(conv.filter.type)
    rank = len(window)
    split = (*window, channels, outputs // packed, packed)
    order = (rank + 1, *range(rank), rank, rank + 2)
    if _pack(kernel, conv.filter, split, order):
        conv.filter_layout = packed_filter(rank + 2, packed)


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
    _replace_filter(ctx, kernel, conv, packed, packed_filter(rank + 2, used))


def _replace_filter(
    ctx: Context, kernel: KernelOp, conv: ConvOp, packed: Array, layout: TiledAttr
) -> None:
    """Give a convolution new weights, of the layout said."""
    weights = conv.filter
    assert isinstance(weights, BlockArgument)
    constant = ConstantOp(WeightStore.of(ctx).attribute(packed))
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    kernel.operands[weights.index] = constant.result
    Rewriter.replace_value_with_new_type(weights, constant.result.type)
    conv.filter_layout = layout


def _pack_matmul(kernel: KernelOp, product: MatMulOp, config: ConfigAttr) -> None:
    if not config.values("pack") or product.rhs_layout is not None:
        return
    width, padded = config.ints("pack", 2)
    inner, columns = shape_of(product.rhs.type)
    split = (inner, padded // width, width)
    if _pack(kernel, product.rhs, split, (1, 0, 2)):
        extent = None if padded == columns else columns
        product.rhs_layout = TiledAttr((1, 0), Tiling(1, width, extent))


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
    reordered = TransposeOp(apart.result, order)
    for step in (*steps, apart, reordered):
        Rewriter.insert_op(step, InsertPoint.before(kernel))
    kernel.operands[weights.index] = reordered.result
    Rewriter.replace_value_with_new_type(weights, reordered.result.type)
    return True
