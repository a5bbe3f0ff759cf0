"""How a constant right-hand side is packed: the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.config import Knob
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.machine import Machine
from autodeploy.templates.gemm.tile import ANY, packed_lanes, product_tile


def pack_knobs(
    kernel: KernelOp, product: MatMulOp, machine: Machine, tile: int | None = None
) -> Mapping[str, Sequence[Knob]]:
    """Choose the packing of a right-hand side; there is none of one that is no matrix of weights.

    ``pack``: the columns that lie side by side, and all columns with the zeros that fill up the
    last tile, of ``tile`` columns or of as many as the rule says.
    """
    rhs = product.rhs
    shape = shape_of(rhs.type)
    if (
        len(shape) != 2
        or not all(shape)
        or product.transpose_rhs
        or product.rhs_layout is not None
        or not isinstance(rhs, BlockArgument)
        or not rhs.has_one_use()
        or not isinstance(kernel.inputs[rhs.index].owner, ConstantOp)
    ):
        return {}
    inner, columns = shape
    element = ELEMENT_BYTES[element_of(product.lhs.type)]
    width = packed_lanes(machine, element, columns)
    if tile is None:
        rows = shape_of(product.result.type)[-2]
        row_bytes = 0 if product.transpose_lhs else inner * element
        tile = product_tile(
            machine, element, columns, rows, inner, packed_columns=ANY, row_bytes=row_bytes
        ).columns
    return {"pack": (min(width, tile), -(-columns // tile) * tile)}
