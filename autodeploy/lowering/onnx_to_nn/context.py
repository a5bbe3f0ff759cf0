"""The view of an onnx op for its converter, and which function converts which operator."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, UnknownLoc
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.extents import Extent
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp, Setting
from autodeploy.frontend.nn.builder import ConversionError, NewOp, NnBuilder
from autodeploy.frontend.problems import Problem
from autodeploy.lowering.onnx_to_nn.problems import what_is
from autodeploy.lowering.onnx_to_nn.run_sizes import RunSizes
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.weights import Array


class DependsOnValueError(ConversionError):
    """An op would convert if ``value`` was a constant."""

    def __init__(self, message: str, value: SSAValue):
        super().__init__(message)
        self.value = value
        self.sized: SSAValue | None = None
        """The value for which a bound would be enough."""


class NotConstantError(DependsOnValueError):
    """An input that must be a constant is none; ``value`` is what it is."""

    def __init__(self, name: str, value: SSAValue):
        owner = value.owner
        if isinstance(owner, Block):
            source = "an argument"
        else:
            what = what_is(owner) if isinstance(owner, OnnxOp) else owner.name
            source = f"a result of {what}"
        super().__init__(f"input '{name}' must be a constant, found {source}", value)


class ContradictionError(Exception):
    """A subgraph that no run can compute, as its shapes contradict an operator's.

    ``problems`` are those of its ops, the contradiction first.
    """

    def __init__(self, problems: Sequence[Problem]):
        first = problems[0]
        super().__init__(f"{first.operator} node {first.node} does not fit: {first.reason}")
        self.problems = problems


@dataclass(frozen=True)
class Bound:
    """An extent that depends on values: that of ``axis`` is ``count``, a list of one integer."""

    axis: int
    count: SSAValue


@dataclass(frozen=True)
class Size:
    """An integer that a run finds, such as an extent: ``count``, a list of one.

    It is ``most`` at most, and at least ``least``, which may be negative.
    """

    count: SSAValue
    most: int
    least: int = 0


Number: TypeAlias = int | Size | None
"""An integer of a list: a constant, what a run finds, or unknown."""


class ConversionContext(NnBuilder):
    """Reads the op at hand and puts nn ops before it, with its location.

    The operands of an op are nn values by the time that its converter runs: ops are converted in
    the order of the program.
    """

    def __init__(self, ctx: Context, string_bytes: int):
        super().__init__(ctx)
        self.ctx = ctx
        self.string_bytes = string_bytes
        """The bytes of the cell of an input's string."""
        self.open: RunSizes | None = None
        """The values that follow from open extents; ``None`` if no extent is open."""
        self._op: Operation | None = None
        self._assumed: Mapping[str, Array] = {}
        self._made: list[NewOp | OnnxOp] = []
        self.stored: dict[SSAValue, Attribute] = {}
        """The element types of values that hold codes of elements."""
        self.tables: dict[SSAValue, SSAValue] = {}
        """The tables of the strings that values stand for (``strings``)."""
        self.in_order: set[SSAValue] = set()
        """The values of strings that number all rows of their table, one after the other."""
        self.bound: int | None = None
        """The largest that all integers can be from which a size is computed, if one is given."""
        self.bounded: dict[SSAValue, Bound] = {}
        """The values of which only the first elements along an axis count."""
        self.sizes: dict[SSAValue, tuple[Number, ...]] = {}
        """The integers that are computed from extents that depend on values (``bounded_sizes``)."""
        self.keys: dict[SSAValue, ArrayAttr[Attribute]] = {}
        """The keys of the columns of values that stand for maps (``maps``)."""
        self.counts: dict[Hashable, SSAValue] = {}
        """The number of valid elements, and values that follow from it, by their computation."""
        self.unseeded = 0
        """How many ops that draw random numbers had no seed so far."""
        self.convert_block: Callable[[Block], Sequence[SSAValue]]
        """Converts the ops of a subgraph; returns what it yields.

        The conversion provides it. It raises where an op does not convert, ``ContradictionError``
        if ONNX says that no run can compute it.
        """

    def start(self, op: OnnxOp) -> None:
        """Put what follows before ``op``."""
        self._op = op
        self._made = []

    def mark(self) -> int:
        """Return the place after the ops that were put before the current op so far."""
        return len(self._made)

    def made_since(self, place: int) -> Sequence[Operation]:
        """Return what was put before the op at hand since a place was marked."""
        return self._made[place:]

    def remove_from(self, place: int) -> None:
        """Remove what was put before the op at hand since a place was marked."""
        gone = {*self.made_since(place)}
        self.counts = {key: v for key, v in self.counts.items() if v.owner not in gone}
        for new in reversed(self._made[place:]):
            new.detach()
            new.erase(safe_erase=False)  # an op that was refused may still name its results
        del self._made[place:]

    @contextmanager
    def assuming(self, values: Mapping[str, Array]) -> Generator[None]:
        """Take inputs, and those so far, for constants."""
        last = self._assumed
        self._assumed = {**last, **values}
        try:
            yield
        finally:
            self._assumed = last

    @contextmanager
    def before(self, op: Operation | None) -> Generator[None]:
        """Put what follows before ``op``, and then what follows where it went until now."""
        last = self._op, self._made, self._assumed
        self._op, self._made, self._assumed = op, [], {}
        try:
            yield
        finally:
            self._op, self._made, self._assumed = last

    # Reading

    def element(self, value: SSAValue) -> Attribute:
        """Return the element type of a value; where it holds codes, what they stand for."""
        return self.stored.get(value) or element_of(value.type)

    def operand(self, op: OnnxOp, name: str) -> SSAValue:
        """Return the input that the schema calls ``name``; an error where it is left out."""
        value = op.input_named(name)
        if value is None:
            raise ConversionError(f"input '{name}' is left out")
        return value

    def setting(self, op: OnnxOp, name: str) -> Setting | None:
        """Return an attribute or its default; ``None`` if this version has no such attribute."""
        return op.setting(name) if name in op.schema.attributes else None

    def integer(self, op: OnnxOp, name: str, default: int | None = None) -> int:
        """Return an INT attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        value = default if value is None else value
        if not isinstance(value, int):
            raise ConversionError(f"attribute '{name}' must be an integer, found {value}")
        return value

    def integers(self, op: OnnxOp, name: str, default: Sequence[int] = ()) -> tuple[int, ...]:
        """Return an INTS attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        value = tuple(default) if value is None else value
        if not isinstance(value, tuple):
            raise ConversionError(f"attribute '{name}' must be a list of integers, found {value}")
        return tuple(item for item in value if isinstance(item, int))

    def number(self, op: OnnxOp, name: str) -> float:
        """Return a FLOAT attribute or the schema's default."""
        value = self.setting(op, name)
        if not isinstance(value, int | float):
            raise ConversionError(f"attribute '{name}' must be a number, found {value}")
        return float(value)

    def text(self, op: OnnxOp, name: str, default: str) -> str:
        """Return a STRING attribute: the op's, else the schema's default, else ``default``."""
        value = self.setting(op, name)
        return value if isinstance(value, str) else default

    def strings(self, op: OnnxOp, name: str) -> list[bytes]:
        """Return a STRINGS attribute, none where it is left out."""
        value = self.setting(op, name)
        given = value if isinstance(value, tuple) else ()
        return [item.encode(errors="surrogateescape") for item in given if isinstance(item, str)]

    def constant(self, op: OnnxOp, name: str) -> Array:
        """Return the data of an input; raises ``NotConstantError`` if it is no constant."""
        value = self.operand(op, name)
        array = self._assumed.get(name)
        if array is None:
            array = self.fixed(value)
        if array is None:
            raise NotConstantError(name, value)
        return array

    def fixed(self, value: SSAValue) -> Array | None:
        """Return the data of a constant, or of a value that is the same for all numbers of a run.

        ``None`` if it is neither.
        """
        array = self.array(value)
        if array is None and (table := self._table(value)) is not None:
            array = table.constant
        return array

    def follows_numbers(self, op: OnnxOp) -> bool:
        """Return whether shapes of an op's results may follow from the numbers of a run."""
        return self.open is not None and self.open.follows(op)

    def number_of_run(self, extent: int) -> SSAValue:
        """Return an extent as a 64-bit integer that a run computes."""
        if self.open is None or self._op is None or not isinstance(extent, Extent):
            return super().number_of_run(extent)
        return self.open.number(self._op, extent)

    def numbers_of_run(self, extents: Sequence[int]) -> SSAValue:
        """Return a list of extents, 64-bit integers, some of which a run computes."""
        if self.open is None or self._op is None:
            return self.make_constant(np.array(extents, np.int64))
        return self.open.numbers_list(self._op, extents)

    def known_extents(self, value: SSAValue) -> tuple[int, ...] | None:
        """Return the extents of a value of which only some elements count, if a run knows them."""
        bound = self.bounded.get(value)
        extent = None if bound is None else self.known_count(bound.count)
        if bound is None or extent is None:
            return None
        shape = shape_of(value.type)
        return (*shape[: bound.axis], extent, *shape[bound.axis + 1 :])

    def count_of_run(self, extent: int) -> SSAValue:
        """Return an extent as a count, a list of one integer that is known for all numbers."""
        count = self.numbers_of_run([extent])
        self.know_count(count, [extent])
        return count

    def known_count(self, count: SSAValue) -> int | None:
        """Return what a count is for all numbers of a run, ``None`` if values decide it."""
        table = self._table(count)
        return None if table is None else table.elements[0]

    def know_count(self, count: SSAValue, parts: Sequence[int | None]) -> None:
        """Keep that a count is the sum of some extents, if all of these are known."""
        known = [part for part in parts if part is not None]
        if self.open is not None and len(known) == len(parts):
            total = SizeTable.of_extents(self.open.numbers, [sum(known[1:], known[0])], [1])
            self.open.follow(count, total)

    def is_varying(self, value: SSAValue) -> bool:
        """Return whether a value is known for all numbers of a run, and not the same for all."""
        return self._table(value) is not None

    def is_varying_input(self, op: OnnxOp, name: str) -> bool:
        """Return whether an input is there, and known to differ between numbers of a run."""
        value = op.input_named(name)
        return value is not None and self.is_varying(value)

    def _table(self, value: SSAValue) -> SizeTable | None:
        """Return what a value is for all numbers of a run, if that is known."""
        return None if self.open is None else self.open.table(value)

    def constant_integers(self, op: OnnxOp, name: str) -> tuple[int, ...] | None:
        """Return the elements of a constant integer input, ``None`` if it is left out.

        Raises ``ConversionError`` if the input is no constant.
        """
        value = op.input_named(name)
        if value is None:
            return None
        if name not in self._assumed and (table := self._table(value)) is not None:
            return table.elements
        return tuple(int(item) for item in self.constant(op, name).reshape(-1))

    def constant_integer(self, op: OnnxOp, name: str) -> int:
        """Return the one element of a constant input, as an integer."""
        self.operand(op, name)
        values = self.constant_integers(op, name) or ()
        if len(values) != 1:
            raise ConversionError(f"input '{name}' must have one element, found {len(values)}")
        return values[0]

    def result_shape(self, op: OnnxOp, input_name: str) -> tuple[int, ...]:
        """Return the shape of the first output that the model states or ONNX infers.

        Raises ``NotConstantError`` for the input on which it depends where it is open.
        """
        result = op.outputs_by_position()[0]
        if self.follows_numbers(op):
            raise NotConstantError(input_name, self.operand(op, input_name))
        try:
            return shape_of(result.type) if result is not None else ()
        except VerifyException:
            raise NotConstantError(input_name, self.operand(op, input_name)) from None

    def is_computed(self, op: OnnxOp, name: str) -> bool:
        """Return whether an input of the op's version is there and no constant."""
        if not any(parameter.name == name for parameter in op.input_parameters):
            return False
        value = op.input_named(name)
        if value is None or name in self._assumed or self._table(value) is not None:
            return False
        return self.array(value) is None

    def integers_or_input(self, op: OnnxOp, name: str) -> tuple[int, ...] | None:
        """Return what is an INTS attribute in old versions of an operator and an input in new ones.

        ``None`` if it is left out; raises ``ConversionError`` for an input that is no constant.
        """
        if name in op.schema.attributes:
            return None if op.setting(name) is None else self.integers(op, name)
        return self.constant_integers(op, name)

    def insert(self, new: NewOp | OnnxOp) -> None:
        """Put an op before the one at hand."""
        if self._op is None or (block := self._op.parent_block()) is None:
            raise ValueError("an nn op is built before any onnx op was started")
        for op in new.walk():
            if isinstance(op.location, UnknownLoc):  # ops of a subgraph have that of their node
                op.location = self._op.location
        block.insert_op_before(new, self._op)
        self._made.append(new)


