"""Memrefs as the driver dialect has them: their bytes and their strides."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import MemRefType, NoneAttr, StridedLayoutAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.strides import Strides, is_row_major, row_major

ALIGNMENT = 64
"""Bytes to which every weight and every buffer of the arena is aligned: a cache line, a vector."""

MemRef = MemRefType[Attribute]
MEMREF = base(MemRefType)


def aligned(bytes_: int) -> int:
    """Return a number of bytes, rounded up to a multiple of ``ALIGNMENT``."""
    return -(-bytes_ // ALIGNMENT) * ALIGNMENT


def aligned_within(bytes_: int) -> int:
    """Return how many bytes of a block follow an aligned one, wherever it begins; whole steps."""
    return max(bytes_ - (ALIGNMENT - 1), 0) // ALIGNMENT * ALIGNMENT


LARGE_WEIGHT_BYTES = 4096
"""From this size on, a weight begins at a multiple of ``LARGE_WEIGHT_ALIGNMENT``."""

LARGE_WEIGHT_ALIGNMENT = 256
"""Bytes to which large weights are aligned: processors fetch cache lines in pairs, and tiles whose
rows begin in the middle of a pair take up to a tenth more time."""


def is_large_weight(bytes_: int) -> bool:
    """Return whether a weight of a number of bytes is aligned to ``LARGE_WEIGHT_ALIGNMENT``."""
    return bytes_ >= LARGE_WEIGHT_BYTES


def weight_bytes(bytes_: int) -> int:
    """Return the bytes that a weight takes among others, with the padding after it."""
    step = LARGE_WEIGHT_ALIGNMENT if is_large_weight(bytes_) else ALIGNMENT
    return -(-bytes_ // step) * step


def memref_bytes(type_: Attribute) -> int:
    """Return the bytes of a dense memref; raises ``VerifyException`` for any other type."""
    # isa() of a generic type takes a tenth of a millisecond.
    if not isinstance(type_, MemRefType) or not isinstance(type_.layout, NoneAttr):
        raise invalid("memref_c1", f"expected a dense memref, found {type_}")
    return _bytes(cast(MemRef, type_))


def _bytes(memref: MemRef) -> int:
    """Return the bytes of all elements, wherever these are."""
    shape, element = memref.get_shape(), memref.element_type
    if any(extent < 0 for extent in shape) or element not in ELEMENT_BYTES:
        raise invalid("memref_c2", f"expected a static shape and a number type, found {memref}")
    return prod(shape) * ELEMENT_BYTES[element]


def memref_of(type_: TensorType[Attribute]) -> MemRef:
    """Return the dense memref that holds a tensor."""
    return MemRefType(type_.get_element_type(), type_.get_shape())


def strided_memref(element: Attribute, shape: Sequence[int], strides: Sequence[int]) -> MemRef:
    """Return the memref of these strides (in elements): the dense one where they have no gaps."""
    if is_row_major(shape, strides):
        return MemRefType(element, shape)
    return MemRefType(element, shape, StridedLayoutAttr(strides))


def is_dense(value: SSAValue) -> bool:
    """Return whether the elements of a memref follow each other without a gap, row-major."""
    return isinstance(cast(MemRef, value.type).layout, NoneAttr)


def memref_strides(type_: Attribute) -> Strides:
    """Return the strides of a memref in elements, outermost first.

    Raises ``VerifyException`` for another type than a memref of known extents and strides.
    """
    memref = cast(MemRef, type_)
    if not isinstance(type_, MemRefType) or not isinstance(memref.layout, StridedLayoutAttr):
        memref_bytes(memref)
        return row_major(memref.get_shape())
    shape, strides = memref.get_shape(), memref.layout.get_strides()
    known = [stride for stride in strides if stride is not None and stride >= 0]
    if len(known) != len(shape) or len(strides) != len(shape) or memref.layout.get_offset():
        raise invalid("memref_c3", f"expected a stride for each axis and no offset, found {memref}")
    if is_row_major(shape, known):
        raise invalid("memref_c4", f"expected no layout for a dense memref, found {memref}")
    _bytes(memref)
    return tuple(known)
