"""A pipeline as templates see it, and the directives of its schedule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from math import prod
from typing import Self

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from autodeploy.analysis.least_shapes import least_of, least_shape
from autodeploy.dialects.halide import schedule as h
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.call_values import CallValueOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.prefetch import Partition, PartitionOp, PrefetchLineOp
from autodeploy.dialects.halide.types import BufferType, FuncType, Memory, Tail
from autodeploy.dialects.nn.open_extent import Axes, constant_axes
from autodeploy.dialects.nn.types import ELEMENT_BYTES

LANE = "lane"
"""The variable of partial results of a fold that stand side by side."""


STORED_WORK = 4
"""Updates, each a multiply-add in registers, that take as long as one element on its way through
the second-level cache: 8 bytes, read and written."""


class PipelineView:
    """The funcs of a pipeline by name, their updates, and its output with its extents."""

    def __init__(self, op: PipelineOp):
        self.op = op
        block = op.body.block
        self.funcs = {func.func_name.data: func for func in block.ops if isinstance(func, FuncOp)}
        self.updates: dict[FuncOp, list[UpdateOp]] = {func: [] for func in self.funcs.values()}
        for update in block.ops:
            if isinstance(update, UpdateOp) and isinstance(update.func.owner, FuncOp):
                self.updates[update.func.owner].append(update)
        bound = [output for output in block.ops if isinstance(output, OutputOp)]
        self.outputs = [(output.func.owner, output.buffer.type) for output in bound]

    def of_image(self, image: FuncOp, before: FuncOp | None) -> Self:
        """Return the view of what makes ``image`` of the image ``before``, as of a pipeline.

        Its funcs are known by their roles, as they would be there. Directives of both are in one
        block.
        """
        part = copy(self)
        producers = self.producers(image, before)
        part.funcs = {func.role_name: func for func in self.funcs.values() if func in producers}
        part.updates = {func: self.updates[func] for func in part.funcs.values()}
        if image is not self.output:
            type_ = image.result.type
            assert isinstance(type_, FuncType)
            part.outputs = [(image, BufferType(type_.element, image.known_extents))]
        return part

    def producers(self, func: FuncOp, stop: FuncOp | None = None) -> set[FuncOp]:
        """Return a func and those that it is computed from, up to and without ``stop``."""
        found: set[FuncOp] = set()
        waiting = [func]
        while waiting:
            found.add(reader := waiting.pop())
            for definition in (reader, *self.updates[reader]):
                loads = (op for op in definition.body.walk() if isinstance(op, LoadOp))
                sources = (load.source.owner for load in loads)
                waiting += [
                    source
                    for source in sources
                    if isinstance(source, FuncOp) and source is not stop and source not in found
                ]
        return found

    @property
    def output(self) -> FuncOp:
        """Return the func of the first output."""
        func, _ = self.outputs[0]
        assert isinstance(func, FuncOp)
        return func

    @property
    def extents(self) -> tuple[int, ...]:
        """Return the extents of the first output, innermost first."""
        _, type_ = self.outputs[0]
        assert isinstance(type_, BufferType)
        return type_.extents

    @property
    def least_extents(self) -> tuple[int, ...]:
        """Return the extents of the first output for the least number of a run."""
        return least_shape(self.extents, self._growths, least_of(self.op))

    @property
    def open_axes(self) -> tuple[int, ...]:
        """Return what divides all extents of each dimension of the first output, 0 where constant.

        That is 1 where nothing else is known of an open one.
        """
        return tuple(growth.multiple for growth in self._growths)

    @property
    def _growths(self) -> Axes:
        """How the dimensions of the first output grow, innermost first."""
        _, buffers = zip(*self.outputs, strict=True)
        first = self.op.outputs[0]
        if buffers[0] != first.type:
            return constant_axes(len(self.extents))
        return self.op.open_axes[self.op.body.block.args.index(first)]

    @property
    def work(self) -> int:
        """Return about how much the whole kernel does: ``work_within`` the loops of the output."""
        return self.work_within(self.funcs.values())

    def work_within(self, funcs: Iterable[FuncOp]) -> int:
        """Return about how much is done for the output and for those of its funcs, in updates.

        An update changes each element of its func as often as its reduction says. An element of the
        output counts ``STORED_WORK`` times. A func that states no extents counts as large as the
        output.
        """
        work = STORED_WORK * prod(self.extents)
        for func in funcs:
            extents = self.extents if func.extents is None else func.known_extents
            for update in self.updates[func]:
                work += prod(extents) * prod(extent for _, _, extent in update.rdom)
        return work

    def reduced(self) -> list[FuncOp]:
        """Return the funcs that have updates or fold lanes, in the order of their definition."""
        return [f for f, updates in self.updates.items() if updates or self.folds_lanes(f)]

    def folds_lanes(self, func: FuncOp) -> bool:
        """Tell whether a func's definition reads the lanes of another."""
        loads = [op for op in func.body.block.ops if isinstance(op, LoadOp)]
        sources = [load.source.owner for load in loads]
        return any(isinstance(source, FuncOp) and LANE in source.var_names for source in sources)

    def dependences(self, func: FuncOp) -> list[set[int]]:
        """Return, for each dimension of a func, those of the output that it is read by.

        The sums of a row, say, are read by all dimensions of the output but the innermost one.
        """
        return self._dependences()[func]

    def _dependences(self) -> dict[FuncOp, list[set[int]]]:
        """Return the dependences of all funcs; consumers are defined behind what they read."""
        found: dict[FuncOp, list[set[int]]] = {
            func: [set() for _ in func.var_names] for func in self.funcs.values()
        }
        found[self.output] = [{axis} for axis in range(len(self.output.var_names))]
        for func in reversed(self.funcs.values()):
            for load, reader in loads_of(func):
                owner = func_of(reader)
                if owner not in found:
                    continue
                for axis, index in enumerate(load.indices):
                    for argument in arguments_of(index):
                        # What comes behind the dimensions is a variable of a reduction.
                        if argument < len(found[owner]):
                            found[func][axis] |= found[owner][argument]
        return found


