"""The plain template of a device: right for every kernel that a device takes.

Each element of a result is the work of a thread. A func that is reduced belongs to the thread that
reads it, where each element of the result has sums of its own; one that several elements read, such
as the largest element of a row, is computed before, by threads of its own. A thread reduces alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from autodeploy.dialects.halide import gpu_schedule as g
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.placement import place_within
from autodeploy.templates.space import Space, powers
from autodeploy.templates.template import Template
from autodeploy.templates.view import PipelineView, ScheduleBuilder

THREADS = "threads"


class DevicePlainTemplate(Template):
    """Right for every kernel that a device takes."""

    on_device = True

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return True

    def takes_open(self, kernel: KernelOp) -> bool:
        """``place-kernels`` leaves kernels with open axes to the processor."""
        return True

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return the knob ``threads``: those of a block."""
        return {THREADS: (DEVICES[machine.device].threads,)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knob: what every device of the kind offers."""
        return {THREADS: [(n,) for n in powers(DEVICES[machine.device].threads)]}

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_device_plain(view, builder, config.number(THREADS), machine)


def schedule_device_plain(
    view: PipelineView, builder: ScheduleBuilder, threads: int, machine: Machine
) -> None:
    """Write the plain schedule of a device, with blocks of ``threads``."""
    blocks = DEVICES[machine.device].blocks
    outputs = [func for func, _ in view.outputs if isinstance(func, FuncOp)]
    inner = ""
    for func in outputs:
        inner = share(view, builder, func, threads, blocks)
    before: set[FuncOp] = set()
    for func in reversed(view.reduced()):
        is_own = len(outputs) == 1 and inner and is_of_one_element(view, func)
        if is_own and func not in before:
            builder.compute_at(func, view.output, inner)
        else:
            # A thread cannot compute what an earlier kernel reads.
            before |= view.producers(func)
            builder.compute_root(func)
            share(view, builder, func, threads, blocks)


def is_of_one_element(view: PipelineView, func: FuncOp) -> bool:
    """Return whether each element of the output has values of its own of a reduced func."""
    return place_within(view, view.dependences(func)) == _innermost(view)


def _innermost(view: PipelineView) -> int | None:
    """Return the innermost dimension of the output that has several elements."""
    return next((d for d, extent in enumerate(view.extents) if extent > 1), None)


def share(
    view: PipelineView, builder: ScheduleBuilder, func: FuncOp, threads: int, blocks: int
) -> str:
    """Give each element of a func, in all its stages, a thread; return the loop over threads.

    A func of no dimensions has one thread, and no loop.
    """
    loop = ""
    elements = prod(_extents(view, func))
    for stage in range(len(view.updates[func]) + 1):
        if func.var_names:
            loop = share_loops(builder, func, func.var_names, stage, elements, threads, blocks)
        else:
            builder.block.add_op(g.GpuSingleThreadOp(func.result, stage))
    return loop


def _extents(view: PipelineView, func: FuncOp) -> tuple[int, ...]:
    """Return the extents of a func, innermost first."""
    for output, type_ in view.outputs:
        if output is func and isinstance(type_, BufferType):
            return type_.extents
    return func.known_extents


def share_loops(
    builder: ScheduleBuilder,
    func: FuncOp,
    loops: Sequence[str],
    stage: int,
    iterations: int,
    threads: int,
    blocks: int,
) -> str:
    """Give each iteration of the outer loops of a stage a thread; return the loop over threads.

    ``loops`` are all but those inside of a thread, innermost first.
    """
    fused, *others = loops
    for name in others:
        builder.fuse(func, fused, name, f"{fused}_{name}", stage)
        fused = f"{fused}_{name}"
    outer = [f"{fused}_b"]
    builder.split(func, fused, outer[0], f"{fused}_t", threads, Tail.GUARD_WITH_IF, stage)
    if -(-iterations // threads) > blocks:
        half = blocks // 2 + 1
        outer.append(f"{fused}_bb")
        builder.split(func, outer[0], outer[1], outer[0], half, Tail.GUARD_WITH_IF, stage)
    for name in (*outer, f"{fused}_t"):
        builder.partition_never(func, name, stage)
    builder.block.add_op(g.GpuBlocksOp(func.result, outer, stage))
    builder.block.add_op(g.GpuThreadsOp(func.result, [f"{fused}_t"], stage))
    return f"{fused}_t"
