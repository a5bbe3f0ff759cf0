"""``tabulate-codes``: codes that follow from one code of 8 bits are read from a table."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from autodeploy.analysis.evaluation import evaluate
from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.quantised import QuantizeOp
from autodeploy.dialects.nn.types import element_of, i8, shape_of, ui8
from autodeploy.frontend.nn.before import BuilderBefore
from autodeploy.weights import Array, constant_array, numpy_dtype

_BYTES = (ui8, i8)

_CODES = 256
"""The codes of 8 bits. As places in a table, those below zero count from the end."""


class TabulateCodesPass(ModulePass):
    """Look up codes that a slow function computes from codes, such as those of a GELU.

    Between the first codes and the last ones may be any pointwise ops whose other operands are
    single constants, also other codes. A table of 256 codes has the result for each of them. It
    replaces functions of more instructions than a division: fewer ones cost less as a part of the
    kernel before them.
    """

    name = "tabulate-codes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module; the ops of a function stay where something else reads them."""
        ops = [inner for inner in op.walk() if isinstance(inner, PointwiseOp)]
        origins: dict[SSAValue, SSAValue] = {}
        for inner in ops:
            origin = _origin(ctx, inner, origins)
            if origin is not None:
                origins[inner.result] = origin
        unread: set[SSAValue] = set()
        for inner in reversed(ops):
            result, origin = inner.result, origins.get(inner.result)
            if origin is None:
                continue
            if all(unread.intersection(use.operation.results) for use in result.uses):
                unread.add(result)
            elif isinstance(inner, QuantizeOp) and element_of(result.type) in _BYTES:
                function = _Function(ctx, origin)
                table = function.values(result)
                if function.is_slow:
                    b = BuilderBefore(ctx, inner)
                    looked_up = GatherOp(b.make_constant(table), origin, 0)
                    b.insert(looked_up)
                    result.replace_all_uses_with(looked_up.result)
                    unread.add(result)


def _origin(ctx: Context, op: PointwiseOp, origins: dict[SSAValue, SSAValue]) -> SSAValue | None:
    """Return the codes of 8 bits that alone decide the result of an op, element by element."""
    found: set[SSAValue] = set()
    for operand in op.operands:
        if operand in origins:
            found.add(origins[operand])
        elif (array := constant_array(ctx, operand)) is None or array.size != 1:
            found.add(operand)
    if len(found) != 1:
        return None
    (origin,) = found
    is_code = element_of(origin.type) in _BYTES
    same = are_same(shape_of(origin.type), shape_of(op.result.type))
    return origin if is_code and same else None


class _Function:
    """Values that follow from codes.

    ``is_slow`` tells of an op that takes more instructions than a division.
    """

    def __init__(self, ctx: Context, origin: SSAValue):
        self.is_slow = False
        self._ctx = ctx
        codes = np.arange(_CODES, dtype=np.uint8).view(numpy_dtype(element_of(origin.type)))
        self._known: dict[SSAValue, Array] = {origin: codes}

    def values(self, value: SSAValue) -> Array:
        """Return what a value is for each of the codes."""
        if value not in self._known:
            op = value.owner
            if isinstance(op, PointwiseOp):
                operands = [self.values(operand) for operand in op.operands]
                self.is_slow |= body_cost(op).is_slow and not isinstance(op, DivOp | QuantizeOp)
                array = evaluate(op, operands)
            else:
                constant = constant_array(self._ctx, value)
                assert constant is not None
                array = constant.reshape(1)
            self._known[value] = array
        return self._known[value]
