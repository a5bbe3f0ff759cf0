"""The plain template of a device: right for every kernel that a device takes.

Each element of a result is the work of a thread. A func that is reduced belongs to the thread that
reads it, where each element of the result has sums of its own; one that several elements read, such
as the largest element of a row, is computed before, by threads of its own, and so are partial
results that a thread has no registers for. A thread reduces alone.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import prod

from autodeploy.dialects.halide import gpu_schedule as g
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.launch import AXES
from autodeploy.dialects.halide.types import BufferType, Tail
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.open_dimensions import ended_dimensions, open_dimensions
from autodeploy.templates.placement import place_within
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.view import PipelineView, ScheduledPipeline, loads_of

THREADS = "threads"

MOST_OWN = 16
"""Partial results that a thread keeps in registers: those of a short row."""


class DevicePlainTemplate(Template):
    """Right for every kernel that a device takes."""

    on_device = True
    in_runs = True

    def applies(self, kernel: KernelOp) -> bool:
        return True

    def takes_open(self, kernel: KernelOp) -> bool:
        """Loops over blocks end at the number of a run."""
        return True

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knob ``threads``: those of a block."""
        return {THREADS: (DEVICES[machine.device].threads,)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knob: what every device of the kind offers."""
        return {THREADS: [(n,) for n in powers(DEVICES[machine.device].threads)]}

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        schedule_device_plain(pipeline, config.number(THREADS), machine)


def schedule_device_plain(
    pipeline: ScheduledPipeline, threads: int, machine: Machine, done: Set[FuncOp] = frozenset()
) -> None:
    """Write the plain schedule of a device, with blocks of ``threads``, but for funcs ``done``."""
    blocks = DEVICES[machine.device].blocks
    outputs = [func for func, _ in pipeline.outputs if isinstance(func, FuncOp)]
    inner = ""
    for func in outputs:
        inner = share(pipeline, func, threads, blocks)
    before: set[FuncOp] = set()
    for func in reversed(pipeline.reduced()):
        if func in done:
            continue
        is_own = len(outputs) == 1 and inner and is_of_one_element(pipeline, func)
        if is_own and func not in before and _fits_registers(pipeline, func):
            pipeline.compute_at(func, pipeline.output, inner)
        else:
            # A thread cannot compute what an earlier kernel reads.
            before |= pipeline.producers(func)
            pipeline.compute_root(func)
            share(pipeline, func, threads, blocks)


def is_of_one_element(view: PipelineView, func: FuncOp) -> bool:
    """Return whether each element of the output has values of its own of a reduced func."""
    return place_within(view, view.dependences(func)) == _innermost(view)


def _fits_registers(view: PipelineView, func: FuncOp) -> bool:
    """Return whether a thread has registers for the values of a func that it takes.

    Several that a loop takes one by one have no registers.
    """
    in_a_loop = any(isinstance(reader, UpdateOp) for _, reader in loads_of(func))
    most = 1 if in_a_loop else MOST_OWN
    return prod(func.known_extents) <= most * prod(view.extents)


def _innermost(view: PipelineView) -> int | None:
    """Return the innermost dimension of the output that has several elements."""
    return next((d for d, extent in enumerate(view.extents) if extent > 1), None)


def share(pipeline: ScheduledPipeline, func: FuncOp, threads: int, blocks: int) -> str:
    """Give each element of a func, in all its stages, a thread; return the loop over threads.

    A func of no dimensions has one thread, and no loop.
    """
    loop = ""
    opened = _open_dimensions(pipeline, func)
    dimensions = [
        (name, extent, number in opened)
        for number, (name, extent) in enumerate(
            zip(func.var_names, _extents(pipeline, func), strict=True)
        )
    ]
    for stage in range(len(pipeline.updates[func]) + 1):
        if dimensions:
            loop = _share_loops(pipeline, func, dimensions, stage, threads, blocks)
        else:
            pipeline.block.add_op(g.GpuSingleThreadOp(func.result, stage))
    return loop


def _extents(view: PipelineView, func: FuncOp) -> tuple[int, ...]:
    """Return the extents of a func, innermost first."""
    for output, type_ in view.outputs:
        if output is func and isinstance(type_, BufferType):
            return type_.extents
    return func.known_extents


def _open_dimensions(view: PipelineView, func: FuncOp) -> set[int]:
    """Return the dimensions of a func whose extent a run decides."""
    if view.op.open is None:
        return set()
    return {*open_dimensions(view, func), *ended_dimensions(view)[func]}


def _share_loops(
    pipeline: ScheduledPipeline,
    func: FuncOp,
    dimensions: Sequence[tuple[str, int, bool]],
    stage: int,
    threads: int,
    blocks: int,
) -> str:
    """Give each iteration of the loops of a stage a thread; return the innermost loop.

    ``dimensions`` are loops with their largest extents, innermost first, and whether they are open.
    An open loop is fused with no other one: Halide bounds no func that is read at a remainder by an
    open extent. Up to three loops are over blocks, and further ones are in a thread.
    """
    loops: list[tuple[str, int, bool]] = []
    for name, extent, is_open in dimensions:
        if not loops or is_open or loops[-1][2]:
            loops.append((name, extent, is_open))
            continue
        inner, before, _ = loops.pop()
        pipeline.fuse(func, inner, name, f"{inner}_{name}", stage)
        loops.append((f"{inner}_{name}", before * extent, False))
    in_thread = [name for name, _, _ in loops[AXES:]]
    in_block: list[str] = []
    over_blocks: list[str] = []
    for number, (name, extent, _) in enumerate(loops[:AXES], 1):
        is_last = number == min(len(loops), AXES)
        count = threads if is_last else min(threads, 1 << (extent - 1).bit_length())
        threads //= count
        block, thread, outer = f"{name}_b", f"{name}_t", f"{name}_bb"
        pipeline.split(func, name, block, thread, count, Tail.GUARD_WITH_IF, stage)
        in_block.append(thread)
        over_blocks.append(block)
        if -(-extent // count) > blocks:
            half = blocks // 2 + 1
            pipeline.split(func, block, outer, block, half, Tail.GUARD_WITH_IF, stage)
            has_room = len(over_blocks) + len(loops) - number < AXES
            (over_blocks if has_room else in_thread).append(outer)
    if len(loops) > 1:
        pipeline.reorder(func, *in_thread, *in_block, *over_blocks, stage=stage)
    for name in (*over_blocks, *in_block):
        pipeline.partition_never(func, name, stage)
    pipeline.block.add_op(g.GpuBlocksOp(func.result, over_blocks, stage))
    pipeline.block.add_op(g.GpuThreadsOp(func.result, in_block, stage))
    return [*in_thread, *in_block][0]
