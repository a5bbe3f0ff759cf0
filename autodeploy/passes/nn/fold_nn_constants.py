"""Compile-time values of nn ops.

Movements of a constant are views by strides; of structured ops the body is evaluated. A value of
equal elements keeps one element whatever its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.analysis.evaluation import evaluate
from autodeploy.analysis.folding_budget import MAX_BYTES, FoldingBudget, pass_steps, steps
from autodeploy.analysis.open_reads import Reach, open_reads
from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.base import MovementOp, NNOp, ints
from autodeploy.dialects.nn.constant import (
    ConstantOp,
    ConstantValue,
    DenseAttr,
    WeightAttr,
    with_type,
)
from autodeploy.dialects.nn.extent_attr import encoding_of
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.padding import PadMode, PadOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.structure import StructuredOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    bounds_of,
    byte_size,
    element_count,
    element_of,
    is_float,
    largest_count,
    tensor,
)
from autodeploy.dialects.strides import Move, Region, row_major
from autodeploy.weights import (
    Array,
    WeightStore,
    constant_array,
    constant_value,
    dense,
    equal_elements,
    numpy_dtype,
)

_GROWTH_BYTES = 1 << 16
"""Largest broadcast of unequal elements that is folded; beyond, it would swell the weights."""


def fold_op(ctx: Context, op: NNOp, budget: FoldingBudget) -> bool:
    """Replace an op whose operands are constants by ``nn.constant``; tell whether it was.

    Operands that lose their last use with it are erased.
    """
    values = [constant_value(operand) for operand in op.operands]
    if not values or None in values or not _keeps_first(op):
        return False
    value = _renumbered(ctx, op) or _filled_up(ctx, op, budget) or _computed(ctx, op, budget)
    if value is None:
        return False
    constant = ConstantOp(with_type(value, op.result.type))
    constant.location = op.location
    owners: list[Operation] = [v.owner for v in op.operands if isinstance(v.owner, ConstantOp)]
    Rewriter.replace_op(op, constant)
    for owner in dict.fromkeys(owners):
        if owner.results[0].first_use is None:
            Rewriter.erase_op(owner)
    return True


def _renumbered(ctx: Context, op: NNOp) -> ConstantValue | None:
    """Return what an op makes that only renumbers elements which the store has.

    A result of the same size costs nothing: the weights are there already.
    """
    source = constant_value(op.operands[0]) if len(op.operands) == 1 else None
    if not isinstance(op, MovementOp) or not isinstance(source, WeightAttr):
        return None
    if encoding_of(op.result.type) is not None or encoding_of(source.type) is not None:
        return None  # the number of elements differs between runs
    kinds = {element_of(value.type) for value in (op.result, source)}
    shape, count = bounds_of(op.result.type), element_count(source.type)
    region = op.elements(_dense(bounds_of(source.type)))
    if region is None or prod(shape) != count or len(kinds) > 1:
        return None
    try:
        moved = Move(shape, region.strides, row_major(shape)).factors
    except ValueError:
        return None
    if region.offset:
        return None
    if len(moved) <= 1:
        return source
    how = f"{ELEMENT_BYTES[element_of(source.type)]} {[(one.extent, one.new) for one in moved]}"
    take = partial(_part, region=region)
    return WeightStore.of(ctx).derived(source, how, tensor(element_of(source.type), shape), take)


def _filled_up(ctx: Context, op: NNOp, budget: FoldingBudget) -> ConstantValue | None:
    """Return what the padding of a matrix or filter makes, when it is needed.

    Weights that are filled up for tiles may be larger than other constants, but have less than
    twice the bytes of all weights of the model; of equal elements, less than twice their own.
    """
    source = constant_value(op.operands[0])
    if not isinstance(op, PadOp) or source is None:
        return None
    is_splat = isinstance(source, DenseAttr)
    if is_splat and not source.is_splat:
        return None
    element, shape, bytes_ = (
        element_of(source.type),
        bounds_of(source.type),
        byte_size(op.result.type),
    )
    if op.mode.data is not PadMode.CONSTANT or encoding_of(op.result.type):
        return None
    number, dtype = np.array(op.value.value.data), numpy_dtype(element)
    if not is_float(element) and not _fits(number, dtype):
        return None
    one = number.astype(dtype)
    taken = steps("Identity", [np.broadcast_to(one, shape)], largest_count(op.result.type))
    made = tensor(element, bounds_of(op.result.type))
    if is_splat and source.data.data == one.tobytes():
        return with_type(source, made)
    known = byte_size(source.type) if is_splat else WeightStore.of(ctx).bytes
    alone = bytes_ >= 2 * known
    if not budget.take(bytes_, taken, bytes_, alone=alone):
        return None
    widths = _widths(op)

    def padded(array: Array) -> Array:
        return np.pad(array, widths, constant_values=one)

    how = f"{source.type} {widths} {op.value}"
    return WeightStore.of(ctx).derived(source, how, made, padded)


def _computed(ctx: Context, op: NNOp, budget: FoldingBudget) -> ConstantValue | None:
    arrays = [constant_array(ctx, operand) for operand in op.operands]
    known = [array for array in arrays if array is not None]
    value = _folded(op, known, budget)
    if value is None or value.dtype != numpy_dtype(element_of(op.result.type)):
        return None
    if value.shape != bounds_of(op.result.type):
        return None
    return WeightStore.of(ctx).attribute(value)


def _keeps_first(op: NNOp) -> bool:
    """Return whether the elements of each run are the first of those for the largest numbers."""
    return all(read.reach in (Reach.SAME, Reach.FIRST) for read in open_reads(op))


def _folded(op: NNOp, operands: Sequence[Array], budget: FoldingBudget) -> Array | None:
    shape = bounds_of(op.result.type)
    firsts = equal_elements(operands)
    if firsts is not None and prod(shape):
        one = _of_equal(op, firsts)
        if one is not None:
            return np.broadcast_to(one.reshape(()), shape)
    sizes = [byte_size(op.result.type), *(operand.nbytes for operand in operands)]
    match op:
        case MovementOp():
            largest = max(sizes[1:])
            if len(operands) == 1 and sizes[0] == largest:
                return _moved(op, operands)
            if _is_strided(op) and len(operands) == 1 and sizes[0] > max(_GROWTH_BYTES, largest):
                return None
            taken = steps("Slice" if sizes[0] < largest else "Identity", operands, prod(shape))
            return _moved(op, operands) if budget.take(max(sizes), taken, sizes[0]) else None
        case StructuredOp() if None not in op.indexing_maps:
            points = prod(op.extents)
            taken = pass_steps(operands, points, body_cost(op).steps)
            largest = max(*sizes, points * ELEMENT_BYTES[element_of(op.result.type)])
            return evaluate(op, operands) if budget.take(largest, taken, sizes[0]) else None
        case _:
            return None


def _of_equal(op: NNOp, firsts: Sequence[Array]) -> Array | None:
    """Return the one element of a result whose elements are all equal, ``None`` if they may not be.

    ``firsts`` has one element of each operand, whose other elements equal it.
    """
    match op:
        case MovementOp() if _is_strided(op):
            return firsts[0] if len({first.tobytes() for first in firsts}) == 1 else None
        case PointwiseOp():
            return evaluate(op, firsts)
        case _:
            return None


def _is_strided(op: MovementOp) -> bool:
    """Return whether strides say which elements of dense operands a movement takes."""
    return op.elements(_dense(bounds_of(op.operands[0].type))) is not None


def _dense(shape: Sequence[int]) -> Region:
    return Region(tuple(shape), row_major(shape))


def _moved(op: MovementOp, operands: Sequence[Array]) -> Array | None:
    if isinstance(op, PadOp):
        return _padded(op, operands[0])
    if not _is_strided(op):
        return None
    taken = [_part(x, op.elements(_dense(x.shape))) for x in operands]
    if len(operands) == 1:
        return taken[0]
    result = np.empty(bounds_of(op.result.type), operands[0].dtype)
    for elements, part in zip(taken, op.parts(_dense(result.shape)), strict=True):
        _part(result, part)[...] = elements
    return result


def _part(array: Array, region: Region | None) -> Array:
    """Return a view of some elements of an array, which is copied where it is not dense."""
    assert region is not None
    data = dense(array).reshape(-1).view(np.uint8)
    offset, *strides = (step * array.itemsize for step in (region.offset, *region.strides))
    return np.ndarray(region.shape, array.dtype, data, offset, strides)


def _padded(op: PadOp, x: Array) -> Array | None:
    number, widths = np.array(op.value.value.data), _widths(op)
    if op.mode.data is not PadMode.CONSTANT:
        named: Any = op.mode.data.value  # as NumPy has it
        return np.pad(x, widths, named)
    if not is_float(element_of(op.x.type)) and not _fits(number, x.dtype):
        return None
    return np.pad(x, widths, constant_values=number.astype(x.dtype))


def _widths(op: PadOp) -> list[tuple[int, int]]:
    pads = ints(op.pads)
    return list(zip(pads[: len(pads) // 2], pads[len(pads) // 2 :], strict=True))


def _fits(numbers: Array, dtype: np.dtype[np.generic]) -> bool:
    """Return whether floats without their fractions are numbers of an integer type, or 0 or 1."""
    bits = 1 if dtype == np.bool_ else 8 * dtype.itemsize - (dtype.kind == "i")
    lowest = -(2.0**bits) if dtype.kind == "i" else 0.0
    whole: npt.NDArray[np.float64] = np.trunc(numbers.astype(np.float64))
    return bool(np.all((whole >= lowest) & (whole < 2.0**bits)))


@dataclass(frozen=True)
class FoldNnConstantsPass(ModulePass):
    """Compute nn ops whose operands are constants: movements of weights, and arithmetic."""

    name = "fold-nn-constants"

    max_bytes: int = MAX_BYTES
    """Bytes that the result or an operand of one op may take, unless all elements are equal."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fold in order, so that each op sees its operands folded; fusion groups are left alone."""
        budget = FoldingBudget.of(ctx, self.max_bytes)
        for inner in tuple(op.walk()):
            if isinstance(inner, NNOp) and not isinstance(inner.parent_op(), KernelOp):
                fold_op(ctx, inner, budget)
