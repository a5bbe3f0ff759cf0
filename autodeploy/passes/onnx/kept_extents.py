"""Values that are computed from extents, kept beside the constants that they fold to.

A constant that a model computes from its shapes is right for one number of an open extent. Where
it says a shape, or where a slice begins, that is what comparison with other numbers needs. Where
it is data, such as the places of tokens behind those of a cache, a run must compute it. So what
Shape yields is followed through the operators that fold, and an op that does not fold reads a value
of ``nn.extent`` in place of the constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.computed_sizes import record_of, set_record
from autodeploy.analysis.reference import run_node
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE, REDUCTIONS
from autodeploy.frontend.nn.run_values import RunValues, insert
from autodeploy.frontend.onnx.nodes import node_proto
from autodeploy.passes.onnx.infer_onnx_shapes import ValueNames, element_of, is_ranked
from autodeploy.weights import Array, constant_array, numpy_dtype

KEEP_ATTRIBUTE = "onnx.keep_extents"
"""Attribute of a module: what its ops compute from extents is a value of the run."""

_MOST_ELEMENTS = 64
"""Elements of a list of extents, which is followed element by element."""

_ALL_DATA = POINTWISE | {
    "CastLike", "Concat", "Einsum", "Gather", "GatherElements", "Gemm", "MatMul", "Softmax"
}  # fmt: skip
"""Operators that compute with all their operands."""

FIRST_DATA = (MOVEMENTS - _ALL_DATA) | REDUCTIONS | {"CumSum"}
"""Operators of which all operands but the first say shapes, places or axes."""

_OTHER_DATA: Mapping[str, Sequence[int]] = {
    "Attention": (0, 1, 2, 3),
    "RotaryEmbedding": (0, 1, 2, 3),
    "Trilu": (0, 1),
}
"""Operators with other operands that are data."""

_Item: TypeAlias = "int | tuple[SSAValue, int]"
"""An element of a list: a number, or an extent of a value."""


@dataclass
class _Kept:
    """A value that an op makes before another one when it is first asked for.

    Of a list of extents ``items`` are known.
    """

    make: Callable[[Operation], SSAValue]
    items: Sequence[_Item] | None = None
    value: SSAValue | None = field(default=None)

    def before(self, op: Operation) -> SSAValue:
        """Return the value, which what follows ``op`` may read, too."""
        if self.value is None:
            self.value = self.make(op)
        return self.value


class KeptExtents:
    """The values that ops of a module compute from extents, by the constants that they fold to."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self._make = RunValues(ctx)
        self._known: dict[SSAValue, _Kept] = {}

    @staticmethod
    def of(ctx: Context, module: Operation) -> KeptExtents | None:
        """Return what follows the extents of a module, ``None`` where all are constants."""
        kept = isinstance(module.attributes.get(KEEP_ATTRIBUTE), UnitAttr)
        return KeptExtents(ctx) if kept else None

    def find(self, op: OnnxOp) -> _Kept | None:
        """Return what an op computes from extents that is yet to be folded, if it does."""
        if op.domain or op.regions or len(op.results) != 1 or not _is_outermost(op):
            return None
        type_ = op.results[0].type
        if op.op_type == "Shape":
            return self._shape(op)
        if not is_ranked(type_) or not type_.has_static_shape():
            return None
        if any(constant_array(self._ctx, operand) is None for operand in op.operands):
            return None
        if op.op_type == "Range":
            return self._range(op)
        if op.op_type == "Slice" and len(op.operands) > 1 and op.operands[1] in self._known:
            return self._slice(op)
        data = [i for i in _data(op) if op.operands[i] in self._known]
        if not data:
            return None
        return self._renumbered(op) or self._computed(op, data)

    def folded(self, value: SSAValue, kept: _Kept) -> None:
        """Say what a constant is in each run."""
        self._known[value] = kept

    def use(self, op: OnnxOp) -> None:
        """Let an op that is no constant read what a run computes."""
        for index in () if op.domain or not _is_outermost(op) else _data(op):
            kept = self._known.get(op.operands[index])
            if kept is not None:
                op.operands[index] = kept.before(op)

    def return_from(self, module: ModuleOp) -> None:
        """Let functions return what a run computes, where they return constants of it."""
        for func in [op for op in module.body.block.ops if isinstance(op, FuncOp)]:
            returned = func.body.blocks.last.last_op if func.body.blocks.last else None
            if returned is None:
                continue
            for index, value in enumerate(returned.operands):
                if (kept := self._known.get(value)) is not None:
                    returned.operands[index] = kept.before(returned)

    def _shape(self, op: OnnxOp) -> _Kept | None:
        x = op.operands[0]
        if not is_ranked(x.type) or not x.type.has_static_shape():
            return None
        if isinstance(x.owner, ConstantOp):
            return None
        axes = range(len(x.type.get_shape()))
        if op.version >= 15:
            start, end = op.setting("start"), op.setting("end")
            assert isinstance(start, int | None) and isinstance(end, int | None)
            axes = axes[start:end]
        return self._list([(x, axis) for axis in axes], (len(axes),))

    def _list(self, items: Sequence[_Item], shape: Sequence[int]) -> _Kept:
        """Return a tensor of 64-bit integers with these elements."""

        def make(before: Operation) -> SSAValue:
            parts = [self._item(before, item) for item in items]
            return self._make.listed(before, parts, shape)

        return _Kept(make, tuple(items))

    def _item(self, before: Operation, item: _Item) -> SSAValue:
        if isinstance(item, int):
            return self._make.number(before, item)
        return self._make.extent(before, *item)

    def _items(self, value: SSAValue) -> Sequence[_Item] | None:
        """Return the elements of a short list of extents and of numbers."""
        if (kept := self._known.get(value)) is not None:
            return kept.items
        array = constant_array(self._ctx, value)
        if array is None or array.dtype != np.int64 or array.size > _MOST_ELEMENTS:
            return None
        return [int(number) for number in array.reshape(-1)]

    def _renumbered(self, op: OnnxOp) -> _Kept | None:
        """Return a list of elements that an op takes from lists."""
        sources = op.operands if op.op_type == "Concat" else op.operands[:1]
        if op.op_type not in MOVEMENTS:
            return None
        items: list[_Item] = []
        arrays: list[Array] = []
        for source in sources:
            found = self._items(source)
            if found is None:
                return None
            numbers = np.arange(len(items), len(items) + len(found))
            arrays.append(numbers.reshape(shape_of(source.type)))
            items += found
        for other in op.operands[len(sources) :]:
            if other in self._known and op.op_type == "Gather":
                return None
            array = constant_array(self._ctx, other)
            assert array is not None
            arrays.append(array)
        places = self._run(op, arrays)
        if places is None or not 0 < places.size <= _MOST_ELEMENTS:
            return None
        return self._list([items[int(place)] for place in places.reshape(-1)], places.shape)

    def _run(self, op: OnnxOp, arrays: Sequence[Array]) -> Array | None:
        names = ValueNames()
        node = node_proto(self._ctx, op, names)
        if node is None:
            return None
        inputs = {names(value): array for value, array in zip(op.operands, arrays, strict=True)}
        results = run_node(node, inputs, op.version)
        return None if results is None else results[0]

    def _computed(self, op: OnnxOp, data: Sequence[int]) -> _Kept:
        """Return what a copy of an op computes from what a run knows."""
        # Constants lose their last use as ops fold, and the op itself goes.
        arrays = [constant_array(self._ctx, operand) for operand in op.operands]
        records = [record_of(operand) for operand in op.operands]
        known = {index: self._known[op.operands[index]] for index in data}
        kind, types = type(op), [result.type for result in op.results]
        properties, attributes = dict(op.properties), dict(op.attributes)

        def make(before: Operation) -> SSAValue:
            operands: list[SSAValue] = []
            for index, array in enumerate(arrays):
                assert array is not None
                if index in known:
                    operands.append(known[index].before(before))
                    continue
                operands.append(self._make.constant(before, array))
                set_record(operands[-1], records[index])
            new = kind.create(
                operands=operands,
                result_types=types,
                properties=properties,
                attributes=attributes,
            )
            return insert(before, new)

        return _Kept(make)

    def _range(self, op: OnnxOp) -> _Kept | None:
        """Return numbers that are evenly apart and begin where a run says."""
        start = self._known.get(op.operands[0])
        delta = constant_array(self._ctx, op.operands[2])
        if start is None or delta is None or op.operands[2] in self._known:
            return None
        shape = shape_of(op.results[0].type)
        element = element_of(op.operands[0].type)
        assert element is not None
        numbers: Array = np.arange(prod(shape)).astype(numpy_dtype(element))
        apart: Array = np.multiply(numbers, delta.reshape(()), dtype=numbers.dtype)

        def make(before: Operation) -> SSAValue:
            first = self._make.single(before, start.before(before))
            return self._make.sum(before, self._make.constant(before, apart), first)

        return _Kept(make)

    def _slice(self, op: OnnxOp) -> _Kept | None:
        """Return the elements of a table that begin, along some axes, where a run says."""
        table, starts = op.operands[0], self._known[op.operands[1]]
        first, axes, steps = (
            None if (given := op.input_named(name)) is None else constant_array(self._ctx, given)
            for name in ("starts", "axes", "steps")
        )
        if first is None or (steps is not None and (steps != 1).any()):
            return None
        extents, sizes = shape_of(table.type), shape_of(op.results[0].type)
        listed = range(first.size) if axes is None else axes.reshape(-1)
        places = {int(axis) % len(extents): i for i, axis in enumerate(listed)}
        for axis, (extent, size) in enumerate(zip(extents, sizes, strict=True)):
            begin = int(first.reshape(-1)[places[axis]]) if axis in places else 0
            if begin < 0 or begin + size > extent or (axis not in places and size < extent):
                return None
        kept, array = self._known.get(table), constant_array(self._ctx, table)
        assert array is not None

        def make(before: Operation) -> SSAValue:
            value = kept.before(before) if kept is not None else self._make.constant(before, array)
            for axis, place in places.items():
                item = None if starts.items is None else starts.items[place]
                if isinstance(item, int):
                    value = self._make.cut(before, value, axis, item, sizes[axis])
                    continue
                begin = self._make.cut(before, starts.before(before), 0, place, 1)
                value = self._make.taken(before, value, axis, begin, sizes[axis])
            return value

        return _Kept(make)


def _is_outermost(op: OnnxOp) -> bool:
    """Tell whether an op stands in no subgraph, so that what is before it is for all behind it."""
    return isinstance(op.parent_op(), FuncOp)


def _counts_trips(op: OnnxOp) -> bool:
    """Tell whether a loop may take the number of its trips from a run.

    It carries tensors alone, and nothing reads what it collects: the trips are the extent of that.
    """
    trips, _, *carried = [*op.inputs_by_position(), None, None]
    values = [value for value in carried if value is not None]
    collected = op.outputs_by_position()[len(values) :]
    return (
        trips is not None
        and all(is_ranked(value.type) for value in values)
        and not any(result is not None and result.uses for result in collected)
    )


def _data(op: OnnxOp) -> Sequence[int]:
    """Return which operands an op computes with."""
    count = len(op.operands)
    if op.op_type in _ALL_DATA:
        return range(count)
    if op.op_type in FIRST_DATA:
        return range(min(1, count))
    if op.op_type == "Loop":
        return (0,) if _counts_trips(op) else ()
    return [index for index in _OTHER_DATA.get(op.op_type, ()) if index < count]
