"""``sink-dequantize``: codes are stored, not the numbers that they stand for."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.quantised import CODES, DequantizeOp
from autodeploy.dialects.nn.types import element_of


class SinkDequantizePass(ModulePass):
    """Give each reader of dequantised codes a dequantize op of its own, with which it may fuse.

    Codes take a quarter of the memory of their numbers or half of it, and a product for each
    element costs less than to store it.
    """

    name = "sink-dequantize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for numbers in [inner for inner in op.walk() if isinstance(inner, DequantizeOp)]:
            if element_of(numbers.x.type) not in CODES:
                continue
            readers = list(dict.fromkeys(use.operation for use in numbers.result.uses))
            for reader in readers[1:]:
                own = numbers.clone()
                Rewriter.insert_op(own, InsertPoint.before(reader))
                numbers.result.replace_uses_with_if(
                    own.result, lambda use, reader=reader: use.operation is reader
                )
