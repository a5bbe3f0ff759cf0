"""``insert-transfers``: values are where they are computed with, on the processor or the device.

A kernel whose config is for the device runs there, from this pass on. Each block of memory that
such kernels use gets a block on the device. If one side reads a block that the other one has
written last, a transfer of the whole block precedes that. Weights are on the device from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import (
    CALLS,
    BufferOp,
    CallOp,
    CopyOp,
    ForOp,
    IfOp,
    JoinOp,
    LibraryCallOp,
    ProgramOp,
    RowOp,
    TransferOp,
    ViewOp,
    WeightOp,
    buffer_of,
    elements_of,
    root_of,
)
from autodeploy.dialects.halide.pipeline import HOST_REASON, PipelineOp
from autodeploy.dialects.halide.types import steps_before
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.memref import MemRef
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.passes.driver.kernel_variants import new_variant
from autodeploy.templates.registry import PLAIN, is_on_device

_Pipelines: TypeAlias = dict[str, PipelineOp]


class InsertTransfersPass(ModulePass):
    """Let every driver.program pass values between the processor and the device of its machine.

    Inputs, outputs, states, loops and choices stay on the processor. A copy is made on the side
    that has its source, or, of an input or a weight, on the device if kernels there read its
    target; in a page always on the device. With CUDA inputs are copied before all else, so that
    the kernels are one graph. A kernel that is given a block from an element on to which no strides
    lead, or an input whose strides follow from a run, runs on the processor, and says so in
    ``halide.on_host``.
    """

    name = "insert-transfers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = machine_of(op)
        if not machine.device:
            return
        pipelines = {p.sym_name.data: p for p in op.body.block.ops if isinstance(p, PipelineOp)}
        for pipeline in pipelines.values():
            if is_on_device(pipeline.config):
                pipeline.on_device = UnitAttr()
        for program in [p for p in op.body.block.ops if isinstance(p, ProgramOp)]:
            _leave_unreachable(program, pipelines)
            sides = _Sides(program, pipelines, machine.is_page, machine.device_api == "cuda")
            sides.find()
            _move(program, sides)
            _state_starts(program, pipelines)


def _leave_unreachable(program: ProgramOp, pipelines: _Pipelines) -> None:
    """Leave kernels to the processor whose operands begin where no strides lead."""
    for call in _calls(program):
        pipeline = pipelines[call.callee.string_value()]
        if pipeline.on_device is None:
            continue
        reason = None if pipeline.packed is None else "an open axis of an input is inside of others"
        try:
            _starts(call, pipeline)
        except ValueError:
            reason = "no strides lead to an operand"
        if reason is not None:
            pipeline.on_device, pipeline.config = None, ConfigAttr(PLAIN)
            pipeline.attributes[HOST_REASON] = StringAttr(reason)


def _starts(call: CallOp, callee: PipelineOp) -> tuple[int, ...]:
    """Return how many elements of its block there are before each operand of a call.

    Raises ``ValueError`` if no strides of an operand, or those of open axes, lead there.
    """
    firsts = [elements_of(value).offset for value in call.operands]
    for value, first, axes in zip(call.operands, firsts, callee.open_axes, strict=True):
        steps = steps_before(buffer_of(value.type), first)
        if any(step and growth for step, growth in zip(steps, axes, strict=True)):
            raise ValueError("the extent of an open axis ends with a run")
    return tuple(firsts)


def _leads_to(value: SSAValue) -> bool:
    """Return whether strides of axes with several elements lead to the first one of a value."""
    elements = elements_of(value)
    axes = zip(elements.shape, elements.strides, strict=True)
    least = min((stride for extent, stride in axes if extent > 1), default=1)
    return least > 0 and elements.offset % least == 0


def _calls(program: ProgramOp) -> Iterator[CallOp]:
    return (op for op in program.body.walk() if isinstance(op, CallOp))


def _state_starts(program: ProgramOp, pipelines: _Pipelines) -> None:
    """Let each kernel of the device know where its buffers begin; others get a variant."""
    known: dict[str, dict[tuple[int, ...], str]] = {}
    for call in _calls(program):
        name = call.callee.string_value()
        pipeline = pipelines[name]
        if pipeline.on_device is None:
            continue
        starts, variants = _starts(call, pipeline), known.setdefault(name, {})
        if starts not in variants:
            variant = new_variant(pipeline, pipelines) if variants else pipeline
            some = DenseArrayBase.from_list(i64, list(starts))
            variant.starts = some if any(starts) else None
            variants[starts] = variant.sym_name.data
        call.callee = SymbolRefAttr(variants[starts])


@dataclass
class _Sides:
    """On which side each op runs, and on which sides each block of memory is needed.

    With ``copies_there`` all copies run on the device that can. With ``inputs_first`` inputs are
    transferred before the first op. ``before`` are the transfers before an op: the block, and
    whether it goes to the device.
    """

    program: ProgramOp
    pipelines: _Pipelines
    copies_there: bool
    inputs_first: bool
    device_ops: set[Operation] = field(default_factory=set[Operation])
    before: dict[Operation | None, list[tuple[SSAValue, bool]]] = field(
        default_factory=dict[Operation | None, list[tuple[SSAValue, bool]]]
    )
    used: dict[SSAValue, set[bool]] = field(default_factory=dict[SSAValue, set[bool]])

    def find(self) -> None:
        """Follow the program from its first op to its last."""
        read_there = self._read_by_kernels()
        # Whether the device has what was written last, the processor, both, or nobody.
        valid: dict[SSAValue, set[bool]] = {value: {False} for value in self.program.inputs}
        for state in self.program.states:
            valid |= {state.found: {False}}
        only_read = {*valid}
        for op in self.program.body.block.ops:
            if isinstance(op, WeightOp):
                valid[op.result] = {False, True}
                only_read.add(op.result)
            if not isinstance(op, (*CALLS, ForOp, IfOp)):
                continue
            side = self._side(op, valid, read_there)
            if side:
                self.device_ops.add(op)
            read, written = _operands(op)
            written = [value for value in written if root_of(value) not in only_read]
            for value in (*read, *(v for v in written if not _is_whole(v))):
                self._need(root_of(value), side, op, valid)
            for root in map(root_of, written):
                self.used.setdefault(root, set()).add(side)
                valid[root] = {side}
        for value in (*self.program.outputs, *(state.left for state in self.program.states)):
            self._need(root_of(value), False, None, valid)

    def _need(
        self, root: SSAValue, side: bool, op: Operation | None, valid: dict[SSAValue, set[bool]]
    ) -> None:
        """Let a block be on a side before an op reads it there."""
        self.used.setdefault(root, set()).add(side)
        found = valid.setdefault(root, set())
        if found and side not in found:
            if self.inputs_first and root in self.program.inputs:
                steps = (*CALLS, ForOp, IfOp)
                op = next(one for one in self.program.body.block.ops if isinstance(one, steps))
            self.before.setdefault(op, []).append((root, side))
            found.add(side)

    def _side(
        self, op: Operation, valid: dict[SSAValue, set[bool]], read_there: set[SSAValue]
    ) -> bool:
        """Return whether an op runs on the device."""
        if isinstance(op, CallOp):
            return self.pipelines[op.callee.string_value()].on_device is not None
        if not isinstance(op, CopyOp) or any(map(self.program.is_packed, op.operands)):
            return False
        no_elements = not prod(cast(MemRef, op.source.type).get_shape())
        if no_elements or any(map(self.program.growths, op.operands)):
            return False
        if not all(map(_leads_to, op.operands)):
            return False
        if self.copies_there or root_of(op.target) in read_there:
            return True
        return valid.get(root_of(op.source)) == {True}

    def _read_by_kernels(self) -> set[SSAValue]:
        """Return the blocks that kernels of the device read."""
        calls = (op for op in self.program.body.block.ops if isinstance(op, CallOp))
        there = (c for c in calls if self.pipelines[c.callee.string_value()].on_device is not None)
        return {root_of(value) for call in there for value in call.inputs}


def _operands(op: Operation) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """Return the values outside of it that an op reads, and those that it writes."""
    match op:
        case CallOp() | LibraryCallOp():
            return op.inputs, op.outputs
        case CopyOp() | JoinOp():
            return [op.source], [op.target]
        case _:
            outer = [value for value in _named(op) if _is_outside(value, op)]
            return outer, outer


def _named(op: Operation) -> Iterable[SSAValue]:
    """Yield the values that an op and those in its regions name."""
    return (operand for inner in op.walk() for operand in inner.operands)


def _is_outside(value: SSAValue, op: Operation) -> bool:
    owner = root_of(value).owner
    inside = owner.parent_op() if isinstance(owner, Block) else owner
    return inside is None or not op.is_ancestor(inside)


def _is_whole(value: SSAValue) -> bool:
    """Return whether a value has all elements of its block."""
    root = elements_of(root_of(value))
    return not isinstance(value.owner, RowOp) and prod(elements_of(value).shape) == prod(root.shape)


def _move(program: ProgramOp, sides: _Sides) -> None:
    """Give the device blocks of its own, and insert the transfers."""
    there: dict[SSAValue, SSAValue] = {}
    for root, used in sides.used.items():
        if True not in used:
            continue
        owner = root.owner
        if used == {True} and isinstance(owner, BufferOp | WeightOp):
            owner.on_device = UnitAttr()
            there[root] = root
            continue
        if isinstance(owner, WeightOp):
            block = owner.clone()
            block.on_device = UnitAttr()
        else:
            block = BufferOp(root.type, open=program.axes_of(root) or (), on_device=True)
        block.result.name_hint = root.name_hint
        at = (
            InsertPoint.after(owner)
            if isinstance(owner, Operation)
            else InsertPoint.at_start(program.body.block)
        )
        Rewriter.insert_op(block, at)
        there[root] = block.result
    for op, moved in sides.before.items():
        at = InsertPoint.at_end(program.body.block) if op is None else InsertPoint.before(op)
        for root, to_device in moved:
            ends = (root, there[root]) if to_device else (there[root], root)
            Rewriter.insert_op(TransferOp(*ends), at)
    for op in sides.device_ops:
        for index, value in enumerate(op.operands):
            op.operands[index] = _placed(value, there[root_of(value)], op)
    for op in reversed(list(program.body.block.ops)):
        if isinstance(op, ViewOp | WeightOp) and not op.result.uses:
            Rewriter.erase_op(op)


def _placed(value: SSAValue, block: SSAValue, op: Operation) -> SSAValue:
    """Return the same elements of a block as ``value`` has of its own."""
    if root_of(value) is block:
        return value
    if root_of(value) is value:
        return block
    view = ViewOp(block, value.type, elements_of(value).offset)
    view.result.name_hint = value.name_hint
    Rewriter.insert_op(view, InsertPoint.before(op))
    return view.result
