"""Movements to an extent that has no form which a program evaluates, such as ``n + n % 5``.

The result has room for the largest extent, and a number that counts, like one whose extent depends
on values. A run looks up both: the number, and the place along the axis of each element.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from xdsl.ir import SSAValue

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import BroadcastOp, SliceOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import Span, axis_of, check_new_constant
from autodeploy.lowering.onnx_to_nn.bounded import closed, settled
from autodeploy.lowering.onnx_to_nn.bounded_places import concat
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.passes.nn.look_up_places import Moves, MovingOp, moves_to, places_of

_BY_PLACES = frozenset(("Pad", "Slice", "Tile"))
"""Operators whose result has elements of the first operand, or those that Pad adds."""

_WINDOWS = frozenset(("Conv", "MaxPool"))
"""Operators whose padding may follow from the number of a run."""

_REPEATED = frozenset(("ConstantOfShape", "Expand"))
"""Operators whose result has the same elements everywhere along an axis."""


def counted_move(b: ConversionContext, op: OnnxOp, value: SSAValue) -> SSAValue | None:
    """Return the result of an op, now a value, as one of which a run looks up how much counts.

    ``None`` if each extent has a form, and where the op moves elements in another way.
    """
    if op.domain or op.op_type not in _BY_PLACES | _REPEATED | {"Concat"} or b.open is None:
        return None
    if any(own in known for own in (value, *op.operands) for known in (b.bounded, b.stored)):
        return None
    shape = shape_of(value.type)
    axis = _lacking(shape)
    if axis is None or _is_read_by_windows(op):
        return None
    if op.op_type == "Concat":
        return _joined(b, op, axis)
    found = _repeated(b, value, axis) if op.op_type in _REPEATED else _moved(b, op, value, axis)
    return None if found is None else settled(b, op, 0, found, axis, b.count_of_run(shape[axis]))


def reopened(b: ConversionContext, op: OnnxOp) -> bool:
    """Let an op that moves elements read those that count, where a run knows how many these are.

    Tell whether it does so. Its places are looked up, not computed from where the elements end.
    """
    if op.domain or op.op_type not in _BY_PLACES or op.operands[0] in b.stored:
        return False
    extents = b.known_extents(op.operands[0])
    if extents is None:
        return False
    spans = {axis: Span(0, extent) for axis, extent in enumerate(extents)}
    op.operands[0] = b.slice(op.operands[0], spans)
    return True


def _room(b: ConversionContext, x: SSAValue) -> SSAValue:
    """Return a value that has room beyond its elements that count, of these alone."""
    made = x.owner
    return made.x if isinstance(made, SliceOp) and made.x in b.bounded else x


def _is_read_by_windows(op: OnnxOp) -> bool:
    """Return whether only windows read a padded image: they may find the padding by themselves."""
    uses = list(op.results[0].uses)
    readers = [use.operation for use in uses if use.index == 0]
    return (
        op.op_type == "Pad"
        and 0 < len(readers) == len(uses)
        and all(isinstance(own, OnnxOp) and own.op_type in _WINDOWS for own in readers)
    )


def _lacking(shape: Sequence[int]) -> int | None:
    """Return the only axis whose extent has no form."""
    found = [axis for axis, extent in enumerate(shape) if growth_of(extent) is None]
    return found[0] if len(found) == 1 else None


def _joined(b: ConversionContext, op: OnnxOp, axis: int) -> SSAValue | None:
    """Return parts that are joined along an axis, each with room for the largest extent."""
    if axis_of(b.integer(op, "axis", 1), len(shape_of(op.operands[0].type))) != axis:
        return None
    for index, part in enumerate(op.operands):
        if isinstance(extent := shape_of(part.type)[axis], Extent):
            op.operands[index] = wide = closed(b, part, axis, 0)
            b.bounded[wide] = Bound(axis, b.count_of_run(extent))
    found = concat(b, op, lambda: ())
    return None if found is None else found[0]


def _repeated(b: ConversionContext, value: SSAValue, axis: int) -> SSAValue | None:
    """Return a repeated value with room along an axis."""
    made, shape = value.owner, list(shape_of(value.type))
    shape[axis] = largest_of(shape[axis])
    match made:
        case BroadcastOp():
            own = shape_of(made.x.type)
            place = axis - (len(shape) - len(own))
            is_one = place < 0 or are_same([own[place]], [1])
            return b.broadcast(made.x, shape) if is_one else None
        case SliceOp():
            array = b.array(made.x)
            return None if array is None else b.first_elements(array, shape)
        case _:
            return None


def _moved(b: ConversionContext, op: OnnxOp, value: SSAValue, axis: int) -> SSAValue | None:
    """Return a value whose elements are those of the first operand, with room along an axis."""
    x, sizes = _room(b, op.operands[0]), b.open
    before, shape = shape_of(op.operands[0].type), shape_of(value.type)
    if sizes is None or len(before) != len(shape) or not largest_of(before[axis]):
        return None

    if op.op_type == "Tile":
        others = [[n for at, n in enumerate(own) if at != axis] for own in (before, shape)]
        if not are_same(*others):
            return None
        places = places_of(_repeats, shape[axis], before[axis], shape[axis])
        return b.emit(GatherOp(x, b.known_of_run(SizeTable(sizes.numbers, places)), axis))
    moves = moves_to(value.owner, x) if isinstance(value.owner, MovingOp) else None
    if moves is None:
        return None
    x, index = moves.elsewhere(b, [axis]), _index(b, moves, axis, largest_of(shape[axis]))
    return moves.taken(b, x, index, axis)


def _index(b: ConversionContext, moves: Moves, axis: int, room: int) -> SSAValue:
    """Return the places along an axis that moves take in a run, as many as there is room for.

    The places of slices follow from their start, also those after their end, which do not count.
    """
    assert b.open is not None
    start, step = (0, 1) if moves.lines is None else moves.lines[axis]
    if moves.lines is None or isinstance(step, Extent):
        return b.known_of_run(SizeTable(b.open.numbers, moves.places(axis)))
    check_new_constant(room, 8)
    places = b.make_constant(np.arange(room, dtype=np.int64) * step)
    return b.emit(AddOp(places, b.numbers_of_run([start])))


def _repeats(extent: int, count: int) -> npt.NDArray[np.int64]:
    return np.arange(count, dtype=np.int64) % extent
