"""``choose-algorithms``: every kernel says how its anchor is computed."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import Algorithm, AlgorithmAttr, KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, KERNEL_IN_OUT, FilterLayout
from autodeploy.dialects.nn.normalisation import LayerNormOp, LrnOp
from autodeploy.dialects.nn.reduction import SoftmaxOp
from autodeploy.dialects.nn.resampling import ResizeOp
from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_float, shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.machine import Machine
from autodeploy.passes.kernels.conv_costs import ConvShape, best_winograd
from autodeploy.templates.tiles import accumulator_tile


@dataclass(frozen=True)
class ChooseAlgorithmsPass(ModulePass):
    """Set the algorithm of every nn.kernel by the shapes of its anchor.

    A convolution with one channel a group is depthwise; a product with a single row is a GEMV,
    which reads each weight once and is bound by memory. With ``winograd``, a 3x3 convolution with a
    constant filter takes Winograd's form where that costs less on the machine; its results then
    agree to 1e-4 instead of 1e-5.
    """

    name = "choose-algorithms"

    winograd: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``algorithm`` on all kernels of the module."""
        machine = machine_of(op) if self.winograd else None
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if len(kernel.anchors) > 1:
                continue  # row bands: what makes the kernel has chosen
            algorithm = algorithm_of(kernel.anchor)
            if machine is not None and algorithm == Algorithm.DIRECT_CONV:
                algorithm = winograd_form(kernel, machine) or algorithm
            kernel.algorithm = AlgorithmAttr(algorithm)


def winograd_form(kernel: KernelOp, machine: Machine) -> Algorithm | None:
    """Return Winograd's form of a direct convolution where there is one and it costs less."""
    conv = kernel.anchor
    assert isinstance(conv, ConvOp)
    _, _, window = conv.filter_shape
    if (
        conv.layout != CHANNELS_LAST
        or conv.filter_layout != KERNEL_IN_OUT
        or window != (3, 3)
        or {*ints(conv.strides), *ints(conv.dilations)} != {1}
        or conv.groups.value.data != 1
        or not is_float(element_of(conv.x.type))
        or not isinstance(conv.filter, BlockArgument)
        or not isinstance(kernel.inputs[conv.filter.index].owner, ConstantOp)
    ):
        return None
    batch, height, width, outputs = shape_of(conv.result.type)
    element = element_of(conv.x.type)
    shape = ConvShape(
        batch, height, width, shape_of(conv.x.type)[-1], outputs, ELEMENT_BYTES[element]
    )
    tile = accumulator_tile(machine, shape.element_bytes, outputs, width)
    if outputs % tile.channels:
        return None
    return {4: Algorithm.WINOGRAD_4, 2: Algorithm.WINOGRAD_2, None: None}[
        best_winograd(shape, machine)
    ]


def algorithm_of(anchor: AnchorOp | None) -> Algorithm:
    """Return the algorithm for an anchor."""
    match anchor:
        case None:
            return Algorithm.POINTWISE
        case ConvOp():
            if anchor.filter_layout.data == FilterLayout.WINOGRAD_4:
                return Algorithm.WINOGRAD_4
            if anchor.filter_layout.data == FilterLayout.WINOGRAD_2:
                return Algorithm.WINOGRAD_2
            _, channels, _ = anchor.filter_shape
            if anchor.groups.value.data == 1:
                return Algorithm.DIRECT_CONV
            return Algorithm.DEPTHWISE_CONV if channels == 1 else Algorithm.GROUPED_CONV
        case MatMulOp():
            rows = shape_of(anchor.result.type)[-2]
            return Algorithm.GEMV if rows == 1 else Algorithm.GEMM
        case ConvTransposeOp():
            return Algorithm.CONV_TRANSPOSE
        case PoolOp():
            return Algorithm.WINDOW
        case SoftmaxOp():
            return Algorithm.SOFTMAX
        case LayerNormOp():
            return Algorithm.NORMALISE
        case LrnOp():
            return Algorithm.LRN
        case CumSumOp():
            return Algorithm.SCAN
        case ResizeOp():
            return Algorithm.RESIZE
        case _:
            return Algorithm.REDUCE
