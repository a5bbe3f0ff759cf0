"""The kernel of a small program, as it is compiled for a bundle."""

from __future__ import annotations

from pathlib import Path

from c_program import kernel_source, planned

from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.template import runtime_file
from autodeploy.codegen.halide.kernels import CompiledKernel


def kernel(files: tuple[Path, ...], symbol: str = "sum_add", name: str = "add") -> CompiledKernel:
    return CompiledKernel(name, symbol, files, (), 0, ())


def write_source(folder: Path, name: str) -> Path:
    """Write the kernel's source, and the headers that it needs to be compiled alone."""
    for header in ("halide_buffer.h", "halide_runtime.h"):
        (folder / header).write_text(runtime_file(header))
    source = folder / name
    source.write_text(kernel_source(read_program(planned("sum")[1])))
    return source
