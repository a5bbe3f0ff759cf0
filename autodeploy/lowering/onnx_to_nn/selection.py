"""Ops that select or order elements by values: NonZero, Compress, Unique, NonMaxSuppression, TopK.

How many these are is known when the program runs. The results have room for the most that there can
be; where the model states their shape, the program ends with an error where there are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod

from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import largest, largest_of, smallest
from autodeploy.dialects.nn.arithmetic import CastOp, DivOp, MaxOp, MulOp, SubOp
from autodeploy.dialects.nn.extent_attr import is_varying
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.movement import ConcatOp, identity_permutation
from autodeploy.dialects.nn.types import (
    element_count,
    element_of,
    is_bool,
    is_float,
    shape_of,
    tensor,
    ui64,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.bounded import (
    bounded,
    closed,
    set_count,
    set_source,
    settled,
    shared,
)
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

_COUNT = tensor(i64, (1,))


@converts("NonZero")
def non_zero(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert NonZero: a row for each axis, with the places along it."""
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    is_set = x
    if isinstance(x.owner, CastOp) and is_bool(element_of(x.owner.x.type)):
        is_set = x.owner.x
    elif not is_bool(element_of(x.type)):
        is_set = shared(b, ("is set", x), lambda: (~Term(b, x).equals(0)).value)
    numbers, count = selected(b, is_set, largest_of(element_count(x.type)))
    if not shape:
        return [settled(b, op, 0, b.reshape(numbers, (0, 1)), 1, count)]
    rows: list[SSAValue] = []
    for axis, extent in enumerate(shape):
        # The number of an element is the places along all axes, each times its stride.
        row = b.emit(DivOp(numbers, b.number_of_run(largest(prod(shape[axis + 1 :]), 1))))
        if axis:
            wraps = b.emit(DivOp(row, b.number_of_run(largest(extent, 1))))
            row = b.emit(SubOp(row, b.emit(MulOp(wraps, b.number_of_run(extent)))))
        rows.append(b.reshape(row, (1, *shape_of(numbers.type))))
    places = rows[0] if len(rows) == 1 else b.emit(ConcatOp(rows, 0))
    return [settled(b, op, 0, places, 1, count)]


