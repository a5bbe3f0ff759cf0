"""What only compiled kernels tell of memory and threads, written into the IR.

The scratch memory of a kernel is known once Halide has lowered it. It is recorded on the
``halide.pipeline`` and the ``driver.program``, whose arena is planned anew with it, so that the C
program follows from the IR alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from autodeploy.codegen.halide_kernels import CompiledKernel
from autodeploy.codegen.program import find_program
from autodeploy.dialects.halide.algorithm import PipelineOp
from autodeploy.passes.live_ranges import scratch_blocks
from autodeploy.passes.plan_memory import plan_program


def record_kernel_memory(
    module: ModuleOp,
    kernels: Sequence[CompiledKernel],
    threads: int = 1,
    *,
    reuse: bool = True,
) -> None:
    """Record the scratch memory of ``kernels``, and that up to ``threads`` threads compute.

    Where a kernel has some, buffers are placed anew, around it; with ``reuse`` they share bytes.
    Raises ``UserError`` where the module has not one program.
    """
    program = find_program(module)
    by_name = {kernel.name: kernel for kernel in kernels}
    for pipeline in module.ops:
        if isinstance(pipeline, PipelineOp) and pipeline.sym_name.data in by_name:
            scratch = by_name[pipeline.sym_name.data].scratch_bytes
            pipeline.scratch_bytes = IntegerAttr(scratch, i64) if scratch else None
    if program.scratch_bytes is not None or scratch_blocks(program):
        plan_program(program, reuse=reuse)
    workers = [k.worker_scratch_bytes for k in kernels if k.worker_scratch_bytes is not None]
    program.threads = IntegerAttr(threads, i64) if threads > 1 else None
    program.thread_scratch_bytes = IntegerAttr(max(workers), i64) if workers else None
