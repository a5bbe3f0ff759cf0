"""What nodes compute from extents, recorded where they are folded.

A constant that a model computes from its shapes is right for the numbers of one import. The record
of it is the node, and what it reads: constants, records of other nodes, and in the end extents that
nodes ask for. So it can be computed again for other numbers.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from onnx import NodeProto
from xdsl.context import Context
from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

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
    """An output of a node that reads records or constants, and its value at one import.

    Of a slice or a gather that ``clips`` places, the first operand has the extents of its data, and
    the value are the places that it takes then.
    """

    node: NodeProto | None
    opset: int
    name: str
    operands: tuple[int | Array, ...]
    output: int
    whole: Array
    clips: bool = False


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

    def asked(self, module: Operation) -> dict[int, Asked]:
        """Return the records of what nodes of a module ask for, by their numbers, in order."""
        first = module.attributes.get(ASKED_ATTRIBUTE)
        if not isinstance(first, IntegerAttr):
            return {}
        found: dict[int, Asked] = {}
        for number, record in enumerate(self.records[first.value.data :], first.value.data):
            if isinstance(record, Asked):
                if record.first != first.value.data:
                    break
                found[number] = record
        return found


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
    return ints(found) if isa(found, DenseArrayBase[I64]) else ()


def forget_records(module: ModuleOp) -> None:
    """Take away what says which constants are computed from extents."""
    for op in module.walk():
        op.attributes.pop(RECORD_ATTRIBUTE, None)
    module.attributes.pop(ASKED_ATTRIBUTE, None)
    module.attributes.pop(READ_ATTRIBUTE, None)
