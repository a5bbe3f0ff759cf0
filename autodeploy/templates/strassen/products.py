"""The products of Strassen's algorithm, as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import MatMulOp
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
    def of(kernel: KernelOp) -> StrassenProducts:
        """Return the products of a kernel for which ``has_quarters``."""
        product = kernel.anchor
        assert isinstance(product, MatMulOp)
        *_, rows, columns = shape_of(product.result.type)
        inner = shape_of(product.lhs.type)[-1] // 2
        tiling = None if product.rhs_layout is None else product.rhs_layout.tiling
        pairs = -(-rows // 2)
        return StrassenProducts(
            pairs,
            inner,
            columns // 2,
            0 if tiling is None else tiling.size,
            ELEMENT_BYTES[product.sum_element],
            PRODUCTS * pairs * inner * (columns // 2) + prod((rows, columns)) * STORED_WORK,
        )


def has_quarters(kernel: KernelOp) -> bool:
    """Tell whether a kernel is a product of one matrix by constant weights of even extents.

    One whose right-hand side has the sums already is. Elements have 32 bits or more: 16 bits would
    lose digits of the sums.
    """
    product = kernel.anchor
    if (
        not isinstance(product, MatMulOp)
        or len(kernel.anchors) > 1
        or len(kernel.outputs) > 1
        or kernel.has_prologue
        or any(any(axes) for axes in listed_axes(kernel.open))
    ):
        return False
    if product.strassen is not None:
        return True
    shape, element, rhs = shape_of(product.rhs.type), element_of(product.lhs.type), product.rhs
    return (
        len(shape) == 2
        and prod(shape_of(product.lhs.type)[:-2]) == 1
        and not any(extent % 2 for extent in shape)
        and all(shape_of(product.result.type))
        and not (product.transpose_lhs or product.transpose_rhs)
        and product.rhs_layout is None
        and is_float(element)
        and product.sum_element == element
        and ELEMENT_BYTES[element] >= 4
        and isinstance(rhs, BlockArgument)
        and rhs.has_one_use()
        and isinstance(kernel.inputs[rhs.index].owner, ConstantOp)
    )
