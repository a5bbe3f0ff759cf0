"""Values that ops compute from open extents: tables over the numbers of a run.

Converters read them as they read constants. An element that is not the same for all numbers is an
``Extent`` there. A value that is read as data is computed by the run, from the extents of its
arguments."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from autodeploy.dialects.extent_growths import growth_of
from autodeploy.dialects.extents import Counts, Extent, Numbers, keys_of
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr
from autodeploy.dialects.nn.extent_attr import encoding_of, is_varying
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.dialects.nn.types import element_count, element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import POINTWISE, RENUMBERINGS
from autodeploy.frontend.nn.builder import BuilderBefore, ConversionError, NnBuilder
from autodeploy.frontend.nn.run_values import ExtentValues, told_places
from autodeploy.lowering.onnx_to_nn.problems import what_is
from autodeploy.lowering.onnx_to_nn.size_evaluation import Evaluation, TooManyNumbersError, chosen
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.passes.onnx.infer_onnx_shapes import DATA_ELEMENTS, inferred_shapes, is_ranked
from autodeploy.passes.onnx.known_nodes import Known, KnownNode
from autodeploy.passes.onnx.misjudged_shapes import OPERATORS
from autodeploy.weights import WeightStore, constant_value

_LISTED = 8
"""The most elements that are computed one by one; of more the run looks a row up."""

_UNCHECKED = OPERATORS | POINTWISE
"""Operators whose shapes ONNX infers otherwise, and those that broadcast as nn's do."""

_SIZES_FROM = {**dict.fromkeys(RENUMBERINGS, 1), **dict.fromkeys(("Concat", "Gather"), 1 << 16)}
"""The first operand whose elements may be sizes, of operators that read elements as data."""

_SAME_SIZE = POINTWISE | RENUMBERINGS

_COUNTING = frozenset(("Compress", "NonMaxSuppression", "NonZero", "Unique"))
"""Operators that make as many elements as values say."""


