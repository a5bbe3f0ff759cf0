"""Integers that a model computes from extents that depend on values, and ops that take them.

A list of integers, such as the shape that a reshape is given, is followed number by number: each is
a constant, or a size that a run finds, with the largest that it can be. An op whose size is such a
number is converted with the largest one; of its result as many elements count as the run finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, CastOp, MinOp
from autodeploy.dialects.nn.limits import highest, lowest
from autodeploy.dialects.nn.types import element_count, element_of, is_bool, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axis_of
from autodeploy.lowering.onnx_to_nn.bounded import filled, multiplied, set_count, settled, shared
from autodeploy.lowering.onnx_to_nn.bounded_places import slice_
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, Number, Size
from autodeploy.weights import numpy_dtype

Numbers: TypeAlias = tuple[Number, ...]

Convert: TypeAlias = Callable[[], Sequence[SSAValue]]

MAX_NUMBERS = 64
"""The most integers of a list that is followed."""

END = 2**63 - 1
"""A place behind all elements."""


def numbers_of(b: ConversionContext, value: SSAValue) -> Numbers | None:
    """Return the numbers of a list, ``None`` where nothing is known of it."""
    found = b.sizes.get(value)
    if found is not None:
        return found
    array = b.array(value)
    if array is None or array.size > MAX_NUMBERS or array.dtype.kind not in "iub":
        return None
    return tuple(int(item) for item in array.reshape(-1))


# What is computed of sizes


def follow(b: ConversionContext, op: OnnxOp, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Keep what is known of the integers that an op computes from sizes; returns its results.

    A list without any size is a constant in place of what computes it.
    """
    rule = _FOLLOWED.get(op.op_type)
    if op.op_type == "ReduceSum" and not op.domain:
        _follow_sum(b, op.operands[0], values[0])
    if op.domain or rule is None or not any(value in b.sizes for value in op.operands):
        return values
    (value,) = values
    if element_count(value.type) > MAX_NUMBERS:
        return values
    given = [numbers_of(b, operand) for operand in op.operands]
    found = rule(b, op, given)
    if found is None or len(found) != element_count(value.type):
        return values
    if None not in found and not any(isinstance(number, Size) for number in found):
        known = _array(found, shape_of(value.type))
        return [b.make_constant(known.astype(numpy_dtype(element_of(value.type))))]
    b.sizes[value] = found
    return values


def _follow_sum(b: ConversionContext, x: SSAValue, total: SSAValue) -> None:
    """Keep that the sum of all elements of a condition is how many are set."""
    whole = element_of(total.type) in (i32, i64) and element_count(total.type) == 1
    if whole and isinstance(x.owner, CastOp) and is_bool(element_of(x.owner.x.type)):
        count = b.reshape(b.cast(total, i64), (1,))
        is_set = x.owner.x
        b.sizes[total] = (Size(set_count(b, is_set, count), element_count(is_set.type)),)