Converter: TypeAlias = Callable[[ConversionContext, OnnxOp], Sequence[SSAValue]]
"""Builds the nn ops of an onnx op and returns the values of its outputs, by position.

Trailing outputs may be missing; the driver reports one that is missing but used. Raises
``ConversionError`` or ``VerifyException``.
"""

_C = TypeVar("_C", bound=Converter)


class _Entry(NamedTuple):
    since: int
    until: int | None
    converter: Converter


_ENTRIES: dict[str, list[_Entry]] = {}


def converts(
    *op_types: str, since: int = 1, until: int | None = None, domain: str = ""
) -> Callable[[_C], _C]:
    """Register a converter for operators of ai.onnx, or of another domain.

    ``since`` and ``until`` (inclusive) bound the opset that a version of the operator came with.
    """

    def register(converter: _C) -> _C:
        for op_type in op_types:
            name = f"{domain}.{op_type}" if domain else op_type
            _ENTRIES.setdefault(name, []).append(_Entry(since, until, converter))
        return converter

    return register


@cache
def _load() -> None:
    """Import the modules of this package, which register their converters."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def converter_of(op: type[OnnxOp] | OnnxOp) -> Converter | None:
    """Return the converter of an op or op class, ``None`` if its version has none.

    The text of an operator goes before a converter of its name.
    """
    _load()
    if op.text is not None and op.text.has_body:
        return None
    name = f"{op.domain}.{op.op_type}" if op.domain else op.op_type
    for entry in _ENTRIES.get(name, ()):
        if entry.since <= op.version and (entry.until is None or op.version <= entry.until):
            return entry.converter
    return None


def converted_operators() -> tuple[str, ...]:
    """Return the operators of which some version converts, sorted.

    Those outside of ai.onnx have their domain before their name.
    """
    _load()
    return tuple(sorted(_ENTRIES))
