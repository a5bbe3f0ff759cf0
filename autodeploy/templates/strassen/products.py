"""The products of Strassen's algorithm, as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import listed_axes
from autodeploy.dialects.nn.strassen import PRODUCTS
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_float, shape_of
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class StrassenProducts:
    """Seven products of ``pairs`` x ``inner`` by ``inner`` x ``columns``."""

    pairs: int
    """Pairs of rows of the result; the last one may have a single row."""
    inner: int
    columns: int
    packed: int
    """Columns that lie side by side in a right-hand side that has the sums; 0 of another."""
    element_bytes: int
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""

    @staticmethod
    def of_sizes(
        rows: int, inner: int, columns: int, element_bytes: int, packed: int = 0
    ) -> StrassenProducts:
        """Return the products of a matrix of ``rows`` x ``inner`` by one of ``columns`` columns."""
        pairs = -(-rows // 2)
        updates = PRODUCTS * pairs * (inner // 2) * (columns // 2)
        return StrassenProducts(
            pairs,
            inner // 2,
            columns // 2,
            packed,
            element_bytes,
            updates + rows * columns * STORED_WORK,
        )

    @staticmethod
    def of(kernel: KernelOp) -> StrassenProducts:
        """Return the products of a kernel for which ``has_quarters``."""
        product = kernel.anchor
        assert isinstance(product, MatMulOp)
        *_, rows, columns = shape_of(product.result.type)
        tiling = None if product.rhs_layout is None else product.rhs_layout.tiling
        return StrassenProducts.of_sizes(
            rows,
            shape_of(product.lhs.type)[-1],
            columns,
            ELEMENT_BYTES[product.sum_element],
            0 if tiling is None else tiling.size,
        )


def has_quarters(kernel: KernelOp) -> bool:
    """Tell whether a kernel is a product of one matrix by constant weights of even extents.

    One whose right-hand side has the sums already is. The kernel may take the rows from an image:
    the sums of the left-hand side read each of its elements once.
    """
    product = kernel.anchor
    if (
        not isinstance(product, MatMulOp)
        or len(kernel.anchors) > 1
        or len(kernel.outputs) > 1
        or (kernel.has_prologue and not kernel.takes_rows)
        or any(any(axes) for axes in listed_axes(kernel.open))
    ):
        return False
    if product.strassen is not None:
        return True
    shape = shape_of(product.rhs.type)
    return (
        len(shape) == 2
        and prod(shape_of(product.lhs.type)[:-2]) == 1
        and not any(extent % 2 for extent in shape)
        and all(shape_of(product.result.type))
        and not (product.transpose_lhs or product.transpose_rhs)
        and product.rhs_layout is None
        and keeps_sums(kernel, product)
    )


def keeps_sums(kernel: KernelOp, anchor: ConvOp | MatMulOp) -> bool:
    """Tell whether an anchor has constant weights of its own, of elements that sums of them fit.

    Elements have 32 bits or more: 16 bits would lose digits of the sums.
    """
    element, weights = element_of(anchor.operands[0].type), anchor.operands[1]
    return (
        is_float(element)
        and anchor.sum_element == element
        and ELEMENT_BYTES[element] >= 4
        and isinstance(weights, BlockArgument)
        and weights.has_one_use()
        and isinstance(kernel.inputs[weights.index].owner, ConstantOp)
    )
