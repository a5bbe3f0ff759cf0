"""Conversion of ops whose axes, shapes or sizes the program computes while it runs.

The shapes of an op say which values such an input can have. The op is converted with each of them
as if it were constant. The program takes the result of the one that it finds, and ends with an
error where it finds another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import POINTWISE, REDUCTIONS
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of
from autodeploy.frontend.nn.places import from_start
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, Converter, NotConstantError
from autodeploy.lowering.onnx_to_nn.signal import frame_length
from autodeploy.weights import Array

MAX_VALUES = 64
"""The most values of an input with which an op is converted."""

Ints: TypeAlias = tuple[int, ...]
Values: TypeAlias = Callable[[ConversionContext, OnnxOp, str], Iterable[Ints]]
"""Returns the values that an input can have."""

Assumed: TypeAlias = dict[str, Ints]
"""Values of inputs by name."""

Canonical: TypeAlias = Callable[[ConversionContext, OnnxOp, SSAValue, Sequence[Ints]], SSAValue]
"""Returns what the program compares with these values, in place of the input."""

Entry: TypeAlias = tuple[str, Values, Canonical]
"""An input that may be computed, the values that it can have, what they are compared with."""


def convert(b: ConversionContext, op: OnnxOp, converter: Converter) -> Sequence[SSAValue]:
    """Convert an op, once for each value of the inputs that are computed."""
    computed = [entry for entry in _INPUTS.get(op.op_type, ()) if b.is_computed(op, entry[0])]
    if not computed:
        return converter(b, op)
    empty = [name for name, *_ in computed if not element_count(b.operand(op, name).type)]
    if empty:
        with b.assuming(dict.fromkeys(empty, np.zeros(0, np.int64))):
            return convert(b, op, converter)
    rows: list[Assumed] = []
    found: list[Sequence[SSAValue]] = []
    candidates = _assumptions(b, op, computed)
    for row in candidates if len(candidates) <= MAX_VALUES else ():
        made = _attempt(b, op, row, converter)
        if made is not None:
            rows.append(row)
            found.append(made)
    if not rows:
        name = computed[0][0]
        raise NotConstantError(name, b.operand(op, name))
    compared: list[list[int]] = [[] for _ in rows]
    given: list[SSAValue] = []
    for name, _, canonical in computed:
        own = [row[name] for row in rows]
        given.append(canonical(b, op, b.operand(op, name), own))
        for row, value in zip(compared, own, strict=True):
            row += _row(op, value) if canonical is _counts else value
    number = b.choose(given[0] if len(given) == 1 else b.emit(ConcatOp(given, 0)), compared)
    return list(found[0]) if op.op_type in _RESHAPES else _selected(b, number, found)


def _assumptions(b: ConversionContext, op: OnnxOp, inputs: Sequence[Entry]) -> list[Assumed]:
    """Return the values that inputs can have; those of one may depend on those before it."""
    if not inputs:
        return [{}]
    name, values, _ = inputs[0]
    found: list[Assumed] = []
    for row in islice(values(b, op, name), MAX_VALUES + 1):
        with b.assuming({name: _array(b, op, name, row)}):
            found += [{name: row, **others} for others in _assumptions(b, op, inputs[1:])]
    return found


def _array(b: ConversionContext, op: OnnxOp, name: str, row: Ints) -> Array:
    return np.array(row, np.int64).reshape(shape_of(b.operand(op, name).type))


def _attempt(
    b: ConversionContext, op: OnnxOp, row: Assumed, converter: Converter
) -> Sequence[SSAValue] | None:
    """Return the results for some values, ``None`` if they are not of the known shapes."""
    start = b.mark()
    try:
        with b.assuming({name: _array(b, op, name, value) for name, value in row.items()}):
            made = converter(b, op)
        outputs = zip(op.outputs_by_position(), made, strict=False)
        known = [(known_shape(o), shape_of(v.type)) for o, v in outputs if o is not None]
    except (ConversionError, VerifyException):
        known = [((), (0,))]
        made = ()
    if all(expected == found for expected, found in known):
        return made
    b.remove_from(start)
    return None


def known_shape(result: SSAValue) -> Ints | None:
    """Return the shape of a result; if it is open, the shape of its computed elements.

    ``None`` if neither is known.
    """
    same = [result]
    for value in same:
        shape = _static_shape(value)
        if shape is not None:
            return shape
        users = (use.operation for use in value.uses)
        same += [
            user.results[0]
            for user in dict.fromkeys(users)
            if isinstance(user, OnnxOp) and user.results[0] not in same and _keeps(user, same)
        ]
    return None


def _keeps(user: OnnxOp, same: Sequence[SSAValue]) -> bool:
    """Return whether the result of an op has the shape that some values have."""
    if user.op_type == "CastLike":
        return user.operands[0] in same
    others = [_static_shape(value) for value in user.operands if value not in same]
    return user.op_type in POINTWISE and all(s is not None and prod(s) == 1 for s in others)


def _static_shape(value: SSAValue) -> Ints | None:
    try:
        return shape_of(value.type)
    except VerifyException:
        return None


def _selected(
    b: ConversionContext, number: SSAValue, found: Sequence[Sequence[SSAValue]]
) -> list[SSAValue]:
    results = list(found[0])
    for place, others in enumerate(found[1:], 1):
        hit = b.emit(EqualOp(number, b.scalar(place, i64)))
        results = [
            b.emit(WhereOp(hit, other, result))
            for other, result in zip(others, results, strict=True)
        ]
    return results


# Axes


def _rank(b: ConversionContext, op: OnnxOp) -> int:
    rank = len(shape_of(op.operands[0].type))
    return rank + element_count(op.operands[1].type) if op.op_type == "Unsqueeze" else rank


def _axes(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    return combinations(range(_rank(b, op)), element_count(b.operand(op, name).type))


def _counts(b: ConversionContext, op: OnnxOp, given: SSAValue, rows: Sequence[Ints]) -> SSAValue:
    """Return how often each axis is named, whether it is counted from the front or the back."""
    rank = _rank(b, op)
    axes = b.reshape(b.cast(given, i64), (element_count(given.type), 1))
    hits = b.emit(EqualOp(from_start(b, axes, rank), b.make_constant(np.arange(rank))))
    return b.emit(ReduceOp(b.cast(hits, i64), Reduction.SUM, [0], keepdims=False))


def _row(op: OnnxOp, value: Ints) -> Ints:
    """Return how often each axis is named."""
    rank = len(shape_of(op.operands[0].type)) + len(value) * (op.op_type == "Unsqueeze")
    return tuple(int(axis in value) for axis in range(rank))


# Shapes


def _as_given(b: ConversionContext, op: OnnxOp, given: SSAValue, rows: Sequence[Ints]) -> SSAValue:
    return b.reshape(b.cast(given, i64), (len(rows[0]),))


def _result_shape(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    shape = b.result_shape(op, name)
    return [shape[len(shape) - element_count(b.operand(op, name).type) :]]


def _replaced(
    b: ConversionContext, given: SSAValue, special: int, others: Sequence[int]
) -> SSAValue:
    """Return the extents with those that have a special meaning replaced."""
    hit = b.emit(EqualOp(given, b.scalar(special, i64)))
    return b.emit(WhereOp(hit, b.make_constant(np.array(others, np.int64)), given))


def _reshaped(b: ConversionContext, op: OnnxOp, given: SSAValue, rows: Sequence[Ints]) -> SSAValue:
    """Return the extents of a Reshape: -1 is what is left, 0 keeps the operand's."""
    extents, source = _as_given(b, op, given, rows), shape_of(op.operands[0].type)
    if not b.integer(op, "allowzero", 0):
        kept = [*source, *[0] * len(rows[0])][: len(rows[0])]
        extents = _replaced(b, extents, 0, kept)
    return _replaced(b, extents, -1, rows[0])


