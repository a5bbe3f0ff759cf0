"""Integers that a model computes from extents that depend on values, number by number.

A list of integers, such as the shape that a reshape is given, is followed: each number is a
constant, or a size that a run finds, with the least and the most that it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import are_same, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp, CastOp, DivOp, MaxOp, MinOp, MulOp, SubOp
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp
from autodeploy.dialects.nn.types import element_count, element_of, is_bool, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.bounded import multiplied, set_count, shared
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, Number, Size
from autodeploy.weights import numpy_dtype

Numbers: TypeAlias = tuple[Number, ...]

MAX_NUMBERS = 64
"""The most integers of a list that is followed."""


def numbers_of(b: ConversionContext, value: SSAValue) -> Numbers | None:
    """Return the numbers of a list, ``None`` if nothing is known of it."""
    found = b.sizes.get(value)
    if found is not None:
        return found
    array = b.array(value)
    if array is None or array.size > MAX_NUMBERS or array.dtype.kind not in "iub":
        return None
    return tuple(int(item) for item in array.reshape(-1))


def follow(b: ConversionContext, op: OnnxOp, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Keep what is known of the integers that an op computes from sizes; returns its results.

    A list without any size becomes a constant.
    """
    rule = _FOLLOWED.get(op.op_type)
    if op.op_type == "ReduceSum" and not op.domain:
        _follow_sum(b, op.operands[0], values[0])
    if op.domain or rule is None or not any(value in b.sizes for value in op.operands):
        return values
    (value,) = values
    if value in b.sizes:
        return values
    if largest_of(element_count(value.type)) > MAX_NUMBERS:
        return values
    given = [numbers_of(b, operand) for operand in op.operands]
    found = rule(b, op, given)
    if found is None or len(found) != element_count(value.type):
        return values
    if None not in found and not any(isinstance(number, Size) for number in found):
        known = largest(found, shape_of(value.type))
        return [b.make_constant(known.astype(numpy_dtype(element_of(value.type))))]
    b.sizes[value] = found
    return values


def _follow_sum(b: ConversionContext, x: SSAValue, total: SSAValue) -> None:
    """Keep that the sum of all elements of a condition is how many are set."""
    whole = element_of(total.type) in (i32, i64) and are_same([element_count(total.type)], [1])
    if whole and isinstance(x.owner, CastOp) and is_bool(element_of(x.owner.x.type)):
        count = b.reshape(b.cast(total, i64), (1,))
        is_set = x.owner.x
        b.sizes[total] = (Size(set_count(b, is_set, count), element_count(is_set.type)),)


