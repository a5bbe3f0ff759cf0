"""Values that a run computes from extents, put before an op that reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.context import Context
from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, SubOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.extent import EndedOp, ExtentOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp, SliceOp
from autodeploy.dialects.nn.open_extent import Axes
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.weights import Array, WeightStore, numpy_dtype


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
        self._store = WeightStore.of(ctx)

    def constant(self, before: Operation, array: Array) -> SSAValue:
        """Return a constant."""
        return insert(before, ConstantOp(self._store.attribute(array)))

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

    def single(self, before: Operation, value: SSAValue) -> SSAValue:
        """Return a number without its axes."""
        return insert(before, ReshapeOp(value, ()))

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

    def cut(self, before: Operation, value: SSAValue, axis: int, begin: int, size: int) -> SSAValue:
        """Return ``size`` elements along an axis from a constant place on."""
        shape = shape_of(value.type)
        sizes = [size if a == axis else n for a, n in enumerate(shape)]
        begins = [begin if a == axis else 0 for a in range(len(shape))]
        return insert(before, SliceOp(value, begins, sizes, [1] * len(shape)))

    def taken(
        self, before: Operation, value: SSAValue, axis: int, begin: SSAValue, size: int
    ) -> SSAValue:
        """Return ``size`` elements along an axis from a place on that a run computes."""
        numbers = np.arange(size).astype(numpy_dtype(element_of(begin.type)))
        places = self.sum(before, self.constant(before, numbers), begin)
        return insert(before, GatherOp(value, places, axis))


def ended(before: Operation, value: SSAValue, by: Sequence[SSAValue], axes: Axes) -> SSAValue:
    """Return a value whose extents in a run are those that ``axes`` say."""
    return insert(before, EndedOp(value, by, axes))
