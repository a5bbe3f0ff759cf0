"""``slice-strided-convs``: a 1x1 convolution with a stride is one of the pixels that it reads.

The downsampling branches of residual networks read every second pixel of every second row. These
are rows of a matrix product that Strassen's algorithm is for: it reads each row once, to sum up
parts of the matrix, and does that as well where rows do not lie one behind the other.

The plain product reads rows once for each tile of columns, so that they have to be copied first.
With the copy it takes 0.93 to 1.14 of the time of the direct sum. So the convolution stays what it
is where its product is no product by Strassen's algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, shape_of
from autodeploy.machine import Machine
from autodeploy.passes.nn.flatten_products import is_flat, reads_single_pixels
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.strassen.costs import strassen_pays
from autodeploy.templates.strassen.products import keeps_sums, products_of_sizes
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class SliceStridedConvsPass(ModulePass):
    """Take the pixels that a 1x1 convolution with a stride reads by a slice in its kernel.

    With ``winograd``, which allows Strassen's algorithm, this is done where the product of these
    pixels and the filter costs less by that algorithm than the plain product does. The convolution
    then has stride 1, and flatten-products makes the product. It has one group and no padding.
    """

    name = "slice-strided-convs"

    winograd: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels of the module."""
        if not self.winograd:
            return
        machine = machine_of(op)
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            if not _pays(kernel, machine):
                continue
            sliced = _sliced(kernel)
            if is_flat(sliced):
                Rewriter.replace_op(kernel, sliced)
            else:
                sliced.erase()


def _pays(kernel: KernelOp, machine: Machine) -> bool:
    """Tell whether a kernel is such a convolution, whose product is better by Strassen's algorithm.

    Its image is an input that nothing else of the kernel reads, and no extent is open.
    """
    conv = kernel.anchor
    if (
        not isinstance(conv, ConvOp)
        or set(ints(conv.strides)) == {1}
        or not reads_single_pixels(conv)
        or not isinstance(conv.x, BlockArgument)
        or len(kernel.outputs) > 1
        or kernel.open is not None
        or not keeps_sums(kernel, conv)
    ):
        return False
    *pixels, columns = shape_of(conv.result.type)
    rows, inner, bytes_ = prod(pixels), shape_of(conv.x.type)[-1], ELEMENT_BYTES[conv.sum_element]
    possible = products_of_sizes(rows, inner, columns, bytes_)
    if not possible:
        return False
    plain = Product(
        columns,
        rows,
        inner,
        stack=(),
        stored_bytes=bytes_,
        sum_bytes=bytes_,
        packed=(),
        packable=True,
        transposed_left=False,
        made=True,
        reads_left=False,
        reads_addend=False,
        work=rows * columns * (inner + STORED_WORK),
    )
    return strassen_pays(machine, possible, plain)


def _sliced(kernel: KernelOp) -> KernelOp:
    """Return the kernel with a slice before its convolution, which then has stride 1."""
    sliced = kernel.clone()
    conv = sliced.anchor
    assert isinstance(conv, ConvOp)
    pixels, channels = shape_of(conv.result.type)[:-1], shape_of(conv.x.type)[-1]
    sizes, strides = (*pixels, channels), ints(conv.strides)
    taken = SliceOp(conv.x, [0] * len(sizes), sizes, [1, *strides, 1])
    taken.location = conv.location
    Rewriter.insert_op(taken, InsertPoint.before(conv))
    conv.operands[0] = taken.result
    conv.strides = DenseArrayBase.from_list(i64, [1] * len(strides))
    return sliced