@converts("Compress")
def compress(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Compress: the slices at which a condition holds; without an axis of all elements."""
    x, condition = b.operand(op, "input"), b.operand(op, "condition")
    given = b.setting(op, "axis")
    if not isinstance(given, int):
        x, given = b.reshape(x, (element_count(x.type),)), 0
    axis = axis_of(given, len(shape_of(x.type)))
    if len(shape_of(condition.type)) != 1 or not is_bool(element_of(condition.type)):
        raise ConversionError(f"a condition is a list of booleans, found {condition.type}")
    extent = shape_of(x.type)[axis]
    room = smallest(extent, element_count(condition.type))
    numbers, count = selected(b, condition, largest_of(room))
    return [settled(b, op, 0, b.emit(GatherOp(x, numbers, axis)), axis, count)]


def selected(b: ConversionContext, is_set: SSAValue, room: int) -> tuple[SSAValue, SSAValue]:
    """Return the numbers of elements that are set, and how many there are.

    Those of one operand are the same values, such as where exporters write ``x[mask]`` and
    ``y[mask]``.
    """
    found: SSAValue | None = None
    key = ("set elements", set_source(b, is_set), room)
    if key not in b.counts:
        flat = closed(b, b.reshape(is_set, (element_count(is_set.type),)), 0, 0)
        b.counts[key], found = b.call("select", [flat], [tensor(i64, (room,)), _COUNT], checks=True)
    return b.counts[key], set_count(b, is_set, found)


@converts("Unique")
def unique(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Unique: the different slices along an axis; without one, of all elements."""
    x = b.operand(op, "X")
    given = b.setting(op, "axis")
    if not isinstance(given, int):
        x, given = b.reshape(x, (element_count(x.type),)), 0
    shape = shape_of(x.type)
    axis = axis_of(given, len(shape))
    extent = shape[axis]
    if is_varying(x.type):
        raise ConversionError("elements along an open extent are not compared with each other")
    moved = b.transpose(x, [axis, *(other for other in range(len(shape)) if other != axis)])
    rows = b.reshape(moved, (extent, prod(shape) // extent if extent else 0))
    list_ = tensor(i64, (extent,))
    first, inverse, counts, count = b.call(
        "unique",
        [b.cast(rows, ordered_type(element_of(x.type)))],
        [list_, list_, list_, _COUNT],
        [int(b.integer(op, "sorted") != 0)],
    )
    if extent:
        x = b.emit(GatherOp(x, first, axis))
    results = [
        settled(b, op, 0, x, axis, count),
        settled(b, op, 1, first, 0, count),
        inverse,
        settled(b, op, 3, counts, 0, count),
    ]
    return results[: len(op.outputs_by_position())]


@converts("NonMaxSuppression")
def non_max_suppression(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert NonMaxSuppression; without a number of boxes for each class there are none."""
    boxes, scores = b.cast(b.operand(op, "boxes"), f32), b.cast(b.operand(op, "scores"), f32)
    shape = shape_of(scores.type)
    if len(shape) != 3 or shape_of(boxes.type) != (shape[0], shape[2], 4):
        raise ConversionError(f"boxes {boxes.type} do not fit scores {scores.type}")
    boxes, scores = closed(b, boxes, 1, 0), closed(b, scores, 2, -inf)
    shape = shape_of(scores.type)
    most = op.input_named("max_output_boxes_per_class")
    most = b.scalar(0, i64) if most is None else b.reshape(b.cast(most, i64), ())
    known = b.array(most)
    each = shape[2] if known is None else max(min(shape[2], int(known.item())), 0)
    most = b.reshape(b.emit(MaxOp(most, b.scalar(0, i64))), (1,))
    limits: list[SSAValue] = []
    for name, default in (("iou_threshold", 0.0), ("score_threshold", -inf)):
        value = op.input_named(name)
        value = b.scalar(default, f32) if value is None else b.cast(value, f32)
        limits.append(b.reshape(value, (1,)))
    inputs = [boxes, scores, order(b, scores, shape[2], largest=True), most,
              b.emit(ConcatOp(limits, 0))]  # fmt: skip
    room = bounded(b, op, 0, shape[0] * shape[1] * each)
    kept, count = b.call(
        "suppress",
        inputs,
        [tensor(i64, (room, 3)), _COUNT],
        [b.integer(op, "center_point_box")],
        checks=True,
    )
    return [settled(b, op, 0, kept, 0, count)]


@converts("TopK")
def top_k(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TopK: the library orders rows, whose first elements are then looked up."""
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    k = b.integer(op, "k") if op.version == 1 else b.constant_integer(op, "K")
    if not 0 <= k <= shape[axis]:
        raise ConversionError(f"k of {k} is outside of extent {shape[axis]}")
    last = [*(other for other in range(len(shape)) if other != axis), axis]
    rows = x if identity_permutation(last) else b.transpose(x, last)
    indices = order(b, rows, k, largest=b.integer(op, "largest", 1) != 0)
    values = b.emit(GatherElementsOp(rows, indices, len(shape) - 1))
    if identity_permutation(last):
        return [values, indices]
    back = [last.index(other) for other in range(len(shape))]
    return [b.transpose(values, back), b.transpose(indices, back)]


def order(b: ConversionContext, rows: SSAValue, count: int, *, largest: bool) -> SSAValue:
    """Return the numbers of the first elements of each row, in the order of their values."""
    shape = shape_of(rows.type)
    result = tensor(i64, (*shape[:-1], count))
    keys = b.cast(rows, ordered_type(element_of(rows.type)))
    return b.call("order", [keys], [result], [int(largest)], strided=True)[0]


def ordered_type(element: Attribute) -> Attribute:
    """Return the type in which the library compares elements; none of them changes."""
    if is_float(element):
        return f64 if element == f64 else f32
    return ui64 if element == ui64 else i64
