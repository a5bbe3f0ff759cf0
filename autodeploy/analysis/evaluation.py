"""Values of structured ops by NumPy: what their bodies compute, of whole arrays at once.

Constant folding computes it at compile time, and tests compare kernels with it. Halves are
computed in 32 bits and rounded once, all other types in their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Attribute

from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.structure import AccumulatingOp, IteratorKind, StructuredOp
from autodeploy.dialects.nn.types import (
    as_bound,
    bounds_of,
    compute_type,
    element_of,
    highest,
    is_bool,
    is_float,
    lowest,
)
from autodeploy.weights import Array, element_type, numpy_dtype

_Numbers: TypeAlias = npt.NDArray[Any]

_BLOCK = 1 << 20
"""Points whose elements are held at a time."""


class NumpyScalars:
    """The algebra of scalars (``Scalars``) on NumPy arrays, which broadcast."""

    equals = staticmethod(np.equal)
    less_equal = staticmethod(np.less_equal)
    larger = staticmethod(np.maximum)
    smaller = staticmethod(np.minimum)
    remainder = staticmethod(np.fmod)
    abs = staticmethod(np.abs)
    sign = staticmethod(np.sign)
    exp = staticmethod(np.exp)
    expm1 = staticmethod(np.expm1)
    log = staticmethod(np.log)
    sqrt = staticmethod(np.sqrt)
    sin = staticmethod(np.sin)
    cos = staticmethod(np.cos)
    tanh = staticmethod(np.tanh)
    floor = staticmethod(np.floor)
    ceil = staticmethod(np.ceil)
    round = staticmethod(np.rint)

    @staticmethod
    def where(condition: _Numbers, on_true: _Numbers, on_false: _Numbers | float) -> _Numbers:
        """The one or the other value, by the condition."""
        return np.where(condition, on_true, on_false)

    @staticmethod
    def maximum(a: _Numbers | float, b: _Numbers) -> _Numbers:
        """The larger of two; a number is rounded up to one of the type."""
        return np.maximum(_bound(a, b, math.ceil), b)

    @staticmethod
    def minimum(a: _Numbers | float, b: _Numbers) -> _Numbers:
        """The smaller of two; a number is rounded down to one of the type."""
        return np.minimum(_bound(a, b, math.floor), b)

    @staticmethod
    def mean(total: _Numbers, count: _Numbers | int) -> _Numbers:
        """The mean; of integers by way of 64-bit floats."""
        if total.dtype.kind == "f":
            return total / np.asarray(count, total.dtype)
        return np.where(np.equal(count, 0), 0, total / np.asarray(count)).astype(total.dtype)

    @staticmethod
    def quotient(a: _Numbers, b: _Numbers) -> _Numbers:
        """The quotient; of integers NumPy's, which rounds down, less what that is off."""
        if a.dtype.kind == "f":
            return a / b
        below = (np.remainder(a, b) != 0) & ((a < 0) != (b < 0))
        return np.floor_divide(a, b) + below.astype(a.dtype)

    @staticmethod
    def power(a: _Numbers, b: _Numbers) -> _Numbers:
        """The power. An integer to a negative power is a fraction, so 0, unless it is 1 or -1."""
        if a.dtype.kind == "f":
            return np.power(a, b)
        whole = np.power(a, np.maximum(b, 0))
        unit = np.where(np.abs(a) == 1, np.power(a, b & 1), 0)
        return np.where(b < 0, unit, whole)

    @staticmethod
    def erf(x: _Numbers) -> _Numbers:
        """The error function in 64 bits, which NumPy lacks."""
        return np.vectorize(math.erf, otypes=[np.float64])(x).astype(x.dtype)

    @staticmethod
    def normal(x: _Numbers) -> _Numbers:
        """The part of a normal distribution below a number, in 64 bits."""
        above = np.vectorize(math.erfc, otypes=[np.float64])(x * -math.sqrt(0.5))
        return (above / 2.0).astype(x.dtype)

    @staticmethod
    def sigmoid(x: _Numbers) -> _Numbers:
        """1 / (1 + exp(-x)), with the digits of a small exponential."""
        power = np.exp(-np.abs(x))
        return np.where(x < 0, power, 1) / (1 + power)

    @staticmethod
    def softplus(x: _Numbers) -> _Numbers:
        """log(1 + exp(x)), without overflow."""
        return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))

    @staticmethod
    def reinterpret(x: _Numbers, element: Attribute) -> _Numbers:
        """The same bits, read as another type."""
        return np.ascontiguousarray(x).view(numpy_dtype(element)).reshape(x.shape)

    @staticmethod
    def exact(x: _Numbers, element: Attribute) -> _Numbers:
        """The same integers, in another type."""
        return x.astype(numpy_dtype(element))

    @staticmethod
    def convert(x: _Numbers, element: Attribute) -> _Numbers:
        """The conversion of NumPy, but for floats that no integer equals."""
        dtype = numpy_dtype(element)
        if x.dtype.kind != "f" or is_float(element) or is_bool(element):
            return x.astype(dtype)
        low, high = int(lowest(element)), int(highest(element))
        below, above = x <= float(low), x >= float(high + 1)
        inside = np.where(np.isnan(x) | below | above, 0, x).astype(dtype)
        return np.where(below, dtype.type(low), np.where(above, dtype.type(high), inside))


