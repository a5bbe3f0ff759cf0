"""``narrow-weights``: constant weights of contractions in fewer bits, widened as they are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, f32
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.machine import find_machine, machine_of
from autodeploy.dialects.nn.arithmetic import MulOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ContractionOp, ConvolutionOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import channel_axis, result_layout
from autodeploy.dialects.nn.types import element_of
from autodeploy.machine.devices import DEVICES
from autodeploy.passes.kernels.configure_kernels import completed
from autodeploy.passes.kernels.stored_values import own_constant, replace_constant
from autodeploy.passes.nn.widen_floats import STORED_ATTRIBUTE
from autodeploy.templates.registry import template_of
from autodeploy.weights import WeightStore, element_type, named_dtype

_MOST_ERROR = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
"""The largest error of a weight, relative to the largest weight of its output channel, at which
weights are stored in a type: twice its rounding. Weights out of its range have larger ones."""

Floats = npt.NDArray[np.float32]

_CODES = 127
"""The largest code of a weight of 8 bits; the least is its negative."""

_LEAST_SCALE = 2.0**-100
"""Weights with a smaller scale are not stored as codes."""


@dataclass(frozen=True)
class NarrowWeightsPass(ModulePass):
    """Store the constant weights of contractions of 32-bit floats as float16, bfloat16 or int8.

    Sums are those of 32-bit floats, and so are all other values. Codes of int8 have a scale for
    each output channel, without a zero point, by which the sums are multiplied. Without an
    ``element``, weights take the 16-bit type that they had in the model. In Winograd's domain they
    stay as they are, and where they are not finite or their range is too large for the type: an
    error is at most 2^-10 of the largest weight of an output channel, 2^-7 for bfloat16.
    Kernels of a device take narrow weights only where ``element`` asks for them and the device has
    that type: it widens each in several operations. The knobs of narrow weights are added to
    configs that have knobs.
    """

    name = "narrow-weights"

    element: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        element = self.element or _stored(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)] if element else ():
            read = kernel.inputs
            for anchor, config in zip(kernel.anchors, kernel.configs, strict=False):
                template = template_of(config.template_name)
                is_left_wide = template.on_device and self._is_for_processors(op)
                if isinstance(anchor, ContractionOp) and template.exact and not is_left_wide:
                    _narrow(ctx, kernel, anchor, str(element))
            given = kernel.config
            if given is not None and any(given) and kernel.inputs != read:
                kernel.config = completed(given, kernel, machine_of(op))

    def _is_for_processors(self, module: ModuleOp) -> bool:
        """Return whether kernels of the device keep their weights."""
        if self.element is None:
            return True
        element = str(element_type(named_dtype(self.element)))
        return element not in DEVICES[machine_of(module).device].elements


def _stored(module: ModuleOp) -> str | None:
    """Return the 16-bit type of the model's weights, if the machine reads it fast."""
    stored, machine = module.attributes.get(STORED_ATTRIBUTE), find_machine(module)
    if not isinstance(stored, StringAttr) or machine is None:
        return None
    return stored.data if stored.data == "bfloat16" or machine.converts_f16 else None


def _narrow(ctx: Context, kernel: KernelOp, op: ContractionOp, element: str) -> None:
    """Give a contraction narrow weights, if it has constant ones that may be narrow."""
    if {element_of(operand.type) for operand in op.operands} != {f32}:
        return
    weights = own_constant(ctx, kernel, op.operands[1])
    if weights is None or not np.isfinite(weights).all():
        return
    array: Floats = weights.astype(np.float32, copy=False)
    largest = np.abs(array).max(axis=_summed_axes(op, array.ndim), keepdims=True, initial=0)
    if element == "int8":
        _narrow_to_codes(ctx, kernel, op, array, largest)
        return
    with np.errstate(over="ignore"):
        narrow = array.astype(named_dtype(element))
    if np.all(np.abs(narrow.astype(np.float32) - array) <= largest * _MOST_ERROR[element]):
        replace_constant(ctx, kernel, op.operands[1], narrow)
        op.accumulator = f32


def _narrow_to_codes(
    ctx: Context, kernel: KernelOp, op: ContractionOp, array: Floats, largest: Floats
) -> None:
    """Give a contraction codes, and multiply its sums by their scales; they start from the bias."""
    scale = np.where(largest > 0, largest / np.float32(_CODES), np.float32(1))
    factor = scale.swapaxes(-1, -2) if isinstance(op, MatMulOp) and op.transpose_rhs else scale
    if isinstance(op, ConvolutionOp):
        factor = scale.reshape(-1)
    bias = own_constant(ctx, kernel, op.operands[2]) if op.operands[2:] else None
    if np.any(scale < _LEAST_SCALE) or (op.operands[2:] and bias is None):
        return
    if bias is not None:
        with np.errstate(over="ignore"):
            starts = bias / factor
        if not np.isfinite(starts).all():
            return
        replace_constant(ctx, kernel, op.operands[2], starts)
    replace_constant(ctx, kernel, op.operands[1], np.rint(array / scale).astype(np.int8))
    op.accumulator = f32
    if isinstance(op, ConvolutionOp) and channel_axis(result_layout(op.layout), array.ndim) == 1:
        factor = factor.reshape(-1, *(1 for _ in range(array.ndim - 2)))
    constant = ConstantOp(WeightStore.of(ctx).attribute(factor))
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    kernel.operands = [*kernel.operands, constant.result]
    block = kernel.body.block
    product = MulOp(op.result, block.insert_arg(constant.result.type, len(block.args)))
    Rewriter.insert_op(product, InsertPoint.after(op))
    op.result.replace_uses_with_if(product.result, lambda use: use.operation is not product)


def _summed_axes(op: ContractionOp, rank: int) -> tuple[int, ...]:
    """Return the axes of the weights over which a sum goes."""
    if isinstance(op, MatMulOp):
        return (rank - 1 if op.transpose_rhs else rank - 2,)
    assert isinstance(op, ConvolutionOp)
    outputs = 0 if op.filter_layout is None else op.filter_layout.axes.index(0)
    return tuple(axis for axis in range(rank) if axis != outputs)
