"""The products of Strassen's algorithm, as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import listed_axes
from autodeploy.dialects.nn.strassen import ROW_PARTS, STRASSEN, Strassen
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, is_float, shape_of
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class StrassenProducts:
    """The products of ``pairs`` x ``inner`` by ``inner`` x ``columns`` of an algorithm."""

    algorithm: Strassen
    pairs: int
    """Pairs of rows of the result; the last one may have a single row."""
    inner: int
    """Steps of a product: the inner axis of a part."""
    columns: int
    """Columns of a product, those of a part."""
    packed: int
    """Columns that lie side by side in a right-hand side that has the sums; 0 of another."""
    element_bytes: int
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""

    @property
    def whole_inner(self) -> int:
        """Return the inner axis of the matrices."""
        return self.inner * self.algorithm.steps

    @property
    def whole_columns(self) -> int:
        """Return the columns of the result."""
        return self.columns * self.algorithm.columns

    @staticmethod
    def of_sizes(
        algorithm: Strassen,
        rows: int,
        inner: int,
        columns: int,
        element_bytes: int,
        packed: int = 0,
    ) -> StrassenProducts:
        """Return the products of a matrix of ``rows`` x ``inner`` by one of ``columns`` columns."""
        pairs, steps = -(-rows // ROW_PARTS), inner // algorithm.steps
        updates = algorithm.products * pairs * steps * (columns // algorithm.columns)
        return StrassenProducts(
            algorithm,
            pairs,
            steps,
            columns // algorithm.columns,
            packed,
            element_bytes,
            updates + rows * columns * STORED_WORK,
        )


def possible_products(kernel: KernelOp) -> list[StrassenProducts]:
    """Return the products of each algorithm that a kernel can be computed by.

    It is a product of one matrix by constant weights, whose inner axis and columns have equal
    parts. Of one whose right-hand side has the sums already, it is their algorithm. The kernel may
    take the rows from an image: the sums of the left-hand side read each of its elements once.
    """
    product = kernel.anchor
    if (
        not isinstance(product, MatMulOp)
        or len(kernel.anchors) > 1
        or len(kernel.outputs) > 1
        or (kernel.has_prologue and not kernel.takes_rows)
        or any(any(axes) for axes in listed_axes(kernel.open))
    ):
        return []
    *_, rows, columns = shape_of(product.result.type)
    inner, bytes_ = shape_of(product.lhs.type)[-1], ELEMENT_BYTES[product.sum_element]
    if product.strassen is not None:
        tiling = None if product.rhs_layout is None else product.rhs_layout.tiling
        assert tiling is not None
        algorithm = STRASSEN[ints(product.strassen)]
        return [StrassenProducts.of_sizes(algorithm, rows, inner, columns, bytes_, tiling.size)]
    is_matrix = (
        len(shape_of(product.rhs.type)) == 2
        and prod(shape_of(product.lhs.type)[:-2]) == 1
        and not (product.transpose_lhs or product.transpose_rhs)
        and product.rhs_layout is None
    )
    if not is_matrix or not keeps_sums(kernel, product):
        return []
    return products_of_sizes(rows, inner, columns, bytes_)


def products_of_sizes(
    rows: int, inner: int, columns: int, element_bytes: int
) -> list[StrassenProducts]:
    """Return the products of each algorithm whose parts of the inner axis and columns are equal."""
    if 0 in (rows, inner, columns):
        return []
    return [
        StrassenProducts.of_sizes(algorithm, rows, inner, columns, element_bytes)
        for algorithm in STRASSEN.values()
        if inner % algorithm.steps == 0 and columns % algorithm.columns == 0
    ]


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
