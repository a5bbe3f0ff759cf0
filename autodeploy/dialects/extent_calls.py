"""Functions of integers, called for each number of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, overload

from autodeploy.dialects.extents import extent_of, numbers_of, table_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SPARSE = 8
"""Tables whose integers are further apart than so often their number are sorted."""


@overload
def each(function: Callable[[int], int], one: int, /) -> int: ...
@overload
def each(function: Callable[[int, int], int], one: int, two: int, /) -> int: ...
@overload
def each(function: Callable[[int, int, int], int], one: int, two: int, three: int, /) -> int: ...
@overload
def each(
    function: Callable[[int, int, int, int], int], one: int, two: int, three: int, four: int, /
) -> int: ...
def each(function: Callable[..., int], *extents: int) -> int:
    """Return what a function of integers is for each number; it is called once for each operands.

    Raises what the function raises.
    """
    import numpy as np

    numbers = numbers_of(*extents)
    if numbers is None:
        return function(*extents)
    rows, places = _distinct(extents)
    return extent_of(numbers, np.array([function(*row) for row in rows], np.int64)[places])


def lists_of(function: Callable[..., NDArray[np.int64]], *extents: int) -> NDArray[np.int64]:
    """Return the lists that a function of integers has for each number, as rows of the longest.

    The numbers are the leading axes. A row has zeros after the end of its list.
    """
    import numpy as np

    rows, places = _distinct(extents)
    lists = [function(*row) for row in rows]
    wide = np.zeros((len(lists), max(map(len, lists))), np.int64)
    for own, values in zip(wide, lists, strict=True):
        own[: len(values)] = values
    return wide[places]


def _distinct(extents: Sequence[int]) -> tuple[Sequence[Sequence[int]], NDArray[np.intp]]:
    """Return the distinct lists that extents are, and which one they are for each number."""
    import numpy as np

    tables = np.broadcast_arrays(*(np.asarray(table_of(extent)) for extent in extents))
    flat = [table.reshape(-1) for table in tables]
    places = _ranks(flat[0])
    for table in flat[1:]:
        ranks = _ranks(table)
        places = _ranks(places * (int(ranks.max()) + 1) + ranks)
    last = np.empty(int(places.max()) + 1, np.intp)
    last[places] = np.arange(places.size)
    rows = np.stack([table[last] for table in flat], 1)
    return rows.tolist(), places.reshape(tables[0].shape)


def _ranks(table: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return which of its distinct integers, in order, each element of a table is."""
    import numpy as np

    least, most = int(table.min()), int(table.max())
    if most - least > _SPARSE * table.size:
        return np.unique(table, return_inverse=True)[1]
    is_there = np.zeros(most - least + 1, bool)
    is_there[table - least] = True
    return (np.cumsum(is_there) - 1)[table - least]
