"""Ops that move elements along an extent that depends on elements, or say how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import Extent, are_same
from autodeploy.dialects.nn.arithmetic import AddOp, SubOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axes_of, axis_of, check_count, check_new_constant
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.bounded import (
    Convert,
    Values,
    agreed,
    closed,
    extents,
    multiplied,
    settled,
    shared,
)
from autodeploy.lowering.onnx_to_nn.bounded_numbers import numbers_of, smaller
from autodeploy.lowering.onnx_to_nn.context import (
    Bound,
    ConversionContext,
    NotConstantError,
    Number,
    Size,
)
from autodeploy.lowering.onnx_to_nn.indexing import constant_cuts
from autodeploy.lowering.onnx_to_nn.movement import target_shape


def shape(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Shape to the extents that the run finds."""
    found = extents(b, op.operands[0])
    end = b.setting(op, "end") if op.version >= 15 else None
    rank = shape_of(found.type)[0]
    cut = slice(b.integer(op, "start", 0), end if isinstance(end, int) else None)
    value = b.slice(found, {0: range(rank)[cut]})
    b.sizes[value] = _numbers(b, op.operands[0])[cut]
    return [value]


def _numbers(b: ConversionContext, x: SSAValue) -> tuple[Number, ...]:
    """Return the extents of a value as numbers that are known or that a run finds."""
    bound, dims = b.bounded[x], shape_of(x.type)
    size = Size(bound.count, dims[bound.axis])
    return tuple(size if axis == bound.axis else extent for axis, extent in enumerate(dims))


