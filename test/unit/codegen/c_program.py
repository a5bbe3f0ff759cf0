"""Small planned programs with kernels written in C, and what builds and runs them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.universe import Universe

from autodeploy.codegen.bundle.build_files import DEMO_SOURCES, HEADERS, LIBRARY_SOURCES
from autodeploy.codegen.bundle.weight_file import write_weight_file
from autodeploy.codegen.c.driver import driver_text
from autodeploy.codegen.c.header import header_text
from autodeploy.codegen.c.main import main_text
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.template import runtime_file
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run
from autodeploy.weights import WeightStore

STRICT = (
    "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion", "-Wcast-qual",
    "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wwrite-strings", "-Wundef",
)  # fmt: skip
STRICT_CXX = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wconversion")
CHECKS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

WEIGHTS = np.arange(8, dtype=np.float32) * 0.5
LARGE_WEIGHTS = np.linspace(-1, 1, 40, dtype=np.float32)

_PROGRAM = """
driver.program @{model} inputs ["x y"] outputs ["sum", "copy"] arena 128 weights 224 {{
^bb0(%x: memref<1x8xf32>, %sum: memref<8xf32>, %copy: memref<1x8xf32>):
  %w = driver.weight {small} {{offset = 0 : i64}} : memref<8xf32>
  %l = driver.weight {large} {{offset = 64 : i64}} : memref<40xf32>
  %flat = driver.view %x : memref<1x8xf32> to memref<8xf32>
  %b = driver.buffer {{offset = 64 : i64}} : memref<8xf32>
  %v = driver.view %b : memref<8xf32> to memref<1x8xf32>
  driver.call @add(%flat, %w) to (%b) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.call @add(%b, %w) to (%sum) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.copy %v to %copy : memref<1x8xf32> to memref<1x8xf32>
}}
halide.pipeline @add(%a: !halide.buffer<f32, [8]>, %b: !halide.buffer<f32, [8]>)
    to (%o: !halide.buffer<f32, [8]>) config<plain> {{
  %f = halide.func "f"(x %x) : f32 {{
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    halide.yield %0 : f32
  }}
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}}
"""

_KERNEL = """
#include "halide_buffer.h"
#include "halide_runtime.h"
#ifdef __cplusplus
extern "C" {{
#endif
int {symbol}(const void *context, halide_buffer_t *a, halide_buffer_t *b, halide_buffer_t *out);
int {symbol}(const void *context, halide_buffer_t *a, halide_buffer_t *b, halide_buffer_t *out)
{{
    const float *const left = (const float *)(void *)a->host;
    const float *const right = (const float *)(void *)b->host;
    float *const sum = (float *)(void *)out->host;
    int i;
    if (a->dimensions != 1 || a->dim[0].extent != 8 || a->dim[0].stride != 1 ||
        a->type.code != halide_type_float || a->type.bits != 32 || left[0] < -1000.0F) {{
        halide_error((void *)(uintptr_t)context, "the test asks for failure");
        return -7;
    }}
    for (i = 0; i < a->dim[0].extent; ++i) {{
        sum[i] = left[i] + right[i];
    }}
    return 0;
}}
#ifdef __cplusplus
}}
#endif
"""


def parse(text: str) -> tuple[Context, ModuleOp]:
    """Parse and verify a module in a context of its own."""
    ctx = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, factory)
    module = Parser(ctx, text).parse_module()
    module.verify()
    return ctx, module


def planned(model: str, scale: float = 1.0) -> tuple[Context, ModuleOp]:
    """Return a program of two kernel calls, a copy and views; its weights are scaled."""
    ctx = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, factory)
    store = WeightStore.of(ctx)
    small = store.attribute(WEIGHTS * np.float32(scale))
    large = store.attribute(LARGE_WEIGHTS * np.float32(scale))
    module = Parser(ctx, _PROGRAM.format(model=model, small=small, large=large)).parse_module()
    module.verify()
    return ctx, module


def kernel_source(program: Program) -> str:
    """Return the C source of the program's only kernel."""
    return _KERNEL.format(symbol=program.symbols["add"])


@dataclass
class Folder:
    """A folder of generated sources; ``sources`` are the C files of the models in it."""

    path: Path
    sources: list[str]

    def write(self, name: str, text: str) -> str:
        """Write a file and return its name."""
        (self.path / name).write_text(text)
        return name

    def add_model(self, ctx: Context, module: ModuleOp, *, kernels: bool = True) -> Program:
        """Write driver, header, weights and kernel of a model."""
        program = read_program(module)
        prefix = program.prefix
        self.write(f"{prefix}.h", header_text(program))
        self.sources.append(self.write(f"{prefix}.c", driver_text(program)))
        if kernels:
            self.sources.append(self.write(f"{prefix}_kernel.c", kernel_source(program)))
        write_weight_file(ctx, program, self.path / f"{prefix}.weights")
        return program

    def add_demo(self, program: Program, label: str | None = None) -> list[str]:
        """Write the demo program; return the sources to compile besides the model's."""
        return [self.write("main.c", main_text(program, label)), *DEMO_SOURCES]

    def compile(self, output: str, *extra: str, flags: tuple[str, ...] = CHECKS) -> Path:
        """Compile the models and the extra sources as strict C99."""
        command = [*find_c_compiler(), "-std=c99", *STRICT, *flags, *self.sources, *extra]
        run([*command, "-lm", "-pthread", "-o", output], self.path)
        return self.path / output

    def compile_cxx(self, output: str, *extra: str) -> Path:
        """Compile the same sources as C++."""
        command = [*find_cxx_compiler(), "-x", "c++", *STRICT_CXX, *self.sources, *extra]
        run([*command, "-x", "none", "-lm", "-pthread", "-o", output], self.path)
        return self.path / output


def new_folder(path: Path) -> Folder:
    """Return a folder that holds the sources that are the same for all models."""
    folder = Folder(path, list(LIBRARY_SOURCES))
    for name in (*LIBRARY_SOURCES, *DEMO_SOURCES, *HEADERS):
        folder.write(name, runtime_file(name))
    return folder


def execute(program: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a built program."""
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, cwd=program.parent
    )
