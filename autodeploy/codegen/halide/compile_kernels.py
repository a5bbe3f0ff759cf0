"""``compile-kernels``: every pipeline says what memory its compiled kernel works in."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.passes import ModulePass

from autodeploy.codegen.halide.kernels import CompiledKernel, compile_pipelines
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.dialects.driver.program import ProgramOp
from autodeploy.dialects.halide.launch import LaunchAttr
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import (
    PREFETCHES_ATTRIBUTE,
    Prefetches,
    PrefetchesAttr,
    stop_fetching,
)
from autodeploy.dialects.machine import machine_of
from autodeploy.machine.host import usable_cores


class CompileKernelsPass(ModulePass):
    """Compile every halide.pipeline by Halide, and write down the memory that its kernel takes.

    How much that is depends on the schedule, and Halide knows it once the kernel is lowered:
    ``scratch`` for the thread that runs the kernel, ``worker_scratch`` for each further one that
    takes part in a parallel loop, ``stack`` for arrays on the C stack. On x86-64 the program says
    which instruction sets the machine has that kernels may use. The result for prefetches is
    known then, too: where they are dropped the schedule loses them. The code is no part of the IR:
    `autodeploy compile` puts it into the bundle, and here it is dropped.
    """

    name = "compile-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set the attributes of all pipelines; raises as ``compile_pipelines`` does."""
        with tempfile.TemporaryDirectory() as folder:
            kernels = compile_pipelines(
                op, machine_of(op), directory=Path(folder), jobs=usable_cores()
            )
        record_kernels(op, kernels)


def record_kernels(module: ModuleOp, kernels: Sequence[CompiledKernel]) -> None:
    """Write down what is known of the compiled pipelines of a module, which are all ``kernels``."""
    for pipeline, kernel in zip(pipelines_of(module), kernels, strict=True):
        scratch, worker_scratch = kernel.scratch_bytes, kernel.worker_scratch_bytes
        pipeline.scratch_bytes = IntegerAttr(scratch, i64) if scratch else None
        pipeline.worker_scratch_bytes = (
            None if worker_scratch is None else IntegerAttr(worker_scratch, i64)
        )
        pipeline.stack_bytes = IntegerAttr(kernel.stack_bytes, i64) if kernel.stack_bytes else None
        _record_prefetches(pipeline, kernel.prefetches)
        if kernel.device is not None:
            arrays = list(kernel.device.arrays)
            pipeline.arrays = DenseArrayBase.from_list(i64, arrays) if arrays else None
            pipeline.launches = ArrayAttr(
                LaunchAttr(one.entry, one.grid, one.block, one.shared, one.args)
                for one in kernel.device.launches
            )
    # Kernels as source are compiled with options for the same sets.
    sets = machine_of(module).x86_sets if any(kernel.files for kernel in kernels) else ()
    for program in (op for op in module.ops if isinstance(op, ProgramOp)):
        program.x86_sets = ArrayAttr(map(StringAttr, sets)) if sets else None


def _record_prefetches(pipeline: PipelineOp, prefetches: Prefetches | None) -> None:
    """Let a pipeline say what has become of its prefetches.

    One that has lost them before has none to lose, and goes on saying so.
    """
    dropped = PrefetchesAttr(Prefetches.DROPPED)
    if prefetches is not None:
        pipeline.attributes[PREFETCHES_ATTRIBUTE] = PrefetchesAttr(prefetches)
    elif pipeline.attributes.get(PREFETCHES_ATTRIBUTE) != dropped:
        pipeline.attributes.pop(PREFETCHES_ATTRIBUTE, None)
    if prefetches is Prefetches.DROPPED:
        stop_fetching(pipeline)
