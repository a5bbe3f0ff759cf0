"""Ops that look elements up or say where they are: the Gathers, OneHot, Hardmax, EyeLike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import Extent, largest_of
from autodeploy.dialects.nn.arithmetic import AddOp, MulOp
from autodeploy.dialects.nn.logic import EqualOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherElementsOp, GatherOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, Reduction
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, Span, axis_of, check_new_constant
from autodeploy.frontend.nn.places import from_start
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import Array, numpy_dtype


@converts("Gather")
def gather(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Gather; constant indices that are evenly spaced make a slice."""
    x, indices = b.operand(op, "data"), b.operand(op, "indices")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    if isinstance(shape[axis], Extent) and (array := b.array(indices)) is not None:
        return [_gather_varying(b, x, array, axis)]
    known = _places(b, indices, shape[axis])
    if known is None:
        return [b.emit(GatherOp(x, indices, axis))]
    spaced = _evenly_spaced(known.reshape(-1).tolist())
    if spaced is None:
        return [b.emit(GatherOp(x, b.make_constant(known), axis))]
    taken = b.slice(x, {axis: spaced})
    return [b.reshape(taken, (*shape[:axis], *known.shape, *shape[axis + 1 :]))]


def _gather_varying(b: ConversionContext, x: SSAValue, places: Array, axis: int) -> SSAValue:
    """Return elements at constant places, counted from either end, of an axis that varies."""
    shape = shape_of(x.type)
    extent = shape[axis]
    if places.size and not (-extent <= int(places.min()) and int(places.max()) < extent):
        raise ConversionError(f"indices are outside of extent {extent}")
    spaced = _evenly_spaced(places.reshape(-1).tolist())
    if spaced is None or (places.size and int(places.min()) < 0 <= int(places.max())):
        return b.emit(GatherOp(x, b.make_constant(places), axis))
    start, size, step = Span.of(spaced)
    taken = b.slice(x, {axis: Span(start if start >= 0 else extent + start, size, step)})
    return b.reshape(taken, (*shape[:axis], *places.shape, *shape[axis + 1 :]))


def _places(b: ConversionContext, indices: SSAValue, extent: int) -> Array | None:
    """Return constant indices as places from 0, ``None`` if they are computed.

    Raises ``ConversionError`` if one is outside of the extent.
    """
    array = b.array(indices)
    if array is None:
        return None
    if array.size and not (-extent <= int(array.min()) and int(array.max()) < extent):
        raise ConversionError(f"indices are outside of extent {extent}")
    places = array.astype(np.int64)
    return np.where(places < 0, places + extent, places).astype(np.int32)


def _evenly_spaced(positions: Sequence[int]) -> range | None:
    """Return the range that lists these positions, ``None`` if none does."""
    if not positions:
        return range(0)
    step = positions[1] - positions[0] if len(positions) > 1 else 1
    if step == 0:
        return None
    spaced = range(positions[0], positions[0] + step * len(positions), step)
    return spaced if list(spaced) == list(positions) else None


