"""The interface of ops that know their structure: the elements that they read, and the body.

A structured op computes its results at each point of an iteration space, a box of named iterators.
An indexing map (an ``AffineMap`` from the iterators to coordinates) says which element of an
operand is read at a point, and which element of a result is computed there. ``body`` says the value
of that element. Passes ask this interface, never the class of an op, as with MLIR's ``linalg``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple, cast

from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from autodeploy.dialects.nn.base import AxisRead, NNOp
from autodeploy.dialects.nn.scalars import E, Scalars
from autodeploy.dialects.nn.types import bounds_of, compute_type, element_of
from autodeploy.dialects.nn.window_steps import WindowSteps


class IteratorKind(Enum):
    """The kind of an iterator: an axis of the results, or elements that are folded into one."""

    PARALLEL = auto()
    REDUCTION = auto()
    WINDOW = auto()
    """A reduction over places around the result's own, added to one of its iterators in a map."""


@dataclass(frozen=True)
class Iterator:
    """One dimension of an iteration space, from 0 to ``extent``."""

    name: str
    extent: int
    kind: IteratorKind = IteratorKind.PARALLEL


class WindowRead(NamedTuple):
    """How a window moves along an axis of an operand: by ``stride`` from place to place.

    Each place of the ``result_axis`` reads ``reach`` places of the axis, the first to the last.
    """

    axis: int
    result_axis: int
    reach: int
    stride: int


class StructuredOp(NNOp, ABC):
    """An op that says its iteration space, its indexing maps and its scalar meaning.

    One that ``READS_BITS`` is given halves as they are, not widened.
    """

    READS_BITS: ClassVar[bool] = False

    @property
    @abstractmethod
    def iterators(self) -> tuple[Iterator, ...]:
        """The iteration space, outermost first; dimension i of a map is iterator i."""

    @property
    @abstractmethod
    def indexing_maps(self) -> tuple[AffineMap | None, ...]:
        """A map for each operand, then for each result; ``None`` if it is no affine one."""

    @abstractmethod
    def body(self, s: Scalars[Any], *elements: Any, **_: Any) -> Any:
        """Return the element of the result at a point, of several results a tuple of them.

        ``elements`` are those of the operands that the maps say, halves widened to 32 bits. If
        iterators reduce, the accumulator comes first.
        """

    def axis_reads(self, index: int) -> Sequence[AxisRead | None] | None:
        """Return what the map of an operand says of each axis."""
        maps, extents = self.indexing_maps, self.extents
        map_, result = maps[index], maps[len(self.operands)]
        if map_ is None or result is None:
            return None
        numbers = {
            expr.position: axis
            for axis, expr in enumerate(result.results)
            if isinstance(expr, AffineDimExpr)
        }
        made, summed = set(numbers), set(range(map_.num_dims)) - set(numbers)
        numbers |= {dim: len(result.results) + i for i, dim in enumerate(sorted(summed))}
        reads: list[AxisRead | None] = []
        for expr, extent in zip(map_.results, bounds_of(self.operands[index].type), strict=True):
            dims = {dim for dim in expr.used_dims() if dim in made} or expr.used_dims()
            if len(dims) > 1:
                return None
            for dim in dims:
                inner = _inner(expr)
                whole = extents[dim] == extent * inner
                reads.append(AxisRead(numbers[dim], inner if whole else 0))
            reads.extend([None] * (1 - len(dims)))
        return reads

    def window_reads(self) -> tuple[WindowRead, ...]:
        """Return how windows move along the axes of the first operand, outermost first."""
        maps, iterators = self.indexing_maps, self.iterators
        map_, result = maps[0], maps[len(self.operands)]
        if map_ is None or result is None:
            return ()
        numbers = {dim: axis for axis, e in enumerate(result.results) for dim in e.used_dims()}
        found: list[WindowRead] = []
        for axis, expr in enumerate(map_.results):
            dims = expr.used_dims()
            taps = [d for d in dims if iterators[d].kind == IteratorKind.WINDOW]
            if not taps:
                continue
            steps = {d: _coefficient(expr, d, map_.num_dims) for d in dims}
            (place,) = (d for d in dims if d in numbers)
            reach = 1 + sum((iterators[d].extent - 1) * steps[d] for d in taps)
            found.append(WindowRead(axis, numbers[place], reach, steps[place]))
        return tuple(found)

    def window_steps(self) -> tuple[WindowSteps, ...]:
        """Return how many windows there are along each axis of ``window_reads``, by its extent.

        None where the op does not say so.
        """
        return ()

    @property
    def extents(self) -> tuple[int, ...]:
        """The extents of the iteration space."""
        return tuple(iterator.extent for iterator in self.iterators)


def _coefficient(expr: AffineExpr, dim: int, num_dims: int) -> int:
    """Return what a linear expression grows by with an iterator."""
    zero = [0] * num_dims
    one = [int(d == dim) for d in range(num_dims)]
    return expr.eval(one, ()) - expr.eval(zero, ())


def _inner(expr: AffineExpr) -> int:
    """Return what an iterator is divided by in an expression of it alone, 0 for another one."""
    match expr:
        case AffineDimExpr():
            return 1
        case AffineBinaryOpExpr(
            AffineBinaryOpKind.FloorDiv, AffineDimExpr(), AffineConstantExpr(value)
        ):
            return value
        case _:
            return 0


class AccumulatingOp(StructuredOp, ABC):
    """An op that accumulates elements along the iterators that are not parallel.

    ``body`` combines the accumulator with the elements of the first ``ACCUMULATED`` operands at one
    more point; ``finish`` reads the further ones. If a map leads outside of the first operand, the
    element is ``outside``, of others ``start``. The order of the points does not matter.
    """

    ACCUMULATED: ClassVar[int] = 1

    @property
    def role(self) -> str:
        """The name of the accumulator in a kernel."""
        return self.name.partition(".")[2].replace(".", "_")

    @abstractmethod
    def start(self, element: Attribute) -> float | int:
        """Return what accumulation starts from; it changes nothing that it is combined with."""

    def outside(self, element: Attribute) -> float | int:
        """Return the element outside of the first operand."""
        return self.start(element)

    def combine(self, s: Scalars[E], total: E, other: E) -> E:
        """Return what two partial results are together."""
        return cast(E, self.body(s, total, other))

    def finish(self, s: Scalars[E], total: E, count: E | int, *others: E) -> E:
        """Return the element of the result; ``count`` elements were accumulated."""
        return total

    @property
    def sum_element(self) -> Attribute:
        """The element type in which is accumulated."""
        return compute_type(element_of(self.operands[0].type))

    @property
    def counted_margins(self) -> tuple[tuple[int, int], ...]:
        """How far before and after each axis of the operand places count as elements."""
        return ((0, 0),) * len(bounds_of(self.operands[0].type))


def parallel(shape: Sequence[int]) -> tuple[Iterator, ...]:
    """Return an iterator for each axis of a result of this shape."""
    return tuple(Iterator(f"i{axis}", extent) for axis, extent in enumerate(shape))


def broadcast_map(own: Sequence[int], shape: Sequence[int]) -> AffineMap:
    """Return the map of an operand of shape ``own`` that NumPy's rules broadcast to ``shape``."""
    first = len(shape) - len(own)
    return AffineMap(
        len(shape),
        0,
        tuple(
            AffineExpr.dimension(first + axis)
            if extent == shape[first + axis]
            else AffineExpr.constant(0)
            for axis, extent in enumerate(own)
        ),
    )
