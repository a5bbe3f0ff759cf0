"""Reading a tensor at places that the program computes: one list of places an axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import MulOp
from autodeploy.dialects.nn.logic import EqualOp, LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.frontend.nn.builder import NnBuilder
from autodeploy.frontend.nn.term import Term


@dataclass(frozen=True)
class Places:
    """The elements that are read along an axis: ``numbers``, 64-bit integers of shape [n].

    With ``weights``, floats of shape [n, taps], ``numbers`` has this shape, too, and an element of
    the result is a weighted sum; what has no weight is not read, so that it may be infinite.
    """

    numbers: SSAValue
    weights: SSAValue | None = None


def from_start(b: NnBuilder, places: SSAValue, extent: int | SSAValue) -> SSAValue:
    """Count places from the start: ``extent`` is added to negative ones, which count from the end.

    An extent that is a value has 64-bit integers.
    """
    x = Term(b, places)
    below = x < 0
    whole = Term(b, extent).cast(x.element) if isinstance(extent, SSAValue) else extent
    return below.where(x + whole, x).value


def read_places(
    b: NnBuilder, x: SSAValue, axes: Mapping[int, Places], beyond: SSAValue | None = None
) -> SSAValue:
    """Return the elements of ``x`` at places along some axes.

    A place below zero stands for ``beyond``, a scalar, where that is given.
    """
    outside: list[SSAValue] = []
    for axis, places in axes.items():
        rank, shape = len(shape_of(x.type)), shape_of(x.type)
        behind = [1] * (rank - 1 - axis)
        numbers = places.numbers
        count = shape_of(numbers.type)[0]
        if beyond is not None:
            first = numbers
            if places.weights is not None:
                first = b.reshape(b.slice(numbers, {1: range(1)}), (count,))
            below = b.emit(LessOp(first, b.scalar(0, i64)))
            outside.append(b.reshape(below, (count, *behind)))
        if not shape[axis]:
            x = b.broadcast(beyond, (*shape[:axis], count, *shape[axis + 1 :])) if beyond else x
            continue
        x = b.emit(GatherOp(x, numbers, axis))
        if places.weights is not None:
            x = _weighted(b, x, places.weights, axis + 1)
    for test in outside if beyond is not None else ():
        assert beyond is not None
        x = b.emit(WhereOp(test, beyond, x))
    return x


def _weighted(b: NnBuilder, x: SSAValue, weights: SSAValue, axis: int) -> SSAValue:
    """Return the sum of ``x`` times weights along an axis, which the result lacks."""
    element, shape = element_of(x.type), shape_of(x.type)
    behind = [1] * (len(shape) - 1 - axis)
    taps = b.reshape(b.cast(weights, element), (*shape[axis - 1 : axis + 1], *behind))
    zero = b.scalar(0, element)
    kept = b.emit(WhereOp(b.emit(EqualOp(taps, zero)), zero, b.emit(MulOp(x, taps))))
    return b.emit(ReduceOp(kept, Reduction.SUM, [axis], keepdims=False))
