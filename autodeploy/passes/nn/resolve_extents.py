"""Extents as values: constants where an axis is not open, else those of inputs of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.growth import Growth, solved
from autodeploy.dialects.nn.types import shape_of
from autodeploy.frontend.nn.run_values import RunValues, ended


def resolve_extents(ctx: Context, func: FuncOp, axes: OpenAxes) -> None:
    """Let all ``nn.extent`` of a function read its arguments, or make them constants.

    So that an extent does not keep the value whose it is, nor what computes it. ``axes`` are those
    of the values of the function.
    """
    places = _told_places(func, axes)
    resolver = _Resolver(ctx, places)
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
    places = _told_places(func, told)
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


def _told_places(func: FuncOp, axes: OpenAxes) -> dict[Growth, tuple[SSAValue, int]]:
    """Return where an argument has an extent, of the smallest one, by how it grows."""
    places: dict[Growth, tuple[SSAValue, int]] = {}
    for argument in sorted(func.body.block.args, key=lambda a: prod(shape_of(a.type))):
        for axis, growth in enumerate(axes.of(argument)):
            if growth:
                places.setdefault(growth, (argument, axis))
    return places


class _Resolver:
    def __init__(self, ctx: Context, places: dict[Growth, tuple[SSAValue, int]]):
        self.values = RunValues(ctx)
        self._places = places
        self._solved = solved(places)

    def extent(self, before: Operation, growth: Growth) -> SSAValue:
        """Return the extent that grows so, from those of arguments."""
        make = self.values
        if growth in self._places:
            return make.extent(before, *self._places[growth])
        if growth.rest:
            first, *further = (self.extent(before, factor) for factor in growth.factors)
            for factor in further:
                first = make.product(before, first, factor)
            return first
        numbers: dict[int, SSAValue] = {}
        for own, place in self._solved:
            rest = make.extent(before, *self._places[own])
            for other, times in own.terms.items():
                if other != place:
                    rest = make.less(before, rest, make.times(before, numbers[other], times))
            rest = make.plus(before, rest, -own.plus)
            numbers[place] = make.over(before, rest, own.terms[place])
        parts = [make.times(before, numbers[place], times) for place, times in growth.terms.items()]
        value = parts[0]
        for part in parts[1:]:
            value = make.sum(before, value, part)
        value = make.over(before, make.plus(before, value, growth.plus), growth.over)
        return make.times(before, value, growth.by)
