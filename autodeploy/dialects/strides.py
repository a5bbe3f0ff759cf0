"""Strided layouts as numbers: the places of the elements of a tensor in a block of memory.

Shapes and strides are outermost axis first; strides and offsets count elements. Axes of one element
may have any stride, since it is never used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

Strides = tuple[int, ...]


def row_major(shape: Sequence[int]) -> Strides:
    """Return the strides of a dense tensor, the last axis contiguous."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * shape[axis]
    return tuple(strides)


def is_row_major(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Return whether the elements follow each other without a gap, in row-major order."""
    return 0 in shape or all(
        n == 1 or found == dense
        for n, found, dense in zip(shape, strides, row_major(shape), strict=True)
    )


def span(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return the number of elements from the first to the last one; 0 if there are none."""
    if 0 in shape:
        return 0
    return 1 + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))


@dataclass(frozen=True)
class Region:
    """The elements of a tensor that starts ``offset`` elements into a block of memory."""

    shape: tuple[int, ...]
    strides: Strides
    offset: int = 0

    @property
    def end(self) -> int:
        """Return the first element of the block after the region."""
        return self.offset + span(self.shape, self.strides)

    def meets(self, other: Region) -> bool:
        """Return whether two regions of one block may share an element; True where in doubt.

        They do not where one ends before the other starts, or if both repeat with the same
        period and are in different parts of it, as slices along the innermost axis are.
        """
        if 0 in self.shape or 0 in other.shape:
            return False
        if self.end <= other.offset or other.end <= self.offset:
            return False
        return not any(
            self._within(period, other) for period in {*self.strides, *other.strides} if period > 1
        )

    def _within(self, period: int, other: Region) -> bool:
        """Return whether both are in parts of the period that have no element in common."""
        mine, theirs = self._part(period), other._part(period)
        return mine[1] <= period and theirs[1] <= period and not _overlap(mine, theirs)

    def _part(self, period: int) -> tuple[int, int]:
        """Return the places of the elements within a period: first, and after the last one."""
        axes = [
            (n, s) for n, s in zip(self.shape, self.strides, strict=True) if n > 1 and s % period
        ]
        start = self.offset % period
        return start, start + span([n for n, _ in axes], [s for _, s in axes])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@dataclass(frozen=True)
class _Factor:
    """An axis of a block before and after the move."""

    extent: int
    old: int
    new: int


class Move:
    """A block of memory whose elements move to other places: a dense one that becomes strided.

    ``shape`` and ``old`` give the order of the elements in the dense block; ``new`` are the
    strides of the same axes afterwards, ``offset`` is the new place of its first element.
    Raises ``ValueError`` if ``old`` leaves gaps or shares elements.
    """

    def __init__(
        self, shape: Sequence[int], old: Sequence[int], new: Sequence[int], offset: int = 0
    ):
        axes = [_Factor(*axis) for axis in zip(shape, old, new, strict=True) if axis[0] != 1]
        axes.sort(key=lambda axis: -axis.old)
        extents = [axis.extent for axis in axes]
        if 0 in extents or [axis.old for axis in axes] != list(row_major(extents)):
            raise ValueError(f"{tuple(shape)} with strides {tuple(old)} is not all of a block")
        self.offset = offset
        self.factors: list[_Factor] = []
        for axis in axes:
            if self.factors and self.factors[-1].new == axis.extent * axis.new:
                extent = self.factors.pop().extent * axis.extent
                self.factors.append(_Factor(extent, axis.old, axis.new))
            else:
                self.factors.append(axis)

    @property
    def keeps_vectors(self) -> bool:
        """Return whether elements that were neighbours in the innermost axis still are."""
        return not self.factors or self.factors[-1].new == 1

    def apply(self, region: Region) -> Region | None:
        """Return the new place of a region of the dense block, ``None`` if it has no strides.

        That is so where an axis of it runs over the end of an axis of the block.
        """
        rest, offset = region.offset, self.offset
        last = [0] * len(self.factors)
        for number, factor in enumerate(self.factors):
            last[number], rest = divmod(rest, factor.old)
            offset += last[number] * factor.new
        strides: list[int] = []
        for extent, stride in zip(region.shape, region.strides, strict=True):
            if extent == 1:
                strides.append(0)
                continue
            number = next((i for i, f in enumerate(self.factors) if f.old <= stride), None)
            if number is None or stride % self.factors[number].old:
                return None
            step = stride // self.factors[number].old
            last[number] += step * (extent - 1)
            strides.append(step * self.factors[number].new)
        if any(at >= factor.extent for at, factor in zip(last, self.factors, strict=True)):
            return None
        return Region(region.shape, _fill_units(region.shape, strides), offset)


def _fill_units(shape: Sequence[int], strides: Sequence[int]) -> Strides:
    """Give axes of one element the stride that a dense tensor would have, as far as that goes."""
    filled = list(strides)
    for axis in range(len(shape) - 1, -1, -1):
        if shape[axis] == 1:
            inner = axis + 1
            filled[axis] = 1 if inner == len(shape) else filled[inner] * shape[inner]
    return tuple(filled)


def reshape(region: Region, shape: Sequence[int]) -> Region | None:
    """Return the same elements in the same order under another shape, ``None`` if that has none."""
    wanted = Region(tuple(shape), row_major(shape))
    if prod(shape) == 0:
        return Region(wanted.shape, wanted.strides, region.offset)
    move = Move(region.shape, row_major(region.shape), region.strides, region.offset)
    return move.apply(wanted)
