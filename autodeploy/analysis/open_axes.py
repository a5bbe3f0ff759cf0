"""Which axes of which values are open, as it follows from the inputs of a function.

The elements of a run are the first ones along an open axis. So an op may have one where each
element of its result is computed from elements at the same place along that axis: then the first
ones of the result follow from the first ones of the operands. ``NNOp.axis_reads`` says so. What
renumbers elements (reshapes, transposes, concats) is looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.base import NNOp, Tensor, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import CallOp, KernelOp
from autodeploy.dialects.nn.movement import BroadcastOp, ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    Axes,
    OpenExtentAttr,
    find_open_extent,
)
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE
from autodeploy.dialects.nn.types import shape_of

_NAMED_NODES = 3


class OpenAxes:
    """The open axes of the values of a function, and what keeps axes from being open."""

    def __init__(
        self,
        extent: OpenExtentAttr,
        pipelines: Mapping[str, PipelineOp] | None = None,
        shapes: Mapping[SSAValue, Axes] | None = None,
    ):
        self._extent = extent
        self._pipelines = pipelines or {}
        self._shapes = shapes or {}
        self._axes: dict[SSAValue, Axes] = {}
        self.problems: dict[str, list[str]] = {}
        """Reasons, and the nodes that they are about."""

    def of(self, value: SSAValue) -> Axes:
        """Return the coefficients of the axes of a value, outermost first."""
        found = self._axes.get(value)
        return (0,) * len(shape_of(value.type)) if found is None else found

    def is_open(self, value: SSAValue) -> bool:
        """Tell whether a value has an open axis."""
        return any(self.of(value))

    def give(self, value: SSAValue, axes: Axes) -> None:
        """Say which axes of a value are open."""
        if any(axes):
            self._axes[value] = axes

    def add_block(self, block: Block) -> None:
        """Find the open axes of all values of a block, whose arguments have theirs."""
        for op in block.ops:
            self._add(op)

    def refuse(self, op: Operation, reason: str) -> None:
        """Record that an op cannot have an open axis."""
        nodes = nodes_of(op) or tuple(r.name_hint for r in op.results if r.name_hint) or (op.name,)
        listed = self.problems.setdefault(reason, [])
        listed += [node for node in nodes[:1] if node not in listed]

    def _add(self, op: Operation) -> None:
        match op:
            case _ if op.has_trait(IsTerminator):
                return
            case ConstantOp():
                self._add_shape(op.result)
                return
            case KernelOp():
                for argument, value in zip(op.body.block.args, op.inputs, strict=True):
                    self.give(argument, self.of(value))
                self.add_block(op.body.block)
                for result, value in zip(op.outputs, op.yielded, strict=True):
                    self.give(result, self.of(value))
                return
            case _ if not any(map(self.is_open, op.operands)):
                if isinstance(op, BroadcastOp | SliceOp):
                    self._add_shape(op.result)
            case CallOp():
                self._add_call(op)
            case ReshapeOp():
                self._add_reshape(op)
            case TransposeOp():
                axes = self.of(op.x)
                self.give(op.result, tuple(axes[axis] for axis in ints(op.permutation)))
            case NNOp():
                self._add_reads(op)
                if isinstance(op, BroadcastOp | SliceOp):
                    self._add_shape(op.result)
            case _:
                self.refuse(op, f"{op.name} cannot have it")
        for result in op.results:
            self._check_place(op, result)

    def _add_shape(self, value: SSAValue) -> None:
        """Let a value have the open axes of its shape that no operand has.

        The first elements of a constant, of what is repeated or of a slice are those of a run.
        """
        axes = zip(self.of(value), self._shapes.get(value, self.of(value)), strict=True)
        self.give(value, tuple(made or told for made, told in axes))

    def _add_call(self, op: CallOp) -> None:
        pipeline = self._pipelines.get(op.callee.string_value())
        if pipeline is None:
            self.refuse(op, "its kernel is not known")
            return
        axes = pipeline.open_axes
        for result, entry in zip(op.outputs, axes[len(axes) - len(op.outputs) :], strict=True):
            self.give(result, tuple(reversed(entry)))

    def _add_reshape(self, op: ReshapeOp) -> None:
        """Axes before the open one stay; it may take in what follows, or give it axes."""
        axes, before, after = self.of(op.x), shape_of(op.x.type), shape_of(op.result.type)
        first = next(axis for axis, coefficient in enumerate(axes) if coefficient)
        outer = prod(before[:first])
        place = next((i for i in range(len(after)) if prod(after[:i]) == outer and after[i] > 1), 0)
        coefficient, rest = divmod(after[place], self._extent.most)
        if sum(map(bool, axes)) > 1 or prod(after[:place]) != outer or rest or not coefficient:
            self.refuse(op, "it brings it together with other axes")
            return
        self.give(op.result, tuple(coefficient if i == place else 0 for i, _ in enumerate(after)))

    def _add_reads(self, op: NNOp) -> None:
        found: list[Axes] = []
        shape = shape_of(op.results[0].type)
        for index, value in enumerate(op.operands):
            axes, reads = self.of(value), op.kept_axes(index)
            result = [0] * len(shape)
            for axis, coefficient in enumerate(axes):
                if not coefficient:
                    continue
                read = None if reads is None else reads[axis]
                if read is None or not read.inner:
                    self.refuse(
                        op, "it joins or reads several places along it, or places that data says"
                    )
                    return
                if read.iterator >= len(shape):
                    self.refuse(op, "it adds up along it")
                    return
                result[read.iterator] = coefficient * read.inner
            found.append(tuple(result))
        if any(shape_of(result.type) != shape for result in op.results):
            self.refuse(op, "it has results of several shapes")
            return
        self._join(op, found)

    def _join(self, op: Operation, found: Iterable[Axes]) -> None:
        """Let the results have the open axes that operands have there."""
        joined: list[int] = []
        for coefficients in zip(*found, strict=True):
            several = {coefficient for coefficient in coefficients if coefficient}
            if len(several) > 1:
                self.refuse(op, "its operands have it in several forms")
                return
            joined.append(max(coefficients))
        for result in op.results:
            self.give(result, tuple(joined))

    def _check_place(self, op: Operation, value: SSAValue) -> None:
        """The elements of a run are the first ones in memory, without gaps."""
        axes, shape = self.of(value), shape_of(value.type)
        if not any(axes):
            return
        first = next((i for i, extent in enumerate(shape) if extent != 1), 0)
        if not axes[first] or any(axes[first + 1 :]):
            self.refuse(op, "it is not the outermost axis of the result")
        elif axes[first] * self._extent.most != shape[first]:
            self.refuse(op, "only a part of its elements is read")

    def check(self) -> None:
        """Raise ``UnsupportedError`` that lists all ops that cannot have an open axis."""
        if not self.problems:
            return
        count = sum(map(len, self.problems.values()))
        lines = [
            f"extent '{self._extent.label.data}' cannot be open, as {count} "
            f"node{'s' * (count != 1)} cannot have it"
        ]
        for reason, nodes in self.problems.items():
            named = ", ".join(map(repr, nodes[:_NAMED_NODES])) + ", …" * (len(nodes) > _NAMED_NODES)
            what = "node" if len(nodes) == 1 else f"{len(nodes)} nodes"
            lines.append(f"{what} {named}: {reason}")
        raise UnsupportedError("\n  ".join(lines))


def open_axes(
    module: ModuleOp, func: FuncOp, shapes: Mapping[SSAValue, Axes] | None = None
) -> OpenAxes | None:
    """Return the open axes of a function's values; ``None`` where the module has no open extent.

    Arguments have them in ``nn.open``. ``shapes`` are axes that depend on the number by the shapes
    of the model: a constant, a broadcast and a slice may have such that no operand has. Raises ``UnsupportedError`` that lists all ops that cannot
    have an open axis, and results that do not have those that their attributes say.
    """
    extent = find_open_extent(module.attributes)
    if extent is None:
        return None
    pipelines = {p.sym_name.data: p for p in module.body.block.ops if isinstance(p, PipelineOp)}
    found = OpenAxes(extent, pipelines, shapes)
    block = func.body.block
    for argument, axes in zip(block.args, _given(func.arg_attrs, len(block.args)), strict=True):
        if axes is not None and isa(argument.type, Tensor):
            found.give(argument, axes)
    found.add_block(block)
    for kind, attributes, values in (
        ("input", func.arg_attrs, block.args),
        ("output", func.res_attrs, () if block.last_op is None else block.last_op.operands),
    ):
        for index, entry in enumerate(attributes or ()):
            stored = entry.data.get(STORED_ATTRIBUTE)
            packs = isa(stored, Tensor) and stored.get_shape() != shape_of(values[index].type)
            if packs and found.is_open(values[index]):
                found.refuse(func, f"{kind} {index} has several elements in a byte")
    found.check()
    returned = block.last_op
    results = () if returned is None else returned.operands
    for index, (value, axes) in enumerate(
        zip(results, _given(func.res_attrs, len(results)), strict=True)
    ):
        if axes is not None and found.of(value) != axes:
            raise UnsupportedError(
                f"extent '{extent.label.data}' cannot be open: by the shapes of the model result "
                f"{index} has the coefficients {list(axes)}, by its nodes {list(found.of(value))}"
            )
    return found


def _given(attributes: Attribute | None, count: int) -> Sequence[Axes | None]:
    """Return what the attributes of arguments or results say of their axes."""
    given: list[Axes | None] = [None] * count
    if isa(attributes, ArrayAttr[DictionaryAttr]):
        for index, entry in enumerate(attributes):
            axes = entry.data.get(AXES_ATTRIBUTE)
            if isa(axes, DenseArrayBase[IntegerType]):
                given[index] = ints(axes)
    return given
