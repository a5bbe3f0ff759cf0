"""A builder of ops for passes, which rewrite one op at a time."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.frontend.nn.builder import NewOp, NnBuilder


class BuilderBefore(NnBuilder):
    """Inserts ops before one, with its location."""

    def __init__(self, ctx: Context, op: Operation):
        super().__init__(ctx)
        self._op = op

    def insert(self, new: NewOp) -> None:
        """Insert an op."""
        new.location = self._op.location
        Rewriter.insert_op(new, InsertPoint.before(self._op))
