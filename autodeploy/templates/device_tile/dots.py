"""Products of bytes on a device: one instruction adds up those of four neighbours.

Neighbours along the sums are side by side in memory. The weights of a convolution are stored
K… I/4 O 4, those of a product K/4 N 4: neighbouring threads read neighbouring weights.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32

from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, input_layout
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.machine.devices import NEIGHBOURS, Device
from autodeploy.templates.direct_conv.sums import is_packable as is_packable_filter
from autodeploy.templates.gemm.product import is_packable
from autodeploy.templates.packing import Packing


def has_dots(kernel: KernelOp, device: Device) -> bool:
    """Return whether the products of a kernel can be added up by such instructions.

    The weights are constants that only this kernel reads, or are packed for that already.
    """
    op = kernel.anchor
    if not isinstance(op, ContractionOp) or op.sum_element != i32:
        return False
    if tuple(str(element_of(operand.type)) for operand in op.operands[:2]) not in device.dots:
        return False
    match op:
        case ConvOp():
            _, channels, window = op.filter_shape
            return (
                op.groups.value.data == 1
                and channels % NEIGHBOURS == 0
                and input_layout(op.layout) == CHANNELS_LAST
                and (is_packable_filter(kernel, op) or op.filter_layout == _filter(len(window)))
            )
        case MatMulOp():
            return (
                not op.transpose_lhs.value.data
                and bounds_of(op.lhs.type)[-1] % NEIGHBOURS == 0
                and (is_packable(kernel, op) or op.rhs_layout == _MATRIX)
            )
        case _:
            return False


def packed_for_dots(op: AnchorOp) -> Packing | None:
    """Return how the weights of a kernel that has dots are laid out; ``None`` if they are so."""
    match op:
        case ConvOp() if op.is_kernel_in_out:
            *window, inputs, outputs = bounds_of(op.filter.type)
            rank = len(window)
            split = (*window, inputs // NEIGHBOURS, NEIGHBOURS, outputs)
            order = (*range(rank), rank, rank + 2, rank + 1)
            return Packing(op.filter, split, order, {"filter_layout": _filter(rank)})
        case MatMulOp() if op.rhs_layout is None:
            inner, columns = bounds_of(op.rhs.type)
            split = (inner // NEIGHBOURS, NEIGHBOURS, columns)
            return Packing(op.rhs, split, (0, 2, 1), {"rhs_layout": _MATRIX})
        case _:
            return None


def _filter(rank: int) -> TiledAttr:
    """Return the layout of a filter of O I K… whose window has ``rank`` axes."""
    return TiledAttr((*range(2, rank + 2), 1, 0), Tiling(1, NEIGHBOURS))


_MATRIX = TiledAttr((0, 1), Tiling(0, NEIGHBOURS))
