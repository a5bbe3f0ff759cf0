"""Which axes of which values are open, as it follows from the inputs of a function.

The elements of a run are the first ones along an open axis. So an op may have one where each
element of its result is computed from elements at the same place along that axis: then the first
ones of the result follow from the first ones of the operands. ``NNOp.axis_reads`` says so. What
renumbers elements (reshapes, transposes, concats) is looked at here. An op that folds elements may
also do so along an open axis, where its lowering ends at the number (``NNOp.ENDS_FOLDS``), and
windows may move along one, where it pads the image there (``NNOp.ENDS_WINDOWS``). An op may make
one longer or shorter, where its lowering knows the end (``NNOp.stretched_axes``). What an
op takes from among the first elements, as many as the least number says, is there in each run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from autodeploy.analysis.compare_sizes import Compared, KnownExtent
from autodeploy.analysis.least_shapes import open_extent_around
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.base import NNOp, Tensor, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.kernel import CallOp, KernelOp
from autodeploy.dialects.nn.library import goes_by_rows
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    Axes,
    AxesAttr,
    OpenExtentAttr,
    axes_of,
    constant_axes,
    find_open_extent,
    listed_axes,
    outermost_axis,
)
from autodeploy.dialects.nn.stored import STORED_ATTRIBUTE, CellType
from autodeploy.dialects.nn.stretch import Stretch
from autodeploy.dialects.nn.structure import StructuredOp, WindowRead
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window_steps import WindowSteps

_NAMED_NODES = 3


class OpenAxes:
    """The open axes of the values of a function, and what keeps axes from being open.

    Without an ``extent`` its range is not known, and no extent is compared with those of types.
    """

    def __init__(
        self,
        extent: OpenExtentAttr | None,
        pipelines: Mapping[str, PipelineOp] | None = None,
        shapes: Mapping[SSAValue, Axes] | None = None,
    ):
        self._extent = extent
        self._pipelines = pipelines or {}
        self._shapes = shapes or {}
        self._axes: dict[SSAValue, Axes] = {}
        self.folds: set[tuple[Operation, int]] = set()
        """The ops and their iterators that fold elements, up to the number of a run."""
        self.problems: dict[str, list[str]] = {}
        """Reasons, and the nodes that they are about."""

    def of(self, value: SSAValue) -> Axes:
        """Return how the axes of a value grow, outermost first."""
        found = self._axes.get(value)
        return constant_axes(len(shape_of(value.type))) if found is None else found

    def is_open(self, value: SSAValue) -> bool:
        """Tell whether a value has an open axis."""
        return any(self.of(value))

    def is_inner(self, value: SSAValue) -> bool:
        """Tell whether an open axis of a value is not its outermost one of several elements.

        The elements of a run are not the first ones in memory then.
        """
        return any(self.of(value)[outermost_axis(shape_of(value.type)) + 1 :])

    def give(self, value: SSAValue, axes: Axes) -> None:
        """Say how the axes of a value grow; one that does not within the range is not open."""
        extent = self._extent
        if extent is not None:
            axes = tuple(g if extent.least(g) < extent.most(g) else CONSTANT for g in axes)
        if any(axes):
            self._axes[value] = axes

    def least(self, growth: Growth) -> int:
        """Return the least extent that grows so, that for 1 where the range is not known."""
        return growth.at(1) if self._extent is None else self._extent.least(growth)

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
        rest = constant_axes(len(shape_of(result.type)) - 1)
        self.give(result, (self.of(first)[0], *rest))

    def _add_reshape(self, op: ReshapeOp) -> None:
        """An open axis stays where it is in memory; it may take in what follows, or split."""
        before, after = shape_of(op.x.type), shape_of(op.result.type)
        result = list(constant_axes(len(after)))
        for axis, growth in enumerate(self.of(op.x)):
            if not growth:
                continue
            # The elements of a run, in each part of as many elements as the axis spans.
            taken = growth.scaled(prod(before[axis + 1 :]))
            span = prod(before[axis:])
            place = next((i for i, n in enumerate(after) if n > 1 and prod(after[i:]) == span), 0)
            inner = prod(after[place + 1 :])
            part = taken.divided(inner) if inner * after[place] == span else None
            if part is None:
                self.refuse(op, "it brings it together with other axes")
                return
            result[place] = part
        self.give(op.result, tuple(result))

    def _add_reads(self, op: NNOp) -> None:
        found: list[Axes] = []
        folded: dict[int, set[Growth]] = {}
        shape = shape_of(op.results[0].type)
        for index, value in enumerate(op.operands):
            reads = op.kept_axes(index)
            windows = _windows(op) if index == 0 else {}
            stretched: Mapping[int, Stretch] = {} if index else op.stretched_axes()
            result = list(constant_axes(len(shape)))
            for axis, growth in enumerate(self.of(value)):
                if not growth:
                    continue
                if axis in windows:
                    window, steps = windows[axis]
                    count = self._count(op, growth, steps)
                    if count is None:
                        return
                    result[window.result_axis] = count
                    continue
                if axis in stretched:
                    count = stretched[axis].count(growth)
                    if count is None:
                        self._refuse_rounded(op, growth)
                        return
                    result[axis] = count
                    continue
                read = None if reads is None else reads[axis]
                if read is None or not read.inner:
                    if self._takes_first(op, index, axis, growth):
                        continue
                    return
                kept = read.iterator < len(shape)
                if kept:
                    result[read.iterator] = growth.scaled(read.inner)
                if kept and _is_parallel(op, index, axis):
                    continue
                if not op.ENDS_FOLDS:
                    self.refuse(op, "it adds up along it")
                    return
                folded.setdefault(read.iterator, set()).add(growth.scaled(read.inner))
            found.append(tuple(result))
        if any(shape_of(result.type) != shape for result in op.results):
            self.refuse(op, "it has results of several shapes")
            return
        for growths in folded.values():
            if len(growths) > 1:
                self._refuse_several(op, growths)
                return
        self.folds |= {(op, iterator) for iterator in folded}
        self._join(op, found)

    def _refuse_rounded(self, op: NNOp, growth: Growth) -> None:
        """Refuse an op that stretches an axis so that its extent has no form that is known."""
        self.refuse(
            op,
            f"it makes another number of {self._text(growth)} elements, which are rounded down "
            "before",
        )

    def _count(self, op: NNOp, growth: Growth, steps: WindowSteps) -> Growth | None:
        """Return how the number of windows grows; refuse those that do not in all runs."""
        count = steps.count(growth)
        if count is None:
            self.refuse(
                op,
                f"its windows are {steps.stride} apart along {self._text(growth)} elements, which "
                "are rounded down before they are repeated",
            )
            return None
        if self._extent is not None and not steps.fit(self.least(growth)):
            self.refuse(
                op,
                f"its windows of {steps.reach} elements do not fit into the "
                f"{self.least(growth)} that a run for {self._least_number(growth)} has along it",
            )
            return None
        return count

    def _takes_first(self, op: NNOp, index: int, axis: int, growth: Growth) -> bool:
        """Tell whether an op takes elements along an axis that each run has; else refuse it."""
        first = op.first_read(index)
        if first is not None and (self._extent is None or first[axis] <= self.least(growth)):
            return True
        extent = self._extent
        if first is not None and extent is not None and first[axis] < extent.most(growth):
            self.refuse(
                op,
                f"it takes element {first[axis] - 1} along it, counted from 0, where a "
                f"run for {self._least_number(growth)} has {self.least(growth)}",
            )
            return False
        self.refuse(op, "it joins or reads several places along it, or places that data says")
        return False

    def _join(self, op: Operation, found: Iterable[Axes]) -> None:
        """Let the results have the open axes that operands have there."""
        joined: list[Growth] = []
        for growths in zip(*found, strict=True):
            several = {growth for growth in growths if growth}
            if len(several) > 1:
                self._refuse_several(op, several)
                return
            joined.append(next(iter(several), CONSTANT))
        for result in op.results:
            self.give(result, tuple(joined))

    def _refuse_several(self, op: Operation, growths: Iterable[Growth]) -> None:
        """Refuse an op whose operands have other extents than each other along one axis."""
        forms = " and ".join(sorted(map(self._text, growths)))
        self.refuse(op, f"its operands have it in several forms, {forms}")

    def _text(self, growth: Growth) -> str:
        """Return an extent by the name of the open one."""
        return growth.text("n") if self._extent is None else self._extent.text(growth)

    def _least_number(self, growth: Growth) -> int:
        """Return the least number that a run is given for an extent that grows so."""
        assert self._extent is not None
        range_ = self._extent.range_of(growth)
        return range_.number(range_.least)

    def _check_whole(self, op: Operation, value: SSAValue) -> None:
        """All elements along an open axis are there for the largest number."""
        if self._extent is None:
            return
        for growth, extent in zip(self.of(value), shape_of(value.type), strict=True):
            if growth and self._extent.most(growth) != extent:
                self.refuse(op, "only a part of its elements is read")
                return

    def check_extents(self, known: Iterable[KnownExtent]) -> None:
        """Refuse the ops whose results have other extents for some numbers than what was found.

        Where ops are refused already, what is behind them has not been looked at.
        """
        if self.problems or self._extent is None:
            return
        for value, axis, numbers, extent in known:
            owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            growth = self.of(value)[axis]
            if growth.at(numbers[growth.place]) != extent and owner is not None:
                most = shape_of(value.type)[axis]
                self.refuse(
                    owner,
                    f"an extent of {most} for {self._extent.largest} is {extent} for "
                    f"{self._extent.numbers(numbers)}, which does not follow from its operands",
                )

    def check(self) -> None:
        """Raise ``UnsupportedError`` that lists all ops that cannot have an open axis."""
        if not self.problems:
            return
        count = sum(map(len, self.problems.values()))
        extent = "" if self._extent is None else f" {self._extent}"
        lines = [
            f"extent{extent} cannot be open, as {count} node{'s' * (count != 1)} cannot have it"
        ]
        for reason, nodes in self.problems.items():
            named = ", ".join(map(repr, nodes[:_NAMED_NODES])) + ", …" * (len(nodes) > _NAMED_NODES)
            what = "node" if len(nodes) == 1 else f"{len(nodes)} nodes"
            lines.append(f"{what} {named}: {reason}")
        raise UnsupportedError("\n  ".join(lines))


def _windows(op: NNOp) -> dict[int, tuple[WindowRead, WindowSteps]]:
    """Return how windows move along axes of the first operand, of an op that ends them."""
    if not op.ENDS_WINDOWS or not isinstance(op, StructuredOp):
        return {}
    moves = zip(op.window_reads(), op.window_steps(), strict=True)
    return {window.axis: (window, steps) for window, steps in moves}


def _is_parallel(op: NNOp, index: int, axis: int) -> bool:
    """Tell whether an op does not fold along an axis of an operand that the result has, too."""
    reads = op.axis_reads(index)
    read = None if reads is None else reads[axis]
    return not op.ENDS_FOLDS or (read is not None and read.inner != 0)


def open_axes(module: ModuleOp, func: FuncOp, compared: Compared | None = None) -> OpenAxes | None:
    """Return the open axes of a function's values; ``None`` where the module has no open extent.

    Arguments have them in ``nn.open``. ``compared`` is what the shapes of the model say: a
    constant, a broadcast and a slice may have axes that depend on the number which no operand has.
    Raises ``UnsupportedError`` that lists all ops that cannot have an open axis, and results that
    do not have those that their attributes say.
    """
    extent = find_open_extent(module.attributes)
    if extent is None:
        return None
    pipelines = {p.sym_name.data: p for p in module.body.block.ops if isinstance(p, PipelineOp)}
    block = func.body.block
    found = _found(extent, pipelines, func, {})
    if compared is not None:
        told = _found(extent, pipelines, func, compared.axes)
        for op, _ in told.folds - found.folds:
            # What reads the fold does not know the number, as no operand brings it.
            told.refuse(op, "it adds up along it")
        told.check_extents(compared.others)
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
                f"extent {extent} cannot be open: by the shapes of the model result "
                f"{index} grows by {list(axes)}, by its nodes by {list(found.of(value))}"
            )
    return found


def _found(
    extent: OpenExtentAttr,
    pipelines: Mapping[str, PipelineOp],
    func: FuncOp,
    shapes: Mapping[SSAValue, Axes],
) -> OpenAxes:
    block = func.body.block
    found = OpenAxes(extent, pipelines, shapes)
    for argument, axes in zip(block.args, _given(func.arg_attrs, len(block.args)), strict=True):
        if axes is not None and isa(argument.type, Tensor):
            found.give(argument, axes)
    found.add_block(block)
    return found


def kernel_axes(kernel: KernelOp) -> OpenAxes | None:
    """Return the open axes of the values inside of a kernel; ``None`` where it has none."""
    axes = listed_axes(kernel.open)[: len(kernel.inputs)]
    if not any(map(any, axes)):
        return None
    found = OpenAxes(open_extent_around(kernel))
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
            if isa(axes, AxesAttr):
                given[index] = axes_of(axes)
    return given
