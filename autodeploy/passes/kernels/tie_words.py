"""``tie-words``: rows of words are read from the weights of the product with all words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.nn.packed_codes import gathered_rows, packed_codes, unshaped
from autodeploy.dialects.nn.quantised import DequantizeOp
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of, shape_of
from autodeploy.frontend.nn.builder import BuilderBefore
from autodeploy.frontend.nn.tiled_columns import TiledColumns, unpacked_rows
from autodeploy.machine import Machine
from autodeploy.passes.fusion.constraints_blocks import Codes, packed_codes_of_blocks
from autodeploy.templates.scaled.template import packed_tile
from autodeploy.weights import WeightStore, constant_value


class TieWordsPass(ModulePass):
    """Look up rows of codes in the weights of an ``nn.scaled_matmul`` that has the same codes.

    Decoders mostly have one matrix for the words that they read and for the scores of those that
    follow. The product reads it in tiles of columns. A row of it is a column there: few bytes of
    many lines of memory, far less than the product reads. The weight file holds it once.
    """

    name = "tie-words"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        products: dict[Attribute, ScaledMatMulOp] = {}
        for product in [inner for inner in op.walk() if isinstance(inner, ScaledMatMulOp)]:
            if not product.tile and (weights := constant_value(product.weights)) is not None:
                products[weights] = product
        if products:
            for numbers in [inner for inner in op.walk() if isinstance(inner, DequantizeOp)]:
                _tie(ctx, machine_of(op), products, numbers)


def _tie(
    ctx: Context,
    machine: Machine,
    products: Mapping[Attribute, ScaledMatMulOp],
    numbers: DequantizeOp,
) -> None:
    store, b = WeightStore.of(ctx), BuilderBefore(ctx, numbers)
    codes = unshaped(numbers.x)
    bytes_, bits = packed_codes(codes) or (codes, 8)
    rows, shape = gathered_rows(bytes_), bounds_of(numbers.x.type)
    known = None if rows is None else constant_value(rows.x)
    if rows is None or known is None or len(shape) < 2:
        return
    stored = (bounds_of(rows.x.type)[0], *shape[-2:])
    found = Codes.stored(store, known, stored, bits)
    if found is None or found.count != stored[0] * stored[1] * stored[2]:
        return
    matrix, offset = packed_codes_of_blocks(found, (1, 2, 0))
    if offset or (product := products.get(matrix)) is None:
        return
    (width, _, dot), (blocks, bytes_of_block, _) = (
        packed_tile(product, machine),
        bounds_of(matrix.type),
    )
    packed = TiledColumns(width, dot).rows(b, matrix, rows.indices)
    apart = unpacked_rows(b, packed, blocks, 8 * bytes_of_block // shape[-1])
    numbers.operands[0] = b.reshape(apart, shape_of(numbers.x.type))
    own, scales = gathered_rows(numbers.scale), constant_value(product.scales)
    if own and scales and _is_transposed(store, constant_value(own.x), scales):
        tied = TiledColumns(width).rows(b, scales, own.indices)
        numbers.operands[1] = b.reshape(tied, shape_of(numbers.scale.type))


def _is_transposed(store: WeightStore, one: ConstantValue | None, other: ConstantValue) -> bool:
    return one is not None and np.array_equal(store.array(one).T, store.array(other))
