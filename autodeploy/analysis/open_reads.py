"""How an op reads along an axis whose extent only a run knows.

The elements of a run are the first ones along an open axis. An op may have one where each element
of its result is computed from elements at the same place along that axis: then the first ones of
the result follow from the first ones of the operands. Other ops need a lowering that knows the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from xdsl.ir import Operation

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import MovementOp, NNOp
from autodeploy.dialects.nn.extent_attr import axes_of_type, encoding_of
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp
from autodeploy.dialects.nn.resampling import SampledOp
from autodeploy.dialects.nn.structure import StructuredOp, WindowRead
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.nn.window_steps import WindowSteps


class Reach(Enum):
    """How an op reads along an open axis of an operand."""

    SAME = auto()
    """The element at the same place."""
    FOLD = auto()
    """It folds elements, up to the end that a run has."""
    WINDOW = auto()
    """Windows move along the axis, and read padding after its end."""
    END = auto()
    """Places follow from the end in a way that the lowering knows."""
    FIRST = auto()
    """It takes elements from among the first ones, wherever the end is."""
    ANY = auto()
    """It reads several places, or places that data says."""


@dataclass(frozen=True)
class OpenRead:
    """How an op reads along an open axis of an operand; ``iterator`` runs along it, if one does."""

    index: int
    axis: int
    growth: Growth
    reach: Reach
    iterator: int | None = None

    @property
    def needs_end(self) -> bool:
        """Whether the lowering takes account of the end that a run has."""
        return self.reach in (Reach.FOLD, Reach.WINDOW, Reach.END)


def moved_windows(op: NNOp) -> dict[int, tuple[WindowRead, WindowSteps]]:
    """Return how windows move along axes of the first operand, of an op that ends them."""
    if not op.PADS_DYNAMIC_WINDOW or not isinstance(op, StructuredOp):
        return {}
    moves = zip(op.window_reads(), op.window_steps(), strict=True)
    return {window.axis: (window, steps) for window, steps in moves}


def open_reads(op: NNOp) -> Iterator[OpenRead]:
    """Yield how an op reads along each open axis of its operands."""
    rank = len(bounds_of(op.results[0].type))
    if isinstance(op, ReshapeOp):
        reach = Reach.SAME if op.is_view else Reach.END
        axes = enumerate(axes_of_type(op.x.type))
        yield from (OpenRead(0, axis, growth, reach) for axis, growth in axes if growth)
        return
    ended = _ended_axes(op)
    for index, value in enumerate(op.operands):
        if encoding_of(value.type) is None or not any(axes := axes_of_type(value.type)):
            continue
        if index and isinstance(op, SampledOp):  # whose extents alone are read
            continue
        reads = op.identity_axes(index)
        # Along these axes an op folds nothing, of those that the result has, too.
        parallel = op.axis_reads(index) if op.MASKS_DYNAMIC_REDUCTION else reads
        windows = {} if index else moved_windows(op)
        stretched = frozenset[int]() if index else op.stretched_axes()
        for axis, growth in enumerate(axes):
            if not growth:
                continue
            read = None if reads is None else reads[axis]
            iterator = None if read is None or not read.inner else read.iterator
            if axis in windows:
                reach = Reach.WINDOW
            elif (
                axis in ended
                or axis in stretched
                or (read is None and axis in op.data_dependent_axes(index))
            ):
                reach = Reach.END
            elif iterator is None:
                first = op.required_prefix(index)
                reach = Reach.ANY if first is None else Reach.FIRST
            elif iterator < rank and parallel is not None and (own := parallel[axis]) is not None:
                reach = Reach.SAME if own.inner else Reach.FOLD
            else:
                reach = Reach.FOLD
            yield OpenRead(index, axis, growth, reach, iterator)


def _ended_axes(op: NNOp) -> frozenset[int]:
    """Return the axes of a result whose places follow from where those of operands end."""
    if isinstance(op, SliceOp):
        return op.moved_axes
    if isinstance(op, SampledOp):
        return frozenset(op.grown)
    if isinstance(op, MovementOp) and op.joined_axis is not None:
        return frozenset([op.joined_axis])
    return frozenset()


def folds_open(kernel: KernelOp) -> bool:
    """Return whether an op of a kernel folds elements along an open axis."""
    return any(_folds(op) for op in kernel.body_ops)


def _folds(op: Operation) -> bool:
    return isinstance(op, NNOp) and any(read.reach == Reach.FOLD for read in open_reads(op))
