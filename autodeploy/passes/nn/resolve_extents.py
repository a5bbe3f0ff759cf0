"""Extents as values: constants where an axis is not open, else those of inputs of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.growth import Growth, solved
from autodeploy.dialects.nn.types import shape_of
from autodeploy.frontend.nn.run_values import ExtentValues, ended, told_places


def resolve_extents(ctx: Context, func: FuncOp, axes: OpenAxes) -> None:
    """Let all ``nn.extent`` of a function read its arguments, or make them constants.

    So that an extent does not keep the value whose it is, nor what computes it. ``axes`` are those
    of the values of the function.
    """
    places = told_places(func.body.block.args, axes.of)
    resolver = ExtentValues(ctx, places)
    for op in [op for op in func.body.walk() if isinstance(op, NNOp)]:
        if (axis := op.asked_extent) is None:
            continue
        x = op.operands[0]
        growth = axes.of(x)[axis]
        if growth in places and places[growth] == (x, axis):
            continue
        extent = shape_of(x.type)[axis]
        value = resolver.extent(op, growth) if growth else resolver.values.number(op, extent)
        Rewriter.replace_op(op, [], [value])


def end_values(func: FuncOp, told: OpenAxes, found: OpenAxes) -> None:
    """Let ops end where a run has the end of what is computed from constants and extents alone.

    ``told`` are the axes as the shapes of the model say, ``found`` as they follow from arguments.
    """
    ops = {op for op, _ in told.folds - found.folds} | {op for op, *_ in told.ends - found.ends}
    ops |= {op for op in (func.body.block.last_op,) if op is not None}
    places = told_places(func.body.block.args, told.of)
    for op in [op for op in func.body.block.ops if op in ops]:
        for index, value in enumerate(op.operands):
            axes = told.of(value)
            if axes == found.of(value):
                continue
            by = _arguments_for(axes, places)
            if by:
                op.operands[index] = ended(op, value, by, axes)


def _arguments_for(
    axes: Sequence[Growth], places: Mapping[Growth, tuple[SSAValue, int]]
) -> list[SSAValue]:
    """Return arguments from whose extents others follow; none where there are none."""
    found: dict[SSAValue, None] = {}
    for growth in axes:
        if growth in places:
            found[places[growth][0]] = None
            continue
        known = {place: own for own, place in solved(places)}
        needed = list(growth.terms)
        while needed:
            own = known.get(needed.pop())
            if own is None:
                return []
            if places[own][0] not in found:
                found[places[own][0]] = None
                needed += own.terms
    return list(found)
