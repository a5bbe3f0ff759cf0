"""Which indices are a grid, and that a slice and a transpose take what they take."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodeploy.lowering.onnx_to_nn.lookup import index_grid


def taken(data, grid, extents):
    """Return what a grid takes of data."""
    slices = [list(grid.slices[axis]) for axis in range(data.ndim)]
    moved = data[np.ix_(*slices)].transpose(grid.order)
    single = [n if axis in grid.kept else 1 for axis, n in enumerate(extents)]
    return np.broadcast_to(moved.reshape(single), extents)


def indices(*parts):
    """Return indices of the places of each axis, which broadcast."""
    return np.stack(np.broadcast_arrays(*parts), -1)


@given(st.data())
def test_a_grid_accepts_the_types_of_its_indices(data):
    shape = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    extents = data.draw(st.lists(st.integers(1, 4), min_size=0, max_size=4))
    free = data.draw(st.permutations(range(len(extents))))
    parts = []
    for n in shape:
        place = data.draw(st.one_of(st.none(), st.sampled_from(free))) if free else None
        count = 1 if place is None else extents[place]
        step = data.draw(st.sampled_from([1, 2, -1]))
        first = data.draw(st.integers(-n, n - 1))
        line = first + step * np.arange(count)
        is_there = ((line >= -n) & (line < n)).all() and (line[0] < 0) == (line[-1] < 0)
        if place is None or not is_there:
            parts.append(np.array(first))
            continue
        free = [other for other in free if other != place]
        parts.append(line.reshape([count if a == place else 1 for a in range(len(extents))]))
    found = indices(*parts, np.zeros(extents, np.int64))[..., :-1]
    grid = index_grid(found, shape)
    assert grid is not None
    values = np.arange(np.prod(shape)).reshape(shape)
    expected = values[tuple(np.moveaxis(found, -1, 0))]
    np.testing.assert_array_equal(taken(values, grid, extents), expected)


ROWS, COLUMNS = np.arange(3)[:, None], np.arange(4)


@pytest.mark.parametrize(
    "found",
    [
        indices(ROWS, (ROWS + COLUMNS) % 4),  # a place that counts along two axes
        indices(ROWS, ROWS),  # a diagonal
        indices(ROWS, np.array([0, 1, 3, 2])),  # another order
        indices(ROWS, np.array([0, 0, 1, 1])),  # one twice
        indices(ROWS, np.array([0, 1, 2, 9])),  # one that is not there
        indices(ROWS, COLUMNS)[:0],  # none
    ],
)
def test_other_places_than_grids_are_looked_up(found):
    assert index_grid(found, (3, 4)) is None


def test_axes_stay_where_they_are_in_order():
    grid = index_grid(indices(np.array(0), COLUMNS), (3, 4))
    assert grid is not None
    assert list(grid.order) == [0, 1]
    turned = index_grid(indices(COLUMNS[:3], COLUMNS[:, None]), (3, 4))
    assert turned is not None
    assert list(turned.order) == [1, 0]
