"""Indices of GatherND that are a grid: what they take is a slice whose axes are in another order.

A mask of tokens is often written so: entry ``[b, 0, 0, k]`` of the result is element ``[b, k]``, by
indices that the model makes of two ranges. As a slice and a transpose it costs little or nothing,
and the extents may be open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from autodeploy.weights import Array


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
