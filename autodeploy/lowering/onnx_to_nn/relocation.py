"""Ops that take elements from other places: ReverseSequence, TensorScatter, Col2Im."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import (
    ConversionError,
    axis_of,
    check_count,
    check_new_constant,
)
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


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
