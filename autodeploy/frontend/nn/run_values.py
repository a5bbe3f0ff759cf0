"""Extents that a run computes from those of arguments, put before an op that reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from math import prod
from operator import add, mul

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Numbers, are_same, extent_of, numbers_of, table_of
from autodeploy.dialects.growth import Growth, solved
from autodeploy.dialects.nn.extent import DerivedOp, EndedOp, ExtentOp
from autodeploy.dialects.nn.extent_attr import Extents, axes_of_type
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.types import bounds_of, shape_of
from autodeploy.frontend.nn.builder import BuilderBefore, ConversionError, NnBuilder
from autodeploy.frontend.nn.term import Term
from autodeploy.weights import Array

_MOST_BYTES = 1 << 22
"""The most bytes of a constant with a row for each number."""


def ended(before: Operation, value: SSAValue, by: Sequence[SSAValue]) -> SSAValue:
    """Return a value of which the extents of other ones say where a run ends in it."""
    end = EndedOp(value, by)
    end.location = before.location
    Rewriter.insert_op(end, InsertPoint.before(before))
    return end.result


def derived_sources(func: FuncOp, numbers: Numbers) -> list[SSAValue]:
    """Let a function begin with a tensor for each derived number, whose extent says it."""
    start = InsertPoint.at_start(func.body.block)
    ops = [DerivedOp(extent_of(numbers, number.table)) for number in numbers.derived]
    Rewriter.insert_op(ops, start)
    for op in ops:
        op.location = func.location
    return [op.result for op in ops]


def told_places(arguments: Iterable[SSAValue]) -> dict[Growth, tuple[SSAValue, int]]:
    """Return where an argument has an extent, of the smallest one, by how it grows."""
    places: dict[Growth, tuple[SSAValue, int]] = {}
    tensors = [value for value in arguments if isinstance(value.type, TensorType)]
    for argument in sorted(tensors, key=lambda value: prod(bounds_of(value.type))):
        for axis, growth in enumerate(axes_of_type(argument.type)):
            if growth:
                places.setdefault(growth, (argument, axis))
    return places


class ExtentValues:
    """Computes extents from those of arguments; ``places`` says which axis has which growth."""

    def __init__(self, ctx: Context, places: dict[Growth, tuple[SSAValue, int]]):
        self._ctx = ctx
        self._places = places
        self._solved = solved(places)
        numbers = numbers_of(*(shape_of(value.type)[axis] for value, axis in places.values()))
        self._least = [] if numbers is None else [range_.least for range_ in numbers.all_ranges]

    def extent(self, before: Operation, growth: Growth) -> SSAValue:
        """Return the extent that grows so, from those of arguments."""
        return self._extent(BuilderBefore(self._ctx, before), growth).value

    def _extent(self, b: NnBuilder, growth: Growth) -> Term:
        if growth in self._places:
            return self._read(b, growth)
        if growth.rest:
            return reduce(mul, [self._extent(b, factor) for factor in growth.factors])
        numbers: dict[int, Term] = {}
        for own, place in self._solved:
            rest = self._read(b, own)
            for other, times in own.terms.items():
                if other != place:
                    rest = rest - _times(numbers[other], times)
            numbers[place] = _over(_plus(rest, -own.plus), own.terms[place])
        parts = [_times(numbers[place], times) for place, times in growth.terms.items()]
        # A negative quotient would be rounded up.
        least = Growth.sum_of(growth.terms, growth.plus).at(self._least)
        below = min(0, least // growth.over) if growth.over > 1 else 0
        whole = _plus(reduce(add, parts), growth.plus - below * growth.over)
        return _times(_plus(_over(whole, growth.over), below), growth.by)

    def _read(self, b: NnBuilder, growth: Growth) -> Term:
        return Term(b, b.emit(ExtentOp(*self._places[growth])))

    def number(self, before: Operation, numbers: Numbers, extent: int) -> SSAValue:
        """Return an extent, computed from those of arguments or looked up by the numbers."""
        growth = growth_of(extent)
        if growth:
            return self.extent(before, growth)
        if growth is not None:
            return BuilderBefore(self._ctx, before).scalar(int(extent), i64)
        return self.looked_up(before, numbers, np.asarray(table_of(extent)), ())

    def looked_up(
        self, before: Operation, numbers: Numbers, table: Array, shape: Sequence[int]
    ) -> SSAValue:
        """Return the row of a constant that has one for each number of a run.

        The leading axes of the table are those of the numbers, 1 where it does not depend on one.
        The row has the ``shape``, with the first elements along an axis that the run has. Raises
        ``ConversionError`` if all rows have too many bytes.
        """
        b, rank = BuilderBefore(self._ctx, before), len(numbers.ranges)
        if table.nbytes > _MOST_BYTES:
            raise ConversionError(
                f"it computes {table.nbytes} bytes for all numbers of the range, of which "
                f"{_MOST_BYTES} are stored at most; a range of fewer numbers, or a step, may help"
            )
        # A product of derived numbers has room for more elements than any run has.
        more = zip(Extents(tuple(shape)).bounds, table.shape[rank:], strict=True)
        table = np.pad(table, [*[(0, 0)] * rank, *((0, max(0, n - own)) for n, own in more)])
        grid, room = table.shape[:rank], table.shape[rank:]
        place: Term | None = None
        for axis, (range_, count) in enumerate(zip(numbers.ranges, grid, strict=True)):
            if count == 1:
                continue
            own = _plus(self._extent(b, Growth(1, place=axis)), -range_.least)
            place = own if place is None else _times(place, count) + own
        if place is None:
            found = b.make_constant(table.reshape(room))
        else:
            rows = np.ascontiguousarray(table).reshape(prod(grid), *room)
            found = b.emit(GatherOp(b.make_constant(rows), place.value, 0))
        if are_same(room, shape):
            return found
        return b.emit(SliceOp(found, [0] * len(room), shape, [1] * len(room)))


def _plus(x: Term, plus: int) -> Term:
    return x + plus if plus else x


def _times(x: Term, times: int) -> Term:
    return x if times == 1 else x * times


def _over(x: Term, over: int) -> Term:
    """Return a 64-bit integer that is not negative over a number, rounded down."""
    return x if over == 1 else x / over
