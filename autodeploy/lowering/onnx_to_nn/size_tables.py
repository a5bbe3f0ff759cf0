"""Tensors that depend on the numbers of a run, known for all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.extents import (
    Counts,
    Extent,
    Numbers,
    extent_of,
    keys_of,
    largest_of,
    numbers_of,
    table_of,
)
from autodeploy.weights import Array


@dataclass(frozen=True, eq=False)
class SizeTable:
    """A tensor for each combination of numbers of a run.

    ``values`` have an axis for each range of ``numbers``, then the axes of the tensor. An axis of a
    range has its count, or 1 where the tensor does not depend on that number. The tensor has the
    ``shape`` that follows, or that is given, with extents that are less for some numbers; elements
    beyond these are 0. Raises ``ValueError`` for values of another shape.
    """

    numbers: Numbers
    values: Array
    shape: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        values, counts = self.values, self.numbers.shape
        grid, room = values.shape[: len(counts)], values.shape[len(counts) :]
        if len(grid) < len(counts) or any(map(_misfits, grid, counts)):
            raise ValueError(f"a table of shape {values.shape} is not of numbers {counts}")
        shape = self.shape or room
        if len(shape) != len(room) or not all(map(_fits, shape, room)):
            raise ValueError(f"a table of shape {values.shape} has no tensors of shape {shape}")
        for axis, count in enumerate(grid):
            if count > 1:
                first = values.take([0], axis)
                values = first if (_bits(values) == _bits(first)).all() else values
        if tables := [extent.table.shape for extent in shape if isinstance(extent, Extent)]:
            grid = np.broadcast_shapes(values.shape[: len(counts)], *tables)
            values = np.broadcast_to(values, grid + room)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "shape", shape)

    @classmethod
    def of_array(cls, numbers: Numbers, array: Array) -> SizeTable:
        """Return a tensor that is the same for all numbers."""
        return cls(numbers, np.reshape(array, (1,) * len(numbers.ranges) + array.shape))

    @classmethod
    def of_extents(
        cls,
        numbers: Numbers,
        extents: Sequence[int],
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.int64,
    ) -> SizeTable:
        """Return a tensor of extents, row by row.

        Raises ``ValueError`` for extents by other numbers, and ``OverflowError`` if the type
        does not have a value.
        """
        if numbers_of(*extents) not in (None, numbers):
            raise ValueError("extents of several programs have no common numbers")
        ones = np.ones((1,) * len(numbers.ranges), np.int64)
        tables = np.broadcast_arrays(ones, *map(table_of, extents))[1:]
        grid = np.broadcast_shapes(ones.shape, *(table.shape for table in tables))
        wide = np.stack(tables, -1) if tables else np.zeros((*grid, 0), np.int64)
        values = wide.astype(dtype)
        if not np.array_equal(values.astype(np.int64), wide):
            raise OverflowError(f"{values.dtype} does not have all values of the extents")
        return cls(numbers, values.reshape(*grid, *shape))

    @classmethod
    def of_arrays(
        cls, numbers: Numbers, arrays: Sequence[Array], which: npt.NDArray[np.intp]
    ) -> SizeTable:
        """Return a tensor that is one of several; ``which`` says which one for each number.

        ``which`` has an axis for each range, as ``values`` have. Arrays have one rank.
        """
        shapes = np.array([array.shape for array in arrays], np.int64)
        if (shapes == shapes[0]).all():
            return cls(numbers, np.stack(arrays)[which])
        room = shapes.max(0)
        padded = np.zeros((len(arrays), *room), arrays[0].dtype)
        for own, array in zip(padded, arrays, strict=True):
            own[tuple(map(slice, array.shape))] = array
        shape = tuple(extent_of(numbers, extents[which]) for extents in shapes.T)
        return cls(numbers, padded[which], shape)

    @classmethod
    def filled(cls, numbers: Numbers, values: Array, shape: tuple[int, ...]) -> SizeTable:
        """Return a tensor of a shape of as many axes, beyond which ``values`` have any elements."""
        for axis, extent in enumerate(shape):
            if isinstance(extent, Extent):
                after = len(shape) - axis - 1
                places = np.arange(values.shape[-after - 1], dtype=np.int64)
                places = np.reshape(places, (-1,) + (1,) * after)
                ends = np.reshape(extent.table, extent.table.shape + (1,) * len(shape))
                values = np.where(places < ends, values, values.dtype.type())
        return cls(numbers, values, shape)

    @property
    def grid(self) -> tuple[int, ...]:
        """How many combinations of numbers there are along each range, or 1."""
        return self.values.shape[: len(self.numbers.ranges)]

    @property
    def is_ragged(self) -> bool:
        """Return whether the tensor has another shape for some numbers."""
        return any(isinstance(extent, Extent) for extent in self.shape)

    @cached_property
    def key(self) -> object:
        """A key that is equal for tables that are equal, bit by bit."""
        values = self.values
        held = values[tuple(slice(1 if stride == 0 else None) for stride in values.strides)]
        digest = hashlib.sha256(held.tobytes()).digest()
        return values.dtype, values.shape, held.shape, *keys_of(self.shape), digest

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """NumPy's type of the elements."""
        return self.values.dtype

    @property
    def constant(self) -> Array | None:
        """The tensor, where it is the same for all numbers."""
        return self.largest if prod(self.grid) == 1 else None

    @property
    def least(self) -> Array:
        """The tensor for the least numbers."""
        return self._cut((0,) * len(self.grid))

    @property
    def largest(self) -> Array:
        """The tensor for the largest numbers."""
        return self._cut((-1,) * len(self.grid))

    @cached_property
    def elements(self) -> tuple[int, ...]:
        """The elements row by row, of which those that depend on the numbers are extents.

        Raises ``TypeError`` for floats, ``OverflowError`` for elements beyond 64 signed bits, and
        ``Undecided`` for a tensor of several shapes.
        """
        count = prod(map(int, self.shape))
        flat = self.values.reshape(*self.grid, count)
        return tuple(extent_of(self.numbers, flat[..., place]) for place in range(count))

    def at(self, counts: Counts) -> Array:
        """Return the tensor for counts of steps of the numbers."""
        return self._cut(self.numbers.place(counts, self.grid))

    def at_index(self, grid: Sequence[int], index: int) -> Array:
        """Return the tensor at a flat index of a grid to which the own one broadcasts."""
        places = zip(np.unravel_index(index, grid), self.grid, strict=True)
        return self._cut([0 if count == 1 else int(place) for place, count in places])

    def _cut(self, place: Sequence[int]) -> Array:
        """Return the tensor at a place of the own grid."""
        found = self.values[(*place, ...)]
        if not self.is_ragged:
            return found
        ends = (
            int(np.broadcast_to(table_of(extent), self.grid)[tuple(place)]) for extent in self.shape
        )
        return found[tuple(map(slice, ends))]


def _fits(extent: int, room: int) -> bool:
    return largest_of(extent) <= room if isinstance(extent, Extent) else extent == room


def _misfits(extent: int, count: int) -> bool:
    return extent not in (1, count)


def _bits(array: Array) -> Array:
    """Return elements as integers, which differ where a not-a-number or the sign of 0 does."""
    return array.view(f"u{array.itemsize}")