class RunSizes:
    """The tables of a function, and the values that a run computes from them."""

    def __init__(self, ctx: Context, extent: OpenExtentAttr):
        self.numbers: Numbers = extent.grid
        self.label = str(extent)
        self.tables: dict[SSAValue, SizeTable] = {}
        """The values that no run computes unless it reads them as data."""
        self._followed: dict[SSAValue, SizeTable | Followed] = {}
        """The values that a run computes, and that are known for all numbers, too."""
        self._varying: set[SSAValue] = set()
        """Other values whose elements may follow from the numbers."""
        self._results: dict[Operation, Sequence[Followed | None]] = {}
        """The results of the current op for known values."""
        self._evaluations: dict[object, Evaluation] = {}
        self._shapes: dict[object, SizeTable] = {}
        """The shapes that were asked for, by the keys of their extents."""
        self._constants: dict[ConstantValue, SizeTable] = {}
        self._checked: set[object] = set()
        """All that the comparisons of ``check`` depend on, of those that found no difference."""
        self._ctx = ctx
        self._values: ExtentValues | None = None
        self._hidden = False

    def take(self, function: FuncOp) -> None:
        """Let extents be computed from those of the arguments of a function."""
        self._values = ExtentValues(self._ctx, told_places(function.body.block.args))

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Let converters take sizes for values that a run computes."""
        last, self._hidden = self._hidden, True
        try:
            yield
        finally:
            self._hidden = last

    def table(self, value: SSAValue) -> SizeTable | None:
        """Return the table of a value, ``None`` if it has none.

        Raises ``ConversionError`` if only some numbers have a value, or there are too many.
        """
        if self._hidden:
            return None
        known = self.tables.get(value) or self._followed.get(value)
        return known.table if isinstance(known, Followed) else known

    def follow(self, value: SSAValue, known: SizeTable | Followed | None) -> None:
        """Keep what a value that a run computes is for all numbers, if it is known."""
        if known is not None and value not in self.tables:
            self._followed[value] = known

    def keep(self, result: OpResult, value: SSAValue) -> None:
        """Keep what is known of a result of the op at hand, in whose place a value is."""
        found = self._results.get(result.op)
        self.follow(value, found[result.index] if found else None)

    def results_of(self, op: OnnxOp) -> Sequence[SizeTable] | None:
        """Return what the results of the op at hand are for all numbers, if that is known.

        Raises ``ConversionError`` as ``table`` does.
        """
        tables = [own and own.table for own in self._results.get(op, ())]
        known = [table for table in tables if table is not None]
        return known if known and len(known) == len(op.results) else None

    def reads(self, op: OnnxOp) -> bool:
        """Return whether an op reads a value that is known for all numbers, and no constant."""
        return any(value in self.tables or value in self._followed for value in op.operands)

    def follows(self, op: OnnxOp) -> bool:
        """Return whether shapes of the op's results may follow from the numbers of a run."""
        if any(result in self._varying for result in op.results) or self.reads(op):
            return True
        return any(
            is_varying(value.type) or value in self._varying or _is_inner(value)
            for value in op.operands
        )

    def vary(self, values: Iterable[SSAValue]) -> None:
        """Keep that elements of values may follow from the numbers of a run."""
        self._varying.update(values)

    def known(self, value: SSAValue) -> SizeTable | Followed | None:
        """Return what a value is for all numbers, ``None`` if it depends on data."""
        found = self.tables.get(value) or self._followed.get(value)
        if found is None and (constant := constant_value(value)) is not None:
            found = self._constants.get(constant)
            if found is None:
                array = WeightStore.of(self._ctx).array(constant)
                found = self._constants[constant] = SizeTable.of_array(self.numbers, array)
        return found

    def _all_known(self, values: Sequence[SSAValue]) -> Sequence[SizeTable | Followed] | None:
        """Return what values are for all numbers, ``None`` if one depends on data."""
        found = [known for value in values if (known := self.known(value)) is not None]
        return found if len(found) == len(values) else None

    def choose(self, op: OnnxOp, values: Sequence[Sequence[SSAValue]]) -> None:
        """Keep what is known of the results of the op at hand, a choice between two lists."""
        results: list[Followed | None] = []
        for _, *pair in zip(op.results, *values, strict=False):
            operands = self._all_known([op.operands[0], *pair])
            chosen_op = None if operands is None else FollowedOp(_choose, operands, what_is(op))
            results.append(chosen_op and Followed(chosen_op))
        self._results = {op: results}

    def tabulated(self, op: OnnxOp) -> Sequence[SizeTable] | None:
        """Start with an op; return the tables of its results if no run should compute them.

        Raises ``ConversionError`` as ``table`` does.
        """
        self._results = {}
        if op.domain or op.regions:
            return None
        if op.op_type in ("Shape", "Size"):
            type_ = op.operands[0].type
            is_known = is_ranked(type_) and type_.has_static_shape()
            return self.asked(op, shape_of(type_)) if is_known else None
        operands = self._all_known(op.operands) if self.reads(op) else None
        evaluation = None if operands is None else Evaluation.of(self._ctx, op, self._evaluations)
        if operands is None or evaluation is None:
            return None
        tables = [own for own in operands if isinstance(own, SizeTable) and not own.is_ragged]
        counts, is_plain = op.op_type in _COUNTING, len(tables) == len(operands)
        if is_plain:
            try:
                found = evaluation(tables)
            except TooManyNumbersError:
                found = None
            if found is not None:
                return found
        followed = FollowedOp(partial(evaluation, ragged=True), operands, what_is(op))
        self._results = {op: [Followed(followed, index) for index in range(len(op.results))]}
        is_asked = counts or (not is_plain and _is_small(op))
        try:
            found = followed.tables if is_asked else None
        except ConversionError:  # an op that reads sizes of it meets that again
            return None
        return found if found is None or counts or not any(own.is_ragged for own in found) else None

    def asked(self, op: OnnxOp, extents: Sequence[int]) -> list[SizeTable]:
        """Return what Shape or Size yields of a value with some extents."""
        if op.op_type == "Size":
            count = 1
            for extent in extents:
                count = count * extent
            return [SizeTable.of_extents(self.numbers, [count], ())]
        if op.version >= 15:
            start, end = op.setting("start"), op.setting("end")
            assert isinstance(start, int | None) and isinstance(end, int | None)
            extents = extents[start:end]
        key = tuple(keys_of(extents))
        if key not in self._shapes:
            self._shapes[key] = SizeTable.of_extents(self.numbers, extents, (len(extents),))
        return [self._shapes[key]]

    def check(self, op: OnnxOp, values: Sequence[SSAValue]) -> None:
        """Compare what an op becomes with ONNX's inference for the least numbers and others.

        Raises ``ConversionError`` if a shape differs: a converter has lost an extent. An op that
        reads no size has lost none if its results have all extents of its operands that vary.
        """
        if op.regions or op.op_type in _UNCHECKED:
            return
        if not self._reads_sizes(op) and _varying(op.operands) <= _varying(values):
            return
        tables = [self.tables.get(value) for value in op.operands]
        given = [
            (value.type, constant_value(value), table and table.key)
            for value, table in zip(op.operands, tables, strict=True)
        ]
        key = KnownNode.of(self._ctx, op), *given, *(value.type for value in values)
        if key in self._checked:
            return
        for counts in dict.fromkeys(map(self.numbers.counts_at, (0, self.numbers.points // 2))):

            def known(value: SSAValue, at: Counts = counts) -> Known:
                if (table := self.tables.get(value)) is not None:
                    array = table.at(at)
                    type_ = tensor(element_of(value.type), array.shape)
                    is_shown = array.size <= DATA_ELEMENTS
                    return type_, DenseAttr(array.tobytes(), type_) if is_shown else None
                if not is_ranked(value.type) or not value.type.has_static_shape():
                    return value.type, constant_value(value)
                shape = [_at(extent, at) for extent in shape_of(value.type)]
                return tensor(element_of(value.type), shape), constant_value(value)

            for value, shape in zip(values, inferred_shapes(self._ctx, op, known), strict=False):
                if shape is None or not is_ranked(value.type):
                    continue
                found = tuple(_at(extent, counts) for extent in shape_of(value.type))
                if len(found) != len(shape) or any(
                    n >= 0 and n != m for n, m in zip(shape, found, strict=True)
                ):
                    raise ConversionError(
                        f"for {self.numbers.text(counts)} it has shape {list(shape)}, where "
                        f"{list(found)} was found"
                    )
        self._checked.add(key)

    def _reads_sizes(self, op: OnnxOp) -> bool:
        """Return whether an op may have a size that is an element of a value that is known."""
        sizes = op.operands[_SIZES_FROM.get(op.op_type, 0) :]
        return any(value in self.tables or value in self._followed for value in sizes)

    # Values of a run

    def compute(self, ops: Iterable[Operation]) -> None:
        """Let ops, and those inside of them, read what a run computes in place of tables."""
        for outer in tuple(ops):
            for op in tuple(outer.walk()):
                for index, value in enumerate(op.operands):
                    if value in self.tables:
                        op.operands[index] = self.value(op, value)

    def number(self, before: Operation, extent: int) -> SSAValue:
        """Return an extent as a 64-bit integer, put before an op."""
        return self._computed(before, SizeTable.of_extents(self.numbers, [extent], ()), i64)

    def numbers_list(self, before: Operation, extents: Sequence[int]) -> SSAValue:
        """Return extents as a list of 64-bit integers, put before an op."""
        table = SizeTable.of_extents(self.numbers, extents, [len(extents)])
        return self._computed(before, table, i64)

    def value(self, before: Operation, value: SSAValue) -> SSAValue:
        """Return what a run computes for a value that has a table, put before an op."""
        found = self._computed(before, self.tables[value], element_of(value.type))
        self.follow(found, self.tables[value])
        return found

    def _computed(self, before: Operation, table: SizeTable, element: Attribute) -> SSAValue:
        assert self._values is not None
        b = BuilderBefore(self._ctx, before)
        if (constant := table.constant) is not None:
            return b.make_constant(constant)
        is_listed = element == i64 and table.values.size and not table.is_ragged
        if is_listed and len(table.elements) <= _LISTED:
            growths = [growth_of(element) for element in table.elements]
            if None not in growths:
                pairs = zip(table.elements, growths, strict=True)
                parts = [
                    self._values.extent(before, growth) if growth else b.scalar(int(number), i64)
                    for number, growth in pairs
                ]
                return _listed(b, parts, table.shape)
        return self._values.looked_up(before, self.numbers, table.values, table.shape)


def _listed(b: NnBuilder, parts: Sequence[SSAValue], shape: Sequence[int]) -> SSAValue:
    """Return a tensor of single numbers."""
    lists = [b.reshape(part, (1,)) for part in parts] if shape else parts
    whole = lists[0] if len(lists) == 1 else b.emit(ConcatOp(lists, 0))
    return b.reshape(whole, shape)


def _choose(operands: Sequence[SizeTable]) -> Sequence[SizeTable] | None:
    found = chosen(*operands)
    return None if found is None else [found]


def _varying(values: Sequence[SSAValue]) -> set[int]:
    """Return the identities of the extents of values that vary; equal extents are one object."""
    return {
        id(extent)
        for value in values
        if (encoding := encoding_of(value.type)) is not None
        for extent in encoding.data.values
        if isinstance(extent, Extent)
    }


def _is_inner(value: SSAValue) -> bool:
    """Return whether a value is what a subgraph is given."""
    return isinstance(value, BlockArgument) and not isinstance(value.block.parent_op(), FuncOp)


def _is_small(op: OnnxOp) -> bool:
    """Return whether the results of an op have few elements for the largest numbers.

    A result with many has several shapes if an operand has, and so has one of as many elements.
    """
    ragged = [value.type for value in op.operands if is_varying(value.type)]
    if op.op_type in _SAME_SIZE and any(
        isinstance(element_count(type_), Extent) for type_ in ragged
    ):
        return False
    most = _LISTED if ragged else DATA_ELEMENTS
    types = (result.type for result in op.results)
    return all(
        is_ranked(type_) and type_.has_static_shape() and element_count(type_) <= most
        for type_ in types
    )


def _at(extent: int, counts: Counts) -> int:
    return extent.at(counts) if isinstance(extent, Extent) else extent


Evaluate: TypeAlias = Callable[[Sequence[SizeTable]], Sequence[SizeTable] | None]
"""Returns the results for operands, ``None`` if these are not known."""


class FollowedOp:
    """Results of an op whose operands are known for all numbers, or followed.

    ``text`` names the op in an error.
    """

    def __init__(self, evaluate: Evaluate, operands: Sequence[SizeTable | Followed], text: str):
        self._evaluate, self._operands, self._text = evaluate, operands, text
        self._is_done = False
        self._tables: Sequence[SizeTable] | None = None
        self._error: str | None = None
        """A text, as an exception keeps the frames that it was raised in, and all their tables."""

    @property
    def tables(self) -> Sequence[SizeTable] | None:
        """The results, ``None`` if they are not known.

        Raises ``ConversionError`` if only some numbers have a result, or there are too many.
        """
        waiting = [self]
        while waiting:
            further = [
                operand.op
                for operand in waiting[-1]._operands
                if isinstance(operand, Followed) and not operand.op._is_done
            ]
            if further:
                waiting += further
            else:
                waiting.pop()._finish()
        if self._error is not None:
            raise ConversionError(self._error)
        return self._tables

    def _finish(self) -> None:
        """Evaluate the op, whose operands are evaluated."""
        if self._is_done:
            return
        self._is_done = True
        operands: list[SizeTable] = []
        for operand in self._operands:
            if isinstance(operand, SizeTable):
                operands.append(operand)
                continue
            self._error = operand.op._error
            if operand.op._tables is None:
                return
            operands.append(operand.op._tables[operand.index])
        try:
            self._tables = self._evaluate(operands)
        except ConversionError as error:
            self._error = f"{self._text}: {error}"


@dataclass(frozen=True)
class Followed:
    """One of the results of an op."""

    op: FollowedOp
    index: int = 0

    @property
    def table(self) -> SizeTable | None:
        """The result, as ``FollowedOp.tables`` has it."""
        tables = self.op.tables
        return None if tables is None else tables[self.index]