def size(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Size to the size that the run finds."""
    x = op.operands[0]
    bound, shape = b.bounded[x], shape_of(x.type)
    others = prod(extent for axis, extent in enumerate(shape) if axis != bound.axis)
    value = b.reshape(multiplied(b, bound.count, others), ())
    b.sizes[value] = (Size(multiplied(b, bound.count, others), others * shape[bound.axis]),)
    return [value]


def reshape(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Reshape and Flatten if axes before the extent stay, and those after it do or are
    joined to it.
    """
    x = op.operands[0]
    bound = b.bounded.get(x)
    if bound is None or (len(op.operands) > 1 and op.operands[1] in b.bounded):
        return None
    source, axis = shape_of(x.type), bound.axis
    known = b.known_extents(x) if op.op_type == "Reshape" else None
    found = None if known is None else _reshaped(b, op, known, target_shape(b, op, known))
    if found is not None:
        return found
    (value,) = convert()
    target = shape_of(value.type)
    place = _reshaped_axis(b, op, source, axis, target)
    if place is None or not prod(source):
        return None
    times, rest = divmod(target[place], source[axis])
    if prod(target[:place]) != prod(source[:axis]) or rest:
        return None
    count = multiplied(b, bound.count, times)
    return [settled(b, op, 0, value, place, count)]


def _reshaped(
    b: ConversionContext, op: OnnxOp, source: Sequence[int], target: Sequence[int]
) -> Values:
    """Reshape a value whose extents are known for all numbers of a run to such extents."""
    x = op.operands[0]
    bound = b.bounded[x]
    axis, inner = bound.axis, prod(source[bound.axis + 1 :])
    for place, extent in enumerate(target):
        before, after = prod(target[:place]), prod(target[place + 1 :])
        if isinstance(inner, Extent) or isinstance(after, Extent) or not after or inner % after:
            continue
        times = inner // after
        if are_same([before, extent], [prod(source[:axis]), source[axis] * times]):
            room = shape_of(x.type)[axis] * times
            value = b.reshape(x, [*target[:place], room, *target[place + 1 :]])
            return [settled(b, op, 0, value, place, multiplied(b, bound.count, times))]
    return None


def _reshaped_axis(
    b: ConversionContext, op: OnnxOp, source: Sequence[int], axis: int, target: Sequence[int]
) -> int | None:
    """Return the axis of a result whose extent a model leaves to be found, of all that it says."""
    if op.op_type == "Flatten":
        return int(axis >= b.integer(op, "axis") % (len(source) + 1))
    wanted = b.integers_or_input(op, "shape") or ()
    keeps = axis < len(wanted) and wanted[axis] == 0 and not b.integer(op, "allowzero", 0)
    if keeps and prod(target[:axis]) == prod(source[:axis]):
        return axis
    return wanted.index(-1) if -1 in wanted else None


def concat(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Concat along another axis, or along the extent, where what counts moves together."""
    values = list(op.operands)
    bounds = [b.bounded.get(value) for value in values]
    shapes = [shape_of(value.type) for value in values]
    axis = axis_of(b.integer(op, "axis", 1), len(shapes[0]))
    known = [bound for bound in bounds if bound is not None]
    first = known[0]
    if first.axis != axis:
        if any(bound != first for bound in bounds):
            return None
        return [settled(b, op, 0, value, first.axis, first.count) for value in convert()]
    if any(bound.axis != axis for bound in known):
        return None
    if len(values) == 1:
        return [values[0]]
    for index, value in enumerate(values):
        if isinstance(extent := shapes[index][axis], Extent):
            values[index] = closed(b, value, axis, 0)
            shapes[index] = shape_of(values[index].type)
            bounds[index] = Bound(axis, b.count_of_run(extent))
    total = sum(shape[axis] for shape in shapes)
    check_new_constant(total, 8)
    pairs = list(zip(shapes, bounds, strict=True))
    key = tuple(shape[axis] if bound is None else bound.count for shape, bound in pairs)
    places = numbers = b.make_constant(np.arange(total))
    end: SSAValue | None = None
    for shape, bound in pairs:
        room = b.make_constant(np.array([shape[axis]]))
        count = room if bound is None else bound.count
        end = count if end is None else b.emit(AddOp(end, count))
        if bound is not None:
            # Elements after the part are further on by the space that it leaves.
            gap = b.emit(SubOp(room, count))
            before = b.emit(LessOp(numbers, end))
            moved = b.emit(AddOp(places, gap))
            places = b.emit(WhereOp(before, places, moved))
    assert end is not None
    sum_ = end
    count = shared(b, ("concat", key), lambda: sum_)
    counted = [shape[axis] if own is None else b.known_count(own.count) for shape, own in pairs]
    b.know_count(count, counted)
    joined = b.emit(ConcatOp(values, axis))
    return [settled(b, op, 0, b.emit(GatherOp(joined, places, axis)), axis, count)]


def gather(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Gather along another axis, at counted indices, or from the elements that count.

    A negative index counts from the end of the elements that count.
    """
    data, indices = op.operands
    axis = axis_of(b.integer(op, "axis"), len(shape_of(data.type)))
    of, by = b.bounded.get(data), b.bounded.get(indices)
    if of is not None and of.axis != axis:
        behind = len(shape_of(indices.type)) - 1
        place = of.axis if of.axis < axis else of.axis + behind
        if by is not None:
            return None
        return [settled(b, op, 0, value, place, of.count) for value in convert()]
    values = convert() if of is None else [b.emit(GatherOp(data, _within(b, indices, of), axis))]
    if by is None:
        return values
    return [settled(b, op, 0, value, axis + by.axis, by.count) for value in values]


def gather_elements(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert GatherElements at counted indices, or from the elements that count.

    Along another axis, there are as many indices as elements that count.
    """
    data, indices = op.operands
    axis = axis_of(b.integer(op, "axis"), len(shape_of(data.type)))
    of, by = b.bounded.get(data), b.bounded.get(indices)
    if of is not None and of.axis != axis and of != by:
        return None
    if of is None or of.axis != axis:
        values = convert()
    else:
        values = [b.emit(GatherElementsOp(data, _within(b, indices, of), axis))]
    if by is None:
        return values
    return [settled(b, op, 0, value, by.axis, by.count) for value in values]


def _within(b: ConversionContext, indices: SSAValue, bound: Bound) -> SSAValue:
    """Return indices as places of elements that count; negative ones count from the end of these.

    One that is still outside becomes the nearest of them.
    """
    count = b.reshape(bound.count, ())
    place = Term(b, from_start(b, b.cast(indices, i64), count))
    return place.minimum(Term(b, count) - 1).maximum(0).value


def counted_from_start(b: ConversionContext, places: SSAValue, extent: SSAValue) -> SSAValue:
    """Count places from the start; the result has the counted extent of the places."""
    value = from_start(b, places, extent)
    if (bound := b.bounded.get(places)) is not None:
        b.bounded[value] = bound
    return value


def scatter_elements(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert ScatterElements of as many elements as count."""
    data, places, updates = op.operands
    own, bound = b.bounded.get(data), b.bounded.get(places) or b.bounded.get(updates)
    axis = axis_of(b.integer(op, "axis"), len(shape_of(data.type)))
    if own is not None and bound is None and own.axis != axis:
        return None
    if own is not None and own.axis == axis:
        end = b.reshape(own.count, ())
        op.operands[1] = counted_from_start(b, places, end)
    return _scattered(b, op, convert, bound)


def scatter_nd(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert ScatterND of as many slices as count."""
    data, places, updates = op.operands
    own, bound = b.bounded.get(data), b.bounded.get(places) or b.bounded.get(updates)
    *rows, depth = shape_of(places.type)
    if bound is not None and bound.axis >= len(rows):
        return None
    if own is not None:
        if own.axis >= depth:
            return None
        op.operands[1] = counted_from_start(b, places, b.slice(extents(b, data), {0: range(depth)}))
    return _scattered(b, op, convert, bound)


def _scattered(
    b: ConversionContext, op: OnnxOp, convert: Convert, moving: Bound | None
) -> Sequence[SSAValue]:
    """Convert a scatter, of as many places as updates; its data may have a counted extent."""
    data, places, updates = op.operands
    if moving is not None:
        pairs = [(places, moving.axis), (updates, moving.axis)]
        op.operands[1], op.operands[2] = agreed(b, pairs)
    (value,) = convert()
    own = b.bounded.get(data)
    return [value if own is None else settled(b, op, 0, value, own.axis, own.count)]


def slice_(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert Slice of constant bounds; negative ones count from the end that a run finds."""
    x = op.operands[0]
    bound = b.bounded.get(x)
    if bound is None or any(value in b.bounded for value in op.operands[1:]):
        return None
    dims = shape_of(x.type)
    cuts = constant_cuts(b, op, len(dims))
    cut = cuts.pop(bound.axis, slice(None))
    x = b.slice(x, {axis: range(dims[axis])[cut] for axis, cut in cuts.items()})
    most = dims[bound.axis]
    if cut == slice(None) or (cut.start == 0 and cut.stop >= most and cut.step == 1):
        return [settled(b, op, 0, x, bound.axis, bound.count)]
    first, step = int(cut.start), int(cut.step)
    room = _most_of(cut, most)
    check_new_constant(room, 8)
    count = b.reshape(bound.count, (1,))
    begin = _bound(b, first, step, count, most)
    key = ("slice", bound.count, cut.start, cut.stop, step, most)
    taken = shared(
        b, key, lambda: _taken(b, begin, _bound(b, int(cut.stop), step, count, most), step)
    )
    if first == 0 and step == 1:
        value = b.slice(x, {bound.axis: range(room)})
    else:
        numbers = b.make_constant(np.arange(room) * step)
        value = b.emit(GatherOp(x, b.emit(AddOp(numbers, begin)), bound.axis))
    return [settled(b, op, 0, value, bound.axis, taken)]


def _most_of(cut: slice, most: int) -> int:
    """Return how many places a slice takes of any number of places up to ``most``, at most.

    That number is piecewise linear in the extent, but for steps: it is the largest at an end.
    """
    start, stop = abs(int(cut.start)), abs(int(cut.stop))
    corners = (most, start, stop, start + stop)
    numbers = {min(max(c + d, 0), most) for c in corners for d in (-1, 0, 1)}
    return max(len(range(*cut.indices(number))) for number in numbers)


def cut(b: ConversionContext, op: OnnxOp) -> SSAValue:
    """Convert a Slice whose bounds along one axis are computed: it takes all elements at most.

    Raises ``NotConstantError`` for bounds along other axes, and for axes and steps.
    """
    x, starts, ends = (b.operand(op, name) for name in ("data", "starts", "ends"))
    dims, count = shape_of(x.type), element_count(starts.type)
    given = b.constant_integers(op, "axes")
    axes = axes_of(range(count) if given is None else given, len(dims))
    steps = b.constant_integers(op, "steps") or (1,) * count
    known = [numbers_of(b, value) or (None,) * count for value in (starts, ends)]
    check_count("axes", axes, count)
    check_count("steps", steps, count)
    places = [
        i
        for i, row in enumerate(zip(*known, strict=True))
        if not all(isinstance(n, int) for n in row)
    ]
    bound = b.bounded.get(x)
    axis = axes[places[0]] if places else -1
    if len(places) != 1 or 0 in steps or (bound is not None and bound.axis != axis):
        raise NotConstantError("starts" if None in known[0] else "ends", starts)
    for i, (other, step) in enumerate(zip(axes, steps, strict=True)):
        first, last = (row[i] for row in known)
        if other != axis and isinstance(first, int) and isinstance(last, int):
            x = b.slice(x, {other: range(dims[other])[slice(first, last, step)]})
    (place,), step, room = places, steps[places[0]], dims[axis]
    extent = b.make_constant(np.array([room])) if bound is None else bound.count
    begin, end = (
        _held(
            b,
            b.cast(b.slice(b.reshape(value, (count,)), {0: range(place, place + 1)}), i64),
            step,
            extent,
        )
        for value in (starts, ends)
    )
    most = -(-room // abs(step))
    first, last = (row[place] for row in known)
    taken = None
    if first == 0 and step == 1 and isinstance(last, Size) and last.least >= 0:
        most = min(most, last.most)
        taken = smaller(b, last, room) if bound is None else None
    taken = taken.count if isinstance(taken, Size) else _taken(b, begin, end, step)
    check_new_constant(most, 8)
    if first == 0 and step == 1:
        value = b.slice(x, {axis: range(most)})
    elif room:
        numbers = Term(b, b.make_constant(np.arange(most) * step)) + Term(b, begin)
        inside = numbers.minimum(room - 1).maximum(0)
        value = b.emit(GatherOp(x, inside.value, axis))
    else:
        value = x
    return settled(b, op, 0, value, axis, taken)


def _held(b: ConversionContext, place: SSAValue, step: int, extent: SSAValue) -> SSAValue:
    """Return a computed bound of a slice as a place of the extent of a run, as Python has it."""
    far = Term(b, place).maximum(-(2**62))  # no sum with the extent overflows
    end, found = Term(b, extent), Term(b, from_start(b, far.value, extent))
    low, high = (0, end) if step > 0 else (-1, end - 1)
    return found.maximum(low).minimum(high).value


def _bound(b: ConversionContext, place: int, step: int, count: SSAValue, most: int) -> SSAValue:
    """Return a bound of a slice as a place of the extent of a run, as Python has it."""
    place, end = min(max(place, -most - 1), most), Term(b, count)
    number = Term(b, b.make_constant(np.array([place])))
    if place < 0:
        return (number + end).maximum(0 if step > 0 else -1).value
    return number.minimum(end if step > 0 else end - 1).value


def _taken(b: ConversionContext, begin: SSAValue, end: SSAValue, step: int) -> SSAValue:
    """Return how many places there are from ``begin`` to before ``end``."""
    first, last = Term(b, begin), Term(b, end)
    span = (last - first if step > 0 else first - last).maximum(0)
    return (span if abs(step) == 1 else (span + (abs(step) - 1)) / abs(step)).value