def _bound(
    a: _Numbers | float, b: _Numbers, to_integer: Callable[[float], int]
) -> _Numbers | float:
    if isinstance(a, np.ndarray | np.generic):
        return a
    return as_bound(a, element_type(b.dtype), to_integer)


def evaluate(op: StructuredOp, operands: Sequence[Array]) -> Array:
    """Return the result of an op; pointwise operands may have other shapes than the op says."""
    sums = op.sum_element if isinstance(op, AccumulatingOp) else None
    given = [element_of(x.type) for x in op.operands]
    types = [numpy_dtype(sums or (t if op.READS_BITS else compute_type(t))) for t in given]
    elements = [x.astype(type_, copy=False) for x, type_ in zip(operands, types, strict=True)]
    return apply_body(op, elements).astype(numpy_dtype(element_of(op.result.type)), copy=False)


def apply_body(op: StructuredOp, operands: Sequence[Array]) -> Array:
    """Return what an op computes in the types that the operands have."""
    s = NumpyScalars()
    with np.errstate(all="ignore"):
        if isinstance(op, AccumulatingOp):
            return _accumulated(op, s, operands)
        if not isinstance(op, PointwiseOp):
            grid: Any = np.indices(op.extents, sparse=True)
            operands = [_read(op, k, x, grid)[0] for k, x in enumerate(operands)]
        return np.asarray(op.body(s, *operands))


def _read(
    op: StructuredOp, number: int, x: _Numbers, grid: Sequence[_Numbers]
) -> tuple[_Numbers, Sequence[_Numbers]]:
    """Return the elements of an operand at the points of a grid, and their places.

    Outside of the operand it is the nearest one.
    """
    map_ = op.indexing_maps[number]
    assert map_ is not None
    points: Any = list(grid)
    places = [np.asarray(place.eval(points, ())) for place in map_.results]
    nearest = (np.clip(place, 0, n - 1) for place, n in zip(places, x.shape, strict=True))
    return np.asarray(x[tuple(nearest)]), places


def _accumulated(op: AccumulatingOp, s: Any, operands: Sequence[_Numbers]) -> _Numbers:
    """Accumulate blocks of points, in each of which halves are combined until one is left."""
    accumulated, others = operands[: op.ACCUMULATED], operands[op.ACCUMULATED :]
    dtype = accumulated[0].dtype
    start = dtype.type(op.start(element_type(dtype)))
    kinds = [iterator.kind for iterator in op.iterators]
    folded = [k for k, kind in enumerate(kinds) if kind != IteratorKind.PARALLEL]
    kept = [k for k, kind in enumerate(kinds) if kind == IteratorKind.PARALLEL]
    shape = [op.extents[k] for k in kept]
    grid: list[Any] = [np.zeros((1,) * (1 + len(kept)), np.int64) for _ in kinds]
    for k, indices in zip(kept, np.indices(shape, sparse=True), strict=True):
        grid[k] = indices[np.newaxis]
    total: Any = np.full(shape, start, dtype)
    count = np.zeros(shape, np.int64)
    extents = [op.extents[k] for k in folded]
    block = max(1, _BLOCK // max(1, prod(shape)))
    for first in range(0, prod(extents), block):
        points = np.arange(first, min(first + block, prod(extents)))
        for k, indices in zip(folded, np.unravel_index(points, extents), strict=True):
            grid[k] = indices.reshape(-1, *[1] * len(kept))
        elements: list[_Numbers] = []
        for number, x in enumerate(accumulated):
            values, places = _read(op, number, x, grid)
            outside = dtype.type(op.outside(element_type(dtype))) if number == 0 else start
            elements.append(np.where(_within(places, x.shape), values, outside))
            if number == 0:
                counts = _within(places, x.shape, op.counted_margins)
                count += np.broadcast_to(counts, (len(points), *shape)).sum(0)
        values = np.broadcast_to(op.body(s, start, *elements), (len(points), *shape))
        while len(values) > 1:
            half = len(values) // 2
            if len(values) % 2:
                total = op.combine(s, total, values[-1])
            values = op.combine(s, values[:half], values[half : 2 * half])
        total = op.combine(s, total, values[0])
    for k in folded:
        grid[k] = np.zeros_like(grid[k][:1])
    read = (_read(op, len(accumulated) + k, x, grid)[0] for k, x in enumerate(others))
    value: Any = op.finish(s, total, count, *(x.reshape(x.shape[1:]) for x in read))
    return value.reshape(bounds_of(op.result.type))


def _within(
    places: Sequence[_Numbers],
    shape: Sequence[int],
    margins: Sequence[tuple[int, int]] | None = None,
) -> _Numbers:
    """Return which places are within a tensor, or in the margins around it."""
    inside: _Numbers = np.ones((), bool)
    for place, n, (before, after) in zip(
        places, shape, margins or [(0, 0)] * len(shape), strict=True
    ):
        inside = inside & (place >= -before) & (place < n + after)
    return inside
