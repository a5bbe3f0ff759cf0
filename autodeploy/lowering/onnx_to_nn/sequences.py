"""Ops on sequences and optionals whose parts are known: they choose among values.

They cost nothing at run time, but for the place of an element that the program computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp, OptionalType
from autodeploy.frontend.nn.builder import ConversionError, axis_of
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.structures import (
    MAKERS,
    is_structure,
    parts_of,
    sequence_of,
)
from autodeploy.lowering.onnx_to_nn.subgraphs import inlined_copy


@converts(*MAKERS)
def maker(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Leave the op where it is, for readers of its parts."""
    return op.results


@converts("SequenceInsert")
def sequence_insert(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SequenceInsert; without a position the element is the last one."""
    elements = list(parts_of(b.operand(op, "input_sequence")))
    given, count = op.input_named("position"), len(elements)
    place = count if given is None else b.constant_integer(op, "position")
    if not -count <= place <= count:
        raise ConversionError(f"position {place} is outside of {count} elements")
    elements.insert(place, b.operand(op, "tensor"))
    return [sequence_of(b, elements, op.results[0].type)]


@converts("SequenceErase")
def sequence_erase(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SequenceErase; without a position the last element goes."""
    elements = list(parts_of(b.operand(op, "input_sequence")))
    given = op.input_named("position")
    place = -1 if given is None else b.constant_integer(op, "position")
    del elements[axis_of(place, len(elements))]
    return [sequence_of(b, elements, op.results[0].type)]


@converts("SequenceAt")
def sequence_at(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SequenceAt; where the position is computed, all elements have one type."""
    elements = parts_of(b.operand(op, "input_sequence"))
    count = len(elements)
    if not b.is_computed(op, "position"):
        return [elements[axis_of(b.constant_integer(op, "position"), count)]]
    if not elements or any(value.type != elements[0].type for value in elements):
        raise ConversionError("a computed position takes elements of one shape")
    given = b.reshape(b.operand(op, "position"), (1,))
    row = b.choose(given, [(place,) for place in range(-count, count)])
    wrapped = b.make_constant(np.arange(2 * count) % count)
    number = b.emit(GatherOp(wrapped, row, 0))
    return [b.emit(GatherOp(_stacked(b, elements, 0), b.cast(number, i64), 0))]


@converts("SequenceLength")
def sequence_length(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SequenceLength to a constant."""
    return [b.make_constant(np.array(len(parts_of(b.operand(op, "input_sequence"))), np.int64))]


@converts("SplitToSequence")
def split_to_sequence(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SplitToSequence to slices; without ``split`` they have an extent of 1, or lose it."""
    x = b.operand(op, "input")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    extent, given = shape[axis], op.input_named("split")
    if given is None:
        sizes: Sequence[int] = [1] * extent
    elif shape_of(given.type):
        sizes = b.constant_integers(op, "split") or ()
    else:
        size = b.constant_integer(op, "split")
        if size < 1:
            raise ConversionError(f"'split' must be a positive number, found {size}")
        sizes = [min(size, extent - start) for start in range(0, extent, size)]
    if sum(sizes) != extent or min(sizes, default=0) < 0:
        raise ConversionError(f"parts {list(sizes)} do not add up to extent {extent}")
    starts = np.cumsum([0, *sizes]).tolist()
    parts = [b.slice(x, {axis: range(*ends)}) for ends in pairwise(starts)]
    if given is None and not b.integer(op, "keepdims"):
        parts = [b.reshape(part, (*shape[:axis], *shape[axis + 1 :])) for part in parts]
    return [sequence_of(b, parts, op.results[0].type)]


@converts("ConcatFromSequence")
def concat_from_sequence(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ConcatFromSequence, along an axis that is there or along a new one."""
    elements = parts_of(b.operand(op, "input_sequence"))
    if not elements:
        raise ConversionError("a sequence without elements has no shape")
    rank = len(shape_of(elements[0].type))
    if b.integer(op, "new_axis"):
        return [_stacked(b, elements, axis_of(b.integer(op, "axis"), rank + 1))]
    axis = axis_of(b.integer(op, "axis"), rank)
    return [elements[0] if len(elements) == 1 else b.emit(ConcatOp(elements, axis))]


@converts("SequenceMap")
def sequence_map(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SequenceMap: the body, once for each element of the sequences."""
    given = [value for value in op.inputs_by_position() if value is not None]
    count = len(parts_of(given[0]))
    lists = [parts_of(v) if is_structure(v.type) else [v] * count for v in given]
    if any(len(values) != count for values in lists):
        raise ConversionError("its sequences have the same number of elements")
    made = [inlined_copy(b, op, "body", values) for values in zip(*lists, strict=True)]
    results = op.outputs_by_position()
    return [
        sequence_of(b, [row[i] for row in made], op.results[0].type if result is None
                    else result.type)
        for i, result in enumerate(results)
    ]  # fmt: skip


@converts("OptionalHasElement")
def optional_has_element(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert OptionalHasElement to a constant; what is no optional is an element."""
    x = op.input_named("input")
    held = x is not None and (not isinstance(x.type, OptionalType) or bool(parts_of(x)))
    return [b.make_constant(np.array(held))]


@converts("OptionalGetElement")
def optional_get_element(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert OptionalGetElement to the value of the optional."""
    x = b.operand(op, "input")
    if not isinstance(x.type, OptionalType):
        return [x]
    parts = parts_of(x)
    if not parts:
        raise ConversionError("an optional without element was asked for it")
    return [parts[0]]


def _stacked(b: ConversionContext, elements: Sequence[SSAValue], axis: int) -> SSAValue:
    """Put elements of one shape after each other along a new axis."""
    wide = [
        b.reshape(value, (*shape[:axis], 1, *shape[axis:]))
        for value in elements
        for shape in [shape_of(value.type)]
    ]
    return wide[0] if len(wide) == 1 else b.emit(ConcatOp(wide, axis))