@converts("GatherElements")
def gather_elements(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert GatherElements."""
    x, indices = b.operand(op, "data"), b.operand(op, "indices")
    axis = axis_of(b.integer(op, "axis"), len(shape_of(x.type)))
    known = _places(b, indices, shape_of(x.type)[axis])
    indices = indices if known is None else b.make_constant(known)
    return [b.emit(GatherElementsOp(x, indices, axis))]


@converts("GatherND")
def gather_nd(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert GatherND to a gather along all indexed axes as one, by row-major numbers.

    Constant indices that are a grid make a slice.
    """
    x, indices = b.operand(op, "data"), b.operand(op, "indices")
    shape, wanted = shape_of(x.type), shape_of(indices.type)
    batch = b.integer(op, "batch_dims", 0)
    if not wanted or not 0 <= batch < min(len(shape), len(wanted)):
        raise ConversionError(f"batch_dims {batch} does not fit {x.type} and {indices.type}")
    depth = wanted[-1]
    if not 1 <= depth <= len(shape) - batch or shape[:batch] != wanted[:batch]:
        raise ConversionError(f"indices {indices.type} do not fit {x.type}")
    indexed, rest = shape[batch : batch + depth], shape[batch + depth :]
    known = None if batch else b.array(indices)
    grid = None if known is None else index_grid(known, indexed)
    if grid is not None:
        return [_take_grid(b, x, grid, wanted[:-1])]
    number: SSAValue | None = None
    for i, extent in enumerate(indexed):
        stride = prod(indexed[i + 1 :])
        place = from_start(b, b.cast(_component(b, indices, i), i64), extent)
        if isinstance(stride, Extent) or stride != 1:
            place = b.emit(MulOp(place, b.scalar(stride, i64)))
        number = place if number is None else b.emit(AddOp(number, place))
    assert number is not None  # there is one indexed axis at least
    if batch:
        base = (*shape[:batch], *(1,) * (len(wanted) - 1 - batch))
        if isinstance(prod(shape[: batch + depth]), Extent):
            starts = b.emit(
                MulOp(b.places(prod(shape[:batch]), base), b.scalar(prod(indexed), i64))
            )
        else:
            check_new_constant(prod(shape[:batch]), 8)
            numbers = np.arange(prod(shape[:batch])) * prod(indexed)
            starts = b.make_constant(numbers.reshape(base))
        number = b.emit(AddOp(number, starts))
    flat = b.reshape(x, (prod(shape[: batch + depth]), *rest))
    return [b.emit(GatherOp(flat, number, 0))]


def _take_grid(
    b: ConversionContext, x: SSAValue, grid: IndexGrid, extents: Sequence[int]
) -> SSAValue:
    """Return the elements that a grid of indices takes; ``extents`` are those of the indices."""
    taken, depth = b.slice(x, grid.slices), len(grid.order)
    rank = len(shape_of(x.type))
    moved = b.transpose(taken, (*grid.order, *range(depth, rank)))
    rest = shape_of(x.type)[depth:]
    single = [n if axis in grid.kept else 1 for axis, n in enumerate(extents)]
    return b.broadcast(b.reshape(moved, (*single, *rest)), (*extents, *rest))


def _component(b: ConversionContext, indices: SSAValue, i: int) -> SSAValue:
    """Return entry ``i`` of the last axis of the indices, without that axis."""
    shape = shape_of(indices.type)
    return b.reshape(b.slice(indices, {len(shape) - 1: range(i, i + 1)}), shape[:-1])


@converts("OneHot")
def one_hot(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert OneHot: the second value where a place equals the index, the first elsewhere.

    An index below zero counts from the end; one that is outside even so is nowhere.
    """
    indices, values = b.operand(op, "indices"), b.operand(op, "values")
    shape, depth = shape_of(indices.type), b.constant_integer(op, "depth")
    axis = axis_of(b.integer(op, "axis"), len(shape) + 1)
    if depth < 1 or shape_of(values.type) != (2,):
        raise ConversionError(f"a depth of {depth} and values {values.type} make no OneHot")
    wide = b.cast(b.reshape(indices, (*shape[:axis], 1, *shape[axis:])), i64)
    wanted = from_start(b, wide, depth)
    places = b.places(depth, (depth, *(1,) * (len(shape) - axis)))
    hit = b.emit(EqualOp(wanted, places))
    off, on = (b.reshape(b.slice(values, {0: range(i, i + 1)}), ()) for i in (0, 1))
    return [b.emit(WhereOp(hit, on, off))]


@converts("Hardmax")
def hardmax(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Hardmax: 1 at the first largest element; before opset 13 rows are flattened."""
    x = b.operand(op, "input")
    shape, axis = shape_of(x.type), axis_of(b.integer(op, "axis"), len(shape_of(x.type)))
    rows = x if op.version >= 13 else b.reshape(x, (prod(shape[:axis]), prod(shape[axis:])))
    axis = axis if op.version >= 13 else 1
    extents = shape_of(rows.type)
    largest = b.emit(ArgReduceOp(rows, Reduction.MAX, axis, keepdims=True))
    count = extents[axis]
    places = b.places(count, (count, *(1,) * (len(extents) - 1 - axis)), np.int32)
    hit = b.emit(EqualOp(places, largest))
    return [b.reshape(b.cast(hit, element_of(x.type)), shape)]


@converts("EyeLike")
def eye_like(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert EyeLike to a constant."""
    x = b.operand(op, "input")
    shape, number = shape_of(x.type), b.integer(op, "dtype", 0)
    element = element_types().get(number) if number else element_of(x.type)
    if len(shape) != 2 or element not in ELEMENT_BYTES:
        raise ConversionError(f"an EyeLike of {x.type} with elements of type {element}")
    most = tuple(map(largest_of, shape))
    check_new_constant(prod(most), ELEMENT_BYTES[element])
    eye = np.eye(*most, k=b.integer(op, "k"), dtype=numpy_dtype(element))
    return [b.first_elements(eye, shape)]


@dataclass(frozen=True)
class IndexGrid:
    """How to take elements along indexed axes: ``slices`` of each, then the axes as ``order`` says.

    The result of these two has the extents of ``kept`` axes of the indices; the others are 1 there,
    and are repeated.
    """

    slices: Mapping[int, range]
    order: Sequence[int]
    kept: frozenset[int]


def index_grid(indices: Array, indexed: Sequence[int]) -> IndexGrid | None:
    """Return the grid that indices are; ``None`` if they are none.

    Their last axis has the places of an element. Each place counts along at most one axis of the
    indices, with one step, and no axis counts two of them. ``indexed`` are the extents of the axes
    of the data, one for each place.
    """
    counted: dict[int, int] = {}
    slices: dict[int, range] = {}
    extents = indices.shape[:-1]
    if not indices.size:
        return None
    for axis, extent in enumerate(indexed):
        places: npt.NDArray[np.int64] = indices[..., axis].astype(np.int64)
        places = places + extent * (places < 0)
        if places.min() < 0 or places.max() >= extent:
            return None
        along = [a for a, n in enumerate(extents) if n > 1 and np.diff(places, axis=a).any()]
        first = int(places.flat[0])
        if not along:
            slices[axis] = range(first, first + 1)
            continue
        (place, *further) = along
        line = np.moveaxis(places, place, 0).reshape(extents[place], -1)[:, 0]
        step = int(line[1] - line[0])
        spaced = range(first, first + step * len(line), step) if step else range(0)
        if further or place in counted.values() or list(spaced) != line.tolist():
            return None
        counted[axis], slices[axis] = place, spaced
    order = sorted(counted, key=lambda axis: counted[axis])
    # Axes of one element may stay where they are: no transpose where the others are in order.
    still = [axis for axis in range(len(indexed)) if axis not in counted]
    in_order = order == sorted(order)
    return IndexGrid(
        slices,
        range(len(indexed)) if in_order else [*order, *still],
        frozenset(counted.values()),
    )