def loads_of(func: FuncOp) -> Iterator[tuple[LoadOp, FuncOp | UpdateOp]]:
    """Yield each load of a func by another one, and the definition or update that it stands in."""
    for use in func.result.uses:
        load, reader = use.operation, use.operation.parent_op()
        if not isinstance(load, LoadOp) or not isinstance(reader, FuncOp | UpdateOp):
            continue
        if func_of(reader) is not func:
            yield load, reader


def func_of(stage: FuncOp | UpdateOp) -> FuncOp:
    """Return the func that a definition or an update computes."""
    owner = stage if isinstance(stage, FuncOp) else stage.func.owner
    assert isinstance(owner, FuncOp)  # update_c3
    return owner


def arguments_of(value: SSAValue) -> set[int]:
    """Return the numbers of the region's arguments that a value is computed from."""
    if isinstance(value, BlockArgument):
        return {value.index}
    owner = value.owner
    assert isinstance(owner, Operation)
    if isinstance(owner, CallValueOp):
        return set()
    # Buffers and funcs that are loaded from stand outside of the region.
    operands = owner.indices if isinstance(owner, LoadOp) else owner.operands
    return {argument for operand in operands for argument in arguments_of(operand)}


def element_bytes(func: FuncOp) -> int:
    """Return the bytes of one value of a func."""
    type_ = func.result.type
    assert isinstance(type_, FuncType)
    return ELEMENT_BYTES[type_.element]


def vector_lanes(extent: int, lanes: int) -> int:
    """Return the widest power of two of lanes that an extent fills at least once."""
    width = 1
    while width * 2 <= min(extent, lanes):
        width *= 2
    return width


