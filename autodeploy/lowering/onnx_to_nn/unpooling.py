"""Places of maxima: the second output of MaxPool, and MaxUnpool, which puts elements there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.base import check_at_least, check_length, ints
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import (
    element_count,
    element_of,
    is_float,
    shape_of,
    tensor,
    ui64,
)
from autodeploy.dialects.nn.window import MaxPoolOp
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


def places_of_maxima(b: ConversionContext, pool: MaxPoolOp, column_major: bool) -> SSAValue:
    """Return which element each maximum is, counted over the whole operand.

    Within an image the first axis is counted fastest where ``column_major`` holds.
    """
    x = pool.x
    shape, result = shape_of(x.type), shape_of(pool.result.type)
    if prod(shape) == 0 or prod(result) == 0:
        return b.make_constant(np.zeros(result, np.int64))
    extents, planes = shape[2:], prod(shape[:2])
    axes = range(len(extents))
    steps = [prod(extents[:i] if column_major else extents[i + 1 :]) for i in axes]
    geometry = [extents, result[2:], ints(pool.window), ints(pool.strides), ints(pool.dilations),
                ints(pool.pads)[: len(extents)], steps]  # fmt: skip
    rows = b.reshape(b.cast(x, _compared(element_of(x.type))), (planes, prod(extents)))
    given = [rows, b.make_constant(np.array(geometry, np.int64))]
    (places,) = b.call("pool_places", given, [tensor(i64, (planes, prod(result[2:])))])
    return b.reshape(places, result)


def _compared(element: Attribute) -> Attribute:
    """Return the type in which the library compares elements; none of them changes."""
    if is_float(element):
        return f64 if element == f64 else f32
    return ui64 if element == ui64 else i64


@converts("MaxUnpool")
def max_unpool(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MaxUnpool; places are those of a result without ``output_shape``.

    If that asks for more, zeros follow along each axis.
    """
    x, places = b.operand(op, "X"), b.operand(op, "I")
    shape = shape_of(x.type)
    rank = len(shape) - 2
    if rank < 1 or shape_of(places.type) != shape:
        raise ConversionError(f"places {places.type} do not fit {x.type}")
    window = b.integers(op, "kernel_shape")
    strides, pads = b.integers(op, "strides", [1] * rank), b.integers(op, "pads", [0] * 2 * rank)
    for name, values, count in (("kernel_shape", window, rank), ("strides", strides, rank),
                                ("pads", pads, 2 * rank)):  # fmt: skip
        check_length(name, values, count)
    check_at_least("strides", strides, 1)
    image = [
        (extent - 1) * stride - before - behind + size
        for extent, stride, before, behind, size in zip(
            shape[2:], strides, pads[:rank], pads[rank:], window, strict=True
        )
    ]
    check_at_least("the result's extents", image, 1)
    inferred = (*shape[:2], *image)
    wanted = b.constant_integers(op, "output_shape") or inferred
    check_length("output_shape", wanted, len(inferred))
    if any(n > m for n, m in zip(inferred, wanted, strict=True)):
        raise ConversionError(f"'output_shape' is {list(inferred)} at least, not {list(wanted)}")
    rows = (element_count(x.type), 1)
    empty = b.broadcast(b.scalar(0, element_of(x.type)), (prod(inferred), 1))
    given = [empty, b.reshape(b.cast(places, i64), rows[:1]), b.reshape(x, rows)]
    (flat,) = b.call("scatter", given, [empty.type], [0, 0], checks=True, rows=True)
    result = b.reshape(flat, inferred)
    if inferred == tuple(wanted):
        return [result]
    behind = [m - n for n, m in zip(inferred, wanted, strict=True)]
    return [b.emit(PadOp(result, [*[0] * len(behind), *behind]))]