def largest(numbers: Sequence[Number], shape: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the largest that numbers can be."""
    most = [None if number is None else most_of(number) for number in numbers]
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
    if one is None or other is None:
        return None
    if one == 0 or other == 0:
        return one if other == 0 else other
    if isinstance(one, int):
        one, other = other, one
    ends = least_of(one) + least_of(other), most_of(one) + most_of(other)
    return _size(b, AddOp, one, other, ends)


def _difference(b: ConversionContext, one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return one - other
    if one is None or other is None:
        return None
    if other == 0:
        return one
    return _size(
        b, SubOp, one, other, (least_of(one) - most_of(other), most_of(one) - least_of(other))
    )


def _product(b: ConversionContext, one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return one * other
    if one is None or other is None:
        return None
    if isinstance(one, int):
        one, other = other, one
    if other in (0, 1):
        return one if other == 1 else 0
    corners = [
        n * m for n in (least_of(one), most_of(one)) for m in (least_of(other), most_of(other))
    ]
    if isinstance(one, Size) and isinstance(other, int) and other > 0:
        return Size(multiplied(b, one.count, other), max(corners), min(corners))
    return _size(b, MulOp, one, other, (min(corners), max(corners)))


def _quotient(b: ConversionContext, one: Number, other: Number) -> Number:
    """Follow a division of a number that is not negative by a constant: all round toward zero."""
    if not isinstance(one, Size) or one.least < 0 or not isinstance(other, int) or other < 1:
        return None
    return _size(b, DivOp, one, other, (one.least // other, one.most // other))


def smaller(b: ConversionContext, one: Number, other: Number) -> Number:
    """Return the smaller one of two numbers."""
    return _extreme(b, one, other, min, MinOp)


def _larger(b: ConversionContext, one: Number, other: Number) -> Number:
    return _extreme(b, one, other, max, MaxOp)


def _extreme(
    b: ConversionContext,
    one: Number,
    other: Number,
    choose: Callable[[int, int], int],
    op: type[MinOp | MaxOp],
) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return choose(one, other)
    if one is None or other is None:
        return None
    for first, second in ((one, other), (other, one)):
        low, high = (first, second) if choose is min else (second, first)
        if first == second or most_of(low) <= least_of(high):
            return first
    if isinstance(one, int):
        one, other = other, one
    ends = choose(least_of(one), least_of(other)), choose(most_of(one), most_of(other))
    return _size(b, op, one, other, ends)


def _equal(b: ConversionContext, one: Number, other: Number) -> Number:
    """Return whether numbers are equal where no run can find anything else."""
    if isinstance(one, int) and isinstance(other, int):
        return int(one == other)
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(one, Size) or other is None:
        return None
    if isinstance(other, Size):
        return 1 if one.count is other.count else None
    return None if one.least <= other <= one.most else 0


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


def _clipped(b: ConversionContext, op: OnnxOp, given: Given) -> Numbers | None:
    found, names = given[0], [parameter.name for parameter in op.input_parameters]
    for name, combine in (("min", _larger), ("max", smaller)):
        if found is None or name not in names:  # bounds were attributes once
            return None
        limit = op.input_named(name)
        if limit is not None:
            (end,) = numbers_of(b, limit) or (None,)
            found = tuple(combine(b, number, end) for number in found)
    return found


def most_of(number: int | Size) -> int:
    """Return the most that a number can be."""
    return number.most if isinstance(number, Size) else number


def least_of(number: int | Size) -> int:
    """Return the least that a number can be."""
    return number.least if isinstance(number, Size) else number


def _size(
    b: ConversionContext,
    op: type[AddOp | SubOp | MulOp | DivOp | MinOp | MaxOp],
    one: int | Size,
    other: int | Size,
    ends: tuple[int, int],
) -> Size | None:
    """Return what an op makes of two numbers, within ends; ``None`` beyond 64 bits."""
    least, most = ends
    if max(-least, most) >= 2**62:
        return None
    key = (op.name, *(n.count if isinstance(n, Size) else n for n in (one, other)))

    def make() -> SSAValue:
        values = [n.count if isinstance(n, Size) else b.scalar(n, i64) for n in (one, other)]
        return b.emit(op(*values))

    return Size(shared(b, key, make), most, least)


_FOLLOWED: dict[str, Followed] = {
    **dict.fromkeys(("Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten"), _same),
    "Cast": _cast,
    "Clip": _clipped,
    "Gather": _gathered,
    "Slice": _sliced,
    "Concat": _joined,
    "Add": _combined(_sum),
    "Sub": _combined(_difference),
    "Mul": _combined(_product),
    "Div": _combined(_quotient),
    "Min": _combined(smaller),
    "Max": _combined(_larger),
    "Equal": _combined(_equal),
    "Where": _either,
    "ReduceMin": _folded(smaller),
    "ReduceMax": _folded(_larger),
    "ReduceProd": _folded(_product),
    "ReduceSum": _folded(_sum),
}


def checked(b: ConversionContext, numbers: SSAValue, name: str, least: int, most: int) -> SSAValue:
    """Return a list of integers; the program ends with an error, which begins with a name, where
    one is not within bounds.
    """
    text = b.make_constant(np.frombuffer(name.encode() + b"\0", np.uint8))
    return b.call("bound", [numbers, text], [numbers.type], [least, most], checks=True)[0]


def give_bound(b: ConversionContext, value: SSAValue, name: str | None, most: int) -> None:
    """Let the integers of a value be at most a number, which the program checks.

    Raises ``ConversionError`` if it has others. Without a name, messages take that of each
    integer of which a list is made.
    """
    if not takes_bound(value) or value in b.bounded:
        raise ConversionError(
            f"a bound is for integers of 32 or 64 bits, {MAX_NUMBERS} at most, found {value.type}"
        )
    b.sizes[value] = _bounded(b, value, name, most)


def takes_bound(value: SSAValue) -> bool:
    """Return whether a value is a list of integers, or of floats that integers are cast to."""
    owner = value.owner
    return _is_list(value) or (
        isinstance(owner, CastOp) and element_of(value.type) in (f32, f64) and _is_list(owner.x)
    )


def _is_list(value: SSAValue) -> bool:
    return (
        element_of(value.type) in (i32, i64)
        and largest_of(element_count(value.type)) <= MAX_NUMBERS
    )


def _bounded(b: ConversionContext, value: SSAValue, name: str | None, most: int) -> Numbers:
    """Return the numbers of a list, of which those that are not known have a bound."""
    count, owner = element_count(value.type), value.owner
    known = numbers_of(b, value) or (None,) * count
    if None not in known:
        return known
    if isinstance(owner, ConcatOp) and len(shape_of(value.type)) == 1:
        return tuple(n for part in owner.operands for n in _bounded(b, part, name, most))
    if isinstance(owner, ReshapeOp | CastOp) and _is_list(owner.x):
        return _bounded(b, owner.x, name, most)
    called = f"value '{name or value.name_hint}'" if name or value.name_hint else "a size"

    def check() -> SSAValue:
        return checked(b, b.reshape(b.cast(value, i64), (count,)), called, -most, most)

    found = shared(b, ("bounded", value), check)
    sizes = [
        shared(b, ("bounded", value, i), lambda i=i: b.slice(found, {0: range(i, i + 1)}))
        for i in range(count)
    ]
    return tuple(
        Size(size, most, -most) if number is None else number
        for size, number in zip(sizes, known, strict=True)
    )


def extent(b: ConversionContext, size: Size, name: str) -> SSAValue:
    """Return a size as an extent; the program ends with an error where it is negative."""
    if size.least < 0:
        key = "checked", size.count
        shared(b, key, lambda: checked(b, size.count, name, 0, max(size.most, 0)))
    return held(b, size)


def held(b: ConversionContext, size: Size) -> SSAValue:
    """Return how many there are of a size: none where it is negative."""
    if size.least >= 0:
        return size.count
    zero = b.scalar(0, i64)
    return shared(b, ("held", size.count), lambda: b.emit(MaxOp(size.count, zero)))
