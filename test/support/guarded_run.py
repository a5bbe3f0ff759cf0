"""Kernels run on guarded memory, in a program of their own that ends with a fault, or with 0."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from guarded_memory import GuardedArray, call_kernel
from scheduled import scheduled

from autodeploy.codegen.halide_kernels import compile_pipelines
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run


def run_guarded(text: str, machine: str, folder: Path) -> list[np.ndarray]:
    """Compile the one kernel of a function and call it; returns its operands and its result."""
    (kernel,) = compile_pipelines(
        scheduled(text, machine), Machine.parse(machine), directory=folder
    )
    library = folder / "kernel.so"
    run([*find_c_compiler(), "-shared", "-o", str(library), *(str(file) for file in kernel.files)])
    random = np.random.default_rng(3)
    named: dict[str, GuardedArray] = {}
    arguments: list[GuardedArray] = []
    for argument in kernel.arguments:
        # What is fetched ahead is the same memory.
        name = argument.name.removesuffix("_ahead")
        if name not in named:
            named[name] = GuardedArray(tuple(reversed(argument.type.extents)))
            named[name].array[:] = random.standard_normal(named[name].array.shape)
        arguments.append(named[name])
    assert call_kernel(library, kernel.symbol, arguments) == 0
    # The memory goes with the guarded arrays.
    return [argument.array.copy() for argument in named.values()]


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
