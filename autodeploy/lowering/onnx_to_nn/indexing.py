"""Ops that take a part of a tensor or put one into a larger tensor: Slice, Split, Pad, Trilu."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import Extent, are_same, largest, largest_of, smallest
from autodeploy.dialects.nn.arithmetic import AddOp, CastOp
from autodeploy.dialects.nn.logic import LessEqualOp, WhereOp
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.padding import PadMode, PadOp
from autodeploy.dialects.nn.types import element_count, element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import (
    ConversionError,
    Span,
    axes_of,
    axis_of,
    check_count,
    check_new_constant,
)
from autodeploy.lowering.onnx_to_nn.computed import known_shape
from autodeploy.lowering.onnx_to_nn.computed_places import pad_by, slice_by
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts


@converts("Slice")
def slice_(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Slice, whose bounds and steps mean what Python's do."""
    x = b.operand(op, "data")
    shape = shape_of(x.type)
    if any(b.is_computed(op, name) for name in _BOUNDS):
        return [_computed_slice(b, op, x)]
    cuts = constant_cuts(b, op, len(shape))
    spans = {a: Span.cut(shape[a], cut.start, cut.stop, cut.step) for a, cut in cuts.items()}
    return [b.slice(x, spans)]


def constant_cuts(b: ConversionContext, op: OnnxOp, rank: int) -> dict[int, slice]:
    """Return what a Slice of constant bounds takes of each axis that it names.

    Raises ``ConversionError`` if the bounds are not as many as the axes, or a step is 0.
    """
    starts, ends = b.integers_or_input(op, "starts"), b.integers_or_input(op, "ends")
    if starts is None or ends is None:
        raise ConversionError("'starts' or 'ends' is left out")
    given = b.integers_or_input(op, "axes")
    axes = axes_of(range(len(starts)) if given is None else given, rank)
    steps = b.constant_integers(op, "steps") if op.version >= 10 else None
    steps = (1,) * len(starts) if steps is None else steps
    for name, values in (("ends", ends), ("axes", axes), ("steps", steps)):
        check_count(name, values, len(starts))
    if 0 in steps:
        raise ConversionError(f"'steps' must not be 0, found {list(steps)}")
    return {a: slice(*cut) for a, *cut in zip(axes, starts, ends, steps, strict=True)}


_BOUNDS = ("starts", "ends", "steps", "axes")


def _computed_slice(b: ConversionContext, op: OnnxOp, x: SSAValue) -> SSAValue:
    """Convert a Slice whose bounds are computed, but whose result has a known shape."""
    computed = next(name for name in _BOUNDS if b.is_computed(op, name))
    starts, ends = b.operand(op, "starts"), b.operand(op, "ends")
    steps = op.input_named("steps")
    if steps is None:
        steps = b.make_constant(np.ones(element_count(starts.type), np.int64))
    axes = op.input_named("axes")
    if axes is not None and not b.is_computed(op, "axes"):
        axes = b.constant_integers(op, "axes")
    stated = None if b.follows_numbers(op) else known_shape(op.results[0])
    shape = stated or _moving_shape(b, x, starts, ends, steps, axes)
    shape = b.result_shape(op, computed) if shape is None else shape
    return slice_by(b, x, [starts, ends, steps], axes, shape)


def _moving_shape(
    b: ConversionContext,
    x: SSAValue,
    starts: SSAValue,
    ends: SSAValue,
    steps: SSAValue,
    axes: Sequence[int] | SSAValue | None,
) -> Sequence[int] | None:
    """Return the shape of a slice of some elements from one on; ``None`` if it is none.

    The end is the start and a constant. If the operand ends earlier, the result does, too.
    """
    start, low = _sum_with_constant(b, starts)
    end, high = _sum_with_constant(b, ends)
    strides = b.array(steps)
    if start is not end or strides is None or isinstance(axes, SSAValue):
        return None
    source, count = list(shape_of(x.type)), element_count(starts.type)
    named = axes_of(range(count) if axes is None else axes, len(source))
    if len(named) != count or (strides != 1).any() or high < low:
        return None
    for axis in named:
        source[axis] = min(high - low, source[axis])
    return source


