"""``bound-stack``: kernels keep large arrays in scratch memory, where there is little stack."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Set
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from autodeploy.codegen.halide.run_halide import run_halide
from autodeploy.codegen.halide.scratch import stack_arrays
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import ScheduleOp, StoreInOp
from autodeploy.dialects.halide.types import Memory
from autodeploy.dialects.machine import machine_of

ARRAY_BYTES = 256
"""Largest array that stays on the stack.

That is as much as a block of scratch memory takes beyond its own bytes, and twice the sums of a
tile, which compilers keep in registers.
"""


class BoundStackPass(ModulePass):
    """Let kernels keep large arrays in scratch memory, where the machine has no system.

    A func that a kernel computes ahead of its use is an array, and Halide puts arrays of up to
    16 KiB on the C stack. Without an operating system the linker script fixes the size of the
    stack. A func whose array has more than 256 bytes then gets ``halide.store_in`` heap: its array
    is then scratch memory, which ``plan-memory`` places in the arena. Arrays that are smaller
    stay, such as the sums of a tile. How large they are Halide knows when it has lowered a kernel,
    so each is lowered here, and once more when it is compiled. A func whose schedule says where it
    is stored keeps that.
    """

    name = "bound-stack"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Extend the schedules; raises ``ToolchainError`` if Halide refuses a pipeline."""
        pipelines = list(pipelines_of(op))
        if not pipelines or machine_of(op).has_system:
            return
        for pipeline in pipelines:
            _store_off_stack(pipeline, _large_funcs(pipeline, machine_of(op).kernel_target()))


def _large_funcs(pipeline: PipelineOp, target: str) -> Set[str]:
    """Return the names of the funcs that have too large an array on the stack."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        lowered = Path(folder) / "kernel.stmt"
        objects = run_halide(pipeline, "lowered", target, {"stmt": lowered}, "_lowered")
        sizes = stack_arrays(lowered.read_text())
    names = objects.func_names
    return {names[name] for name, size in sizes.items() if size > ARRAY_BYTES and name in names}


def _store_off_stack(pipeline: PipelineOp, names: Set[str]) -> None:
    """Let a schedule say of the funcs of these names that they are not kept on the stack."""
    ops = pipeline.body.block.ops
    schedule = next((op for op in ops if isinstance(op, ScheduleOp)), None)
    said = [] if schedule is None else list(schedule.body.block.ops)
    stored = {op.func for op in said if isinstance(op, StoreInOp)}
    funcs = [op for op in ops if isinstance(op, FuncOp) and op.func_name.data in names]
    found = [StoreInOp(op.result, Memory.HEAP) for op in funcs if op.result not in stored]
    if schedule is not None:
        schedule.body.block.add_ops(found)
    elif found:
        pipeline.body.block.add_op(ScheduleOp(Block(found)))
