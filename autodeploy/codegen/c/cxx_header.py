"""The C++ header ``<model>.hpp`` around the public header of the generated C program."""

from __future__ import annotations

from math import prod

from autodeploy.codegen.c.header import C_TYPES, parameter_names, title, wrap
from autodeploy.codegen.c.names import c_string
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.template import fill
from autodeploy.frontend.names import original_text


def cxx_header_text(program: Program) -> str:
    """Return the C++ header of a program."""
    inputs, outputs = parameter_names(program)
    sizes: list[str] = []
    parameters: list[str] = []
    checks: list[str] = []
    for kind, qualifier, names, tensors in (
        ("input", "const ", inputs, program.inputs),
        ("output", "", outputs, program.outputs),
    ):
        for name, tensor in zip(names, tensors, strict=True):
            said = c_string(f"{kind} '{original_text(tensor.name)}'")
            element = C_TYPES[tensor.dtype]
            sizes.append(
                f"    static constexpr std::size_t {name}_elements = {prod(tensor.shape)};"
            )
            parameters.append(f"{program.prefix}_span<{qualifier}{element}> {name}")
            checks.append(f"        check({said}, {name}.size(), {name}_elements);")
    sections = {
        "title": title(program),
        "model": program.prefix,
        "sizes": "\n".join(sizes),
        "parameters": wrap(parameters, "        "),
        "checks": "\n".join(checks),
        "arguments": wrap(
            ["context_.get()", *(f"{name}.data()" for name in (*inputs, *outputs))], "            "
        ),
    }
    flags = {"embedded" if program.embeds_weights else "weight_file"}
    return fill("template_model.hpp", program.prefix, sections, flags)
