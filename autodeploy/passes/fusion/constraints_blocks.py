"""The native constraint of products with codes whose blocks have scales (``nn.scaled``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.nn.base import i64_attr, ints
from autodeploy.dialects.nn.constant import ConstantValue, with_type
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.extent_attr import integers_attr
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.packed_codes import packed_codes, unshaped
from autodeploy.dialects.nn.quantised import DequantizeOp
from autodeploy.dialects.nn.types import bounds_of, element_of, largest_count, shape_of, tensor
from autodeploy.passes.fusion.natives import Found, PatternContext, native_constraint
from autodeploy.weights import Array, WeightStore, constant_array, constant_value

Order: TypeAlias = tuple[int, int, int]

_LEAST_BLOCK = 8
"""Codes of the shortest block that is worth a scale of its own."""

_AT_ONCE = 1 << 18
"""Codes that are packed at a time, so that they stay in a cache."""


@native_constraint("block_codes")
def block_codes(ctx: PatternContext, op: Operation, x: SSAValue, weights: SSAValue) -> Found:
    """Give the operands of the ``nn.scaled_matmul`` that equals a product of floats.

    Its weights are constant codes of 8 bits or fewer, which may share bytes, dequantised by scales
    and zero points of blocks of columns. Then they may be transposed, and the last block cut. Gives
    the pads that fill up rows of x and the type of these, the codes of a block, and codes, scales
    and zero points with their types.
    """
    if not isinstance(op, MatMulOp) or op.transpose_lhs or op.rhs_layout is not None:
        return False
    if {element_of(value.type) for value in (x, op.result)} != {f32}:
        return False
    by_columns, inner = bool(op.transpose_rhs), bounds_of(x.type)[-1]
    owner = weights.owner
    if isinstance(owner, TransposeOp) and ints(owner.permutation) == (1, 0):
        by_columns, owner = not by_columns, owner.x.owner
    # Codes have the axes blocks, codes of a block, columns, in this order or with columns first.
    order = (1, 2, 0) if by_columns else (0, 1, 2)
    if isinstance(owner, SliceOp) and not any(ints(owner.starts)) and {*ints(owner.steps)} == {1}:
        owner = owner.x.owner
    if not isinstance(owner, ReshapeOp) or not isinstance(owner.x.owner, DequantizeOp):
        return False
    flat, (codes, *parameters) = bounds_of(owner.result.type), owner.x.owner.operands
    arrays = [_numbers(ctx.context, operand) for operand in parameters]
    known = [array for array in arrays if array is not None]
    found = Codes.of(ctx.context, codes)
    if found is None or len(known) < 2 or len(found.shape) != 3:
        return False
    blocks, block, columns = (found.shape[axis] for axis in order)
    more, shape = blocks * block - inner, (blocks * block, columns)
    if flat != (shape[::-1] if by_columns else shape) or bounds_of(op.result.type)[-1] != columns:
        return False
    scales, zeros = (_parameter(array, order, (blocks, columns)) for array in known)
    if scales is None or zeros is None or not np.isfinite(scales).all():
        return False
    if not 0 <= more < block >= _LEAST_BLOCK or not prod(found.shape):
        return False
    packed, offset = packed_codes_of_blocks(found, order)
    zeros = zeros.astype(np.int16) + offset
    if zeros.min() < 0 or zeros.max() > 255:
        return False
    parameters = ctx.stored(scales, _one(zeros.astype(np.uint8)))
    row = shape_of(x.type)
    padded = tensor(f32, (*row[:-1], inner + more))
    pads = integers_attr([0] * (2 * len(row) - 1) + [more])
    return True, pads, padded, i64_attr(block), packed, packed.type, *parameters


@dataclass(frozen=True)
class Codes:
    """Constant codes. Several may share a byte, with the first one in the low bits."""

    store: WeightStore
    value: ConstantValue
    shape: tuple[int, ...]
    bits: int
    """Those of a code in a byte."""

    @classmethod
    def of(cls, ctx: Context, value: SSAValue) -> Codes | None:
        """Return the codes that a value is; ``None`` if it is none."""
        shape, store = bounds_of(value.type), WeightStore.of(ctx)
        value, bits = packed_codes(unshaped(value)) or (unshaped(value), 8)
        known = constant_value(unshaped(value))
        return None if known is None else cls.stored(store, known, shape, bits)

    @classmethod
    def stored(
        cls, store: WeightStore, known: ConstantValue, shape: tuple[int, ...], bits: int
    ) -> Codes | None:
        """Return the codes that a constant of bytes holds; ``None`` if it holds none."""
        if store.array(known).dtype.itemsize > 1 or not shape or shape[-1] * bits % 8:
            return None
        elements = tensor(element_of(known.type), [largest_count(known.type)])
        return cls(store, with_type(known, elements), shape, bits)

    @property
    def count(self) -> int:
        """How many codes the constant holds."""
        return largest_count(self.value.type) * 8 // self.bits

    def read(self, first: int, count: int, order: Sequence[int]) -> npt.NDArray[np.uint8]:
        """Return some codes along the first axis, a copy, with the axes in an order."""
        bytes_ = (*self.shape[:-1], self.shape[-1] * self.bits // 8)
        rows = self.store.array(self.value).reshape(bytes_)[first : first + count].view(np.uint8)
        moved = rows.transpose(order).copy()
        # Bytes are moved before they are taken apart: there are fewer of them.
        after, codes = order.index(len(bytes_) - 1) + 1, 8 // self.bits
        apart = np.empty((*moved.shape[:after], codes, *moved.shape[after:]), np.uint8)
        for part, into in enumerate(np.moveaxis(apart, after, 0)):
            np.right_shift(moved, np.uint8(part * self.bits), out=into)
        apart &= np.uint8((1 << self.bits) - 1)
        return apart.reshape(*moved.shape[: after - 1], -1, *moved.shape[after:])

    def offset_and_bits(self, block: int) -> tuple[int, int]:
        """Return the number that makes codes unsigned, and the bits that they then take.

        A block has whole bytes of them.
        """
        offset, bits = 0, self.bits
        if bits == 8:
            array = self.store.array(self.value)
            least, most = int(array.min()), int(array.max())
            if array.dtype != np.uint8:
                offset = 8 if least >= -8 and most < 8 else 128
            bits = next(bits for bits in (2, 4, 8) if most + offset < 1 << bits)
        while block % (8 // bits):
            bits *= 2
        return offset, bits


def _numbers(ctx: Context, value: SSAValue) -> Array | None:
    """Return constant numbers, also those that share bytes, and whose rows are cut then."""
    if (array := constant_array(ctx, value)) is not None:
        return array
    shape, value = bounds_of(value.type), unshaped(value)
    cut, owner = tuple(map(slice, bounds_of(value.type))), value.owner
    if isinstance(owner, SliceOp) and not any(ints(owner.starts)) and {*ints(owner.steps)} == {1}:
        value = owner.x
    codes = Codes.of(ctx, value)
    if codes is None or codes.bits == 8:
        return None
    return codes.read(0, codes.shape[0], range(len(codes.shape)))[cut].reshape(shape)


def _parameter(array: Array, order: Sequence[int], shape: tuple[int, int]) -> Array | None:
    """Return scales or zero points as blocks x columns; ``None`` if they are others."""
    if array.ndim == 0:
        return np.broadcast_to(array, shape)
    moved = array.transpose(order) if array.ndim == 3 else array
    return moved[:, 0] if moved.shape == (shape[0], 1, shape[1]) else None


def _one(array: Array) -> Array:
    """Return one element of an array whose elements are all the same, else the array."""
    return array.reshape(-1)[0].reshape(()) if (array == array.flat[0]).all() else array


def packed_codes_of_blocks(codes: Codes, order: Order) -> tuple[ConstantValue, int]:
    """Return the weights of ``nn.scaled_matmul``, and the number that was added to each code.

    ``order`` are the axes of codes that are those of blocks, of codes of a block, and of columns.
    """
    offset, bits = codes.offset_and_bits(codes.shape[order[1]])
    make = partial(_packed, codes, order, offset, bits)
    return codes.store.made((codes, order), make), offset


def _packed(codes: Codes, order: Order, offset: int, bits: int) -> Array:
    """Return blocks x bytes x columns, where a byte holds codes of several parts of a block."""
    blocks, block, columns = (codes.shape[axis] for axis in order)
    found = np.empty((blocks, block * bits // 8, columns), np.uint8)
    rows, into = codes.shape[0], np.moveaxis(found, order.index(0), 0)
    count = max(_AT_ONCE * rows // prod(codes.shape), 1)
    for first in range(0, rows, count):
        own = codes.read(first, count, order)
        own += np.uint8(offset)
        parts = np.split(own, 8 // bits, axis=1)
        for number, part in enumerate(parts[1:], 1):
            parts[0] |= part << np.uint8(bits * number)
        into[first : first + count] = np.moveaxis(parts[0], order.index(0), 0)
    return found
