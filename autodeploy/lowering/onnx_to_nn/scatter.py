"""Ops that put elements at other places: the Scatters, ReverseSequence, TensorScatter, Col2Im."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp, MulOp
from autodeploy.dialects.nn.logic import AndOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
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
from autodeploy.frontend.nn.builder import (
    ConversionError,
    axis_of,
    check_count,
    check_new_constant,
)
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.bounded import filled
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts

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


@converts("ReverseSequence")
def reverse_sequence(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ReverseSequence: the first elements of each sequence, as many as it is long."""
    x, lengths = b.operand(op, "input"), b.cast(b.operand(op, "sequence_lens"), i64)
    shape, rank = shape_of(x.type), len(shape_of(x.type))
    batch, time = b.integer(op, "batch_axis"), b.integer(op, "time_axis")
    if {batch, time} != {0, 1} or rank < 2 or shape_of(lengths.type) != shape[batch : batch + 1]:
        raise ConversionError(
            f"axes {batch} and {time} of {x.type} with lengths {lengths.type} are no sequences"
        )
    lengths = b.reshape(lengths, [shape[batch] if i == batch else 1 for i in range(rank)])
    length, number = Term(b, lengths), Term(b, _numbers(b, shape[time], rank - time))
    places = (number < length).where(length - 1 - number, number).value
    return [b.emit(GatherElementsOp(x, b.broadcast(places, shape), time))]


@converts("TensorScatter")
def tensor_scatter(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TensorScatter: the update from a place on, of each batch another one.

    A place that the update does not reach keeps what was there before.
    """
    past, update = b.operand(op, "past_cache"), b.operand(op, "update")
    shape, rank = shape_of(past.type), len(shape_of(past.type))
    axis, mode = axis_of(b.integer(op, "axis"), rank), b.text(op, "mode", "linear")
    count = shape_of(update.type)[axis] if len(shape_of(update.type)) == rank else -1
    if axis == 0 or (*shape[:axis], count, *shape[axis + 1 :]) != shape_of(update.type):
        raise ConversionError(f"{update.type} does not fit into {past.type} along axis {axis}")
    if mode not in ("linear", "circular"):
        raise ConversionError(f"mode '{mode}' is unknown, expected linear or circular")
    if 0 in shape_of(update.type):
        return [past]
    number = Term(b, _numbers(b, shape[axis], rank - axis))
    if op.input_named("write_indices") is not None:
        starts = b.cast(b.operand(op, "write_indices"), i64)
        number = number - Term(b, b.reshape(starts, (shape[0], *[1] * (rank - 1))))
        if mode == "circular":
            number = (number < 0).where(number + shape[axis], number)
    reached = (number >= 0) & (number < count)
    places = b.broadcast(number.value, shape)
    new = reached.made(GatherElementsOp(update, places, axis))
    return [reached.where(new, Term(b, past)).value]


def _numbers(b: ConversionContext, extent: int, axes: int) -> SSAValue:
    """Return the numbers of the elements along the first of the last ``axes`` axes."""
    check_new_constant(extent, 8)
    return b.places(extent, (extent, *[1] * (axes - 1)))


@converts("Col2Im")
def col2im(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Col2Im: each pixel is the sum of the columns' elements that stand for it."""
    x = b.operand(op, "input")
    image, block = (b.constant_integers(op, f"{name}_shape") or () for name in ("image", "block"))
    rank, taps = len(image), prod(block)
    strides, dilations = (b.integers(op, n, [1] * rank) for n in ("strides", "dilations"))
    pads = b.integers(op, "pads", [0] * (2 * rank))
    for name, values, count in (
        ("block_shape", block, rank),
        ("strides", strides, rank),
        ("dilations", dilations, rank),
        ("pads", pads, 2 * rank),
    ):
        check_count(name, values, count)
    if min((*image, *block, *strides, *dilations), default=1) < 1 or min(pads, default=0) < 0:
        raise ConversionError("extents, strides and dilations are 1 or more, pads 0 or more")
    places, counts = zip(
        *(
            _taps(*given)
            for given in zip(image, block, strides, dilations, pads, pads[rank:], strict=False)
        ),
        strict=True,
    )
    shape = shape_of(x.type)
    if len(shape) != 3 or shape[1] % taps or shape[2] != prod(counts):
        raise ConversionError(
            f"{x.type} does not hold blocks {list(block)} of an image {list(image)}"
        )
    check_new_constant(prod(image) * taps, 8)
    # The number of the column for each tap of the block and each pixel, below zero for none.
    columns = np.empty((taps, *image), np.int64)
    for number, tap in enumerate(product(*map(range, block))):
        grid = np.meshgrid(*(p[k] for p, k in zip(places, tap, strict=True)), indexing="ij")
        inside = np.all([place >= 0 for place in grid], axis=0)
        flat = np.ravel_multi_index([np.maximum(place, 0) for place in grid], counts)
        columns[number] = np.where(inside, number * shape[2] + flat, -1)
    columns = columns.reshape(taps, -1).T
    flat_x = b.reshape(x, (shape[0], shape[1] // taps, taps * shape[2]))
    read = b.emit(GatherOp(flat_x, b.make_constant(np.maximum(columns, 0)), 2))
    kept = Term(b, b.make_constant(columns >= 0)).where(Term(b, read), 0)
    total = b.emit(ReduceOp(kept.value, Reduction.SUM, [3]))
    return [b.reshape(total, (*shape_of(total.type)[:2], *image))]


def _taps(
    extent: int, block: int, stride: int, dilation: int, before: int, after: int
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int64]], int]:
    """Return the block in which each tap is at each place, or -1, and the number of blocks."""
    count = max(0, (extent + before + after - dilation * (block - 1) - 1) // stride + 1)
    ahead = np.arange(extent) + before - dilation * np.arange(block)[:, None]
    inside = (ahead >= 0) & (ahead % stride == 0) & (ahead // stride < count)
    return np.where(inside, ahead // stride, -1), count
