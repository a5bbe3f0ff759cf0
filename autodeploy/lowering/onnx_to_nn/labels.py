"""Ops that look up strings or numbers among known ones: LabelEncoder and the like of ai.onnx.ml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import BitCastOp
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.types import element_count, element_of, is_float, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp, StringsAttr, text_bytes
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.strings import as_strings, cells_of, of_rows
from autodeploy.weights import Array

_DOMAIN = "ai.onnx.ml"

Labels = list[bytes] | Array
"""Strings, or numbers of one type."""


@dataclass(frozen=True)
class Found:
    """The places of keys: each of ``numbers`` is a place among the keys in rising order.

    The key at ``place`` was given as number ``order[place]``. ``len(order)`` says: no such key.
    """

    numbers: SSAValue
    order: Sequence[int]


def find(b: ConversionContext, x: SSAValue, labels: Labels) -> Found:
    """Look for each row of a table of strings, or for each number of a tensor, among keys.

    The last one of equal keys counts.
    """
    if isinstance(labels, list):
        width = shape_of(x.type)[1]
        # A longer one equals no string that a cell can hold.
        sorted_keys = {key: n for n, key in enumerate(labels) if len(key) < width}
        order = sorted(sorted_keys.items())
        table = cells_of([key for key, _ in order], width)
        rows = x
    else:
        if is_float(element_of(x.type)) != (labels.dtype.kind not in "iub"):
            raise ConversionError(f"keys of type {labels.dtype} do not fit {x.type}")
        rows = _comparable(b, x)
        is_wide = element_of(x.type) == f64
        own = dict(zip(_integers(labels, is_wide), range(labels.size), strict=True))
        order = sorted(own.items())
        table = np.array([[key] for key, _ in order], np.int64).reshape(-1, 1)
    count = shape_of(rows.type)[0]
    if order:
        types = [tensor(i32, (count,))]
        (found,) = b.call("find", [rows, b.make_constant(table)], types, rows=True)
    else:
        found = b.broadcast(b.scalar(0, i32), (count,))
    if not isinstance(labels, list):
        found = b.reshape(found, shape_of(x.type))
    return Found(found, [number for _, number in order])


def _comparable(b: ConversionContext, x: SSAValue) -> SSAValue:
    """Return numbers as rows of one 64-bit integer, which are equal where these are."""
    rows = (element_count(x.type), 1)
    element = element_of(x.type)
    if is_float(element):
        x = x if element == f64 else b.cast(x, f32)
        own = element_of(x.type)
        zero, nan = b.scalar(0.0, own), b.scalar(float("nan"), own)
        x = b.emit(WhereOp(b.emit(EqualOp(x, zero)), zero, x))
        x = b.emit(WhereOp(b.emit(EqualOp(x, x)), x, nan))
        x = b.emit(BitCastOp(x, i64 if own == f64 else i32))
    return b.reshape(b.cast(x, i64), rows)


def _integers(labels: Array, is_wide: bool) -> list[int]:
    """Return numbers as the integers that ``_comparable`` makes of them, of 64 or 32 bits."""
    if labels.dtype.kind not in "iub":
        own = labels.astype(np.float64 if is_wide else np.float32)
        own = np.where(own == 0, own.dtype.type(0), own)
        own = np.where(own == own, own, own.dtype.type("nan"))
        labels = own.view(f"i{own.itemsize}")
    return labels.astype(np.int64).tolist()


@converts("LabelEncoder", domain=_DOMAIN, since=2)
def label_encoder(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LabelEncoder: a number or a string for each key."""
    x = b.operand(op, "X")
    keys, values = (_labels(b, op, kind) for kind in ("keys", "values"))
    if len(keys) != len(values):
        raise ConversionError(f"it has {len(keys)} keys and {len(values)} values")
    return [_looked_up(b, x, keys, values, _default(b, op, values))]


