"""``flatten-convs``: a 1x1 convolution is a matrix product over all pixels.

With a window of one element, stride 1 and no padding, a channels-last image is a matrix of pixels
by channels as it lies in memory. The kernel is rebuilt on matrices; the reshapes around it are
views. A product has no rows that end, so its tiles of pixels waste nothing at the borders.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr, WeightAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp, YieldOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import element_of, shape_of, tensor


@dataclass(frozen=True)
class FlattenConvsPass(ModulePass):
    """Turn kernels around a 1x1 convolution into kernels around a matrix product."""

    name = "flatten-convs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all kernels of the module that have this form."""
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if is_flat(kernel):
                _flatten(kernel)


def is_flat(kernel: KernelOp) -> bool:
    """Tell whether a kernel computes every pixel from the same pixel of its operands alone."""
    conv = kernel.anchor
    if not isinstance(conv, ConvOp) or len(kernel.anchors) > 1 or kernel.config is not None:
        return False
    if conv.layout != CHANNELS_LAST or not conv.is_kernel_in_out:
        return False
    _, _, window = conv.filter_shape
    if set(window) != {1} or set(ints(conv.strides)) != {1} or any(ints(conv.pads)):
        return False
    if conv.groups.value.data != 1:
        return False
    return _is_each_pixel(kernel, conv, shape_of(conv.x.type)[:-1])


def is_flat_prologue(producer: KernelOp, conv: ConvOp) -> bool:
    """Tell whether a flat convolution stays flat with pointwise ops before it in its kernel."""
    return _is_each_pixel(producer, conv, shape_of(conv.x.type)[:-1])


def _is_each_pixel(kernel: KernelOp, conv: ConvOp, pixels: tuple[int, ...]) -> bool:
    """Tell whether what a kernel does, but for ``conv``, it does for each pixel alone."""
    others = [value for value in kernel.body.block.args if value is not conv.filter]
    results = [op.results[0] for op in kernel.body_ops]
    if any(not isinstance(op, ConvOp | PointwiseOp | ConstantOp) for op in kernel.body_ops):
        return False
    return all(_keeps_pixels(shape_of(value.type), pixels) for value in (*others, *results))


def _keeps_pixels(shape: tuple[int, ...], pixels: tuple[int, ...]) -> bool:
    """A tensor has all pixels, or is the same for every pixel."""
    return shape[:-1] in (pixels, (1,) * len(pixels)) or len(shape) <= 1


def _matrix(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (prod(shape[:-1]), shape[-1]) if len(shape) > 1 else shape


def _flatten(kernel: KernelOp) -> None:
    conv = kernel.anchor
    assert isinstance(conv, ConvOp)
    inputs: list[SSAValue] = []
    for value in kernel.inputs:
        flat = _matrix(shape_of(value.type))
        if flat != shape_of(value.type):
            view = ReshapeOp(value, flat)
            Rewriter.insert_op(view, InsertPoint.before(kernel))
            value = view.result
        inputs.append(value)
    block = Block(arg_types=[value.type for value in inputs])
    values: dict[SSAValue, SSAValue] = dict(zip(kernel.body.block.args, block.args, strict=True))
    for old, new in zip(kernel.body.block.args, block.args, strict=True):
        new.name_hint = old.name_hint
    for op in kernel.body_ops:
        _add(op, block, values)
    block.add_op(YieldOp([values[value] for value in kernel.yielded]))
    types = [
        tensor(element_of(result.type), _matrix(shape_of(result.type))) for result in kernel.outputs
    ]
    flat_kernel = KernelOp(inputs, types, block)
    flat_kernel.location = kernel.location
    views = [
        ReshapeOp(new, shape_of(old.type))
        for new, old in zip(flat_kernel.outputs, kernel.outputs, strict=True)
    ]
    Rewriter.replace_op(kernel, [flat_kernel, *views], [view.result for view in views])


def _add(op: Operation, block: Block, values: dict[SSAValue, SSAValue]) -> None:
    """Append the form of an op on matrices."""
    if isinstance(op, ConvOp):
        operands = [values[operand] for operand in op.operands]
        element = element_of(op.result.type)
        new: Operation = MatMulOp(*operands, accumulator=op.accumulator, element=element)
    elif isinstance(op, ConstantOp):
        new = _flat_constant(op)
    else:
        new = op.clone({operand: values[operand] for operand in op.operands})
        flat = _matrix(shape_of(op.results[0].type))
        type_ = tensor(element_of(op.results[0].type), flat)
        Rewriter.replace_value_with_new_type(new.results[0], type_)
    new.location = op.location
    block.add_op(new)
    values[op.results[0]] = new.results[0]


def _flat_constant(op: ConstantOp) -> ConstantOp:
    """Return the constant as a matrix, so that it does not widen results of rank 2."""
    value = op.value
    type_ = tensor(element_of(value.type), _matrix(shape_of(value.type)))
    if isinstance(value, DenseAttr):
        return ConstantOp(DenseAttr(value.data.data, type_))
    return ConstantOp(WeightAttr(value.key.data, type_))
