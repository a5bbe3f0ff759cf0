"""Ops that put elements at computed places: Scatter, ScatterElements, ScatterND."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp, MulOp
from autodeploy.dialects.nn.logic import AndOp, WhereOp
from autodeploy.dialects.nn.types import (
    element_count,
    element_of,
    is_bool,
    is_float,
    is_unsigned,
    shape_of,
    ui64,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.bounded import filled
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts

_REDUCTIONS = ("none", "add", "mul", "max", "min")


@converts("Scatter", "ScatterElements")
def scatter_elements(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ScatterElements: each element has its own place but for one axis."""
    data, indices = b.operand(op, "data"), b.operand(op, "indices")
    updates, shape, wanted = b.operand(op, "updates"), shape_of(data.type), shape_of(indices.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    if shape_of(updates.type) != wanted or len(shape) != len(wanted) or any(
        n > m for i, (n, m) in enumerate(zip(wanted, shape, strict=True)) if i != axis
    ):  # fmt: skip
        raise ConversionError(f"indices {indices.type} do not fit {data.type}")
    number, inside = _wrapped(b, indices, shape[axis])
    number = b.emit(MulOp(number, b.scalar(prod(shape[axis + 1 :]), i64)))
    for other, extent in enumerate(wanted):
        if other != axis and not are_same([extent], [1]):
            own = b.places(extent, (extent, *[1] * (len(shape) - 1 - other)))
            own = b.emit(MulOp(own, b.scalar(prod(shape[other + 1 :]), i64)))
            number = b.emit(AddOp(number, own))
    return [_scatter(b, op, data, indices, number, inside, updates, 1)]


@converts("ScatterND")
def scatter_nd(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ScatterND: each entry of the last axis of the indices names a slice."""
    data, indices, updates = (b.operand(op, name) for name in ("data", "indices", "updates"))
    shape, wanted = shape_of(data.type), shape_of(indices.type)
    depth = wanted[-1] if wanted else 0
    if not 1 <= depth <= len(shape) or shape_of(updates.type) != (*wanted[:-1], *shape[depth:]):
        raise ConversionError(f"indices {indices.type} and {updates.type} do not fit {data.type}")
    numbers: list[tuple[SSAValue, SSAValue]] = []
    for i in range(depth):
        part = b.reshape(b.slice(indices, {len(wanted) - 1: range(i, i + 1)}), wanted[:-1])
        number, inside = _wrapped(b, part, shape[i])
        scale = b.scalar(prod(shape[i + 1 : depth]), i64)
        numbers.append((b.emit(MulOp(number, scale)), inside))
    number, inside = numbers[0]
    for other, test in numbers[1:]:
        number, inside = b.emit(AddOp(number, other)), b.emit(AndOp(inside, test))
    width = prod(shape[depth:])
    if isinstance(width, Extent):  # elements of a slice have gaps between them: each has a place
        number = b.emit(MulOp(b.reshape(number, (*wanted[:-1], 1)), b.scalar(width, i64)))
        number = b.emit(AddOp(number, b.places(width)))
        inside, width = b.reshape(inside, (*wanted[:-1], 1)), 1
    return [_scatter(b, op, data, indices, number, inside, updates, width)]


def _wrapped(b: ConversionContext, indices: SSAValue, extent: int) -> tuple[SSAValue, SSAValue]:
    """Return indices counted from the front, and whether each is within the extent."""
    number = Term(b, from_start(b, b.cast(indices, i64), extent))
    return number.value, ((number >= 0) & (number < extent)).value


def _scatter(
    b: ConversionContext,
    op: OnnxOp,
    data: SSAValue,
    indices: SSAValue,
    number: SSAValue,
    inside: SSAValue,
    updates: SSAValue,
    width: int,
) -> SSAValue:
    """Put updates into rows of a width; the library refuses a number below zero.

    The number of rows stands for an update that does not count, as its indices do not.
    """
    reduction, element = b.text(op, "reduction", "none"), element_of(data.type)
    if reduction not in _REDUCTIONS or (is_bool(element) and reduction != "none"):
        raise ConversionError(f"a reduction '{reduction}' of elements of type {element} is none")
    if 0 in map(largest_of, (element_count(data.type), element_count(updates.type))):
        return data
    wide = element if reduction == "none" else _reduced(element)
    number = b.emit(WhereOp(inside, number, b.scalar(-1, i64)))
    counted = b.bounded.get(indices)
    if counted is not None:
        b.bounded[number] = counted
        number = filled(b, number, prod(shape_of(data.type)) // width)
    places = b.reshape(number, (prod(shape_of(number.type)),))
    rows, new = (b.reshape(b.cast(x, wide), (prod(shape_of(x.type)) // width, width))
                 for x in (data, updates))  # fmt: skip
    kind = [_REDUCTIONS.index(reduction), int(counted is not None)]
    (result,) = b.call("scatter", [rows, places, new], [rows.type], kind, checks=True, rows=True)
    return b.cast(b.reshape(result, shape_of(data.type)), element)


def _reduced(element: Attribute) -> Attribute:
    """Return the type in which the library reduces elements; the results are the same."""
    if is_float(element):
        return f64 if element == f64 else f32
    return ui64 if is_unsigned(element) else i64
