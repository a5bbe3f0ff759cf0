"""What nodes compute from extents: recorded where they are folded, and computed for other numbers.

A constant that a model computes from its shapes is right for the numbers of one import. What it is
for all numbers of a range is known without further imports: the extents that nodes ask for grow in
known ways, and what follows from them is computed again, for many numbers at once.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, TypeAlias

import numpy as np
from onnx import NodeProto
from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.reference import run_node
from autodeploy.dialects.nn.base import ints
from autodeploy.weights import Array

RECORD_ATTRIBUTE = "onnx.size"
"""Attribute of a constant that is computed from extents: the number of its record."""

ASKED_ATTRIBUTE = "onnx.first_asked"
"""Attribute of a module: the number of the first record that its import has made."""

READ_ATTRIBUTE = "onnx.sizes"
"""Attribute of a module: the records of what its ops read or are chosen by.

Where ops read the elements from a run, and the shape alone is that of a constant, it is one less
than the negative number of the record.
"""

_MOST_RUNS = 1 << 13
"""How many times a node is run where it takes the numbers one by one."""

_MOST_ELEMENTS = 1 << 24
"""How many elements a node computes for all numbers together."""

_POINTWISE = frozenset((
    "Abs", "Add", "And", "Cast", "Ceil", "Div", "Equal", "Exp", "Floor", "Greater",
    "GreaterOrEqual", "Identity", "Less", "LessOrEqual", "Log", "Max", "Min", "Mod", "Mul", "Neg",
    "Not", "Or", "Pow", "Reciprocal", "Round", "Sign", "Sqrt", "Sub", "Where", "Xor"
))  # fmt: skip
"""Operators that compute each element from those at the same place, by the rules of NumPy."""

MOVEMENTS = frozenset((
    "Concat", "Expand", "Flatten", "Gather", "Reshape", "Slice", "Split", "Squeeze", "Tile",
    "Transpose", "Unsqueeze"
))  # fmt: skip
"""Operators whose results have elements of the first operand, or of all that ``Concat`` joins."""

_RELABELLED = frozenset(("Squeeze", "Transpose", "Unsqueeze"))
"""Operators that put axes in another order, or add and take away those of one element."""

@dataclass(frozen=True)
class Asked:
    """Extents that a node asks for, as they are at one import; their product if ``is_count``.

    The value whose they are ``is_read`` by something else, too.
    """

    first: int
    node: str
    extents: tuple[int, ...]
    is_count: bool
    is_read: bool


@dataclass(frozen=True)
class Computed:
    """An output of a node that reads records or constants, and its value at one import."""

    node: NodeProto | None
    opset: int
    name: str
    operands: tuple[int | Array, ...]
    output: int
    whole: Array


class SizeRecords:
    """The records of all imports with a context, by their numbers."""

    _of: ClassVar[dict[int, SizeRecords]] = {}
    """By identity, as a context has no hash; gone with its context."""

    def __init__(self) -> None:
        self.records: list[Asked | Computed] = []

    @classmethod
    def of(cls, ctx: Context) -> SizeRecords:
        """Return the records of a context."""
        found = cls._of.get(id(ctx))
        if found is None:
            found = cls._of[id(ctx)] = cls()
            weakref.finalize(ctx, cls._of.pop, id(ctx), None)
        return found

    def ask(
        self, module: Operation, node: str, extents: Sequence[int], *, is_count: bool, is_read: bool
    ) -> int:
        """Record that a node of a module asks for extents."""
        number = len(self.records)
        given = module.attributes.setdefault(ASKED_ATTRIBUTE, IntegerAttr(number, i64))
        assert isinstance(given, IntegerAttr)
        self.records.append(Asked(given.value.data, node, tuple(extents), is_count, is_read))
        return number

    def compute(self, record: Computed) -> int:
        """Record what a node computes."""
        self.records.append(record)
        return len(self.records) - 1

    def asked(self, module: Operation) -> list[Asked]:
        """Return which extents the nodes of a module ask for, in their order."""
        first = module.attributes.get(ASKED_ATTRIBUTE)
        if not isinstance(first, IntegerAttr):
            return []
        number = first.value.data
        asked = (r for r in self.records[number:] if isinstance(r, Asked))
        return [record for record in asked if record.first == number]


def record_of(value: SSAValue) -> int | None:
    """Return the record of a constant that is computed from extents, if it is one."""
    owner = value.owner
    found = owner.attributes.get(RECORD_ATTRIBUTE) if isinstance(owner, Operation) else None
    return found.value.data if isinstance(found, IntegerAttr) else None


def set_record(value: SSAValue, number: int | None) -> None:
    """Say which record a constant has, if it has one."""
    if number is not None and isinstance(value.owner, Operation):
        value.owner.attributes[RECORD_ATTRIBUTE] = IntegerAttr(number, i64)


def note_read(module: Operation, records: Sequence[int]) -> None:
    """Say that ops of a module read records, or only their shapes; see ``READ_ATTRIBUTE``."""
    found = list(dict.fromkeys((*read_records(module), *records)))
    if found:
        module.attributes[READ_ATTRIBUTE] = DenseArrayBase.from_list(i64, found)


def read_records(module: Operation) -> Sequence[int]:
    """Return the records that ops of a module read."""
    found = module.attributes.get(READ_ATTRIBUTE)
    return ints(found) if isinstance(found, DenseArrayBase) else ()


def forget_records(module: ModuleOp) -> None:
    """Take away what says which constants are computed from extents."""
    for op in module.walk():
        op.attributes.pop(RECORD_ATTRIBUTE, None)
    module.attributes.pop(ASKED_ATTRIBUTE, None)
    module.attributes.pop(READ_ATTRIBUTE, None)


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

    extents: Array
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
        self, records: Sequence[Asked | Computed], count: int, extents: Callable[[int], Array | None]
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
        if kind in _POINTWISE:
            rank = max(array.ndim for array in arrays)
            rows = [a.reshape(a.shape[:1] + (1,) * (rank - a.ndim) + a.shape[1:]) for a in arrays]
            found = self._run(record, rows)
            return None if found is None else Same(found)
        sources = arrays if kind == "Concat" else arrays[:1]
        if kind not in MOVEMENTS or any(len(array) > 1 for array in arrays[len(sources) :]):
            return None
        counts = np.cumsum([0, *(prod(array.shape[1:]) for array in sources)])
        places = [
            np.arange(first, last).reshape(array.shape[1:])
            for array, first, last in zip(sources, counts, counts[1:], strict=False)
        ]
        moved = self._run(record, [*places, *(array[0] for array in arrays[len(sources) :])])
        if moved is None:
            return None
        count = max(map(len, sources))
        flat = [
            np.broadcast_to(a, (count, *a.shape[1:])).reshape(count, prod(a.shape[1:]))
            for a in sources
        ]
        return Same(np.concatenate(flat, axis=1)[:, moved.reshape(-1)].reshape(count, *moved.shape))

    def _grown(self, record: Computed, operands: Sequence[Course]) -> Course | None:
        """Return the first elements of a value of which only extents depend on the number."""
        assert record.node is not None
        kind, whole = record.node.op_type, record.whole
        first, *others = operands
        extents: Array | None = None
        if kind == "Shape" and isinstance(first, Growing) and not record.node.attribute:
            return Same(first.extents)
        if kind == "ConstantOfShape" and isinstance(first, Same):
            extents = first.array
        elif kind == "Range" and all(isinstance(course, Same) for course in operands):
            start, limit, delta = (c.array for c in operands if isinstance(c, Same))
            if len(np.unique(start)) == len(np.unique(delta)) == 1:
                apart = (limit - start) / delta
                extents = np.maximum(np.ceil(apart), 0).astype(np.int64).reshape(-1, 1)
        elif kind == "Expand" and isinstance(others[0], Same) and _is_prefix(first):
            extents = _broadcast([_extents(first), others[0].array], whole.ndim)
        elif kind in _POINTWISE and all(map(_is_prefix, operands)):
            extents = _broadcast([_extents(course) for course in operands], whole.ndim)
        elif kind in _RELABELLED and _is_prefix(first):
            extents = self._relabelled(record, _extents(first), others)
        if extents is None or (extents > whole.shape).any():
            return None
        return Growing(extents, whole)

    def _relabelled(
        self, record: Computed, extents: Array, others: Sequence[Course]
    ) -> Array | None:
        """Return the extents behind an op that moves axes about."""
        ones = (extents == 1).all(axis=0)
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
        for index in range(self._count):
            arrays = [_at(course, index) for course in operands]
            key = tuple(a.tobytes() + repr(a.shape).encode() for a in arrays)
            elements += sum(array.size for array in arrays)
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


def _is_prefix(course: Course) -> bool:
    return isinstance(course, Growing) or (isinstance(course, Same) and course.is_constant)


def _extents(course: Course) -> Array:
    """Return the extents of a value for each number, one row where they are the same."""
    if isinstance(course, Growing):
        return course.extents
    if isinstance(course, Same):
        return np.array([course.array.shape[1:]], np.int64).reshape(1, -1)
    return np.array([array.shape for array in course.arrays])


def _broadcast(extents: Sequence[Array], rank: int) -> Array | None:
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


def table(course: Course, whole: Array, *, shape_only: bool) -> Array:
    """Return numbers, a row for each list, that tell all of a value that a program depends on.

    Of a value whose shape varies these are its extents, and whether it begins as the whole does.
    """
    if isinstance(course, Same):
        if shape_only:
            return np.zeros((1, 0), np.int64)
        rows = course.array.reshape(len(course.array), -1)
        if rows.dtype.kind in "iu":
            return rows.astype(np.int64)
        return np.stack([np.unique(c, return_inverse=True)[1].reshape(-1) for c in rows.T], axis=1) \
            if rows.shape[1] else np.zeros((1, 0), np.int64)
    extents = _extents(course)
    if isinstance(course, Growing) or shape_only:
        return extents
    begins = [
        all(n <= m for n, m in zip(array.shape, whole.shape, strict=True))
        and whole[tuple(map(slice, array.shape))].tobytes() == array.tobytes()
        for array in course.arrays
    ]
    return np.column_stack([extents, np.array(begins, np.int64)])
