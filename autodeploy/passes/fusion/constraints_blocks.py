"""The native constraint of products with codes whose blocks have scales (``nn.scaled``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.dialects.nn.base import i64_attr, ints
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.extent_attr import integers_attr
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.quantised import DequantizeOp
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor
from autodeploy.passes.fusion.natives import PatternContext, native_constraint
from autodeploy.weights import Array, WeightStore, constant_array

Found: TypeAlias = tuple[bool | Attribute, ...]

_LEAST_BLOCK = 8
"""Codes of the shortest block that is worth a scale of its own."""


@native_constraint("block_codes")
def block_codes(ctx: PatternContext, op: Operation, x: SSAValue, weights: SSAValue) -> bool | Found:
    """Give the operands of the ``nn.scaled_matmul`` that equals a product of floats.

    Its weights are constant codes of 8 bits or fewer, dequantised by scales and zero points of
    blocks of columns. Then they may be transposed, and the last block cut. Gives the pads that fill
    up rows of x and the type of these, the codes of a block, and codes, scales and zero points with
    their types.
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
    flat = bounds_of(owner.result.type)
    arrays = [constant_array(ctx.context, operand) for operand in owner.x.owner.operands]
    known = [array for array in arrays if array is not None]
    if len(known) < 3 or known[0].ndim != 3 or known[0].dtype.itemsize > 1:
        return False
    codes = known[0].transpose(order)
    blocks, block, columns = codes.shape
    more, shape = blocks * block - inner, (blocks * block, columns)
    if flat != (shape[::-1] if by_columns else shape) or bounds_of(op.result.type)[-1] != columns:
        return False
    scales, zeros = (_parameter(array, order, (blocks, columns)) for array in known[1:])
    if scales is None or zeros is None or not np.isfinite(scales).all():
        return False
    if not 0 <= more < block >= _LEAST_BLOCK or not codes.size:
        return False
    offset = _offset(codes)
    zeros = zeros.astype(np.int16) + offset
    if zeros.min() < 0 or zeros.max() > 255:
        return False
    store = WeightStore.of(ctx.context)
    operands = (_packed(codes, offset), scales, _one(zeros.astype(np.uint8)))
    typed = [(value, value.type) for value in map(store.attribute, operands)]
    row = shape_of(x.type)
    padded = tensor(f32, (*row[:-1], inner + more))
    pads = integers_attr([0] * (2 * len(row) - 1) + [more])
    return True, pads, padded, i64_attr(block), *typed[0], *typed[1], *typed[2]


def _parameter(array: Array, order: Sequence[int], shape: tuple[int, int]) -> Array | None:
    """Return scales or zero points as blocks x columns; ``None`` if they are others."""
    if array.ndim == 0:
        return np.broadcast_to(array, shape)
    moved = array.transpose(order) if array.ndim == 3 else array
    return moved[:, 0] if moved.shape == (shape[0], 1, shape[1]) else None


def _offset(codes: Array) -> int:
    """Return the number that makes codes unsigned, in as few bits as they have."""
    if codes.dtype == np.uint8:
        return 0
    return 8 if codes.min() >= -8 and codes.max() < 8 else 128


def _one(array: Array) -> Array:
    """Return one element of an array whose elements are all the same, else the array."""
    return array.reshape(-1)[0].reshape(()) if (array == array.flat[0]).all() else array


def _packed(codes: Array, offset: int) -> Array:
    """Return bytes that hold several codes where the largest has few bits."""
    unsigned = codes.view(np.uint8) + np.uint8(offset)
    bits = next(bits for bits in (2, 4, 8) if unsigned.max() < 1 << bits)
    while codes.shape[1] % (8 // bits):
        bits *= 2
    parts = np.split(unsigned, 8 // bits, axis=1)
    for number, part in enumerate(parts[1:], 1):
        parts[0] |= part << np.uint8(bits * number)
    return np.ascontiguousarray(parts[0])