def _array(numbers: Sequence[Number], shape: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the largest that numbers can be."""
    most = [number.most if isinstance(number, Size) else number for number in numbers]
    return np.array(most, np.int64).reshape(shape)


Given: TypeAlias = Sequence[Numbers | None]
Followed: TypeAlias = Callable[[ConversionContext, OnnxOp, Given], Numbers | None]


def _same(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    return given[0]


def _cast(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    """Follow a cast to a type that holds each size."""
    return given[0] if element_of(op.results[0].type) in (i32, i64, f32, f64) else None


def _gathered(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    numbers, places = given
    if numbers is None or places is None or len(shape_of(op.operands[0].type)) != 1:
        return None
    found: list[Number] = []
    for place in places:
        if not isinstance(place, int) or not -len(numbers) <= place < len(numbers):
            return None
        found.append(numbers[place])
    return tuple(found)


def _sliced(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    numbers = given[0]
    if numbers is None or len(shape_of(op.operands[0].type)) != 1:
        return None
    named: dict[str, int] = {}
    for name in ("starts", "ends", "steps"):
        value = op.input_named(name)
        array = None if value is None else b.array(value)
        if array is None and value is None and name == "steps":
            array = np.ones(1, np.int64)
        if array is None or array.size != 1:
            return None
        named[name] = int(array.item())
    return numbers[named["starts"] : named["ends"] : named["steps"]]


def _joined(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    if any(len(shape_of(operand.type)) != 1 for operand in op.operands):
        return None
    if any(numbers is None for numbers in given):
        given = [
            (None,) * element_count(operand.type) if numbers is None else numbers
            for operand, numbers in zip(op.operands, given, strict=True)
        ]
    return tuple(number for numbers in given for number in numbers or ())


Combine: TypeAlias = Callable[[ConversionContext, Number, Number], Number]


def _combined(combine: Combine) -> Followed:
    """Follow an op that combines numbers at the same place, or one with each."""

    def follow_pairs(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
        if len(given) != 2 or given[0] is None or given[1] is None:
            return None
        left, right = given[0], given[1]
        count = max(len(left), len(right))
        if {len(left), len(right)} - {1, count}:
            return None
        pairs = zip(left * (count // len(left)), right * (count // len(right)), strict=True)
        return tuple(combine(b, one, other) for one, other in pairs)

    return follow_pairs


def _folded(combine: Combine) -> Followed:
    """Follow a reduction of all numbers of a list to one."""

    def follow_all(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
        numbers = given[0]
        if not numbers or len(shape_of(op.operands[0].type)) != 1:
            return None
        total = numbers[0]
        for number in numbers[1:]:
            total = combine(b, total, number)
        return (total,)

    return follow_all


def _sum(b: ConversionContext, one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Size) or other is None or (isinstance(other, int) and other < 0):
        return None
    if other == 0:
        return one
    return _size(b, "sum", one, other, AddOp, one.most + _most(other))


def _product(b: ConversionContext, one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return one * other
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Size) or not isinstance(other, int) or other < 0:
        return None
    return Size(multiplied(b, one.count, other), one.most * other) if other else 0


def _least(b: ConversionContext, one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Size) or other is None or (isinstance(other, int) and other < 0):
        return None
    if other == one or (isinstance(other, int) and other >= one.most):
        return one
    return _size(b, "min", one, other, MinOp, min(one.most, _most(other)))


def _equal(b: ConversionContext, one: Number, other: Number) -> Number:
    """Tell whether numbers are equal where no run can find anything else."""
    if isinstance(one, int) and isinstance(other, int):
        return int(one == other)
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Size) or other is None:
        return None
    if isinstance(other, Size):
        return 1 if one.count is other.count else None
    return None if 0 <= other <= one.most else 0


def _either(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    condition, *values = given
    count = element_count(op.operands[0].type)
    if condition is None or any(v is None or len(v) not in (1, count) for v in values):
        return None
    one, other = (v * (count // len(v)) for v in values if v is not None)
    return tuple(
        (first if holds else second) if isinstance(holds, int) else None
        for holds, first, second in zip(condition, one, other, strict=True)
    )


def _most(number: int | Size) -> int:
    return number.most if isinstance(number, Size) else number


def _size(
    b: ConversionContext,
    name: str,
    one: Size,
    other: int | Size,
    op: type[AddOp | MinOp],
    most: int,
) -> Size:
    key = (name, one.count, other if isinstance(other, int) else other.count)
    right = b.scalar(other, i64) if isinstance(other, int) else other.count
    return Size(shared(b, key, lambda: b.emit(op(one.count, right))), most)


_FOLLOWED: dict[str, Followed] = {
    **dict.fromkeys(("Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten"), _same),
    "Cast": _cast,
    "Gather": _gathered,
    "Slice": _sliced,
    "Concat": _joined,
    "Add": _combined(_sum),
    "Mul": _combined(_product),
    "Min": _combined(_least),
    "Equal": _combined(_equal),
    "Where": _either,
    "ReduceMin": _folded(_least),
    "ReduceProd": _folded(_product),
    "ReduceSum": _folded(_sum),
}


# What takes sizes


def convert_sized(b: ConversionContext, op: OnnxOp, convert: Convert) -> Sequence[SSAValue] | None:
    """Convert an op that a run gives a size; ``None`` where it takes none that is known."""
    taken = _TAKEN.get(op.op_type)
    if op.domain or taken is None:
        return None
    name, rule = taken
    parameters = [parameter.name for parameter in op.input_parameters]
    value = op.input_named(name) if name in parameters else None
    if value is None or value not in b.sizes:
        return None
    return rule(b, op, b.sizes[value], convert)


def _shaped(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Repeat an element, or make constants, as often as a run finds."""
    place = _place(numbers)
    if place is None:
        return None
    size, name = numbers[place], "input" if op.op_type == "ConstantOfShape" else "shape"
    assert isinstance(size, Size)
    with b.assuming({name: _array(numbers, (len(numbers),))}):
        (value,) = convert()
    axis = len(shape_of(value.type)) - len(numbers) + place
    if op.op_type == "Expand":
        x = op.operands[0]
        own, shape = b.bounded.get(x), shape_of(x.type)
        behind = axis - (len(shape_of(value.type)) - len(shape))
        repeats = behind < 0 or shape[behind] == 1
        same = own is not None and own.axis == behind and own.count is size.count
        if not (same or (own is None and repeats)):
            return None
    return [settled(b, op, 0, value, axis, size.count)]


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
    times = size.most // shape[bound.axis] if shape[bound.axis] else 0
    room = shape[bound.axis] * times
    if not times or multiplied(b, bound.count, times) is not size.count:
        return None
    wanted = [room if number is size else number for number in numbers]
    with b.assuming({"shape": np.array(wanted, np.int64)}):
        (value,) = convert()
    target = shape_of(value.type)
    if prod(target[:place]) != prod(shape[: bound.axis]):
        return None
    return [settled(b, op, 0, value, place, size.count)]


def _cut(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Take the elements up to a size: all that count, or as many as a run finds."""
    x, place = op.operands[0], _place(numbers)
    starts, axes = b.constant_integers(op, "starts"), b.constant_integers(op, "axes")
    steps = b.constant_integers(op, "steps")
    if place is None or starts is None or starts[place] < 0:
        return None
    size, shape = numbers[place], shape_of(x.type)
    assert isinstance(size, Size)
    axis = axis_of(place if axes is None else axes[place], len(shape))
    bound = b.bounded.get(x)
    ends = [END if number is size else number for number in numbers]
    if bound is not None and bound.axis == axis and bound.count is size.count:
        with b.assuming({"ends": np.array(ends, np.int64)}):
            return slice_(b, op, convert)
    if bound is not None or starts[place] or (steps is not None and steps[place] != 1):
        return None
    room = min(size.most, shape[axis])
    ends[place] = room
    with b.assuming({"ends": np.array(ends, np.int64)}):
        (value,) = convert()
    count = _least(b, size, shape[axis])
    assert isinstance(count, Size)
    return [settled(b, op, 0, value, axis, count.count)]


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
    with b.assuming({"K": np.array([min(size.most, room)])}):
        values = convert()
    return [settled(b, op, i, value, axis, size.count) for i, value in enumerate(values)]


def ordered_last(b: ConversionContext, op: OnnxOp, x: SSAValue) -> SSAValue:
    """Return an operand of TopK whose elements that do not count stand behind all others."""
    element = element_of(x.type)
    largest = b.integer(op, "largest", 1) != 0
    return filled(b, x, lowest(element) if largest else highest(element))


def _counted(
    b: ConversionContext, op: OnnxOp, numbers: Numbers, convert: Convert
) -> Sequence[SSAValue] | None:
    """Count from 0 to a size."""
    size, start, delta = numbers[0], b.array(op.operands[0]), b.array(op.operands[2])
    if not isinstance(size, Size) or start is None or delta is None:
        return None
    if start.item() != 0 or delta.item() != 1:
        return None
    limit = np.array(size.most, start.dtype).reshape(shape_of(op.operands[1].type))
    op.operands[1] = b.make_constant(limit)
    (value,) = convert()
    return [settled(b, op, 0, value, 0, size.count)]


def _place(numbers: Numbers) -> int | None:
    """Return the place of the only size among numbers."""
    places = [place for place, number in enumerate(numbers) if isinstance(number, Size)]
    return places[0] if len(places) == 1 and None not in numbers else None


Taken: TypeAlias = Callable[
    [ConversionContext, OnnxOp, Numbers, Convert], Sequence[SSAValue] | None
]

_TAKEN: dict[str, tuple[str, Taken]] = {
    "ConstantOfShape": ("input", _shaped),
    "Expand": ("shape", _shaped),
    "Reshape": ("shape", _reshaped),
    "Slice": ("ends", _cut),
    "TopK": ("K", _largest),
    "Range": ("limit", _counted),
}
"""The inputs that may be sizes."""