def _sum_with_constant(b: ConversionContext, value: SSAValue) -> tuple[SSAValue, int]:
    """Return what a value is but for numbers that are added to all of it, and their sum."""
    total = 0
    while isinstance(op := value.owner, AddOp | ReshapeOp | CastOp):
        if isinstance(op, AddOp):
            known = [b.array(operand) for operand in op.operands]
            place = 0 if known[1] is None else 1
            added = known[place]
            if added is None or added.size != 1:
                break
            total += int(added.item())
            value = op.operands[1 - place]
        elif isinstance(op, ReshapeOp) or element_of(op.x.type) in (i32, i64):
            value = op.x
        else:
            break
    return value, total


@converts("Split")
def split(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Split to a slice for each output."""
    x = b.operand(op, "input")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis", 0), len(shape))
    results: list[SSAValue] = []
    start = 0
    for size in _sizes(b, op, shape[axis]) if op.results else ():
        results.append(b.slice(x, {axis: Span(start, size)}))
        start += size
    return results


def _sizes(b: ConversionContext, op: OnnxOp, extent: int) -> tuple[int, ...]:
    """Return the extents of the outputs: as given, else equal; since opset 18 the last is less."""
    count = len(op.results)
    sizes = b.integers_or_input(op, "split")
    if sizes is None and op.version == 1:
        sizes = b.constant_integers(op, "split")
    if sizes is None:
        if b.integer(op, "num_outputs", count) != count:
            raise ConversionError(f"'num_outputs' contradicts the {count} outputs")
        size = -(-extent // count)
        sizes = (*[size] * (count - 1), extent - size * (count - 1))
        if sizes[-1] < 0 or (op.version < 18 and sizes[-1] != size):
            raise ConversionError(f"extent {extent} does not split into {count} equal parts")
    check_count("split", sizes, count)
    if sum(sizes) != extent or any(size < 0 for size in sizes):
        raise ConversionError(f"parts {list(sizes)} do not add up to extent {extent}")
    return sizes


@converts("Pad")
def pad(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Pad; a negative pad takes elements away, before the others are put around."""
    x = b.operand(op, "data")
    shape = shape_of(x.type)
    mode = _PAD_MODES.get(name := b.text(op, "mode", "constant"))
    if mode is None:
        raise ConversionError(f"mode '{name}' is unknown, expected {', '.join(_PAD_MODES)}")
    names = [parameter.name for parameter in op.input_parameters if parameter.name != "data"]
    if any(b.is_computed(op, name) for name in names):
        return [_computed_pad(b, op, x, mode)]
    before, after = _pads(b, op, len(shape))
    spans: list[Span] = []
    for extent, low, high in zip(shape, before, after, strict=True):
        start, size = largest(0, -low), extent + smallest(0, low) + smallest(0, high)
        if size < 0:
            raise ConversionError(f"pads {low} and {high} take away more than extent {extent}")
        spans.append(Span(start, size))
    taken = b.slice(x, dict(enumerate(spans)))
    pads = [largest(0, count) for count in (*before, *after)]
    if are_same(pads, [0] * len(pads)):
        return [taken]
    if mode != PadMode.CONSTANT:
        return [b.emit(PadOp(taken, pads, mode=mode))]
    value = _pad_value(b, op)
    if not isinstance(count := element_count(taken.type), Extent) and not count:
        # No run has an element to read.
        sides = zip(shape_of(taken.type), pads[: len(shape)], pads[len(shape) :], strict=True)
        return [b.broadcast(b.scalar(value, element_of(x.type)), [sum(own) for own in sides])]
    return [b.emit(PadOp(taken, pads, value))]


def _computed_pad(b: ConversionContext, op: OnnxOp, x: SSAValue, mode: PadMode) -> SSAValue:
    """Convert a Pad whose pads, axes or value are computed."""
    value = op.input_named("constant_value")
    if value is None:
        value = b.scalar(0, element_of(x.type))
    if element_count(value.type) != 1:
        raise ConversionError(f"'constant_value' must be a scalar, found {value.type}")
    value = b.reshape(b.cast(value, element_of(x.type)), ())
    axes = op.input_named("axes") if op.version >= 18 else None
    if axes is not None and not b.is_computed(op, "axes"):
        axes = b.constant_integers(op, "axes")
    if b.is_computed(op, "pads") or isinstance(axes, SSAValue):
        computed = "pads" if b.is_computed(op, "pads") else "axes"
        shape: Sequence[int] = b.result_shape(op, computed)
    else:
        sides = zip(shape_of(x.type), *_pads(b, op, len(shape_of(x.type))), strict=True)
        shape = [sum(own) for own in sides]
        if min(shape, default=0) < 0:
            raise ConversionError(f"pads take away more elements than {x.type} has")
    return pad_by(b, x, b.operand(op, "pads"), axes, shape, mode, value)


_PAD_MODES: Mapping[str, PadMode] = {
    "constant": PadMode.CONSTANT,
    "reflect": PadMode.REFLECT,
    "edge": PadMode.EDGE,
    "wrap": PadMode.WRAP,
}


def _pads(b: ConversionContext, op: OnnxOp, rank: int) -> tuple[list[int], list[int]]:
    """Return the pads before and after each axis; since opset 18 only some axes may be named."""
    given = b.integers_or_input(op, "paddings" if op.version == 1 else "pads") or ()
    named = b.constant_integers(op, "axes") if op.version >= 18 else None
    axes = axes_of(range(rank) if named is None else named, rank)
    check_count("pads", given, 2 * len(axes))
    before, after = [0] * rank, [0] * rank
    for index, axis in enumerate(axes):
        before[axis], after[axis] = given[index], given[len(axes) + index]
    return before, after


def _pad_value(b: ConversionContext, op: OnnxOp) -> float:
    if op.version < 11:
        return b.number(op, "value")
    if op.input_named("constant_value") is None:
        return 0.0
    array = b.constant(op, "constant_value")
    if array.size != 1:
        raise ConversionError(f"'constant_value' must be a scalar, found shape {list(array.shape)}")
    number = array.item()
    value = float(number)
    if not math.isnan(value) and np.not_equal(value, number):
        raise ConversionError(f"a pad with {number}, which no f64 holds")
    return value


@converts("Trilu")
def trilu(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Trilu: zero where a constant mask does not hold, beyond diagonal ``k``."""
    x = b.operand(op, "input")
    shape = shape_of(x.type)
    if len(shape) < 2:
        raise ConversionError(f"Trilu takes rank 2 or more, found {x.type}")
    most = tuple(map(largest_of, shape[-2:]))
    varies = b.is_varying_input(op, "k")
    is_computed = varies or b.is_computed(op, "k")
    check_new_constant(prod(most), 8 if is_computed else 1)
    rows, columns = map(np.arange, most)
    if is_computed:
        k = b.reshape(b.operand(op, "k"), ())
        above = b.first_elements(columns - rows[:, None], shape[-2:])
        sides = (k, above) if b.integer(op, "upper") else (above, k)
        return [b.emit(WhereOp(b.emit(LessEqualOp(*sides)), x, b.scalar(0, element_of(x.type))))]
    k = 0 if op.input_named("k") is None else b.constant_integer(op, "k")
    diagonal = rows[:, None] + max(-most[0], min(k, most[1]))
    mask = columns >= diagonal if b.integer(op, "upper") else columns <= diagonal
    kept = b.first_elements(mask, shape[-2:])
    return [b.emit(WhereOp(kept, x, b.scalar(0, element_of(x.type))))]
