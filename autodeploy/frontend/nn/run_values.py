"""Values that a run computes from extents, put before an op that reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Numbers, are_same, table_of
from autodeploy.dialects.growth import Growth, solved
from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, SubOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.extent import EndedOp, ExtentOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp, SliceOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.weights import Array, WeightStore

_MOST_BYTES = 1 << 22
"""The most bytes of a constant with a row for each number."""


def insert(before: Operation, op: Operation) -> SSAValue:
    """Put an op before another one, whose location it takes; return its first result."""
    block = before.parent_block()
    assert block is not None
    op.location = before.location
    block.insert_op_before(op, before)
    return op.results[0]


class RunValues:
    """Makes values before an op; those that compute have elements of one type."""

    def __init__(self, ctx: Context):
        self.weights = WeightStore.of(ctx)

    def constant(self, before: Operation, array: Array) -> SSAValue:
        """Return a constant."""
        return insert(before, ConstantOp(self.weights.attribute(array)))

    def number(self, before: Operation, value: int) -> SSAValue:
        """Return a constant of one 64-bit integer."""
        return self.constant(before, np.array(value, np.int64))

    def extent(self, before: Operation, x: SSAValue, axis: int) -> SSAValue:
        """Return the extent of an axis, a 64-bit integer."""
        return insert(before, ExtentOp(x, axis))

    def listed(
        self, before: Operation, parts: Sequence[SSAValue], shape: Sequence[int]
    ) -> SSAValue:
        """Return a tensor of single numbers."""
        if not shape:
            return parts[0]
        lists = [insert(before, ReshapeOp(part, (1,))) for part in parts]
        whole = lists[0] if len(lists) == 1 else insert(before, ConcatOp(lists, 0))
        return insert(before, ReshapeOp(whole, shape))

    def sum(self, before: Operation, one: SSAValue, other: SSAValue) -> SSAValue:
        """Return a sum."""
        return insert(before, AddOp(one, other))

    def less(self, before: Operation, one: SSAValue, other: SSAValue) -> SSAValue:
        """Return a difference."""
        return insert(before, SubOp(one, other))

    def product(self, before: Operation, one: SSAValue, other: SSAValue) -> SSAValue:
        """Return a product."""
        return insert(before, MulOp(one, other))

    def plus(self, before: Operation, value: SSAValue, plus: int) -> SSAValue:
        """Return a 64-bit integer plus a number."""
        return self.sum(before, value, self.number(before, plus)) if plus else value

    def times(self, before: Operation, value: SSAValue, times: int) -> SSAValue:
        """Return a 64-bit integer times a number."""
        if times == 1:
            return value
        return insert(before, MulOp(value, self.number(before, times)))

    def over(self, before: Operation, value: SSAValue, over: int) -> SSAValue:
        """Return a 64-bit integer that is not negative over a number, rounded down."""
        return value if over == 1 else insert(before, DivOp(value, self.number(before, over)))


def ended(before: Operation, value: SSAValue, by: Sequence[SSAValue]) -> SSAValue:
    """Return a value of which the extents of other ones say where a run ends in it."""
    return insert(before, EndedOp(value, by))


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

    def number(self, before: Operation, numbers: Numbers, extent: int) -> SSAValue:
        """Return an extent, computed from those of arguments or looked up by the numbers."""
        growth = growth_of(extent)
        if growth is not None:
            return self.extent(before, growth) if growth else self.values.number(before, extent)
        return self.looked_up(before, numbers, np.asarray(table_of(extent)), ())

    def looked_up(
        self, before: Operation, numbers: Numbers, table: Array, shape: Sequence[int]
    ) -> SSAValue:
        """Return the row of a constant that has one for each number of a run.

        The leading axes of the table are those of the numbers, 1 where it does not depend on one.
        The row has the ``shape``, with the first elements along an axis that the run has. Raises
        ``ConversionError`` if all rows have too many bytes.
        """
        make, rank = self.values, len(numbers.ranges)
        if table.nbytes > _MOST_BYTES:
            raise ConversionError(
                f"it computes {table.nbytes} bytes for all numbers of the range, of which "
                f"{_MOST_BYTES} are stored at most; a range of fewer numbers, or a step, may help"
            )
        grid, room = table.shape[:rank], table.shape[rank:]
        place: SSAValue | None = None
        for axis, (range_, count) in enumerate(zip(numbers.ranges, grid, strict=True)):
            if count == 1:
                continue
            own = make.plus(before, self.extent(before, Growth(1, place=axis)), -range_.least)
            place = (
                own if place is None else make.sum(before, make.times(before, place, count), own)
            )
        if place is None:
            found = make.constant(before, table.reshape(room))
        else:
            rows = np.ascontiguousarray(table).reshape(prod(grid), *room)
            found = insert(before, GatherOp(make.constant(before, rows), place, 0))
        if are_same(room, shape):
            return found
        return insert(before, SliceOp(found, [0] * len(room), shape, [1] * len(room)))
