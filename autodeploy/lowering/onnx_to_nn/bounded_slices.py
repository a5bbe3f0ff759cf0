"""Slices along an extent that a run finds, or to one."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axes_of, check_count, check_new_constant
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.bounded import Convert, Values, settled, shared
from autodeploy.lowering.onnx_to_nn.bounded_numbers import numbers_of, smaller
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, NotConstantError, Size
from autodeploy.lowering.onnx_to_nn.indexing import constant_cuts


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
