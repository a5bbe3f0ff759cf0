"""Element types of nn tensors, their least and greatest values, and helpers on static tensor types.

An nn tensor is a builtin ``tensor`` with static extents, outermost dimension first. Signed integers
are signless (``i8``), unsigned ones say so (``ui8``), ``i1`` is a boolean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import Extent, largest_of
from autodeploy.dialects.nn.extent_attr import encoded_type, encoding_of, extents_of

ui8, ui16, ui32, ui64 = (IntegerType(width, Signedness.UNSIGNED) for width in (8, 16, 32, 64))

ELEMENT_NAMES: dict[Attribute, str] = {
    f64: "float64",
    f32: "float32",
    f16: "float16",
    bf16: "bfloat16",
    i8: "int8",
    i16: "int16",
    i32: "int32",
    i64: "int64",
    ui8: "uint8",
    ui16: "uint16",
    ui32: "uint32",
    ui64: "uint64",
    i1: "bool",
}
"""NumPy's name of each element type (``bfloat16`` is ml_dtypes')."""

ELEMENT_BYTES: dict[Attribute, int] = {
    f64: 8, f32: 4, f16: 2, bf16: 2, i8: 1, i16: 2, i32: 4, i64: 8,
    ui8: 1, ui16: 2, ui32: 4, ui64: 8, i1: 1,
}  # fmt: skip
"""Bytes of one element in memory; a boolean takes a whole byte."""

MAX_ELEMENTS = 2**31 - 1
"""Elements that a kernel can address: Halide counts them in 32 bits."""


def is_addressable(shape: Sequence[int]) -> bool:
    """Return whether a kernel can address a tensor; extents of 0 do not make the others good."""
    return prod(max(largest_of(extent), 1) for extent in shape) <= MAX_ELEMENTS


def is_float(element: Attribute) -> bool:
    """Return whether ``element`` is a floating-point type."""
    return isinstance(element, Float64Type | Float32Type | Float16Type | BFloat16Type)


def is_bool(element: Attribute) -> bool:
    """Return whether ``element`` is the boolean type."""
    return element == i1


def is_unsigned(element: Attribute) -> bool:
    """Return whether ``element`` is an unsigned integer type (a boolean is none)."""
    return element in (ui8, ui16, ui32, ui64)


def compute_type(element: Attribute) -> Attribute:
    """Return the type in which values of an element type are computed: halves in single."""
    return f32 if element in (f16, bf16) else element


def signed_of(element: Attribute) -> Attribute:
    """Return the signed integer type with as many bytes as ``element``."""
    return {1: i8, 2: i16, 4: i32, 8: i64}[ELEMENT_BYTES[element]]


def shape_of(type_: Attribute) -> tuple[int, ...]:
    """Return the extents of a static tensor type, outermost first.

    Those that differ between runs are ``Extent``. Raises ``VerifyException`` if ``type_`` is no
    tensor or has an unknown extent.
    """
    bounds = bounds_of(type_)
    return bounds if encoding_of(type_) is None else extents_of(_ranked(type_))


def bounds_of(type_: Attribute) -> tuple[int, ...]:
    """Return the largest extents of a static tensor type, outermost first: those of its memory.

    Raises as ``shape_of``.
    """
    bounds = tuple([extent.data for extent in _ranked(type_).shape.data])
    if bounds and min(bounds) < 0:
        raise invalid("op_c4", f"expected a static shape, found {type_}")
    return bounds


def element_of(type_: Attribute) -> Attribute:
    """Return the element type of a tensor type; raises ``VerifyException`` if it is none."""
    return _ranked(type_).element_type


def _ranked(type_: Attribute) -> TensorType[Attribute]:
    """Return a ranked tensor type; a cast, since this is asked for at every turn."""
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a ranked tensor, found {type_}")
    return cast("TensorType[Attribute]", type_)


def tensor(element: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """Build a static tensor type."""
    return encoded_type(element, shape)


def element_count(type_: Attribute) -> int:
    """Return the number of elements of a static tensor type."""
    encoding = encoding_of(type_)
    return prod(shape_of(type_)) if encoding is None else encoding.data.product


def largest_count(type_: Attribute) -> int:
    """Return the largest number of elements of a tensor type: that of its memory."""
    return prod(bounds_of(type_))


def byte_size(type_: Attribute) -> int:
    """Return the number of bytes of the memory of a dense tensor of this type."""
    return largest_count(type_) * ELEMENT_BYTES[element_of(type_)]


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape to which all ``shapes`` broadcast by NumPy's rules.

    Raises ``VerifyException`` if two extents differ and neither is 1, ``Undecided`` where they
    do so for some numbers of a run.
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result: list[int] = []
    for axis in range(-rank, 0):
        extents = [shape[axis] for shape in shapes if len(shape) >= -axis]
        first, *others = [n for n in extents if isinstance(n, Extent) or n != 1] or [1]
        if any(first != other for other in others):  # undecided where some numbers agree
            listed = " and ".join("x".join(map(str, shape)) or "scalar" for shape in shapes)
            raise invalid("op_c5", f"shapes {listed} do not broadcast")
        result.append(first)
    return tuple(result)


def sum_bytes(element: Attribute) -> int:
    """Return the bytes in which sums of an element type are computed: floats have 4 or more."""
    return max(ELEMENT_BYTES[element], 4) if is_float(element) else ELEMENT_BYTES[element]


def may_sum(sums: Attribute, operands: Attribute) -> bool:
    """Return whether a type for sums holds all products that the operands' type does."""
    if sums not in ELEMENT_BYTES or is_bool(sums) or is_bool(operands):
        return False
    if is_float(sums) != is_float(operands) or (is_unsigned(sums) and not is_unsigned(operands)):
        return False
    return ELEMENT_BYTES[sums] >= ELEMENT_BYTES[compute_type(operands)]


MAX_RUN = 1024
"""Floats that are added up one after another: with more, rounding errors pass 1e-6 of the sum."""


def lowest(element: Attribute) -> float | int:
    """Return the value that no value of the type is below: -inf for floats."""
    if is_float(element):
        return -math.inf
    return 0 if is_unsigned(element) or is_bool(element) else -(2 ** (_bits(element) - 1))


def highest(element: Attribute) -> float | int:
    """Return the value that no value of the type is above: inf for floats."""
    if is_float(element):
        return math.inf
    if is_bool(element):
        return 1
    return 2 ** _bits(element) - 1 if is_unsigned(element) else 2 ** (_bits(element) - 1) - 1


def as_bound(number: float, element: Attribute, to_integer: Callable[[float], int]) -> float | int:
    """Return the number that bounds values of a type as ``number`` does.

    ``to_integer`` rounds the bound of an integer up where it is the lower one, down where it is the
    upper one.
    """
    if is_float(element):
        return number
    return to_integer(min(max(number, lowest(element)), highest(element)))


def unsigned_of(element: Attribute) -> Attribute:
    """Return the unsigned integer type of the same size."""
    return {1: ui8, 2: ui16, 4: ui32, 8: ui64}[ELEMENT_BYTES[element]]


def _bits(element: Attribute) -> int:
    return 8 * ELEMENT_BYTES[element]
