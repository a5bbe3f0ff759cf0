"""Ops whose result is known once shapes are: Constant, ConstantOfShape, Shape, Size, Range."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.extents import largest_of
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import element_count, element_of, is_float, shape_of
from autodeploy.dialects.onnx import OnnxOp, RawAttr, StringsAttr
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.computed import known_shape
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, NotConstantError, converts
from autodeploy.lowering.onnx_to_nn.stored import stored_constant
from autodeploy.lowering.onnx_to_nn.strings import string_constant
from autodeploy.weights import Array, numpy_dtype

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


@converts("Range")
def range_(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert a Range of known extent; the program ends with an error where it has another one.

    The extent is that of constants, or what the model states.
    """
    given = [b.operand(op, name) for name in ("start", "limit", "delta")]
    if any(prod(shape_of(value.type)) != 1 for value in given):
        raise ConversionError("start, limit and delta are one number each")
    element = element_of(given[0].type)
    known = _known_count(b, op, given)
    stated = None if b.follows_numbers(op) else known_shape(op.results[0])
    stated = stated if known is None else (known,)
    if stated is None or len(stated) != 1:
        raise NotConstantError("limit", given[1])
    start, limit, delta = (b.reshape(b.in_32_bits(value), ()) for value in given)
    if known is None:
        b.choose(b.reshape(count_of(b, start, limit, delta), (1,)), [stated])
    wide = element_of(start.type)
    numbers = b.places(stated[0], dtype=numpy_dtype(wide))
    return [(Term(b, numbers) * Term(b, delta) + Term(b, start)).cast(element).value]


def _known_count(b: ConversionContext, op: OnnxOp, given: Sequence[SSAValue]) -> int | None:
    """Return how many numbers a Range of constants has, ``None`` if one is computed."""
    is_varying = any(b.is_varying(value) for value in given)
    if is_varying and not is_float(element_of(given[0].type)):
        start, limit, delta = (b.constant_integer(op, n) for n in ("start", "limit", "delta"))
        return each(lambda first, end, step: max(0, -((first - end) // step)), start, limit, delta)
    arrays = [b.array(value) for value in given]
    start, limit, delta = (None if array is None else array.reshape(-1)[0] for array in arrays)
    if start is None or limit is None or delta is None:
        return None
    if not is_float(element_of(given[0].type)) and delta:
        return max(0, -((int(start) - int(limit)) // int(delta)))
    wide = np.float64 if start.dtype == np.float64 else np.float32
    with np.errstate(all="ignore"):
        steps = (wide(limit) - wide(start)) / wide(delta)
    if not np.isfinite(steps):
        raise ConversionError(f"no range goes from {start} to {limit} in steps of {delta}")
    return max(0, ceil(steps))


def count_of(b: ConversionContext, start: SSAValue, limit: SSAValue, delta: SSAValue) -> SSAValue:
    """Return how many numbers there are from the start on before the limit."""
    first, last, step = (Term(b, value) for value in (start, limit, delta))
    if is_float(first.element):
        return ((last - first) / step).ceil().maximum(0).cast(i64).value
    first, last, step = (term.cast(i64) for term in (first, last, step))
    width = last - first
    whole = width / step
    rest = width - whole * step
    # The quotient rounds toward zero; it is above that where the rest has the sign of delta.
    differ = (rest < 0) ^ (step < 0)
    above = ~rest.equals(0) & ~differ
    return (whole + above.cast(i64)).maximum(0).value
