"""Extents as values: constants where an axis is not open, else those of inputs of the program."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.frontend.nn.builder import BuilderBefore
from autodeploy.frontend.nn.run_values import ExtentValues, told_places


def resolve_extents(ctx: Context, func: FuncOp, sources: Sequence[SSAValue]) -> None:
    """Let all ``nn.extent`` of a function read arguments and sources, or make them constants.

    An extent then keeps neither its value nor the producer of that alive.
    """
    places = told_places([*func.body.block.args, *sources])
    resolver = ExtentValues(ctx, places)
    for op in [op for op in func.body.walk() if isinstance(op, NNOp)]:
        if (axis := op.dim_query_axis) is None:
            continue
        x = op.operands[0]
        growth = axes_of_type(x.type)[axis]
        if growth in places and places[growth] == (x, axis):
            continue
        extent = bounds_of(x.type)[axis]
        value = (
            resolver.extent(op, growth) if growth else BuilderBefore(ctx, op).scalar(extent, i64)
        )
        Rewriter.replace_op(op, [], [value])
