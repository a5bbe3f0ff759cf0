"""Ops that put as many elements at places as a run finds: ScatterElements, ScatterND."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import axis_of
from autodeploy.lowering.onnx_to_nn.bounded import agreed, extents, settled
from autodeploy.lowering.onnx_to_nn.bounded_places import counted_from_start
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext

Values = Sequence[SSAValue] | None
Convert = Callable[[], Sequence[SSAValue]]


def scatter_elements(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert ScatterElements of as many elements as count."""
    data, places, updates = op.operands
    own, bound = b.bounded.get(data), _moving(b, places, updates)
    axis = axis_of(b.integer(op, "axis"), len(shape_of(data.type)))
    if own is not None and bound is None and own.axis != axis:
        return None
    if own is not None and own.axis == axis:
        end = b.reshape(own.count, ())
        op.operands[1] = places = counted_from_start(b, places, end)
    if bound is not None:
        op.operands[1], op.operands[2] = agreed(b, [(places, bound.axis), (updates, bound.axis)])
    (value,) = convert()
    return [value if own is None else settled(b, op, 0, value, own.axis, own.count)]


def scatter_nd(b: ConversionContext, op: OnnxOp, convert: Convert) -> Values:
    """Convert ScatterND of as many slices as count."""
    data, places, updates = op.operands
    own, bound = b.bounded.get(data), _moving(b, places, updates)
    *rows, depth = shape_of(places.type)
    if bound is not None and bound.axis >= len(rows):
        return None
    if own is not None:
        if own.axis >= depth:
            return None
        op.operands[1] = places = counted_from_start(
            b, places, b.slice(extents(b, data), {0: range(depth)})
        )
    if bound is not None:
        op.operands[1], op.operands[2] = agreed(b, [(places, bound.axis), (updates, bound.axis)])
    (value,) = convert()
    return [value if own is None else settled(b, op, 0, value, own.axis, own.count)]


def _moving(b: ConversionContext, places: SSAValue, updates: SSAValue) -> Bound | None:
    """Return the extent of places or updates that a run finds."""
    return b.bounded.get(places) or b.bounded.get(updates)
