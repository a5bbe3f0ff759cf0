"""Movements to an extent that has no form which a program evaluates, such as ``n + n % 5``.

The result has room for the largest extent, and a number that counts, like one whose extent depends
on values. A run looks up both: the number, and the place along the axis of each element.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.nn.arithmetic import MaxOp, SubOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import BroadcastOp, SliceOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axes_of, axis_of
from autodeploy.lowering.onnx_to_nn.bounded import closed, settled
from autodeploy.lowering.onnx_to_nn.bounded_places import concat
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable

_BY_PLACES = frozenset(("Pad", "Slice", "Tile"))
"""Operators whose result has elements of the first operand, or those that Pad adds."""

_WINDOWS = frozenset(("Conv", "MaxPool"))
"""Operators whose padding may follow from the number of a run."""

_REPEATED = frozenset(("ConstantOfShape", "Expand"))
"""Operators whose result has the same elements everywhere along an axis."""


def counted_move(b: ConversionContext, op: OnnxOp, value: SSAValue) -> SSAValue | None:
    """Return the result of an op, now a value, as one of which a run looks up how much counts.

    ``None`` where each extent has a form, and where the op moves elements in another way.
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
    found = _repeated(b, value, axis) if op.op_type in _REPEATED else _moved(b, op, shape, axis)
    return None if found is None else settled(b, op, 0, found, axis, b.count_of_run(shape[axis]))


def counted_edges(b: ConversionContext, op: OnnxOp) -> SSAValue | None:
    """Return a result of Pad that repeats elements at an edge, for some numbers none of them."""
    x = op.operands[0] if op.operands else None
    if op.domain or op.op_type != "Pad" or x is None or b.open is None or not b.open.reads(op):
        return None
    rank, pads = len(shape_of(x.type)), b.constant_integers(op, "pads") or ()
    if x in b.bounded or x in b.stored or len(pads) != 2 * rank:
        return None
    sums = map(add, pads, pads[rank:])
    shape = [n + more for n, more in zip(shape_of(x.type), sums, strict=True)]
    axis = _lacking(shape)
    found = None if axis is None else _moved(b, op, shape, axis)
    if axis is None or found is None:
        return None
    return settled(b, op, 0, found, axis, b.count_of_run(shape[axis]))


def _is_read_by_windows(op: OnnxOp) -> bool:
    """Tell whether only windows read a padded image: they may find the padding by themselves."""
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


def _moved(b: ConversionContext, op: OnnxOp, shape: Sequence[int], axis: int) -> SSAValue | None:
    """Return elements of the first operand of an op, with room along an axis."""
    x, sizes = op.operands[0], b.open
    before = shape_of(x.type)
    others = [[n for at, n in enumerate(own) if at != axis] for own in (before, shape)]
    is_one_axis = len(before) == len(shape) and are_same(*others)
    if sizes is None or not is_one_axis or not largest_of(before[axis]):
        return None
    if not _stays_elsewhere(b, op, axis, len(shape)):
        return None
    places = sizes.moved_places(op, before[axis], axis)
    if places is None:
        return None
    room = largest_of(shape[axis])
    # The number of an element is its place plus 1; 0 stands for what Pad adds.
    flat = SizeTable(sizes.numbers, places.values.reshape(*places.grid, room))
    numbers = b.known_of_run(flat)
    one = b.scalar(1, i64)
    index = b.emit(MaxOp(b.emit(SubOp(numbers, one)), b.scalar(0, i64)))
    found = b.emit(GatherOp(x, index, axis))
    if op.op_type != "Pad" or b.text(op, "mode", "constant") != "constant":
        return found
    element, given = element_of(x.type), op.input_named("constant_value")
    added = b.scalar(0, element) if given is None else b.reshape(given, ())
    behind = (1,) * (len(shape) - axis - 1)
    is_own = b.reshape(b.emit(LessOp(b.scalar(0, i64), numbers)), (room, *behind))
    return b.emit(WhereOp(is_own, found, added))


def _stays_elsewhere(b: ConversionContext, op: OnnxOp, axis: int, rank: int) -> bool:
    """Tell whether an op that changes the extent of one axis moves nothing along others."""
    match op.op_type:
        case "Slice":
            given = b.constant_integers(op, "axes")
            starts = b.constant_integers(op, "starts") or ()
            return axes_of(range(len(starts)) if given is None else given, rank) == (axis,)
        case "Pad":
            given = b.constant_integers(op, "axes") if op.version >= 18 else None
            axes = axes_of(range(rank) if given is None else given, rank)
            pads = b.constant_integers(op, "pads") or ()
            pairs = zip((*axes, *axes), pads, strict=True)
            return all(own == axis or are_same([pad], [0]) for own, pad in pairs)
        case _:
            return True
