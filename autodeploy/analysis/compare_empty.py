"""A model for a number of 0, beside what it is for others.

What has no elements then is not computed, so there are fewer ops. The others must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from autodeploy.analysis.compare_sizes import Comparison, Numbers
from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.dialects.nn.base import MovementOp, NNOp, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.dialects.nn.types import element_count, shape_of


def check_without_elements(
    ctx: Context,
    module: ModuleOp,
    other: ModuleOp,
    axes: OpenAxes,
    extent: OpenExtentAttr,
    numbers: Numbers,
) -> None:
    """Raise ``UnsupportedError`` where a model for a number of 0 computes something else.

    ``module`` is the model for the largest numbers, and ``axes`` how its values grow; ``other`` is
    that for ``numbers``. An op that computes elements from none, such as a fold, is refused.
    """
    (func,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    (less,) = (op for op in other.body.block.ops if isinstance(op, FuncOp))
    _Emptied(ctx, axes, extent, numbers).compare(func, less)


class _Emptied:
    def __init__(self, ctx: Context, axes: OpenAxes, extent: OpenExtentAttr, numbers: Numbers):
        self._axes = axes
        self._numbers = numbers
        self._comparison = Comparison(ctx, extent, numbers)
        self._fail = self._comparison.fail
        self._number = extent.numbers(numbers)
        self._values: dict[SSAValue, SSAValue] = {}
        self._equal: dict[SSAValue, SSAValue] = {}
        """What a movement equals that is not there for the numbers."""

    def _shape(self, value: SSAValue) -> tuple[int, ...]:
        """Return the shape of a value for the numbers."""
        pairs = zip(self._axes.of(value), shape_of(value.type), strict=True)
        return tuple(growth.at(self._numbers) if growth else n for growth, n in pairs)

    def _is_empty(self, value: SSAValue) -> bool:
        return 0 in self._shape(value)

    def compare(self, func: FuncOp, less: FuncOp) -> None:
        """Raise where the functions differ in more than what has no elements."""
        for one, two in zip(func.body.block.args, less.body.block.args, strict=True):
            self._values[one] = two
            self._check_shape(func, one, two)
        # Constants are compared where they are read, in whatever order they stand.
        others = iter(op for op in less.body.block.ops if not isinstance(op, ConstantOp))
        other = next(others, None)
        for op in self._needed(func):
            if op.regions:
                self._fail(op, f"for {self._number} it may have no elements; begin with 1")
            if (same := self._left_out(op, other)) is not None:
                self._equal[op.results[0]] = self._equal.get(same, same)
                continue
            if other is None or op.name != other.name:
                found = "nothing" if other is None else other.name
                self._fail(op, f"for {self._number} there is {found} in place of {op.name}")
                return
            self._compare_op(op, other)
            other = next(others, None)
        if other is not None:
            self._fail(other, f"for {self._number} there are further ops")

    def _needed(self, func: FuncOp) -> Iterator[Operation]:
        """Yield the ops from which results that have elements are computed, in order."""
        needed: set[Operation] = set()
        for op in reversed(list(func.body.block.ops)):
            uses = (use.operation for result in op.results for use in result.uses)
            results = [r for r in op.results if not self._is_empty(r)]
            if op.has_trait(IsTerminator) or (results and any(user in needed for user in uses)):
                needed.add(op)
        ops = (op for op in func.body.block.ops if op in needed)
        return (op for op in ops if not isinstance(op, ConstantOp))

    def _read(self, op: Operation) -> list[SSAValue]:
        """Return the operands that have elements; raise where an op computes some from none."""
        found = [value for value in op.operands if not self._is_empty(value)]
        if len(found) < len(op.operands) and not (
            _joins(op) or _asked(op) is not None or op.has_trait(IsTerminator)
        ):
            self._fail(op, f"for {self._number} it computes elements from none")
        return found

    def _left_out(self, op: Operation, other: Operation | None) -> SSAValue | None:
        """Return the operand that a movement equals for the numbers, where it is not there."""
        if not isinstance(op, NNOp) or not (
            _joins(op) or op.STATES_EXTENTS or isinstance(op, ReshapeOp)
        ):
            return None
        read = self._read(op)
        if len(read) != 1 or self._shape(read[0]) != self._shape(op.result):
            return None
        if other is not None and other.name == op.name:
            operands = [value for value in other.operands if element_count(value.type)]
            if len(operands) == 1 and self._is_same(read[0], operands[0]):
                return None
        return read[0]

    def _compare_op(self, op: Operation, other: Operation) -> None:
        read = self._read(op)
        found = [value for value in other.operands if element_count(value.type)]
        if len(read) != len(found) or not all(map(self._is_same, read, found)):
            self._fail(op, f"for {self._number} {op.name} reads something else")
        if (axis := _asked(op)) is not None:
            # Of what has no elements it is not known which value it is; that does not matter.
            found_axis = _asked(other)
            assert found_axis is not None  # its name is the same
            extent = shape_of(other.operands[0].type)[found_axis]
            if self._shape(op.operands[0])[axis] != extent:
                self._fail(op, f"for {self._number} it is the extent of something else")
        elif isinstance(op, SliceOp) and isinstance(other, SliceOp):
            self._compare_slices(op, other)
        elif _joins(op):
            if op.properties["axis"] != other.properties["axis"]:
                self._fail(op, f"for {self._number} {op.name} joins along another axis")
        elif op.properties != other.properties:
            self._fail(op, f"for {self._number} {op.name} has other properties")
        for one, two in zip(op.results, other.results, strict=True):
            self._values[one] = two
            self._check_shape(op, one, two)

    def _is_same(self, value: SSAValue, found: SSAValue) -> bool:
        """Tell whether a value is what is found for the numbers; raise for another constant."""
        value = self._equal.get(value, value)
        if isinstance(value.owner, ConstantOp) and isinstance(found.owner, ConstantOp):
            if not self._comparison.begins_with(value.owner.value, found.owner.value):
                self._fail(value.owner, "a constant is computed from its number")
            self._check_shape(value.owner, value, found)
            return True
        return self._values.get(value) is found

    def _compare_slices(self, op: SliceOp, other: SliceOp) -> None:
        first = ints(op.starts)
        if op.grown is not None:
            pairs = zip(op.grown[0], first, strict=True)
            first = tuple(growth.at(self._numbers) if growth else n for growth, n in pairs)
        steps = zip(ints(op.steps), ints(other.steps), ints(other.sizes), strict=True)
        if first != ints(other.starts) or any(n != m for n, m, size in steps if size > 1):
            self._fail(op, f"for {self._number} it takes elements at other places")

    def _check_shape(self, op: Operation, one: SSAValue, two: SSAValue) -> None:
        found = self._comparison.shape(one.type, two.type, op)
        if found != self._shape(one):
            self._fail(op, f"for {self._number} an extent does not follow from the number")


def _joins(op: Operation) -> bool:
    """Tell whether an op joins its operands along an axis."""
    return isinstance(op, MovementOp) and op.joined_axis is not None


def _asked(op: Operation) -> int | None:
    """Return the axis of the operand whose extent an op asks for, if it does."""
    return op.asked_extent if isinstance(op, NNOp) else None
