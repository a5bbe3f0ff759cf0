"""``tabulate-codes``: codes that follow from codes of 8 bits are clipped or looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from autodeploy.analysis.evaluation import evaluate
from autodeploy.analysis.scalar_costs import Speed, body_cost
from autodeploy.dialects.extents import are_same
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.quantised import QuantizeOp
from autodeploy.dialects.nn.types import element_of, i8, shape_of, ui8
from autodeploy.frontend.nn.builder import BuilderBefore
from autodeploy.frontend.nn.functions import clipped, look_up
from autodeploy.weights import Array, constant_array, numpy_dtype

_CODES = 256
"""The codes of 8 bits. As places in a table, those below zero count from the end."""


class TabulateCodesPass(ModulePass):
    """Clip codes where a function of codes does no more, or look up the results of a slow one.

    Between the first codes and the last ones may be any pointwise ops whose other operands are
    single constants, also other codes. A table of 256 codes has the result for each of them. If
    these are the codes themselves between two bounds, as for a Relu6 between equal scales, they are
    clipped. Else the table replaces functions of more instructions than a division, such as a
    GELU: fewer ones cost less as a part of the kernel before them.
    """

    name = "tabulate-codes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module; the ops of a function stay where something else reads them."""
        ops = [inner for inner in op.walk() if isinstance(inner, PointwiseOp)]
        tables: dict[SSAValue, _Table] = {}
        for inner in ops:
            table = _table(ctx, inner, tables)
            if table is not None:
                tables[inner.result] = table
        unread: set[SSAValue] = set()
        for inner in reversed(ops):
            result, table = inner.result, tables.get(inner.result)
            if table is None:
                continue
            if all(unread.intersection(use.operation.results) for use in result.uses):
                unread.add(result)
            elif isinstance(inner, QuantizeOp) and _has_bytes(result):
                codes = _codes(BuilderBefore(ctx, inner), table)
                if codes is not None:
                    result.replace_all_uses_with(codes)
                    unread.add(result)


@dataclass(frozen=True)
class _Table:
    """A function of codes: its values for each of them, and whether it has a slow part."""

    codes: SSAValue
    values: Array
    is_slow: bool = False

    @classmethod
    def of_codes(cls, codes: SSAValue) -> _Table:
        """Return the codes themselves."""
        places = np.arange(_CODES, dtype=np.uint8)
        return cls(codes, places.view(numpy_dtype(element_of(codes.type))))


def _codes(b: BuilderBefore, table: _Table) -> SSAValue | None:
    """Return the codes of a table, ``None`` where the function costs less than the table."""
    before = _Table.of_codes(table.codes).values
    low, high = int(table.values.min()), int(table.values.max())
    is_clipped = before.dtype == table.values.dtype
    if is_clipped and np.array_equal(table.values, np.clip(before, low, high)):
        return clipped(b, table.codes, low, high)
    return look_up(b, b.make_constant(table.values), table.codes) if table.is_slow else None


def _table(ctx: Context, op: PointwiseOp, tables: Mapping[SSAValue, _Table]) -> _Table | None:
    """Return the table of an op, if one tensor of 8-bit codes alone decides its elements."""
    operands: list[Array] = []
    given: list[_Table] = []
    for operand in op.operands:
        constant = constant_array(ctx, operand)
        if constant is not None and constant.size == 1:
            operands.append(constant.reshape(1))
            continue
        if operand not in tables and not _has_bytes(operand):
            return None
        given.append(tables.get(operand) or _Table.of_codes(operand))
        operands.append(given[-1].values)
    codes = {table.codes for table in given}
    if len(codes) != 1:
        return None
    (origin,) = codes
    if not are_same(shape_of(origin.type), shape_of(op.result.type)):
        return None
    is_slow = body_cost(op).speed == Speed.FUNCTION or any(table.is_slow for table in given)
    return _Table(origin, evaluate(op, operands), is_slow)


def _has_bytes(value: SSAValue) -> bool:
    return element_of(value.type) in (ui8, i8)
