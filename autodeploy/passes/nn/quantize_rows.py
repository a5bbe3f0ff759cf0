"""``quantize-rows``: rows of products with codes of weights become codes, too."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.quantised import QuantizeOp
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of, shape_of
from autodeploy.frontend.nn.builder import BuilderBefore
from autodeploy.frontend.nn.functions import scale_of_codes
from autodeploy.frontend.onnx.description import rounds_rows

_CODES = 127
"""The largest code of a row; the least is its negative."""


@dataclass(frozen=True)
class QuantizeRowsPass(ModulePass):
    """Give ``nn.scaled_matmul`` rows of 8-bit codes, with a scale for each block of a row.

    The largest element of a block has the code 127 or -127. Products of codes are summed in 32-bit
    integers, as onnxruntime does with MatMulNBits of accuracy level 4. With ``stated`` only if the
    model states that level for all its products with codes.
    """

    name = "quantize-rows"

    stated: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.stated and not rounds_rows(op):
            return
        for product in [inner for inner in op.walk() if isinstance(inner, ScaledMatMulOp)]:
            if product.x_scales is None:
                _quantize(BuilderBefore(ctx, product), product)


def _quantize(b: BuilderBefore, product: ScaledMatMulOp) -> None:
    """Replace a product by one that reads codes of its rows."""
    x, size = product.x, product.block.value.data
    row = shape_of(x.type)[:-1]
    blocks = bounds_of(x.type)[-1] // size
    apart = b.reshape(x, (*row, blocks, size))
    scales = scale_of_codes(b, apart, len(row) + 1, _CODES)
    codes = b.emit(QuantizeOp(apart, scales, b.scalar(0, i8)))
    others = (product.weights, product.scales, product.zeros)
    flat, of_rows = b.reshape(codes, shape_of(x.type)), b.reshape(scales, (*row, blocks))
    Rewriter.replace_op(product, ScaledMatMulOp(flat, *others, of_rows, block=size))