@converts("LabelEncoder", domain=_DOMAIN, until=1)
def first_label_encoder(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert the first LabelEncoder: strings to their numbers, or numbers to strings."""
    return [_between(b, op, b.strings(op, "classes_strings"), None)]


@converts("CategoryMapper", domain=_DOMAIN)
def category_mapper(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert CategoryMapper: strings to integers, or integers to strings."""
    return [_between(b, op, b.strings(op, "cats_strings"), b.integers(op, "cats_int64s"))]


@converts("OneHotEncoder", domain=_DOMAIN)
def one_hot_encoder(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert OneHotEncoder: a row of zeros with a one at the place of the category."""
    x = b.operand(op, "X")
    if not b.integer(op, "zeros"):
        raise ConversionError("'zeros' of 0, with which others are errors, is not supported")
    keys: Labels = b.strings(op, "cats_strings")
    if x not in b.tables:
        keys = np.array(b.integers(op, "cats_int64s"), np.int64)
        x = b.cast(x, i64)
    if not len(keys):
        raise ConversionError("it has no categories for its operand")
    hot = np.eye(len(keys) + 1, len(keys), dtype=np.float32)
    return [_taken(b, places_of(b, x, keys), hot)]


def _between(
    b: ConversionContext, op: OnnxOp, strings: list[bytes], integers: Sequence[int] | None
) -> SSAValue:
    """Map strings to integers, or back, by the type of the operand."""
    x = b.operand(op, "X")
    numbers = np.array(range(len(strings)) if integers is None else integers, np.int64)
    if len(numbers) != len(strings):
        raise ConversionError(f"it has {len(strings)} strings and {len(numbers)} integers")
    if x in b.tables:
        missing = np.array(b.integer(op, "default_int64"), np.int64)
        return _looked_up(b, x, strings, numbers, missing)
    missing_text = b.text(op, "default_string", "").encode(errors="surrogateescape")
    return _looked_up(b, x, numbers, strings, [missing_text])


def _looked_up(
    b: ConversionContext, x: SSAValue, keys: Labels, values: Labels, default: Labels
) -> SSAValue:
    """Return the value of each element's key, the default where it is none."""
    places = places_of(b, x, keys)
    if isinstance(values, list):
        assert isinstance(default, list)
        table = b.make_constant(cells_of([*values, *default]))
        return as_strings(b, places, table)
    assert not isinstance(default, list)
    return _taken(b, places, np.concatenate([values, default.reshape(1)]).astype(values.dtype))


def _taken(b: ConversionContext, places: SSAValue, rows: Array) -> SSAValue:
    return b.emit(GatherOp(b.make_constant(rows), places, 0))


def places_of(b: ConversionContext, x: SSAValue, keys: Labels) -> SSAValue:
    """Return the place of each element among keys; how many keys there are where it is none."""
    is_text = isinstance(keys, list)
    if is_text != (x in b.tables):
        kind = "strings" if is_text else "numbers"
        raise ConversionError(f"keys that are {kind} do not fit {b.element(x)}")
    found = find(b, b.tables[x] if is_text else x, keys)
    order = b.make_constant(np.array([*found.order, len(keys)], np.int32))
    places = b.emit(GatherOp(order, found.numbers, 0))
    return of_rows(b, x, places) if is_text else places


def _labels(b: ConversionContext, op: OnnxOp, kind: str) -> Labels:
    """Return keys or values from the one of the attributes that is given."""
    given = b.setting(op, f"{kind}_tensor")
    if isinstance(given, StringsAttr):
        return [text_bytes(text) for text in given.values]
    if isinstance(given, DenseAttr | WeightAttr):
        return b.data(given).reshape(-1)
    if strings := b.strings(op, f"{kind}_strings"):
        return strings
    if integers := b.integers(op, f"{kind}_int64s"):
        return np.array(integers, np.int64)
    floats = b.setting(op, f"{kind}_floats")
    if isinstance(floats, tuple) and floats:
        return np.array(floats, np.float32)
    raise ConversionError(f"it has no {kind}")


def _default(b: ConversionContext, op: OnnxOp, values: Labels) -> Labels:
    given = b.setting(op, "default_tensor")
    if isinstance(values, list):
        if isinstance(given, StringsAttr) and len(given.values) == 1:
            return [text_bytes(text) for text in given.values]
        return [b.text(op, "default_string", "").encode(errors="surrogateescape")]
    if isinstance(given, DenseAttr | WeightAttr):
        found = b.data(given).reshape(-1)
        if found.size != 1 or found.dtype != values.dtype:
            raise ConversionError(f"'default_tensor' must be one element of type {values.dtype}")
        return found
    if values.dtype.kind in "iub":
        return np.array(b.integer(op, "default_int64", -1)).astype(values.dtype)
    return np.array(b.number(op, "default_float")).astype(values.dtype)
