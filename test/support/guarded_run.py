"""Kernels run on guarded memory, in a program of their own that ends with a fault, or with 0."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from guarded_memory import GuardedArray, call_kernel
from scheduled import scheduled
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from autodeploy.codegen.halide.kernels import compile_pipelines
from autodeploy.dialects.registry import new_context
from autodeploy.lowering.nn_to_halide.convert_nn_to_halide import ConvertNnToHalidePass
from autodeploy.machine import Machine
from autodeploy.passes.halide.schedule_kernels import ScheduleKernelsPass
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.passes.kernels.form_kernels import FormKernelsPass
from autodeploy.passes.kernels.pack_weights import PackWeightsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass
from autodeploy.toolchain.compiler import find_c_compiler, run

SCRATCH = """
#include <stdlib.h>
void *halide_malloc(void *context, size_t size) {
  (void)context;
  return aligned_alloc(64, (size + 127) / 64 * 64);
}
void halide_free(void *context, void *memory) { (void)context; free(memory); }
"""
"""Memory that kernels work in, as the C program's runtime would hand it out."""


def run_guarded(text: str, machine: str, folder: Path) -> list[np.ndarray]:
    """Compile the one kernel of a function and call it; returns its operands and its result.

    Operands have random elements.
    """
    random = np.random.default_rng(3)
    return call_guarded(scheduled(text, machine), machine, folder, random.standard_normal)


def fused(text: str, fuse: ModulePass, machine: str) -> ModuleOp:
    """Return the scheduled kernels of a text, of which ``fuse`` has made one."""
    context = new_context()
    module = Parser(context, text).parse_module()
    for step in (
        SetMachinePass(machine=machine),
        FormKernelsPass(),
        fuse,
        ConfigureKernelsPass(),
        PackWeightsPass(),
        FoldNnConstantsPass(),
        ConvertNnToHalidePass(),
        ScheduleKernelsPass(),
    ):
        step.apply(context, module)
    module.verify()
    return module


def call_guarded(
    module: ModuleOp,
    machine: str,
    folder: Path,
    fill: Callable[[tuple[int, ...]], np.ndarray],
) -> list[np.ndarray]:
    """Compile the one pipeline of a module and call it; returns its operands and its result.

    ``fill`` makes the elements of an operand of a shape.
    """
    (kernel,) = compile_pipelines(module, Machine.parse(machine), directory=folder)
    library, scratch = folder / "kernel.so", folder / "scratch.c"
    scratch.write_text(SCRATCH, encoding="utf-8")
    sources = [str(file) for file in (*kernel.files, scratch)]
    run([*find_c_compiler(), "-shared", "-fPIC", "-o", str(library), *sources])
    named: dict[str, GuardedArray] = {}
    arguments: list[GuardedArray] = []
    for argument in kernel.arguments:
        # What is fetched ahead is the same memory, once for each stream.
        name = re.sub(r"_ahead(_\d+)?$", "", argument.name)
        if name not in named:
            named[name] = GuardedArray(tuple(reversed(argument.type.extents)))
            named[name].array[:] = fill(named[name].array.shape)
        arguments.append(named[name])
    assert call_kernel(library, kernel.symbol, arguments) == 0
    # The memory goes with the guarded arrays.
    return [argument.array.copy() for argument in named.values()]


def check_all(shapes: Sequence[tuple[int, ...]], check: Callable[..., None], folder: Path) -> None:
    """Check each of some shapes in a folder of its own, and print it before."""
    for number, shape in enumerate(shapes):
        print(*shape, flush=True)
        check(folder / str(number), *shape)


def lines_of(program: str, *arguments: str) -> list[str]:
    """Run a Python file and return the lines that it prints; it has to end well."""
    done = subprocess.run(
        [sys.executable, program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout}{done.stderr}"
    return done.stdout.splitlines()