class ScheduledPipeline(PipelineView):
    """A pipeline and the directives of its schedule, in order, as a ``block``."""

    def __init__(self, op: PipelineOp):
        super().__init__(op)
        self.block = Block()

    def split(
        self,
        func: FuncOp,
        old: str,
        outer: str,
        inner: str,
        factor: int,
        tail: Tail = Tail.AUTO,
        stage: int = 0,
    ) -> None:
        """Split a loop."""
        self.block.add_op(h.SplitOp(func.result, old, outer, inner, factor, tail, stage))

    def fuse(self, func: FuncOp, inner: str, outer: str, fused: str, stage: int = 0) -> None:
        """Fuse two neighbouring loops."""
        self.block.add_op(h.FuseOp(func.result, inner, outer, fused, stage))

    def reorder(self, func: FuncOp, *loops: str, stage: int = 0) -> None:
        """Order loops, innermost first."""
        if len(loops) > 1:
            self.block.add_op(h.ReorderOp(func.result, loops, stage))

    def vectorize(self, func: FuncOp, var: str, factor: int | None = None, stage: int = 0) -> None:
        """Vectorize a loop, or its innermost ``factor`` iterations; a factor of 1 is nothing."""
        if factor != 1:
            self.block.add_op(h.VectorizeOp(func.result, var, factor, stage))

    def vectorize_row(
        self, func: FuncOp, var: str, extent: int, factor: int, stage: int = 0
    ) -> None:
        """Vectorize a loop over a whole dimension; a factor of 1 is nothing.

        Where the last vector is not full it overlaps the one before; an update, which must not
        compute twice, guards it.
        """
        if factor == 1:
            return
        if extent % factor == 0:
            self.vectorize(func, var, factor, stage)
            return
        tail = Tail.GUARD_WITH_IF if stage else Tail.SHIFT_INWARDS
        self.split(func, var, f"{var}o", f"{var}i", factor, tail, stage)
        self.vectorize(func, f"{var}i", stage=stage)

    def unroll(self, func: FuncOp, var: str, factor: int | None = None, stage: int = 0) -> None:
        """Unroll a loop, or its innermost ``factor`` iterations; a factor of 1 is nothing."""
        if factor != 1:
            self.block.add_op(h.UnrollOp(func.result, var, factor, stage))

    def atomic(self, func: FuncOp, stage: int, any_order: bool = False) -> None:
        """Let the iterations of a reduction be taken in any order, even if that may matter."""
        self.block.add_op(h.AtomicOp(func.result, stage, any_order))

    def parallel(self, func: FuncOp, var: str) -> None:
        """Run the iterations of a loop on several threads."""
        self.block.add_op(h.ParallelOp(func.result, var))

    def group(self, func: FuncOp, loop: str, size: int) -> str:
        """Split a loop into groups of ``size`` iterations; return the loop over the groups.

        The loop keeps its name. A last group of fewer ends earlier.
        """
        groups = f"{loop}g"
        self.split(func, loop, groups, loop, size, Tail.GUARD_WITH_IF)
        # No second copy of the body is made for the last group.
        for name in (loop, groups):
            self.partition_never(func, name)
        return groups

    def compute_at(self, func: FuncOp, consumer: FuncOp, var: str | None) -> None:
        """Compute a func where one iteration of the consumer's loop needs it; ``None``: before."""
        if var is None:
            self.compute_root(func)
        else:
            self.block.add_op(h.ComputeAtOp(func.result, consumer.result, var))

    def store_at(self, func: FuncOp, consumer: FuncOp, var: str) -> None:
        """Keep the values of a func for one iteration of the consumer's loop."""
        self.block.add_op(h.StoreAtOp(func.result, consumer.result, var))

    def fold_storage(self, func: FuncOp, var: str, extent: int) -> None:
        """Keep ``extent`` coordinates of a func, each in the place of one no longer read."""
        self.block.add_op(h.FoldStorageOp(func.result, var, extent))

    def compute_root(self, func: FuncOp) -> None:
        """Compute a func before everything that reads it."""
        self.block.add_op(h.ComputeRootOp(func.result))

    @property
    def roots(self) -> set[FuncOp]:
        """Return the funcs that are computed before everything that reads them."""
        roots = [op.func.owner for op in self.block.ops if isinstance(op, h.ComputeRootOp)]
        return {func for func in roots if isinstance(func, FuncOp)}

    def bound(self, func: FuncOp, var: str, extent: int) -> None:
        """Say that a func is asked for coordinates 0 to ``extent``."""
        self.block.add_op(h.BoundOp(func.result, var, 0, extent))

    def bound_extent(self, func: FuncOp, var: str, extent: int) -> None:
        """Say that ``extent`` coordinates of a func are computed, wherever they start."""
        self.block.add_op(h.BoundExtentOp(func.result, var, extent))

    def bound_storage(self, func: FuncOp, var: str, extent: int) -> None:
        """Say that there is memory for ``extent`` coordinates of a func."""
        self.block.add_op(h.BoundStorageOp(func.result, var, extent))

    def store_in(self, func: FuncOp, memory: Memory) -> None:
        """Say where the values of a func are kept."""
        self.block.add_op(h.StoreInOp(func.result, memory))

    def partition_never(self, func: FuncOp, var: str, stage: int = 0) -> None:
        """Leave conditions that are likely in a loop."""
        self.block.add_op(PartitionOp(func.result, var, Partition.NEVER, stage))

    def prefetch_line(self, func: FuncOp, var: str, buffer: SSAValue, map: AffineMap) -> None:
        """Let each iteration of a loop over the reduction of a func fetch a line of a buffer."""
        self.block.add_op(PrefetchLineOp(func.result, var, buffer, map, 1))


def loop_extents(update: UpdateOp) -> dict[str, int]:
    """Return the extent of each reduction variable of an update."""
    return {name: extent for name, _, extent in update.rdom}


def tail_of(extent: int, factor: int) -> Tail:
    """Return the tail of a split of the output: the last tile moves inwards over the one before."""
    return Tail.AUTO if extent % factor == 0 else Tail.SHIFT_INWARDS
