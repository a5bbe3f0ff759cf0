"""Slices and pads that no kernel can compute from extents, as lookups in constants.

A slice may begin anywhere, and a pad put any number of elements around, for each number of a run. A
run gathers by the places that they read: a slice by those from its start on, a pad by the row of a
constant that has places for all numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from autodeploy.analysis.open_problems import OpenProblems, not_told
from autodeploy.dialects.extent_calls import lists_of
from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Extent, Numbers, are_same, largest_of, numbers_of
from autodeploy.dialects.growth import CONSTANT
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.padding import PadMode, PadOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.frontend.nn.builder import (
    BuilderBefore,
    ConversionError,
    NnBuilder,
    check_new_constant,
)
from autodeploy.frontend.nn.run_values import ExtentValues, told_places

MovingOp = SliceOp | PadOp
"""An op that moves elements along each axis for itself."""


def look_up_places(
    ctx: Context,
    func: FuncOp,
    found: OpenProblems,
    numbers: Numbers,
    sources: Sequence[SSAValue] = (),
) -> None:
    """Put lookups in the place of slices and pads of a function that kernels cannot compute.

    Those that need constants of too many bytes are refused. Extents of arguments and of ``sources``
    say the numbers.
    """
    extents = ExtentValues(ctx, told_places([*func.body.block.args, *sources]))
    for op in tuple(func.walk()):
        if not isinstance(op, MovingOp) or not (axes := _looked_up(op)):
            continue
        moves = moves_to(op)
        if moves is None:
            continue
        if len(moves.ops) > 1 and (whole := moves.as_slice()) is not None:
            whole.location = op.location
            Rewriter.replace_op(op, whole)
            _remove_unused(moves.ops[:-1])
            op, moves, axes = whole, Moves([whole]), _looked_up(whole)
        if not axes:
            continue
        b = BuilderBefore(ctx, op)
        x = moves.elsewhere(b, axes)
        for axis in axes:
            try:
                index = _index(b, extents, op, moves, numbers, axis)
            except ConversionError as error:
                found.refuse(op, str(error))
                break
            x = moves.taken(b, x, index, axis)
        else:
            Rewriter.replace_op(op, [], [x])
            _remove_unused(moves.ops[:-1])


def _remove_unused(ops: Sequence[MovingOp]) -> None:
    """Remove the ops of a chain whose results nothing reads, beginning with the last one."""
    for op in reversed(ops):
        if not op.result.uses:
            Rewriter.erase_op(op)


def _index(
    b: NnBuilder, extents: ExtentValues, op: MovingOp, moves: Moves, numbers: Numbers, axis: int
) -> SSAValue:
    """Return the places along an axis that an op takes in a run.

    Raises ``ConversionError`` where they have too many bytes for all numbers.
    """
    room = shape_of(op.result.type)[axis]
    if not isinstance(op, SliceOp) or len(moves.ops) > 1:
        return extents.looked_up(op, numbers, moves.places(axis), [room])
    check_new_constant(largest_of(room), 8)
    apart = _sliced(0, largest_of(room), ints(op.steps)[axis])
    places = extents.looked_up(op, numbers, apart.reshape(*[1] * len(numbers.ranges), -1), [room])
    start = extents.number(op, numbers, ints(op.starts)[axis])
    return b.emit(AddOp(places, start))


def _looked_up(op: MovingOp) -> Sequence[int]:
    """Return the axes along which no kernel moves elements as an op does."""
    shapes = shape_of(op.x.type), shape_of(op.result.type)
    entries = list(enumerate(zip(*shapes, strict=True)))
    if any(growth_of(after) is None for _, (_, after) in entries):
        return ()  # it is refused, or part of an op behind it
    if isinstance(op, PadOp):
        pads = ints(op.pads)
        return [axis for axis, _ in entries if _varies(pads[axis], pads[len(entries) + axis])]
    starts, axes = ints(op.starts), tuple(growth_of(own) or CONSTANT for own in shapes[0])
    found: list[int] = []
    for axis, (before, _) in entries:
        growth, start = growth_of(before), growth_of(starts[axis])
        is_told = growth and start is not None and not not_told([start], [axes])
        is_moved = axis in op.moved_axes and bool(growth and growth.rest)
        if (isinstance(starts[axis], Extent) and not is_told) or growth is None or is_moved:
            found.append(axis)
    return found


def _varies(*values: int) -> bool:
    return any(isinstance(value, Extent) for value in values)


@dataclass(frozen=True)
class Moves:
    """Slices and pads after each other, from the first one on."""

    ops: Sequence[MovingOp]

    @property
    def x(self) -> SSAValue:
        """The value of which they take elements."""
        return self.ops[0].x

    def places(self, axis: int) -> npt.NDArray[np.int64]:
        """Return which elements of an axis are taken: -1 for those that a pad adds.

        The numbers of a run are the leading axes; the last one has room for the most.
        """
        found: npt.NDArray[np.int64] | None = None
        for op in self.ops:
            rows = _places(op, axis)
            if found is not None:
                grid = np.broadcast_shapes(found.shape[:-1], rows.shape[:-1])
                found, rows = (np.broadcast_to(a, (*grid, a.shape[-1])) for a in (found, rows))
                rows = np.where(rows < 0, -1, np.take_along_axis(found, np.maximum(rows, 0), -1))
            found = rows
        assert found is not None
        return found

    @property
    def lines(self) -> Sequence[tuple[int, int]] | None:
        """The start and the step along each axis; ``None`` if a pad is among the ops."""
        found = [(0, 1)] * len(shape_of(self.x.type))
        for op in self.ops:
            if not isinstance(op, SliceOp):
                return None
            own = zip(found, ints(op.starts), ints(op.steps), strict=True)
            found = [(start + n * step, step * m) for (start, step), n, m in own]
        return found

    def as_slice(self) -> SliceOp | None:
        """Return one slice that takes the same elements; ``None`` if a pad is among the ops."""
        if (lines := self.lines) is None:
            return None
        starts, steps = zip(*lines, strict=True)
        return SliceOp(self.x, starts, shape_of(self.ops[-1].result.type), steps)

    def elsewhere(self, b: NnBuilder, axes: Sequence[int]) -> SSAValue:
        """Return the value as it is moved along other axes than these."""
        x = self.x
        for op in self.ops:
            shape = shape_of(x.type)
            if isinstance(op, PadOp):
                rank = len(shape)
                pads = [0 if i % rank in axes else n for i, n in enumerate(ints(op.pads))]
                if not are_same(pads, [0] * len(pads)):
                    x = b.emit(PadOp(x, pads, op.value.value.data, op.mode.data))
                continue
            whole = [(0, extent, 1) for extent in shape]
            spans = zip(*map(ints, (op.starts, op.sizes, op.steps)), strict=True)
            kept = [whole[axis] if axis in axes else span for axis, span in enumerate(spans)]
            if not all(map(are_same, kept, whole)):
                x = b.emit(SliceOp(x, *zip(*kept, strict=True)))
        return x

    def taken(self, b: NnBuilder, x: SSAValue, index: SSAValue, axis: int) -> SSAValue:
        """Return the elements at places along an axis, and the number that a pad adds."""
        found = b.emit(GatherOp(x, index, axis))
        adding = next((op for op in self.ops if _fills(op)), None)
        if not isinstance(adding, PadOp):
            return found
        element, behind = element_of(x.type), len(shape_of(x.type)) - axis - 1
        none, number = b.scalar(0, i64), b.scalar(adding.value.value.data, element)
        is_added = b.emit(LessOp(index, none))
        is_added = b.reshape(is_added, (*shape_of(index.type), *(1,) * behind))
        return b.emit(WhereOp(is_added, number, found))


def moves_to(op: MovingOp, source: SSAValue | None = None) -> Moves | None:
    """Return an op after those that make its operand from a source; ``None`` if they do not.

    Without a source they are those that make what no kernel can have.
    """
    ops = [op]
    while ops[0].x != source:
        x = ops[0].x
        if source is None and all(growth_of(extent) is not None for extent in shape_of(x.type)):
            break
        if not isinstance(x.owner, MovingOp) or (_fills(x.owner) and any(map(_fills, ops))):
            return None
        ops.insert(0, x.owner)
    return Moves(ops)


def _fills(op: MovingOp) -> bool:
    """Return whether an op adds elements that are a number."""
    return isinstance(op, PadOp) and op.mode.data == PadMode.CONSTANT


def _places(op: MovingOp, axis: int) -> npt.NDArray[np.int64]:
    """Return which elements of its operand an op takes along an axis, as ``Moves.places`` does."""
    room = shape_of(op.result.type)[axis]
    if isinstance(op, SliceOp):
        entries = (ints(entry)[axis] for entry in (op.starts, op.sizes, op.steps))
        return places_of(_sliced, room, *entries)
    pads, shape = ints(op.pads), shape_of(op.x.type)
    return places_of(
        partial(_padded, op.mode.data), room, shape[axis], pads[axis], pads[len(shape) + axis]
    )


def places_of(
    function: Callable[..., npt.NDArray[np.int64]], room: int, *extents: int
) -> npt.NDArray[np.int64]:
    """Return what a function computes of extents, as ``Moves.places`` does.

    Raises ``ConversionError`` if lists of that many elements have too many bytes.
    """
    numbers = numbers_of(*extents)
    check_new_constant(largest_of(room) * (1 if numbers is None else numbers.points), 8)
    return lists_of(function, *extents)


def _sliced(start: int, size: int, step: int) -> npt.NDArray[np.int64]:
    return start + _count(size) * step


def _count(extent: int) -> npt.NDArray[np.int64]:
    return np.arange(extent, dtype=np.int64)


def _padded(mode: PadMode, extent: int, *pads: int) -> npt.NDArray[np.int64]:
    """Return the places of elements and, around them, those of a pad."""
    if mode is PadMode.CONSTANT:
        return np.pad(_count(extent), pads, constant_values=-1)
    named: Any = mode.value  # as NumPy has it
    return np.pad(_count(extent), pads, named)
