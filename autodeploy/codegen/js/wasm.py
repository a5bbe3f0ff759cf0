"""The page of a network in WebAssembly: a module that calls what the C sources become."""

from __future__ import annotations

from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.js.page import page_files
from autodeploy.dialects.memref import ALIGNMENT
from autodeploy.machine import Machine


def is_wasm_page(program: Program, machine: Machine | None) -> bool:
    """Return whether a page can run a program in C: all its tensors have one shape."""
    is_wasm = machine is not None and machine.os == "wasmrt"
    return is_wasm and not (program.numbers or program.states or program.extents)


def wasm_files(program: Program, machine: Machine | None) -> dict[str, str]:
    """Return the files of a page by name, none if no page can run the program."""
    if not is_wasm_page(program, machine):
        return {}
    sections = {
        "alignment": str(ALIGNMENT),
        "computes": "WebAssembly",
        "weights_bytes": str(HEADER_BYTES + program.data_bytes),
    }
    flags = {"single", "embedded" if program.embeds_weights else "weight_file"}
    return page_files(program, "template_wasm.js", sections, flags)
