"""Slices along an extent that a run finds, or to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MaxOp, MinOp, SubOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axes_of, check_count, check_new_constant
from autodeploy.lowering.onnx_to_nn.bounded import settled, shared
from autodeploy.lowering.onnx_to_nn.bounded_numbers import numbers_of, smaller
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, NotConstantError, Size
from autodeploy.lowering.onnx_to_nn.indexing import constant_cuts

Values = Sequence[SSAValue] | None
Convert = Callable[[], Sequence[SSAValue]]


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
        numbers = b.emit(AddOp(b.make_constant(np.arange(most) * step), begin))
        inside = b.emit(MaxOp(b.emit(MinOp(numbers, b.scalar(room - 1, i64))), b.scalar(0, i64)))
        value = b.emit(GatherOp(x, inside, axis))
    else:
        value = x
    return settled(b, op, 0, value, axis, taken)


def _held(b: ConversionContext, place: SSAValue, step: int, extent: SSAValue) -> SSAValue:
    """Return a computed bound of a slice as a place of the extent of a run, as Python has it."""
    zero, one = b.scalar(0, i64), b.scalar(1, i64)
    far = b.scalar(2**62, i64)
    place = b.emit(MaxOp(place, b.emit(SubOp(zero, far))))  # no sum with the extent overflows
    place = b.emit(WhereOp(b.emit(LessOp(place, zero)), b.emit(AddOp(place, extent)), place))
    low, high = (
        (zero, extent) if step > 0 else (b.emit(SubOp(zero, one)), b.emit(SubOp(extent, one)))
    )
    return b.emit(MinOp(b.emit(MaxOp(place, low)), high))


def _bound(b: ConversionContext, place: int, step: int, count: SSAValue, most: int) -> SSAValue:
    """Return a bound of a slice as a place of the extent of a run, as Python has it."""
    place = min(max(place, -most - 1), most)
    number = b.make_constant(np.array([place]))
    if place < 0:
        lowest = b.scalar(0 if step > 0 else -1, i64)
        return b.emit(MaxOp(b.emit(AddOp(number, count)), lowest))
    last = count if step > 0 else b.emit(SubOp(count, b.scalar(1, i64)))
    return b.emit(MinOp(number, last))


def _taken(b: ConversionContext, begin: SSAValue, end: SSAValue, step: int) -> SSAValue:
    """Return how many places there are from ``begin`` to before ``end``."""
    span = b.emit(SubOp(end, begin) if step > 0 else SubOp(begin, end))
    span = b.emit(MaxOp(span, b.scalar(0, i64)))
    if abs(step) == 1:
        return span
    up = b.emit(AddOp(span, b.scalar(abs(step) - 1, i64)))
    return b.emit(DivOp(up, b.scalar(abs(step), i64)))
