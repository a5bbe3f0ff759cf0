"""Ops whose sizes are integers that a model computes from extents that depend on values.

An op whose size is such a number is converted with the largest one; of its result as many elements
count as the run finds. An integer of which nothing is known may have a bound that the user gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, MulOp, SubOp
from autodeploy.dialects.nn.types import element_of, highest, is_float, lowest, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axis_of, check_new_constant
from autodeploy.lowering.onnx_to_nn.bounded import (
    Convert,
    agree,
    filled,
    multiplied,
    settled,
    shared,
)
from autodeploy.lowering.onnx_to_nn.bounded_numbers import (
    Numbers,
    checked,
    extent,
    give_bound,
    held,
    largest,
    least_of,
    most_of,
    numbers_of,
    takes_bound,
)
from autodeploy.lowering.onnx_to_nn.bounded_places import cut, slice_
from autodeploy.lowering.onnx_to_nn.constants import count_of
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, NotConstantError, Number, Size
from autodeploy.lowering.onnx_to_nn.problems import size_of
from autodeploy.weights import numpy_dtype

END = 2**63 - 1
"""A place after all elements."""

EXACT = 2**24
"""Up to here a float of 32 bits holds each integer."""


def convert_sized(b: ConversionContext, op: OnnxOp, convert: Convert) -> Sequence[SSAValue] | None:
    """Convert an op that a run gives a size; ``None`` if it takes none that is known."""
    names, rule = _TAKEN.get(op.op_type, ((), None))
    if op.domain or rule is None:
        return None
    value = next((value for value in _sized(op, names) if value in b.sizes), None)
    return None if value is None else rule(b, op, b.sizes[value], convert)


def convert_with_bound(
    b: ConversionContext, op: OnnxOp, error: NotConstantError, convert: Convert
) -> Sequence[SSAValue]:
    """Convert an op for whose size a bound is enough, where one is given for all sizes.

    Raises the error, which then names the bound, where none is, or the op takes none.
    """
    unknown = unknown_sizes(b, op)
    error.sized = unknown[0] if unknown else error.sized
    most = b.bound
    if op.op_type == "TopK" and most is None:  # it takes all elements at most
        x = op.operands[0]
        most = shape_of(x.type)[axis_of(b.integer(op, "axis", -1), len(shape_of(x.type)))]
    if most is None or not unknown:
        raise error
    for value in unknown:
        give_bound(b, value, None, most)
    converted = convert_sized(b, op, convert)
    if converted is None:
        raise error
    return converted


def unknown_sizes(b: ConversionContext, op: OnnxOp) -> list[SSAValue]:
    """Return the inputs of an op, integers, for which a bound would be enough."""
    if op.op_type == "Reshape" and op.operands[0] not in b.bounded:
        return []
    names = () if op.domain else _TAKEN.get(op.op_type, ((),))[0]
    values = [
        v for v in _sized(op, names) if b.array(v) is None and None in (numbers_of(b, v) or (None,))
    ]
    return values if all(takes_bound(v) and v not in b.bounded for v in values) else []


def _sized(op: OnnxOp, names: Sequence[str]) -> list[SSAValue]:
    """Return the inputs from which an op has its size."""
    parameters = [parameter.name for parameter in op.input_parameters]
    values = [op.input_named(name) for name in names if name in parameters]
    return [value for value in values if value is not None]


def _shaped(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Repeat an element, or make constants, as often as a run finds."""
    place = _place(numbers)
    if place is None:
        return None
    size, name = numbers[place], "input" if op.op_type == "ConstantOfShape" else "shape"
    assert isinstance(size, Size)
    count = extent(b, size, size_of(op))
    with b.assuming({name: largest(numbers, (len(numbers),))}):
        (value,) = convert()
    axis = len(shape_of(value.type)) - len(numbers) + place
    if op.op_type == "Expand":
        x = op.operands[0]
        own, shape = b.bounded.get(x), shape_of(x.type)
        behind = axis - (len(shape_of(value.type)) - len(shape))
        repeats = behind < 0 or shape[behind] == 1
        if own is not None and own.axis == behind:
            agree(b, [own.count, count])
        elif own is not None or not repeats:
            return None
    return [settled(b, op, 0, value, axis, count)]


