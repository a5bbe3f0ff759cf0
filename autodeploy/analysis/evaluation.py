"""Values of structured ops by NumPy: what their bodies compute, of whole arrays at once.

This is what folding computes at compile time, and what tests hold kernels against. Halves are
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

from autodeploy.dialects.nn.limits import as_bound, highest, lowest
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.structure import AccumulatingOp, IteratorKind, StructuredOp
from autodeploy.dialects.nn.types import compute_type, element_of, is_bool, is_float, shape_of
from autodeploy.weights import Array, element_type, numpy_dtype

_Numbers: TypeAlias = npt.NDArray[Any]


class NumpyScalars:
    """The algebra of scalars (``Scalars``) on NumPy arrays, which broadcast."""

    equals = staticmethod(np.equal)
    less_equal = staticmethod(np.less_equal)
    where = staticmethod(np.where)
    larger = staticmethod(np.maximum)
    smaller = staticmethod(np.minimum)
    remainder = staticmethod(np.fmod)
    abs = staticmethod(np.abs)
    sign = staticmethod(np.sign)
    exp = staticmethod(np.exp)
    log = staticmethod(np.log)
    sqrt = staticmethod(np.sqrt)
    sin = staticmethod(np.sin)
    cos = staticmethod(np.cos)
    tanh = staticmethod(np.tanh)
    floor = staticmethod(np.floor)
    ceil = staticmethod(np.ceil)
    round = staticmethod(np.rint)

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
    types = [numpy_dtype(compute_type(element_of(x.type))) for x in op.operands]
    elements = [x.astype(type_, copy=False) for x, type_ in zip(operands, types, strict=True)]
    return apply_body(op, elements).astype(numpy_dtype(element_of(op.result.type)), copy=False)


def apply_body(op: StructuredOp, operands: Sequence[Array]) -> Array:
    """Return what an op computes in the types that the operands have."""
    s = NumpyScalars()
    with np.errstate(all="ignore"):
        if isinstance(op, AccumulatingOp):
            return _accumulated(op, s, operands[0])
        if not isinstance(op, PointwiseOp):
            operands = [_read(op, k, x)[0] for k, x in enumerate(operands)]
        return np.asarray(op.body(s, *operands))


def _read(op: StructuredOp, number: int, x: _Numbers) -> tuple[_Numbers, Sequence[_Numbers]]:
    """Return the elements of an operand at all points, and their places.

    Outside of the operand it is the nearest one.
    """
    map_ = op.indexing_maps[number]
    assert map_ is not None
    grid: Any = list(np.indices(op.extents, sparse=True))
    places = [np.asarray(place.eval(grid, ())) for place in map_.results]
    nearest = (np.clip(place, 0, n - 1) for place, n in zip(places, x.shape, strict=True))
    return np.broadcast_to(x[tuple(nearest)], op.extents), places


def _accumulated(op: AccumulatingOp, s: NumpyScalars, x: _Numbers) -> _Numbers:
    """Combine halves of all elements until one is left."""
    elements, places = _read(op, 0, x)
    is_inside, counts = np.ones(op.extents, bool), np.ones(op.extents, bool)
    for place, n, (before, after) in zip(places, x.shape, op.counted_margins, strict=True):
        is_inside &= (place >= 0) & (place < n)
        counts &= (place >= -before) & (place < n + after)
    start = op.start(element_type(x.dtype))
    folded = [k for k, i in enumerate(op.iterators) if i.kind != IteratorKind.PARALLEL]
    values = _folded_first(np.where(is_inside, elements, x.dtype.type(start)), folded)
    total: Any = np.full(values.shape[1:], start, x.dtype)
    while len(values):
        half = len(values) // 2
        if len(values) % 2:
            total = op.body(s, total, values[-1])
        values = op.body(s, values[:half], values[half : 2 * half])
    value: Any = op.finish(s, total, _folded_first(counts, folded).sum(0))
    return value.reshape(shape_of(op.result.type))


def _folded_first(values: _Numbers, folded: Sequence[int]) -> _Numbers:
    """Return the values with the dimensions that are folded as one, the first."""
    first = np.moveaxis(values, folded, range(len(folded)))
    kept = first.shape[len(folded) :]
    return first.reshape(prod(first.shape[: len(folded)]), *kept)
