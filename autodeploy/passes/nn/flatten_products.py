"""``flatten-products``: a product with one matrix is a matrix product over all rows.

A stack of matrices that are multiplied by the same one is a single matrix in memory. The same holds
for a channels-last image with a 1x1 convolution with stride 1 and without padding: of pixels by
channels. The kernel is rebuilt on matrices; the reshapes around it are views. Tiles of rows then
waste nothing at the end of each matrix, and weights are read once for all of them."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp, with_type
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor


class FlattenProductsPass(ModulePass):
    """Turn kernels around a 1x1 convolution, or around a stack of matrix products with one
    right-hand side, into kernels around a product of two matrices.
    """

    name = "flatten-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if _is_flat(kernel):
                _flatten(kernel)


def _is_flat(kernel: KernelOp) -> bool:
    """Return whether a kernel computes every row from the same row of its operands alone."""
    product = kernel.anchor
    if len(kernel.anchors) > 1 or kernel.config is not None:
        return False
    if isinstance(product, MatMulOp):
        stack, (*right, _, _) = bounds_of(product.lhs.type)[:-2], bounds_of(product.rhs.type)
        if prod(stack) == 1 or prod(right) > 1 or product.transpose_lhs.value.data:
            return False
    elif not isinstance(product, ConvOp) or not _is_conv_of_pixels(product):
        return False
    if _is_open_within(kernel, product):
        return False
    return _is_each_row(kernel, product)


def _is_open_within(kernel: KernelOp, product: ConvOp | MatMulOp) -> bool:
    """Return whether an open axis is within others of the stack, or the rows within a stack.

    Then the elements of a run would not be the first rows of all, as for open pixels of an image
    of several rows.
    """
    left = product.operands[0]
    shape = bounds_of(left.type)
    axes = enumerate(axes_of_type(left.type))
    return any(growth and prod(shape[:axis]) > 1 for axis, growth in axes)


def _is_conv_of_pixels(conv: ConvOp) -> bool:
    if conv.layout != CHANNELS_LAST or not conv.is_kernel_in_out:
        return False
    _, _, window = conv.filter_shape
    if set(window) != {1} or set(ints(conv.strides)) != {1} or any(ints(conv.pads)):
        return False
    return conv.groups.value.data == 1


def _is_each_row(kernel: KernelOp, product: ConvOp | MatMulOp) -> bool:
    """Return whether what a kernel does, but for ``product``, it does for each row alone."""
    left, right, *_ = product.operands
    rows = bounds_of(left.type)[:-1]
    others = [value for value in kernel.body.block.args if value is not right]
    results = [op.results[0] for op in kernel.body_ops]
    rest = (op for op in kernel.body_ops if op is not product)
    if not right.has_one_use() or not all(isinstance(op, PointwiseOp | ConstantOp) for op in rest):
        return False
    return all(_keeps_rows(bounds_of(value.type), rows) for value in (*others, *results))


def _keeps_rows(shape: tuple[int, ...], rows: tuple[int, ...]) -> bool:
    """A tensor has all rows, or is the same for every row."""
    return shape[:-1] in (rows, (1,) * len(rows)) or len(shape) <= 1


def _matrix(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (prod(shape[:-1]), shape[-1]) if len(shape) > 1 else shape


def _flatten(kernel: KernelOp) -> None:
    inputs: list[SSAValue] = []
    for value in kernel.inputs:
        flat = _matrix(shape_of(value.type))
        if not are_same(flat, shape_of(value.type)):
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
    flat_kernel = KernelOp(inputs, block, [values[value] for value in kernel.yielded])
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
    return ConstantOp(with_type(value, type_))
