"""Writing expressions before an op that they replace."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.lowering.nn_to_halide.expression import Expr, Scope


class Before(Scope):
    """Puts new ops before an op; equal ones are not shared."""

    def __init__(self, anchor: Operation):
        block = anchor.parent_block()
        assert block is not None
        # Whatever the pipeline says: sums that round must not be taken apart.
        super().__init__(block, fast_math=True)
        self._anchor = anchor

    def emit(self, key: object, op: Operation) -> Expr:
        """Put ``op`` in front and return its value."""
        self.block.insert_op_before(op, self._anchor)
        return Expr(op.results[0], self)

    def expr(self, value: SSAValue) -> Expr:
        """Return a value of the IR as an expression."""
        return Expr(value, self)


def replace(op: Operation, expression: Expr) -> None:
    """Put an expression in place of an op."""
    Rewriter.replace_op(op, [], [expression.value])
