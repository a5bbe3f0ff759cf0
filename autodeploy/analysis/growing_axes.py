"""The open axes of all values, as they follow from the inputs of a function.

The elements of a run are the first ones along an open axis. So an op may have one where each
element of its result is computed from elements at the same place along that axis: then the first
ones of the result follow from the first ones of the operands. ``NNOp.axis_reads`` says so. What
renumbers elements (reshapes, transposes, concats) is looked at here. An op that folds elements may
also do so along an open axis, where its lowering ends at the number (``NNOp.ENDS_FOLDS``), and
windows may move along one, where it pads the image there (``NNOp.ENDS_WINDOWS``). An op may make
one longer or shorter, where its lowering knows the end (``NNOp.stretched_axes``). What an
op takes from among the first elements, as many as the least number says, is there in each run; what
follows from the end of the axis is in ``open_places``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from autodeploy.analysis.extent_growths import equals
from autodeploy.analysis.open_calls import called_axes, is_open_call
from autodeploy.analysis.open_lines import Lines, grow_resize, resized_axes
from autodeploy.analysis.open_pads import grow_pads
from autodeploy.analysis.open_places import grown_places, joined
from autodeploy.analysis.open_problems import OpenProblems
from autodeploy.analysis.open_reads import is_parallel, moved_windows
from autodeploy.analysis.open_reshapes import Shapes, grow_reshape, not_brought, viewed_axes
from autodeploy.analysis.stated_extents import StatedExtents
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.base import MovementOp, NNOp, ints
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.control_flow import ForOp, IfOp
from autodeploy.dialects.nn.control_flow import yielded as yielded_by
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.kernel import CallOp, KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.open_extent import (
    Axes,
    OpenExtentAttr,
    axes_attr,
    constant_axes,
    outermost_axis,
)
from autodeploy.dialects.nn.places import SampledOp
from autodeploy.dialects.nn.stretch import Stretch
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.dialects.nn.window_steps import WindowSteps


class OpenAxes(OpenProblems):
    """The open axes of the values of a function, and what keeps axes from being open.

    Without an ``extent`` its range is not known, and no extent is compared with those of types.
    With what types have ``stated`` constants have the axes of their shapes; slices say how their
    places grow, and concatenations that their parts follow each other in each run.
    """

    def __init__(
        self,
        extent: OpenExtentAttr | None,
        pipelines: Mapping[str, PipelineOp] | None = None,
        stated: StatedExtents | None = None,
    ):
        super().__init__(extent)
        self._stated = stated
        self._pipelines = pipelines or {}
        self._axes: dict[SSAValue, Axes] = {}
        self.folds: set[tuple[Operation, int]] = set()
        """The ops and their iterators that fold elements, up to the number of a run."""
        self.ends: set[tuple[Operation, int, int]] = set()
        """The ops, their operands and axes of these where they take account of the end of a run.

        Of a loop that has a step for each row it is operand -1.
        """
        self.steps: dict[ForOp, Growth] = {}
        """How many steps loops have that have a step for each row along an open axis."""
        self.stated = self
        """The axes as the shapes of the model say, those of constants, too, if it is compared."""

    def of(self, value: SSAValue) -> Axes:
        """Return how the axes of a value grow, outermost first."""
        found = self._axes.get(value)
        return constant_axes(len(shape_of(value.type))) if found is None else found

    @property
    def growths(self) -> set[Growth]:
        """The growths that axes of values have."""
        return {growth for axes in self._axes.values() for growth in axes if growth}

    def is_open(self, value: SSAValue) -> bool:
        """Tell whether a value has an open axis."""
        return any(self.of(value))

    def is_packed(self, value: SSAValue) -> bool:
        """Tell whether an input or output has its elements elsewhere than kernels read them.

        That is where an open axis is not its outermost one of several elements: those of a run are
        not the first ones in memory then. And where there may be none, so that there is no memory.
        """
        axes = self.of(value)
        return any(axes[outermost_axis(shape_of(value.type)) + 1 :]) or (
            self._extent is not None and any(g and not self._extent.least(g) for g in axes)
        )

    def give(self, value: SSAValue, axes: Axes) -> None:
        """Say how the axes of a value grow; one that does not within the range is not open."""
        extent = self._extent
        if extent is not None:
            axes = tuple(g if extent.least(g) < extent.most(g) else CONSTANT for g in axes)
        if any(axes):
            self._axes[value] = axes

    def add_block(self, block: Block) -> None:
        """Find the open axes of all values of a block, whose arguments have theirs."""
        for op in block.ops:
            self._add(op)

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
            case ForOp():
                self._add_loop(op)
            case IfOp():
                self._add_choice(op)
            case NNOp() if (told := op.told_axes) is not None:
                self.ends |= {(op, 0, axis) for axis, growth in enumerate(told) if growth}
                self.give(op.result, told)
            case SliceOp() if self._stated is not None and not self._decide_places(op):
                return
            case ConvOp() | PoolOp() if self._stated is not None and (
                reason := grow_pads(op, self.of, self._stated, self._extent)
            ):
                self.refuse(op, reason)
                return
            case SliceOp() if op.grown is not None and not any(map(self.is_open, op.operands)):
                self.refuse(op, "its places follow from the number, and its operand does not")
            case SampledOp() if self._stated is not None and self._stated.lines(op):
                self._add_reads(op)
            case _ if not any(map(self.is_open, op.operands)):
                if isinstance(op, NNOp) and op.STATES_EXTENTS:
                    self._add_shape(op.result)
            case CallOp():
                self._add_call(op)
            case _ if is_open_call(op):
                self._add_library_call(op)
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
        told = None if self._stated is None else self._stated.axes.get(value)
        axes = zip(self.of(value), self.of(value) if told is None else told, strict=True)
        self.give(value, tuple(made or told for made, told in axes))

    def _add_loop(self, op: ForOp) -> None:
        """A loop has a step for each row that a run has; what it carries is as open as it gets."""
        rows = {self.of(value)[0] for value in op.tensors if self.of(value)[0]}
        if len(rows) > 1:
            self._refuse_several(op, rows)
            return
        steps = next(iter(rows), None) or self._own_steps(op)
        if steps:
            self.steps[op] = steps
            self.ends.add((op, -1, 0))
        told = None if self._stated is None else self._stated.steps(op)
        if told is not None and not (steps and equals(steps, told)):
            self.refuse(op, "its steps follow from the number in a way that no row shows")
            return
        carried = [self.of(value) for value in op.inits]
        while True:
            trial = OpenAxes(self._extent, self._pipelines, self._stated)
            trial._axes |= self._axes
            yielded = trial._run_body(op, carried)[: len(carried)]
            joined_axes = [
                tuple(a or b for a, b in zip(*pair, strict=True))
                for pair in zip(carried, yielded, strict=True)
            ]
            if joined_axes == carried:
                break
            carried = joined_axes
        ends = self._run_body(op, carried)
        for axes, found in zip(carried, ends, strict=False):
            for one, other in zip(axes, found, strict=True):
                if one and other and one != other:
                    self._refuse_several(op, (one, other))
                    return
        for result, axes in zip(op.outputs, carried, strict=False):
            self.give(result, axes)
        for result, axes in zip(op.stacked, ends[len(carried) :], strict=True):
            self.give(result, (steps, *axes))

    def _own_steps(self, op: ForOp) -> Growth:
        """Return how the steps of a loop grow that reads no open rows: as the rows that it makes.

        The loop says so from then on.
        """
        if op.open is None and self._stated is not None and op.stacked:
            axes = self._stated.axes.get(op.stacked[0], (CONSTANT,))
            op.open = axes_attr(axes[:1]) if axes[0] else None
        return op.open_steps

    def _run_body(self, op: ForOp, carried: Sequence[Axes]) -> list[Axes]:
        """Find the open axes in the body of a loop; return those of what it yields."""
        arguments = op.arguments
        for argument, axes in zip(arguments.carried, carried, strict=True):
            self.give(argument, axes)
        for argument, value in zip(arguments.rows, op.tensors, strict=True):
            self.give(argument, self.of(value)[1:])
        for argument, value in zip(arguments.captured, op.captured, strict=True):
            self.give(argument, self.of(value))
        self.add_block(op.body.block)
        return [self.of(value) for value in yielded_by(op.body.block)]

    def _add_choice(self, op: IfOp) -> None:
        """Either region yields values of the same axes."""
        found: list[list[Axes]] = []
        for region in op.regions:
            for argument, value in zip(region.block.args, op.captured, strict=True):
                self.give(argument, self.of(value))
            self.add_block(region.block)
            found.append([self.of(value) for value in yielded_by(region.block)])
        for result, *axes in zip(op.outputs, *found, strict=True):
            for several in map(set, zip(*axes, strict=True)):
                if len(several - {CONSTANT}) > 1:
                    self._refuse_several(op, several - {CONSTANT})
                    return
            self.give(result, tuple(one or other for one, other in zip(*axes, strict=True)))

    def _add_call(self, op: CallOp) -> None:
        pipeline = self._pipelines.get(op.callee.string_value())
        if pipeline is None:
            self.refuse(op, "its kernel is not known")
            return
        axes = pipeline.open_axes
        for result, entry in zip(op.outputs, axes[len(axes) - len(op.outputs) :], strict=True):
            self.give(result, tuple(reversed(entry)))

    def _add_library_call(self, op: Operation) -> None:
        axes = called_axes(op, self.of, self._extent)
        if isinstance(axes, str):
            self.refuse(op, axes)
            return
        self.ends |= {(op, 0, a) for a, growth in enumerate(self.of(op.operands[0])) if growth}
        self.give(op.results[0], axes)

    def _add_reshape(self, op: ReshapeOp) -> None:
        """Elements stay where they are in memory, or the op says where those of a run go."""
        told: Shapes = {} if self._stated is None else self._stated.shapes(op.result)
        axes = self.of(op.x)
        if op.grown is None:
            viewed = viewed_axes(op, axes, told)
            if viewed is not None:
                self.give(op.result, viewed)
                return
            if self._extent is not None:
                grow_reshape(op, axes, told, self._extent, self.of)
        if op.grown is None or op.grown[0] != axes:
            self.refuse(op, "it brings it together with other axes")
            return
        if not_brought((*axes, *op.grown[1]), [self.of(value) for value in op.operands]):
            self.refuse(op, "no operand brings the numbers by which it takes axes apart")
            return
        self.ends |= {(op, 0, axis) for axis, growth in enumerate(axes) if growth}
        self.give(op.result, op.grown[1])

    def _decide_places(self, op: SliceOp) -> bool:
        """Let a slice say how its places grow; refuse it where that is not known."""
        cuts = None if self._stated is None else self._stated.cuts.get(op)
        if self._stated is not None and cuts is not None and self._extent is not None:
            grown = grown_places(op, self.of(op.x), cuts, self._extent)
            if isinstance(grown, str):
                self.refuse(op, grown)
                return False
            if any(map(any, grown)):
                op.grow(*grown)
        return True

    def _ended_axes(self, op: NNOp) -> Mapping[int, Growth] | None:
        """Return how axes of a result grow that follow from where those of operands end.

        ``None`` where that is refused.
        """
        if isinstance(op, SliceOp) and op.grown is not None:
            pairs = zip(*op.grown, strict=True)
            return {axis: size for axis, (start, size) in enumerate(pairs) if start or size}
        if isinstance(op, SampledOp) and (op.grown or self._stated is not None):
            return self._resized_axes(op)
        axis = op.joined_axis if isinstance(op, MovementOp) else None
        growths = [] if axis is None else [self.of(value)[axis] for value in op.operands]
        if axis is None or not isinstance(op, MovementOp) or not any(growths):
            return {}
        if self._stated is not None:
            op.end_parts()
        if op.is_copy:
            self.refuse(op, "its parts do not say that they follow each other in each run")
            return None
        extent = joined(growths, [shape_of(value.type)[axis] for value in op.operands])
        if extent is None:
            forms = ", ".join(dict.fromkeys(self._text(g) for g in growths if g))
            self.refuse(
                op, f"it joins parts of {forms} elements, whose sum has no form that is known"
            )
            return None
        return {axis: extent}

    def _resized_axes(self, op: SampledOp) -> Mapping[int, Growth] | None:
        """Return how those axes grow along which places follow from the extents of a run."""
        lines: Lines = {} if self._stated is None else self._stated.lines(op)
        reason = None
        if lines and self._stated is not None and self._extent is not None:
            multiples = self._stated.axes.get(op.result, ())
            known = {growth for found in (multiples, *self._axes.values()) for growth in found}
            told = self._stated.shapes(op.result)
            axes = self.of(op.operands[0])
            reason = grow_resize(op, axes, lines, told, self._extent, known, self.of)
        axes = reason or resized_axes(op, self.of)
        if isinstance(axes, str):
            self.refuse(op, axes)
            return None
        return axes

    def _add_reads(self, op: NNOp) -> None:
        ended = self._ended_axes(op)
        if ended is None:
            return
        found: list[Axes] = []
        folded: dict[int, set[Growth]] = {}
        shape = shape_of(op.results[0].type)
        for index, value in enumerate(op.operands):
            if index and isinstance(op, SampledOp):  # its extents are all that is read
                continue
            reads = op.kept_axes(index)
            windows = moved_windows(op) if index == 0 else {}
            stretched: Mapping[int, Stretch] = {} if index else op.stretched_axes()
            result = list(constant_axes(len(shape)))
            for axis, growth in enumerate(self.of(value)):
                if not growth:
                    continue
                if axis in ended or axis in windows or axis in stretched:
                    self.ends.add((op, index, axis))
                if axis in ended:
                    result[axis] = ended[axis]
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
                if read is None and axis in op.looked_up(index):
                    self.ends.add((op, index, axis))
                    continue
                if read is None or not read.inner:
                    if self._takes_first(op, index, axis, growth):
                        continue
                    return
                kept = read.iterator < len(shape)
                if kept:
                    result[read.iterator] = growth.scaled(read.inner)
                if kept and is_parallel(op, index, axis):
                    continue
                if not op.ENDS_FOLDS:
                    self.refuse(op, "it adds up along it")
                    return
                folded.setdefault(read.iterator, set()).add(growth.scaled(read.inner))
            for axis in ended if index == 0 else ():
                result[axis] = ended[axis]
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

    def _count(self, op: NNOp, growth: Growth, steps: WindowSteps) -> Growth | None:
        """Return how the number of windows grows; refuse those that do not in all runs."""
        count = steps.count(growth)
        if count is None:
            text = self._text(growth)
            several = f"its windows move along the {text} elements of several axes"
            rounded = (
                f"its windows are {steps.stride} apart along {text} elements, which are rounded"
            )
            rounded += " down before they are repeated"
            self.refuse(op, several if growth.rest else rounded)
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

    def _check_whole(self, op: Operation, value: SSAValue) -> None:
        """All elements along an open axis are there for the largest number."""
        if self._extent is None:
            return
        for growth, extent in zip(self.of(value), shape_of(value.type), strict=True):
            if growth and self._extent.most(growth) != extent:
                self.refuse(op, "only a part of its elements is read")
                return

    def check_stated(self, stated: StatedExtents) -> None:
        """Refuse the ops whose results have other extents than their types state, for all numbers.

        After a refusal, later ops have not been examined.
        """
        if self.problems or self._extent is None:
            return
        refused: set[Operation] = set()
        for value in stated.known:
            owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            if owner is None or owner in refused:
                continue
            if (axis := stated.differs(value, self.of(value))) is not None:
                refused.add(owner)
                extent = stated.shape(value)[axis]
                self.refuse(owner, f"its extent of {extent} does not follow from its operands")
