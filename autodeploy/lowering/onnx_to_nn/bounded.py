"""Values with an extent that depends on elements: memory for the maximum, and a number.

A value with such an extent may be a result of the model, which then states the number of its valid
elements. Elements after them are zeros, or computed from zeros; ``bounded_operands`` lists the ops
that take one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.extents import Extent, largest_of
from autodeploy.dialects.nn.arithmetic import MinOp, MulOp, SubOp
from autodeploy.dialects.nn.logic import EqualOp, LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import BroadcastOp, ReshapeOp
from autodeploy.dialects.nn.open_extent import SHAPE_ATTRIBUTE
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import bounds_of, element_count, element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_new_constant
from autodeploy.lowering.onnx_to_nn.computed import known_shape
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext

Convert: TypeAlias = Callable[[], Sequence[SSAValue]]
"""Converts an op as if all elements counted."""

Values: TypeAlias = Sequence[SSAValue] | None
"""The results of an op; ``None`` if it does not take what it is given."""


def bounded(b: ConversionContext, op: OnnxOp, position: int, room: int) -> int:
    """Return the extent of the first axis of a result: what the model states, or what is given."""
    known = _known(b, op, position)
    return room if known is None or not known else known[0]


def settled(
    b: ConversionContext, op: OnnxOp, position: int, value: SSAValue, axis: int, count: SSAValue
) -> SSAValue:
    """Return a result of an op of which ``count`` elements along an axis count.

    ``count`` is a list of one 64-bit integer. If the model states the extent, the program ends
    with an error for another one.
    """
    value = closed(b, value, axis, 0)  # it has room for an open extent that was joined to it
    known, shape = _known(b, op, position), shape_of(value.type)
    if known is None:
        bound = Bound(axis, count)
        if value in op.operands and b.bounded.get(value) != bound:
            value = b.emit(ReshapeOp(value, shape))  # the operand keeps its own extent
        b.bounded[value] = bound
        return value
    if len(known) != len(shape) or known[axis] > shape[axis]:
        raise ConversionError(f"the result has at most the shape {list(shape)}, not {list(known)}")
    b.choose(count, [(known[axis],)])
    return b.slice(value, {axis: range(known[axis])})


def _known(b: ConversionContext, op: OnnxOp, position: int) -> Sequence[int] | None:
    if b.follows_numbers(op):
        return None
    results = op.outputs_by_position()
    result = results[position] if position < len(results) else None
    return None if result is None else known_shape(result)


def agreed(b: ConversionContext, parts: Sequence[tuple[SSAValue, int]]) -> list[SSAValue]:
    """Return values that have as many elements, each along an axis of its own.

    The program ends with an error where a run finds other numbers of elements.
    """
    bounds = [b.bounded.get(value) for value, _ in parts]
    room = min(shape_of(value.type)[axis] for value, axis in parts)
    known = {
        shape_of(value.type)[axis]
        for (value, axis), bound in zip(parts, bounds, strict=True)
        if bound is None
    }
    if len(known) > 1 or max(known, default=room) > room:
        raise ConversionError(f"operands have {room} elements at most, not {max(known)}")
    counts = list(dict.fromkeys(bound.count for bound in bounds if bound is not None))
    for count in counts if known else ():
        b.choose(count, [(room,)])
    if not known:
        agree(b, counts)
    wanted = None if known else counts[0]
    return [_with_count(b, value, axis, room, wanted) for value, axis in parts]


def agree(b: ConversionContext, counts: Sequence[SSAValue]) -> None:
    """Let the program end with an error where a run finds other numbers than the first one."""
    for other in dict.fromkeys(counts[1:]):
        if other is not counts[0]:
            b.choose(b.emit(SubOp(other, counts[0])), [(0,)])


def _with_count(
    b: ConversionContext, value: SSAValue, axis: int, room: int, count: SSAValue | None
) -> SSAValue:
    """Return a value with room for fewer elements, of which another number counts."""
    own, wanted = b.bounded.get(value), None if count is None else Bound(axis, count)
    shape = shape_of(value.type)
    if shape[axis] == room and own == wanted:
        return value
    if value in b.stored:
        raise ConversionError(f"operands with elements of type {b.stored[value]} differ in extent")
    cut = shape[axis] != room
    new = b.slice(value, {axis: range(room)}) if cut else b.emit(ReshapeOp(value, shape))
    if wanted is not None:
        b.bounded[new] = wanted
    return new


def shared(b: ConversionContext, key: Hashable, make: Callable[[], SSAValue]) -> SSAValue:
    """Return what ``make`` computes, the same value each time that ``key`` is asked for.

    Values with equal computations are thus known to have the same extent.
    """
    found = b.counts.get(key)
    if found is None:
        found = b.counts[key] = make()
    return found


def set_count(b: ConversionContext, is_set: SSAValue, found: SSAValue | None = None) -> SSAValue:
    """Return how many elements of a condition are set, which ``found`` is if it is known.

    It is the same value for a condition that was reshaped, and a multiple of it for a repeated one.
    """
    source, times = set_source(b, is_set), 1
    if isinstance(source.owner, BroadcastOp) and element_count(source.owner.x.type):
        times = element_count(source.type) // element_count(source.owner.x.type)
        source = set_source(b, source.owner.x)

    def make() -> SSAValue:
        if found is not None and times == 1:
            return found
        axes = range(len(shape_of(source.type)))
        total = b.emit(ReduceOp(b.cast(source, i64), Reduction.SUM, axes, keepdims=False))
        return b.reshape(total, (1,))

    return multiplied(b, shared(b, ("set", source), make), times)


def set_source(b: ConversionContext, is_set: SSAValue) -> SSAValue:
    """Return a condition of the same elements in the same order, before reshapes."""
    while isinstance(is_set.owner, ReshapeOp) and is_set.owner.x not in b.bounded:
        is_set = is_set.owner.x
    return is_set


def multiplied(b: ConversionContext, count: SSAValue, times: int) -> SSAValue:
    """Return a number of elements times a constant."""
    if times == 1:
        return count
    return shared(b, ("times", count, times), lambda: b.emit(MulOp(count, b.scalar(times, i64))))


def closed(b: ConversionContext, x: SSAValue, axis: int, number: float) -> SSAValue:
    """Return a value with room for all extents of an axis; what a run lacks is a number."""
    extent = shape_of(x.type)[axis]
    room = largest_of(extent)
    if not isinstance(extent, Extent):
        return x
    check_new_constant(room, 8)
    places, end = b.make_constant(np.arange(room)), b.number_of_run(extent)
    last = b.emit(SubOp(end, b.scalar(1, i64)))
    wide = b.emit(GatherOp(x, b.emit(MinOp(places, last)), axis))
    behind = len(shape_of(x.type)) - axis - 1
    counts = b.reshape(b.emit(LessOp(places, end)), (room, *(1,) * behind))
    return b.emit(WhereOp(counts, wide, b.scalar(number, element_of(x.type))))


def filled(b: ConversionContext, x: SSAValue, number: float) -> SSAValue:
    """Return a value with such an extent whose elements that do not count are a number."""
    return shared(b, ("filled", x, number), lambda: _filled(b, x, number))


def _filled(b: ConversionContext, x: SSAValue, number: float) -> SSAValue:
    bound, shape = b.bounded[x], shape_of(x.type)
    room = shape[bound.axis]
    check_new_constant(room, 8)
    places = np.arange(room).reshape([room if i == bound.axis else 1 for i in range(len(shape))])
    counts = b.emit(LessOp(b.make_constant(places), b.reshape(bound.count, ())))
    return b.emit(WhereOp(counts, x, b.scalar(number, element_of(x.type))))


def extents(b: ConversionContext, value: SSAValue) -> SSAValue:
    """Return the shape of a value as a list of 64-bit integers."""
    bound, shape = b.bounded[value], shape_of(value.type)
    is_bound = b.emit(EqualOp(b.make_constant(np.arange(len(shape))), b.scalar(bound.axis, i64)))
    return b.emit(WhereOp(is_bound, bound.count, b.numbers_of_run(shape)))


def give_extents(b: ConversionContext, function: FuncOp) -> None:
    """Let a function return, after its results, the extents of those that depend on values.

    The elements of such a result that count follow each other then.
    """
    returned = function.get_return_op()
    if returned is None:
        return
    results, types = list(returned.operands), list(function.function_type.outputs)
    marks: list[DictionaryAttr] = list(
        function.res_attrs.data if function.res_attrs else [DictionaryAttr({})] * len(types)
    )
    with b.before(returned):
        for index, value in enumerate(tuple(results)):
            bound = b.bounded.get(value)
            if bound is None:
                continue
            results[index] = _compacted(b, value, bound)
            types[index] = tensor(b.element(results[index]), shape_of(results[index].type))
            results.append(extents(b, value))
            types.append(results[-1].type)
            pairs = zip(shape_of(value.type), shape_of(types[index]), strict=True)
            closes = [isinstance(n, Extent) and not isinstance(m, Extent) for n, m in pairs]
            closes[bound.axis] = True
            axes = [axis for axis, is_told in enumerate(closes) if is_told]
            mark = DenseArrayBase.from_list(i64, [index, *axes])
            marks.append(DictionaryAttr({SHAPE_ATTRIBUTE: mark}))
    if len(results) > len(returned.operands):
        returned.operands = results
        function.function_type = FunctionType.from_lists(list(function.function_type.inputs), types)
        function.res_attrs = ArrayAttr(marks)


def _compacted(b: ConversionContext, value: SSAValue, bound: Bound) -> SSAValue:
    """Return a value whose elements that count follow each other.

    Those of several blocks do so with room for all numbers of a run.
    """
    if value in b.stored and value not in b.tables:
        raise UnsupportedError(
            f"a result with elements of type {b.stored[value]} has an extent that depends on values"
        )
    shape, axis = shape_of(value.type), bound.axis
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    if largest_of(outer) <= 1 or not largest_of(inner) * shape[axis]:
        return value
    if isinstance(inner, Extent):
        raise UnsupportedError("a result has an open extent after one that depends on values")
    blocks = closed(b, b.reshape(value, (outer, shape[axis], inner)), 0, 0)
    (dense,) = b.call("compact", [blocks, bound.count], [blocks.type])
    made = b.reshape(dense, bounds_of(value.type))
    if value in b.tables:
        b.stored[made], b.tables[made] = b.stored[value], b.tables[value]
    return made
