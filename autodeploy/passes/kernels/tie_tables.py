"""``tie-tables``: rows of a table are read from the packed weights of a product that equal them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.lookup import LookupOp
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.tiled import TiledAttr
from autodeploy.dialects.nn.types import bounds_of, byte_size, element_of
from autodeploy.weights import LARGE_BYTES, WeightStore, constant_value

_ROWS = 4096
"""Rows that are compared at a time."""


@dataclass(frozen=True)
class _Matrix:
    """The matrix K x N of a product, the ops that make and pack it, and how it is packed."""

    weights: ConstantValue
    steps: Sequence[Operation]
    layout: TiledAttr


class TieTablesPass(ModulePass):
    """Look up rows of a table in the weights of a product whose columns are these rows.

    Decoders mostly have one matrix for the words that they read and for the scores of those that
    follow. The product reads it as ``pack-weights`` has laid it out, and a row of the table is a
    column there: elements of many lines of memory, yet far fewer than the product reads. The weight
    file holds the matrix once. Small tables stay.
    """

    name = "tie-tables"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = [inner for inner in op.walk() if isinstance(inner, KernelOp)]
        matrices = [matrix for kernel in kernels for matrix in _matrices(kernel)]
        for kernel in kernels if matrices else ():
            for lookup in [inner for inner in kernel.walk() if isinstance(inner, LookupOp)]:
                _tie(WeightStore.of(ctx), kernel, lookup, matrices)


def _matrices(kernel: KernelOp) -> Iterator[_Matrix]:
    """Yield the large constant matrices that a kernel multiplies with."""
    for product in kernel.anchors:
        if not isinstance(product, MatMulOp) or not isinstance(product.rhs, BlockArgument):
            continue
        step, steps = kernel.inputs[product.rhs.index].owner, list[Operation]()
        while isinstance(step, TransposeOp | ReshapeOp | PadOp):
            steps.insert(0, step)
            step = step.x.owner
        # Otherwise they are no steps of packing.
        packs = bool(steps) == (product.rhs_layout is not None) and not product.transpose_rhs
        if not packs or not isinstance(step, ConstantOp):
            continue
        if len(bounds_of(step.value.type)) == 2 and byte_size(step.value.type) >= LARGE_BYTES:
            yield _Matrix(step.value, (step, *steps), product.rhs_layout or TiledAttr((0, 1)))


def _tie(
    store: WeightStore, kernel: KernelOp, lookup: LookupOp, matrices: Sequence[_Matrix]
) -> None:
    """Give a lookup of rows the first matrix whose columns these are."""
    argument = lookup.x
    if not isinstance(argument, BlockArgument) or not argument.has_one_use():
        return
    if (table := constant_value(kernel.inputs[argument.index])) is None:
        return
    for matrix in matrices:
        if not _is_transposed(store, table, matrix.weights) or not _precedes(matrix.steps, kernel):
            continue
        if lookup.read_rows(matrix.layout.transposed()):
            value = matrix.steps[-1].results[0]
            kernel.operands[argument.index] = value
            Rewriter.replace_value_with_new_type(argument, value.type)
            return


def _is_transposed(store: WeightStore, table: ConstantValue, matrix: ConstantValue) -> bool:
    """Tell whether two constants have the same bits, one by columns."""
    if bounds_of(table.type) != bounds_of(matrix.type)[::-1]:
        return False
    if element_of(table.type) != element_of(matrix.type):
        return False
    rows, columns = store.array(table), store.array(matrix)
    bits = f"u{rows.itemsize}"
    return all(
        np.array_equal(
            rows[first : first + _ROWS].view(bits), columns[:, first : first + _ROWS].T.view(bits)
        )
        for first in range(0, len(rows), _ROWS)
    )


def _precedes(steps: Sequence[Operation], kernel: KernelOp) -> bool:
    """Bring ops before a kernel of the same block; returns whether they are in its block."""
    if (block := kernel.parent) is None or any(step.parent is not block for step in steps):
        return False
    for step in steps:
        if block.get_operation_index(step) > block.get_operation_index(kernel):
            step.detach()
            Rewriter.insert_op(step, InsertPoint.before(kernel))
    return True
