"""Values of which an extent depends on elements: they have room for the most, and a number beside.

A value with such an extent may be a result of the model, which then says how many of its elements
count. Few ops take one; the rows behind those that count are zeros, or what is made of zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.open_extent import SHAPE_ATTRIBUTE
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axes_of, axis_of
from autodeploy.lowering.onnx_to_nn.computed import known_shape
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext


def bounded(b: ConversionContext, op: OnnxOp, position: int, room: int) -> int:
    """Return the extent of the first axis of a result: what the model states, or what is given."""
    known = _known(op, position)
    return room if known is None or not known else known[0]


def settled(
    b: ConversionContext, op: OnnxOp, position: int, value: SSAValue, axis: int, count: SSAValue
) -> SSAValue:
    """Return a result of an op of which ``count`` elements along an axis count.

    ``count`` is a list of one 64-bit integer. Where the model states the extent, the program ends
    with an error where it is another one.
    """
    known, shape = _known(op, position), shape_of(value.type)
    if known is None:
        b.bounded[value] = Bound(axis, count)
        return value
    if len(known) != len(shape) or known[axis] > shape[axis]:
        raise ConversionError(f"the result has at most the shape {list(shape)}, not {list(known)}")
    b.choose(count, [(known[axis],)])
    return b.slice(value, {axis: range(known[axis])})


def _known(op: OnnxOp, position: int) -> Sequence[int] | None:
    results = op.outputs_by_position()
    result = results[position] if position < len(results) else None
    return None if result is None else known_shape(result)


def followed(b: ConversionContext, op: Operation) -> Bound | None:
    """Return which extent of an op's results depends on values, ``None`` where none does.

    Raises ``ConversionError`` where an operand has such an extent and the op cannot take it.
    """
    met = [value for inner in op.walk() for value in inner.operands if value in b.bounded]
    if not met:
        return None
    first = b.bounded[met[0]]
    follow = _FOLLOW.get(op.op_type) if isinstance(op, OnnxOp) and not op.domain else None
    axis = follow(b, op, first) if isinstance(op, OnnxOp) and follow is not None else None
    if axis is None:
        raise ConversionError(
            f"an operand has an extent along axis {first.axis} that depends on values; that is "
            f"supported for results of the model and along other axes of {', '.join(_FOLLOW)}"
        )
    return Bound(axis, first.count)


def _pointwise(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """Operands have the same extent, or are repeated along it."""
    rank = max(len(shape_of(value.type)) for value in op.operands)
    for value in op.operands:
        shape, own = shape_of(value.type), b.bounded.get(value)
        place = bound.axis - (rank - len(shape))
        if own is None and place >= 0 and shape[place] != 1:
            return None
        if own is not None and (len(shape) != rank or own != bound):
            return None
    return bound.axis


def _transpose(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    rank = len(shape_of(op.operands[0].type))
    return list(b.integers(op, "perm", range(rank - 1, -1, -1))).index(bound.axis)


def _squeeze(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """An extent that is 1 at most may be another one: it is no axis to leave out."""
    shape, given = shape_of(op.operands[0].type), b.integers_or_input(op, "axes")
    if given is None:
        axes = tuple(axis for axis, extent in enumerate(shape) if extent == 1)
    else:
        axes = axes_of(given, len(shape))
    return None if bound.axis in axes else bound.axis - sum(axis < bound.axis for axis in axes)


def _unsqueeze(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    given = b.integers_or_input(op, "axes") or ()
    rank = len(shape_of(op.operands[0].type)) + len(given)
    new = axes_of(given, rank)
    return [axis for axis in range(rank) if axis not in new][bound.axis]


def _gather(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    """Take slices of the operand at other axes, or by the indices that there are."""
    data, indices = op.operands
    axis = axis_of(b.integer(op, "axis"), len(shape_of(data.type)))
    if data in b.bounded and indices in b.bounded:
        return None
    if indices in b.bounded:
        return axis + bound.axis
    if bound.axis == axis:
        return None
    behind = len(shape_of(indices.type)) - 1
    return bound.axis if bound.axis < axis else bound.axis + behind


def _slice(b: ConversionContext, op: OnnxOp, bound: Bound) -> int | None:
    rank = len(shape_of(op.operands[0].type))
    axes = b.integers_or_input(op, "axes")
    return bound.axis if axes is not None and bound.axis not in axes_of(axes, rank) else None


_FOLLOW: dict[str, Callable[[ConversionContext, OnnxOp, Bound], int | None]] = {
    **dict.fromkeys(
        ("Cast", "Identity", "Neg", "Abs", "Sqrt", "Exp", "Sigmoid", "Not", "Add", "Sub", "Mul"),
        _pointwise,
    ),
    "Transpose": _transpose,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Gather": _gather,
    "Slice": _slice,
}
"""Returns the axis of the result that has the extent; ``None`` where the op does not take it."""


def give_extents(b: ConversionContext, function: FuncOp) -> None:
    """Let a function return, behind its results, the extents of those that depend on values.

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
            shape = shape_of(value.type)
            is_bound = b.emit(
                EqualOp(b.make_constant(np.arange(len(shape))), b.scalar(bound.axis, i64))
            )
            fixed = b.make_constant(np.array(shape, np.int64))
            results.append(b.emit(WhereOp(is_bound, bound.count, fixed)))
            types.append(results[-1].type)
            marks.append(
                DictionaryAttr(
                    {SHAPE_ATTRIBUTE: DenseArrayBase.from_list(i64, [index, bound.axis])}
                )
            )
    if len(results) > len(returned.operands):
        returned.operands = results
        function.function_type = FunctionType.from_lists(list(function.function_type.inputs), types)
        function.res_attrs = ArrayAttr(marks)


def _compacted(b: ConversionContext, value: SSAValue, bound: Bound) -> SSAValue:
    """Return a value whose elements that count follow each other."""
    if value in b.stored:
        raise UnsupportedError(
            f"a result with elements of type {b.stored[value]} has an extent that depends on values"
        )
    shape, axis = shape_of(value.type), bound.axis
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    if outer <= 1 or not inner * shape[axis]:
        return value
    blocks = b.reshape(value, (outer, shape[axis], inner))
    (dense,) = b.call("compact", [blocks, bound.count], [blocks.type])
    return b.reshape(dense, shape)