def _expanded(b: ConversionContext, op: OnnxOp, given: SSAValue, rows: Sequence[Ints]) -> SSAValue:
    """Return the extents of an Expand: 1 keeps the operand's."""
    source, count = shape_of(op.operands[0].type), len(rows[0])
    kept = [*[1] * count, *source][len(source) :][-count:]
    return _replaced(b, _as_given(b, op, given, rows), 1, kept)


def _named_extents(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    """Return the extents of the result along the axes that an attribute names."""
    shape = b.result_shape(op, name)
    axes = b.integers(op, "axes") if b.setting(op, "axes") is not None else range(len(shape))
    return [tuple(shape[axis] for axis in axes_of(axes, len(shape)))]


def _repeats(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    source, wide = shape_of(b.operand(op, "input").type), b.result_shape(op, name)
    return [] if 0 in source else [tuple(m // n for n, m in zip(source, wide, strict=True))]


def _parts(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    axis = axis_of(b.integer(op, "axis", 0), len(shape_of(b.operand(op, "input").type)))
    results = [result for result in op.outputs_by_position() if result is not None]
    return [tuple(shape_of(result.type)[axis] for result in results)]


def _extent(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    shape = b.result_shape(op, name)
    return [(shape[axis_of(b.integer(op, "axis"), len(shape))],)]


def _step(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    """Return the steps with which a signal has as many frames as the result of a STFT."""
    rest = shape_of(b.operand(op, "signal").type)[1] - frame_length(b, op)
    count = b.result_shape(op, name)[1]
    return [
        (step,) for step in range(rest // count + 1, rest // (count - 1) + 1 if count > 1 else 0)
    ]


def _length(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    """Return the lengths of frames with which a STFT has as many frequencies as its result."""
    count = b.result_shape(op, name)[2]
    return [(2 * count - 2,), (2 * count - 1,)] if b.integer(op, "onesided") else [(count,)]


def _size(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    """Return the size of an AffineGrid, whose channels do not matter."""
    batch, *dims, _ = b.result_shape(op, name)
    return [(batch, 1, *dims)]


def _one_channel(
    b: ConversionContext, op: OnnxOp, given: SSAValue, rows: Sequence[Ints]
) -> SSAValue:
    is_channel = b.make_constant(np.arange(len(rows[0])) == 1)
    return b.emit(WhereOp(is_channel, b.scalar(1, i64), _as_given(b, op, given, rows)))


def _image(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    return [b.result_shape(op, name)[2:]]


def _block(b: ConversionContext, op: OnnxOp, name: str) -> Iterable[Ints]:
    """Return the blocks of as many elements as a Col2Im has rows for each channel."""
    _, channels, *image = b.result_shape(op, name)
    taps = shape_of(b.operand(op, "input").type)[1] // max(channels, 1)
    blocks: list[Ints] = [()]
    for _ in image:
        blocks = [(*own, n) for own in blocks for n in range(1, taps + 1)
                  if taps % (prod(own) * n) == 0]  # fmt: skip
    return [own for own in blocks if prod(own) == taps]


_RESHAPES = ("Squeeze", "Unsqueeze")
"""Ops whose result is the same whatever axes lead to its shape."""

_INPUTS: dict[str, tuple[Entry, ...]] = {
    **dict.fromkeys((*REDUCTIONS, *_RESHAPES), (("axes", _axes, _counts),)),
    **dict.fromkeys(("CumSum", "CumProd", "DFT"), (("axis", _axes, _counts),)),
    "Reshape": (("shape", _result_shape, _reshaped),),
    "ConstantOfShape": (("input", _result_shape, _as_given),),
    "Expand": (("shape", _result_shape, _expanded),),
    "Tile": (("repeats", _repeats, _as_given),),
    "MaxUnpool": (("output_shape", _result_shape, _as_given),),
    "CenterCropPad": (("shape", _named_extents, _as_given),),
    "Split": (("split", _parts, _as_given),),
    "OneHot": (("depth", _extent, _as_given),),
    "TopK": (("K", _extent, _as_given),),
    "AffineGrid": (("size", _size, _one_channel),),
    "Col2Im": (("image_shape", _image, _as_given), ("block_shape", _block, _as_given)),
    "STFT": (("frame_length", _length, _as_given), ("frame_step", _step, _as_given)),
}
"""Which inputs may be computed."""
