"""Programs made of the text of nn functions: what no ONNX model can say."""

from __future__ import annotations

from pathlib import Path

from xdsl.parser import Parser

from autodeploy.codegen.bundle.bundle import BundleOptions, write_bundle
from autodeploy.codegen.c.names import kernel_symbols
from autodeploy.codegen.c.read_program import find_program
from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass, record_kernels
from autodeploy.codegen.halide.kernels import CompiledKernel, compile_pipelines
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.registry import new_context
from autodeploy.machine import Machine
from autodeploy.pipelines import stages
from autodeploy.toolchain.session import Session, load_bundle


def compile_text(text: str, folder: Path, level: int) -> Session:
    """Compile the function ``main`` of a text of the nn dialect for this machine, and load it."""
    context = new_context()
    module = Parser(context, text).parse_module()
    kernels: list[CompiledKernel] = []
    for stage in stages(level):
        for step in () if stage.name == "nn" else stage.passes:
            if isinstance(step, CompileKernelsPass):
                program = find_program(module)
                symbols = kernel_symbols(program.sym_name.data, list(program.pipelines()))
                machine = machine_of(module)
                kernels = compile_pipelines(module, machine, directory=folder, symbols=symbols)
                record_kernels(module, kernels)
            else:
                step.apply(context, module)
        module.verify()
    options = BundleOptions(machine=Machine.parse("host"))
    write_bundle(context, module, kernels, folder / "bundle", options)
    return load_bundle(folder / "bundle")
