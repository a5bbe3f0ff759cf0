"""What recorded sizes are for many numbers at once.

A value has one shape for all numbers, or its extents vary. Values of one shape are computed for all
numbers by one call of NumPy. Where elements stay the same and extents vary, only the extents are
computed. All other values are computed for each number by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from autodeploy.analysis.computed_sizes import Asked, Computed
from autodeploy.analysis.reference import run_node
from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE
from autodeploy.weights import Array

Integers: TypeAlias = npt.NDArray[np.int64]

_MOST_RUNS = 1 << 13
"""How many times a node is run where it takes the numbers one by one."""

_MOST_ELEMENTS = 1 << 24
"""How many elements a node computes for all numbers together."""

_RELABELLED = frozenset(("Reshape", "Squeeze", "Transpose", "Unsqueeze"))
"""Operators that put axes in another order, or add and take away those of one element."""


@dataclass(frozen=True)
class Same:
    """A value of one shape for all numbers; its first axis is that of the numbers."""

    array: Array

    @property
    def is_constant(self) -> bool:
        """Tell whether it is the same for all numbers."""
        return bool((self.array == self.array[:1]).all())


@dataclass(frozen=True)
class Growing:
    """The first elements of a value, as many along each axis as ``extents`` say for each number."""

    extents: Integers
    whole: Array


@dataclass(frozen=True)
class Varied:
    """A value for each number."""

    arrays: Sequence[Array]


Course: TypeAlias = Same | Growing | Varied
"""What a record is for all of some numbers."""


class Courses:
    """What records are for each of ``count`` lists of numbers.

    ``extents`` gives what a node asks for, a row for each of them; ``None`` where not known.
    """

    def __init__(
        self,
        records: Sequence[Asked | Computed],
        count: int,
        extents: Callable[[int], Array | None],
    ):
        self._records, self._count, self._extents = records, count, extents
        self._known: dict[int, Course | None] = {}

    def of(self, number: int) -> Course | None:
        """Return what a record is; ``None`` where that is not known."""
        waiting = [number]
        while waiting:
            record = self._records[waiting[-1]]
            read = () if isinstance(record, Asked) else record.operands
            further = [n for n in read if isinstance(n, int) and n not in self._known]
            if further:
                waiting += further
                continue
            self._known[waiting[-1]] = self._find(waiting[-1], record)
            waiting.pop()
        return self._known[number]

    def _find(self, number: int, record: Asked | Computed) -> Course | None:
        if isinstance(record, Asked):
            rows = self._extents(number)
            if rows is None:
                return None
            return Same(rows.prod(axis=1) if record.is_count else rows)
        if record.node is None:
            return None
        operands: list[Course] = []
        for operand in record.operands:
            found = self._known[operand] if isinstance(operand, int) else Same(operand[None])
            if found is None:
                return None
            operands.append(found)
        if record.clips:
            return self._clipped(record, operands)
        for rule in (self._alike, self._grown, self._one_by_one):
            if (course := rule(record, operands)) is not None:
                return course
        return None

    def _run(self, record: Computed, operands: Sequence[Array]) -> Array | None:
        assert record.node is not None
        names = list(dict.fromkeys(name for name in record.node.input if name))
        results = run_node(record.node, dict(zip(names, operands, strict=True)), record.opset)
        return None if results is None else results[record.output]

    def _alike(self, record: Computed, operands: Sequence[Course]) -> Course | None:
        """Return what is computed for all numbers at once, of values of one shape."""
        assert record.node is not None
        arrays = [course.array for course in operands if isinstance(course, Same)]
        if len(arrays) < len(operands):
            return None
        kind = record.node.op_type
        if kind in POINTWISE:
            rank = max(array.ndim for array in arrays)
            rows = [a.reshape(a.shape[:1] + (1,) * (rank - a.ndim) + a.shape[1:]) for a in arrays]
            found = self._run(record, rows)
            return None if found is None else Same(found)
        sources = arrays if kind == "Concat" else arrays[:1]
        if kind not in MOVEMENTS or any(len(array) > 1 for array in arrays[len(sources) :]):
            return None
        places: list[Array] = []
        first = 0
        for array in sources:
            last = first + prod(array.shape[1:])
            places.append(np.arange(first, last).reshape(array.shape[1:]))
            first = last
        moved = self._run(record, [*places, *(array[0] for array in arrays[len(sources) :])])
        if moved is None:
            return None
        count = max(map(len, sources))
        flat = [
            np.broadcast_to(a, (count, *a.shape[1:])).reshape(count, prod(a.shape[1:]))
            for a in sources
        ]
        taken = np.concatenate(flat, axis=1).take(moved.reshape(-1).astype(np.int64), axis=1)
        return Same(taken.reshape(count, *moved.shape))

    def _grown(self, record: Computed, operands: Sequence[Course]) -> Course | None:
        """Return a value whose extents depend on the number, and whose elements do not."""
        assert record.node is not None
        kind, whole = record.node.op_type, record.whole
        first, *others = operands
        extents: Integers | None = None
        if kind == "Shape" and isinstance(first, Growing) and not record.node.attribute:
            return Same(first.extents)
        if kind == "ConstantOfShape" and isinstance(first, Same):
            extents = first.array.astype(np.int64)
        elif kind == "Range":
            extents = _counted(operands, from_start=True)
        elif kind == "Expand" and _is_prefix(first) and others and isinstance(others[0], Same):
            shape = others[0].array.astype(np.int64)
            extents = _broadcast([_extents(first), shape], whole.ndim)
        elif kind in POINTWISE and all(map(_is_prefix, operands)):
            extents = _broadcast([_extents(course) for course in operands], whole.ndim)
        elif kind == "Slice" and _is_prefix(first):
            cut = self._sliced(record, _extents(first), others)
            extents = None if cut is None or (cut.starts != cut.starts[:1]).any() else cut.sizes
        elif kind == "Gather" and all(map(_is_prefix, operands)) and len(others) == 1:
            extents = self._gathered(record, _extents(first), others[0])
        elif kind == "Trilu" and _is_prefix(first) and all(map(_is_prefix, others)):
            extents = _extents(first)
        elif kind in _RELABELLED and _is_prefix(first):
            extents = self._relabelled(record, _extents(first), others)
        if extents is None or (extents > whole.shape).any():
            return None
        return Growing(extents, whole)

    def extents(self, number: int) -> Integers | None:
        """Return the extents of what a record is, a row for each list of numbers."""
        record = self._records[number]
        if isinstance(record, Computed) and record.node is not None:
            operands = [
                self.of(o) if isinstance(o, int) else Same(o[None]) for o in record.operands
            ]
            known = [course for course in operands if course is not None]
            if record.node.op_type == "Range" and len(known) == 3:
                return _counted(known, from_start=False)
            if record.node.op_type == "Slice" and len(known) == len(operands):
                first, *others = known
                cut = self._sliced(record, _extents(first), others)
                return None if cut is None else cut.sizes
        course = self.of(number)
        return None if course is None else _extents(course)

    def _clipped(self, record: Computed, operands: Sequence[Course]) -> Course | None:
        """Return the places that a slice or a gather takes of data, by the extents of that."""
        assert record.node is not None
        first, *others = operands
        if not isinstance(first, Same):
            return None
        extents = first.array.astype(np.int64)
        if record.node.op_type == "Slice":
            cut = self._sliced(record, extents, others)
            return None if cut is None else Same(np.concatenate(cut, axis=1))
        if len(others) != 1 or not isinstance(others[0], Same):
            return others[0] if others else None
        places = others[0].array.astype(np.int64)
        whole = extents[:, _axis(record, extents)].reshape(-1, *(1,) * (places.ndim - 1))
        return Same(np.where(places < 0, places + whole, places))

    def _sliced(self, record: Computed, extents: Integers, others: Sequence[Course]) -> _Cut | None:
        """Return where a slice begins, and its extents; ``None`` if not known."""
        assert record.node is not None
        arrays = [course.array.astype(np.int64) for course in others if isinstance(course, Same)]
        if len(record.node.input) != 1 + len(arrays) or not 2 <= len(arrays) == len(others):
            return None  # attributes say the places, or one operand says several of them
        starts, ends = arrays[:2]
        if any(len(array) > 1 for array in arrays[2:]):
            return None
        named = arrays[2][0].tolist() if len(arrays) > 2 else [*range(starts.shape[1])]
        steps = arrays[3][0].tolist() if len(arrays) > 3 else [1] * len(named)
        if min(steps, default=1) < 1:
            return None
        count = max(map(len, (extents, starts, ends)))
        found = np.broadcast_to(extents, (count, extents.shape[1])).copy()
        begins = np.zeros_like(found)
        for place, (axis, step) in enumerate(zip(named, steps, strict=True)):
            whole = found[:, axis]
            first, last = (
                np.clip(np.where(own < 0, own + whole, own), 0, whole)
                for own in (starts[:, place], ends[:, place])
            )
            begins[:, axis] = first
            found[:, axis] = np.maximum(-((first - last) // step), 0)
        return _Cut(begins, found)

    def _gathered(self, record: Computed, table: Integers, taken: Course) -> Integers | None:
        """Return the extents of rows of a table at some places; ``None`` if not known.

        Places that are counted from the end of the table are others for each number.
        """
        axis, places = _axis(record, table), _extents(taken)
        array = taken.whole if isinstance(taken, Growing) else _at(taken, 0)
        own = array.astype(np.int64)
        if ((own < 0) | (own >= table[:, axis].min())).any():
            return None
        count = max(len(table), len(places))
        parts = (table[:, :axis], places, table[:, axis + 1 :])
        return np.concatenate([np.broadcast_to(p, (count, p.shape[1])) for p in parts], axis=1)

    def _relabelled(
        self, record: Computed, extents: Integers, others: Sequence[Course]
    ) -> Integers | None:
        """Return the extents behind an op that moves axes about."""
        ones = (extents == 1).all(axis=0)
        if record.node is not None and record.node.op_type == "Reshape":
            return _only_adds_axes(extents, others)
        if record.node is not None and record.node.op_type == "Squeeze" and not others:
            return None  # an axis may have one element for some numbers
        labels = [1 if one else 2 + axis for axis, one in enumerate(ones)]
        further = [course.array[0] for course in others if isinstance(course, Same)]
        found = self._run(record, [np.zeros(labels, bool), *further])
        if found is None or len(further) < len(others):
            return None
        columns = [
            np.ones(len(extents), np.int64) if label == 1 else extents[:, label - 2]
            for label in found.shape
        ]
        return np.stack(columns, axis=1) if columns else None

    def _one_by_one(self, record: Computed, operands: Sequence[Course]) -> Course | None:
        """Return what is computed for each number by itself, if that is not too much."""
        known: dict[tuple[bytes, ...], Array] = {}
        found: list[Array] = []
        elements = 0
        varies = [not (isinstance(c, Same) and len(c.array) == 1) for c in operands]
        for index in range(self._count):
            arrays = [_at(course, index) for course in operands]
            own = [array for array, other in zip(arrays, varies, strict=True) if other]
            key = tuple(a.tobytes() + repr(a.shape).encode() for a in own)
            elements += sum(array.size for array in own)
            if key not in known:
                elements += record.whole.size
                if len(known) == _MOST_RUNS or elements > _MOST_ELEMENTS:
                    return None
                result = self._run(record, arrays)
                if result is None:
                    return None
                known[key] = result
            found.append(known[key])
        if len({array.shape for array in found}) == 1:
            return Same(np.stack(found))
        return Varied(found) if len({array.ndim for array in found}) == 1 else None


class _Cut(NamedTuple):
    """Where a slice begins along each axis, and how many elements it takes, for each number."""

    starts: Integers
    sizes: Integers


def _axis(record: Computed, extents: Integers) -> int:
    """Return the axis of a gather, of data that has some extents."""
    assert record.node is not None
    axis = next((int(a.i) for a in record.node.attribute if a.name == "axis"), 0)
    return axis % extents.shape[1]


def _only_adds_axes(extents: Integers, others: Sequence[Course]) -> Integers | None:
    """Return the extents of a list to which a reshape adds axes of one element, else ``None``."""
    if extents.shape[1] != 1 or not others or not isinstance(others[0], Same):
        return None
    shape = others[0].array.astype(np.int64)
    if len(shape) > 1 or sorted(shape[0].tolist()) != [-1] + [1] * (shape.shape[1] - 1):
        return None
    return np.where(shape == -1, extents, 1)


def _counted(operands: Sequence[Course], *, from_start: bool) -> Integers | None:
    """Return how many numbers a range has; ``None`` if not known.

    With ``from_start`` it is also ``None`` where ranges do not all begin alike.
    """
    arrays: list[npt.NDArray[Any]] = [c.array for c in operands if isinstance(c, Same)]
    if len(arrays) != 3:
        return None
    start, limit, delta = arrays
    if from_start and ((start != start[:1]).any() or (delta != delta[:1]).any()):
        return None
    return np.maximum(np.ceil((limit - start) / delta), 0).astype(np.int64).reshape(-1, 1)


def _is_prefix(course: Course) -> bool:
    return isinstance(course, Growing) or (isinstance(course, Same) and course.is_constant)


def _extents(course: Course) -> Integers:
    """Return the extents of a value for each number, one row where they are the same."""
    if isinstance(course, Growing):
        return course.extents
    if isinstance(course, Same):
        return np.array([course.array.shape[1:]], np.int64).reshape(1, -1)
    return np.array([array.shape for array in course.arrays])


def _broadcast(extents: Sequence[Integers], rank: int) -> Integers | None:
    """Return the extents of what is computed of several values; ``None`` where one is repeated.

    An axis of one element is repeated for all numbers or for none.
    """
    count = max(map(len, extents))
    found = np.ones((count, rank), np.int64)
    for rows in extents:
        own = np.ones((count, rank), np.int64)
        if rows.shape[1]:
            own[:, rank - rows.shape[1] :] = rows
        repeated = (own == 1) & (found != 1)
        gained = (own != 1) & (found == 1)
        for mask, kept in ((repeated, own), (gained, found)):
            if (mask.any(axis=0) & (kept != 1).any(axis=0)).any():
                return None
        if ((own != 1) & (found != 1) & (own != found)).any():
            return None
        found = np.where(own == 1, found, own)
    return found


def _at(course: Course, index: int) -> Array:
    """Return the value for one list of numbers."""
    if isinstance(course, Varied):
        return course.arrays[index]
    if isinstance(course, Same):
        return course.array[index if len(course.array) > 1 else 0]
    row = course.extents[index if len(course.extents) > 1 else 0]
    return course.whole[tuple(slice(int(extent)) for extent in row)]


def table(course: Course, whole: Array) -> Integers:
    """Return numbers, a row for each list, that tell all of a value that a program depends on.

    Of a value whose shape varies these are its extents, and whether it begins as the ``whole``
    does. There is a single row where all are the same.
    """
    if isinstance(course, Same):
        rows: npt.NDArray[Any] = course.array.reshape(len(course.array), -1)
        if not rows.size:
            return np.zeros((1, 0), np.int64)
        if rows.dtype.kind in "iu":
            return rows.astype(np.int64)
        # Which of the values that there are it is; those need not be numbers. No three different
        # cubes are evenly apart (Euler), so that they bend wherever the value is another one.
        columns = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in rows.T]
        return np.stack(columns, axis=1).astype(np.int64) ** 3
    extents = _extents(course)
    if isinstance(course, Growing):
        return extents
    begins = [
        all(n <= m for n, m in zip(array.shape, whole.shape, strict=True))
        and whole[tuple(map(slice, array.shape))].tobytes() == array.tobytes()
        for array in course.arrays
    ]
    return np.column_stack([extents, np.array(begins, np.int64)])
