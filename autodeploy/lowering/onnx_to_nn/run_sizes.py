"""What ops compute from extents that stay open: tables over the numbers of a run.

Converters read them as they read constants. An element that is not the same for all numbers is an
``Extent`` there. What is read as data is computed by the run, from the extents of its arguments.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, TensorType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.analysis.extent_growths import extent_of_growth, growth_of
from autodeploy.dialects.extent_attr import is_varying
from autodeploy.dialects.extents import Counts, Extent, Numbers
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.open_extent import AXES_ATTRIBUTE, AxesAttr, OpenExtentAttr, axes_of
from autodeploy.dialects.nn.types import element_of, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.run_values import ExtentValues, insert, told_places
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable, evaluate
from autodeploy.passes.onnx.infer_onnx_shapes import inferred_shapes, is_ranked
from autodeploy.passes.onnx.misjudged_shapes import OPERATORS
from autodeploy.weights import Array, constant_array

_LISTED = 8
"""The most elements that are computed one by one; of more the run looks a row up."""

_MOST_BYTES = 1 << 22
"""The most bytes of a constant with a row for each number."""


class RunSizes:
    """The tables of a function, and the values that a run computes from them."""

    def __init__(self, ctx: Context, extent: OpenExtentAttr):
        self.numbers: Numbers = extent.grid
        self.label = str(extent)
        self.tables: dict[SSAValue, SizeTable] = {}
        self._ctx = ctx
        self._values: ExtentValues | None = None
        self._hidden = False

    def take(self, function: FuncOp) -> None:
        """Give the arguments of a function the types that their open axes say."""
        block, types = function.body.block, list(function.function_type.inputs)
        growths: dict[SSAValue, tuple[Growth, ...]] = {}
        attributes = function.arg_attrs.data if function.arg_attrs else ()
        for argument, entry in zip(block.args, attributes, strict=False):
            axes = entry.data.get(AXES_ATTRIBUTE)
            if not isa(axes, AxesAttr) or not isa(argument.type, TensorType[Attribute]):
                continue
            growths[argument] = axes_of(axes)
            shape = [
                extent_of_growth(growth, self.numbers) if growth else extent
                for growth, extent in zip(axes_of(axes), shape_of(argument.type), strict=True)
            ]
            types[argument.index] = tensor(element_of(argument.type), shape)
            argument._type = types[argument.index]  # pyright: ignore[reportPrivateUsage]
        outputs = list(function.function_type.outputs)
        function.function_type = FunctionType.from_lists(types, outputs)
        places = told_places(growths, lambda value: growths[value])
        self._values = ExtentValues(self._ctx, places)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Let converters take sizes for what a run computes."""
        last, self._hidden = self._hidden, True
        try:
            yield
        finally:
            self._hidden = last

    def table(self, value: SSAValue) -> SizeTable | None:
        """Return the table of a value, ``None`` where it has none."""
        return None if self._hidden else self.tables.get(value)

    def reads(self, op: OnnxOp) -> bool:
        """Tell whether an op reads a value that has a table."""
        return any(value in self.tables for value in op.operands)

    def follows(self, op: OnnxOp) -> bool:
        """Tell whether a shape of the op's results may follow from the numbers of a run."""
        return self.reads(op) or any(is_varying(value.type) for value in op.operands)

    def tabulated(self, op: OnnxOp) -> list[SizeTable] | None:
        """Return the tables of an op's results; ``None`` where it computes with other values."""
        if op.domain or op.regions:
            return None
        if op.op_type in ("Shape", "Size"):
            return self._asked(op)
        if not self.reads(op):
            return None
        operands: list[SizeTable] = []
        for value in op.operands:
            table = self.tables.get(value)
            if table is None:
                array = constant_array(self._ctx, value)
                if array is None:
                    return None
                table = SizeTable.of_array(self.numbers, array)
            operands.append(table)
        return evaluate(self._ctx, op, operands)

    def _asked(self, op: OnnxOp) -> list[SizeTable] | None:
        """Return what Shape or Size yields."""
        type_ = op.operands[0].type
        if not is_ranked(type_) or not type_.has_static_shape():
            return None
        extents: Sequence[int] = shape_of(type_)
        if op.op_type == "Size":
            count = 1
            for extent in extents:
                count = count * extent
            return [SizeTable.of_extents(self.numbers, [count], ())]
        if op.version >= 15:
            start, end = op.setting("start"), op.setting("end")
            assert isinstance(start, int | None) and isinstance(end, int | None)
            extents = extents[start:end]
        return [SizeTable.of_extents(self.numbers, extents, (len(extents),))]

    def check(self, op: OnnxOp, values: Sequence[SSAValue]) -> None:
        """Compare what an op becomes with ONNX's inference for the least numbers and others.

        Raises ``ConversionError`` where a shape differs: a converter has lost an extent.
        """
        if op.regions or op.op_type in OPERATORS or not self.follows(op):
            return
        for counts in dict.fromkeys((self._counts(0), self._counts(self.numbers.points // 2))):

            def known(value: SSAValue, at: Counts = counts) -> tuple[Attribute, Array | None]:
                if (table := self.tables.get(value)) is not None:
                    return value.type, table.at(at)
                if not is_ranked(value.type) or not value.type.has_static_shape():
                    return value.type, constant_array(self._ctx, value)
                shape = [_at(extent, at) for extent in shape_of(value.type)]
                type_ = TensorType(element_of(value.type), shape)
                return type_, constant_array(self._ctx, value)

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

    def _counts(self, index: int) -> Counts:
        return self.numbers.counts_at(index)

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

    def value(self, before: Operation, value: SSAValue) -> SSAValue:
        """Return what a run computes for a value that has a table, put before an op."""
        return self._computed(before, self.tables[value], element_of(value.type))

    def _computed(self, before: Operation, table: SizeTable, element: Attribute) -> SSAValue:
        assert self._values is not None
        make = self._values.values
        if (constant := table.constant) is not None:
            return make.constant(before, constant)
        if element == i64 and table.values.size and len(table.elements) <= _LISTED:
            growths = [growth_of(element) for element in table.elements]
            if None not in growths:
                pairs = zip(table.elements, growths, strict=True)
                parts = [
                    self._values.extent(before, growth) if growth else make.number(before, number)
                    for number, growth in pairs
                ]
                return make.listed(before, parts, table.shape)
        return self._looked_up(before, table)

    def _looked_up(self, before: Operation, table: SizeTable) -> SSAValue:
        """Return the row of a constant that has one for each number."""
        assert self._values is not None
        make = self._values.values
        if table.values.nbytes > _MOST_BYTES:
            raise ConversionError(
                f"it computes {table.values.nbytes} bytes for all numbers of the range, of which "
                f"{_MOST_BYTES} are stored at most; a range of fewer numbers, or a step, may help"
            )
        rank = len(self.numbers.ranges)
        place: SSAValue | None = None
        for axis, (range_, count) in enumerate(
            zip(self.numbers.ranges, table.values.shape[:rank], strict=True)
        ):
            if count == 1:
                continue
            own = make.plus(
                before, self._values.extent(before, Growth(1, place=axis)), -range_.least
            )
            place = (
                own if place is None else make.sum(before, make.times(before, place, count), own)
            )
        assert place is not None
        rows = np.ascontiguousarray(table.values).reshape(-1, *table.shape)
        return insert(before, GatherOp(make.constant(before, rows), place, 0))


def _at(extent: int, counts: Counts) -> int:
    return extent.at(counts) if isinstance(extent, Extent) else extent