def _reshaped(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Reshape where a run finds the extent, or a multiple of it."""
    x = op.operands[0]
    bound, place = b.bounded.get(x), _place(numbers)
    if bound is None or place is None:
        return None
    size, shape = numbers[place], shape_of(x.type)
    assert isinstance(size, Size)
    room, given = shape[bound.axis], [n for n in numbers if n is not size]
    times = size.most // room if room else 0
    if room and -1 not in given and 0 not in given:
        times = prod(shape) // room // prod(n for n in given if isinstance(n, int))
    if not times:
        return None
    agree(b, [extent(b, size, size_of(op)), count := multiplied(b, bound.count, times)])
    wanted = [room * times if number is size else number for number in numbers]
    with b.assuming({"shape": np.array(wanted, np.int64)}):
        (value,) = convert()
    target = shape_of(value.type)
    if prod(target[:place]) != prod(shape[: bound.axis]):
        return None
    return [settled(b, op, 0, value, place, count)]


def _cut(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Take the elements up to a size: all that count, or as many as a run finds."""
    x, place = op.operands[0], _place(numbers)
    axes = b.constant_integers(op, "axes")
    size = None if place is None else numbers[place]
    if place is None or not isinstance(size, Size) or b.array(op.operands[1]) is None:
        return [cut(b, op)]
    axis = axis_of(place if axes is None else axes[place], len(shape_of(x.type)))
    bound = b.bounded.get(x)
    ends = [END if number is size else number for number in numbers]
    if bound is not None and bound.axis == axis and bound.count is size.count:
        with b.assuming({"ends": np.array(ends, np.int64)}):
            return slice_(b, op, convert)
    return [cut(b, op)]


def _largest(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Take the first of ordered elements, as many as a run finds."""
    (size,), x = numbers, op.operands[0]
    if not isinstance(size, Size):
        return None
    axis = axis_of(b.integer(op, "axis"), len(shape_of(x.type)))
    bound, room = b.bounded.get(x), shape_of(x.type)[axis]
    if bound is not None:
        if bound.axis != axis:
            return None
        op.operands[0] = ordered_last(b, op, x)
    count = extent(b, size, size_of(op))
    if size.most > room:
        count = checked(b, count, size_of(op), 0, room)
    if bound is not None and bound.count is not size.count:
        checked(b, b.emit(SubOp(bound.count, count)), size_of(op), 0, room)
    with b.assuming({"K": np.array([min(size.most, room)])}):
        values = convert()
    return [settled(b, op, i, value, axis, count) for i, value in enumerate(values)]


def ordered_last(b: ConversionContext, op: OnnxOp, x: SSAValue) -> SSAValue:
    """Return an operand of TopK whose invalid elements follow all others."""
    element = element_of(x.type)
    largest = b.integer(op, "largest", 1) != 0
    return filled(b, x, lowest(element) if largest else highest(element))


def _counted(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Count from a number to one, of which a run finds either."""
    start, limit, delta = (_number(b, value) for value in op.operands)
    if start is None or limit is None or not isinstance(delta, int) or not delta:
        return None
    first, last = (start, limit) if delta > 0 else (limit, start)
    room = max(0, -((least_of(first) - most_of(last)) // abs(delta)))
    check_new_constant(room, 8)
    if isinstance(limit, Size) and (start, delta) == (0, 1):
        count = held(b, limit)
    else:
        given = [
            b.reshape(n.count, ()) if isinstance(n, Size) else b.scalar(n, i64)
            for n in (start, limit, delta)
        ]
        key = "range", *(n.count if isinstance(n, Size) else n for n in (start, limit)), delta
        count = shared(b, key, lambda: b.reshape(count_of(b, given[0], given[1], given[2]), (1,)))
    element = element_of(op.operands[0].type)
    if is_float(element) and room > EXACT:
        return None
    value = b.make_constant(np.arange(room).astype(numpy_dtype(element)))
    if (start, delta) != (0, 1):
        scaled = b.emit(MulOp(value, b.scalar(delta, element)))
        value = b.emit(AddOp(scaled, b.reshape(op.operands[0], ())))
    return [settled(b, op, 0, value, 0, count)]


def _number(b: ConversionContext, value: SSAValue) -> Number:
    """Return the one number of a value, of a float a whole one."""
    found, array = numbers_of(b, value), b.array(value)
    if found is None and array is not None and array.size == 1 and is_float(element_of(value.type)):
        number = float(array.item())
        found = (int(number),) if number.is_integer() and abs(number) <= EXACT else None
    return found[0] if found is not None and len(found) == 1 else None


def _place(numbers: Numbers) -> int | None:
    """Return the place of the only size among numbers."""
    places = [place for place, number in enumerate(numbers) if isinstance(number, Size)]
    return places[0] if len(places) == 1 and None not in numbers else None


Taken: TypeAlias = Callable[
    [ConversionContext, OnnxOp, Numbers, Convert], Sequence[SSAValue] | None
]

_TAKEN: dict[str, tuple[tuple[str, ...], Taken]] = {
    "ConstantOfShape": (("input",), _shaped),
    "Expand": (("shape",), _shaped),
    "Reshape": (("shape",), _reshaped),
    "Slice": (("ends", "starts"), _cut),
    "TopK": (("K",), _largest),
    "Range": (("limit", "start"), _counted),
}
"""The inputs that may be sizes."""
