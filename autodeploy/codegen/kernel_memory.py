"""What only compiled kernels tell of memory and threads, written into the IR.

The scratch memory of a kernel is known once Halide has lowered it. It is recorded on the
``halide.pipeline`` and the ``driver.program``, so that the C program follows from the IR alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from autodeploy.codegen.halide_kernels import CompiledKernel
from autodeploy.codegen.program import find_program
from autodeploy.dialects.halide.algorithm import PipelineOp
from autodeploy.passes.plan_memory import largest_scratch


def record_kernel_memory(
    module: ModuleOp, kernels: Sequence[CompiledKernel], threads: int = 1
) -> None:
    """Record the scratch memory of ``kernels``, and that up to ``threads`` threads compute.

    Raises ``UserError`` where the module has not one program.
    """
    program = find_program(module)
    by_name = {kernel.name: kernel for kernel in kernels}
    for pipeline in module.ops:
        if isinstance(pipeline, PipelineOp) and pipeline.sym_name.data in by_name:
            scratch = by_name[pipeline.sym_name.data].scratch_bytes
            pipeline.scratch_bytes = IntegerAttr(scratch, i64) if scratch else None
    program.scratch_bytes = largest_scratch(module, program)
    workers = [k.worker_scratch_bytes for k in kernels if k.worker_scratch_bytes is not None]
    program.threads = IntegerAttr(threads, i64) if threads > 1 else None
    program.thread_scratch_bytes = IntegerAttr(max(workers), i64) if workers else None
