"""Which axes of which values are open, as it follows from the inputs of a function.

The elements of a run are the first ones along an open axis. So an op may have one where each
element of its result is computed from elements at the same place along that axis: then the first
ones of the result follow from the first ones of the operands. ``NNOp.axis_reads`` says so. What
renumbers elements (reshapes, transposes, concats) is looked at here. An op that folds elements may
also do so along an open axis, where its lowering ends at the number (``NNOp.ENDS_FOLDS``), and
windows may move along one, where it pads the image there (``NNOp.ENDS_WINDOWS``). What an
op takes from among the first elements, as many as the least number says, is there in each run.
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
from autodeploy.dialects.nn.library import goes_by_rows
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    Axes,
    OpenExtentAttr,
    find_open_extent,
    listed_axes,
    outermost_axis,
)
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE, CellType
from autodeploy.dialects.nn.structure import StructuredOp, WindowRead
from autodeploy.dialects.nn.types import shape_of

_NAMED_NODES = 3


class OpenAxes:
    """The open axes of the values of a function, and what keeps axes from being open."""

    def __init__(
        self,
        most: int,
        label: str = "",
        pipelines: Mapping[str, PipelineOp] | None = None,
        shapes: Mapping[SSAValue, Axes] | None = None,
        least: int | None = None,
        step: int = 1,
    ):
        self._most, self._label = most, label
        self.least = most if least is None else least
        self._step = step
        self._pipelines = pipelines or {}
        self._shapes = shapes or {}
        self._axes: dict[SSAValue, Axes] = {}
        self.folds: set[tuple[Operation, int]] = set()
        """The ops and their iterators that fold elements, up to the number of a run."""
        self.problems: dict[str, list[str]] = {}
        """Reasons, and the nodes that they are about."""

    def of(self, value: SSAValue) -> Axes:
        """Return the coefficients of the axes of a value, outermost first."""
        found = self._axes.get(value)
        return (0,) * len(shape_of(value.type)) if found is None else found

    def is_open(self, value: SSAValue) -> bool:
        """Tell whether a value has an open axis."""
        return any(self.of(value))

    def is_inner(self, value: SSAValue) -> bool:
        """Tell whether an open axis of a value is not its outermost one of several elements.

        The elements of a run are not the first ones in memory then.
        """
        return any(self.of(value)[outermost_axis(shape_of(value.type)) + 1 :])

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
                if isinstance(op, NNOp) and op.STATES_EXTENTS:
                    self._add_shape(op.result)
            case CallOp():
                self._add_call(op)
            case _ if goes_by_rows(op):
                self._add_rows(op)
            case ReshapeOp():
                self._add_reshape(op)
            case TransposeOp():
                axes = self.of(op.x)
                self.give(op.result, tuple(axes[axis] for axis in ints(op.permutation)))
            case NNOp():
                self._add_reads(op)
                if op.STATES_EXTENTS:
                    self._add_shape(op.result)
            case _:
                self.refuse(op, f"{op.name} cannot have it")
        for result in op.results:
            self._check_whole(op, result)

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

    def _add_rows(self, op: Operation) -> None:
        """The rows of the first result follow from those of the first operand, and no others do."""
        first, *others = op.operands
        if any(self.of(first)[1:]) or any(map(self.is_open, others)):
            self.refuse(op, "it reads several places along it")
            return
        result = op.results[0]
        rest = len(shape_of(result.type)) - 1
        self.give(result, (self.of(first)[0], *[0] * rest))

    def _add_reshape(self, op: ReshapeOp) -> None:
        """An open axis stays where it is in memory; it may take in what follows, or split."""
        before, after = shape_of(op.x.type), shape_of(op.result.type)
        result = [0] * len(after)
        for axis, coefficient in enumerate(self.of(op.x)):
            if not coefficient:
                continue
            # The elements of a run, in each part of as many elements as the axis spans.
            taken = coefficient * prod(before[axis + 1 :])
            span = prod(before[axis:])
            place = next((i for i, n in enumerate(after) if n > 1 and prod(after[i:]) == span), 0)
            inner = prod(after[place + 1 :])
            if inner * after[place] != span or taken % inner:
                self.refuse(op, "it brings it together with other axes")
                return
            result[place] = taken // inner
        self.give(op.result, tuple(result))

    def _add_reads(self, op: NNOp) -> None:
        found: list[Axes] = []
        folded: dict[int, set[int]] = {}
        shape = shape_of(op.results[0].type)
        for index, value in enumerate(op.operands):
            axes, reads = self.of(value), op.kept_axes(index)
            windows = _windows(op) if index == 0 else {}
            result = [0] * len(shape)
            for axis, coefficient in enumerate(axes):
                if not coefficient:
                    continue
                if axis in windows:
                    window = windows[axis]
                    each, rest = divmod(coefficient, window.stride)
                    if rest or each * self._most != shape[window.result_axis]:
                        apart = f"its windows, {window.stride} apart along it,"
                        self.refuse(op, f"{apart} do not grow in proportion")
                        return
                    result[window.result_axis] = each
                    continue
                read = None if reads is None else reads[axis]
                if read is None or not read.inner:
                    first = op.first_read(index)
                    if first is not None and first[axis] <= coefficient * self.least:
                        continue
                    if first is not None and first[axis] < coefficient * self._most:
                        there = coefficient * self.least
                        self.refuse(
                            op,
                            f"it takes element {first[axis] - 1} along it, counted from 0, where a "
                            f"run for {self.least * self._step} has {there}",
                        )
                        return
                    self.refuse(
                        op, "it joins or reads several places along it, or places that data says"
                    )
                    return
                kept = read.iterator < len(shape)
                if kept:
                    result[read.iterator] = coefficient * read.inner
                if kept and _is_parallel(op, index, axis):
                    continue
                if not op.ENDS_FOLDS:
                    self.refuse(op, "it adds up along it")
                    return
                folded.setdefault(read.iterator, set()).add(coefficient * read.inner)
            found.append(tuple(result))
        if any(shape_of(result.type) != shape for result in op.results):
            self.refuse(op, "it has results of several shapes")
            return
        if any(len(coefficients) > 1 for coefficients in folded.values()):
            self.refuse(op, "its operands have it in several forms")
            return
        self.folds |= {(op, iterator) for iterator in folded}
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

    def _check_whole(self, op: Operation, value: SSAValue) -> None:
        """All elements along an open axis are there for the largest number."""
        for coefficient, extent in zip(self.of(value), shape_of(value.type), strict=True):
            if coefficient and coefficient * self._most != extent:
                self.refuse(op, "only a part of its elements is read")
                return

    def check(self) -> None:
        """Raise ``UnsupportedError`` that lists all ops that cannot have an open axis."""
        if not self.problems:
            return
        count = sum(map(len, self.problems.values()))
        lines = [
            f"extent '{self._label}' cannot be open, as {count} "
            f"node{'s' * (count != 1)} cannot have it"
        ]
        for reason, nodes in self.problems.items():
            named = ", ".join(map(repr, nodes[:_NAMED_NODES])) + ", …" * (len(nodes) > _NAMED_NODES)
            what = "node" if len(nodes) == 1 else f"{len(nodes)} nodes"
            lines.append(f"{what} {named}: {reason}")
        raise UnsupportedError("\n  ".join(lines))


def _windows(op: NNOp) -> dict[int, WindowRead]:
    """Return how windows move along axes of the first operand, of an op that ends them."""
    if not op.ENDS_WINDOWS or not isinstance(op, StructuredOp):
        return {}
    return {window.axis: window for window in op.window_reads()}


def _is_parallel(op: NNOp, index: int, axis: int) -> bool:
    """Tell whether an op does not fold along an axis of an operand that the result has, too."""
    reads = op.axis_reads(index)
    read = None if reads is None else reads[axis]
    return not op.ENDS_FOLDS or (read is not None and read.inner != 0)


def open_axes(
    module: ModuleOp, func: FuncOp, shapes: Mapping[SSAValue, Axes] | None = None
) -> OpenAxes | None:
    """Return the open axes of a function's values; ``None`` where the module has no open extent.

    Arguments have them in ``nn.open``. ``shapes`` are axes that depend on the number by the shapes
    of the model: a constant, a broadcast and a slice may have such that no operand has. Raises
    ``UnsupportedError`` that lists all ops that cannot have an open axis, and results that do not
    have those that their attributes say.
    """
    extent = find_open_extent(module.attributes)
    if extent is None:
        return None
    pipelines = {p.sym_name.data: p for p in module.body.block.ops if isinstance(p, PipelineOp)}
    block = func.body.block
    found = _found(extent, pipelines, func, {})
    if shapes:
        told = _found(extent, pipelines, func, shapes)
        for op, _ in told.folds - found.folds:
            # What reads the fold does not know the number, as no operand brings it.
            told.refuse(op, "it adds up along it")
        found.problems = told.problems
    for kind, attributes, values in (
        ("input", func.arg_attrs, block.args),
        ("output", func.res_attrs, () if block.last_op is None else block.last_op.operands),
    ):
        for index, entry in enumerate(attributes or ()):
            stored = entry.data.get(STORED_ATTRIBUTE)
            if not isa(stored, Tensor) or not found.is_open(values[index]):
                continue
            # A string is a row of bytes; its other axes are those that the caller knows.
            shape = shape_of(values[index].type)
            shape = shape[:-1] if isinstance(stored.element_type, CellType) else shape
            if stored.get_shape() != shape:
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


def _found(
    extent: OpenExtentAttr,
    pipelines: Mapping[str, PipelineOp],
    func: FuncOp,
    shapes: Mapping[SSAValue, Axes],
) -> OpenAxes:
    block = func.body.block
    found = OpenAxes(extent.most, extent.label.data, pipelines, shapes, extent.least, extent.step)
    for argument, axes in zip(block.args, _given(func.arg_attrs, len(block.args)), strict=True):
        if axes is not None and isa(argument.type, Tensor):
            found.give(argument, axes)
    found.add_block(block)
    return found


def kernel_axes(kernel: KernelOp) -> OpenAxes | None:
    """Return the open axes of the values inside of a kernel; ``None`` where it has none."""
    axes = listed_axes(kernel.open)[: len(kernel.inputs)]
    sizes = [
        extent // coefficient
        for value, entry in zip(kernel.inputs, axes, strict=False)
        for extent, coefficient in zip(shape_of(value.type), entry, strict=True)
        if coefficient
    ]
    if not sizes:
        return None
    found = OpenAxes(sizes[0])
    for argument, entry in zip(kernel.body.block.args, axes, strict=True):
        found.give(argument, entry)
    found.add_block(kernel.body.block)
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
