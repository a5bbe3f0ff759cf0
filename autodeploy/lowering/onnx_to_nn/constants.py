"""Ops whose result is known once shapes are: Constant, ConstantOfShape, Shape, Size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import largest_of
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp, RawAttr, StringsAttr
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.lowering.onnx_to_nn.stored import stored_constant
from autodeploy.lowering.onnx_to_nn.strings import string_constant
from autodeploy.weights import Array

_DTYPES = {
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


@converts("Constant")
def constant(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Constant, whose value is a tensor or, since opset 12, a number or a list of them."""
    value = b.setting(op, "value")
    if isinstance(value, DenseAttr | WeightAttr):
        return [b.make_constant_value(value)]
    if isinstance(value, RawAttr):
        return [stored_constant(b, value)]
    if isinstance(value, StringsAttr):
        return [string_constant(b, value)]
    for name, dtype in _DTYPES.items():
        number = b.setting(op, name)
        if number is not None:
            return [b.make_constant(np.array(number, dtype))]
    raise ConversionError("sparse tensors are not supported")


@converts("ConstantOfShape")
def constant_of_shape(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ConstantOfShape; by default the elements are the f32 number 0."""
    shape = b.constant_integers(op, "input") or ()
    if any(extent < 0 for extent in shape):
        raise ConversionError(f"shape {list(shape)} has a negative extent")
    filled = np.broadcast_to(_fill(b, op), [largest_of(extent) for extent in shape])
    return [b.first_elements(filled, shape)]


def _fill(b: ConversionContext, op: OnnxOp) -> Array:
    value = b.setting(op, "value")
    if value is None:
        return np.zeros((), np.float32)
    if not isinstance(value, DenseAttr | WeightAttr):
        raise ConversionError("strings and elements of less than a byte are not supported")
    array = b.data(value)
    if array.size != 1:
        raise ConversionError(f"'value' must have one element, found {value.type}")
    return array.reshape(())


@converts("Shape")
def shape(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Shape to a constant; since opset 15 ``start`` and ``end`` cut it as Python would."""
    extents = shape_of(b.operand(op, "data").type)
    end = b.setting(op, "end") if op.version >= 15 else None
    cut = extents[b.integer(op, "start", 0) : end if isinstance(end, int) else None]
    return [b.make_constant(np.array(cut, np.int64))]


@converts("Size")
def size(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Size to a constant."""
    return [b.make_constant(np.array(element_count(b.operand(op, "data").type), np.int64))]
