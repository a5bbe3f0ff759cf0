"""The C++ header ``<model>.hpp`` around the public header of the generated C program."""

from __future__ import annotations

from math import prod

from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.header import c_type, parameter_names, title, wrap
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
        for index, (name, tensor) in enumerate(zip(names, tensors, strict=True)):
            said = c_string(f"{kind} '{original_text(tensor.name)}'")
            element = c_type(tensor)
            sizes.append(
                f"    static constexpr std::size_t {name}_elements = "
                f"{prod(tensor.shape) * (tensor.cell or 1)};"
            )
            parameters.append(f"{program.prefix}_span<{qualifier}{element}> {name}")
            count = f"{name}_elements"
            if program.numbers and tensor.open:
                shape = f"{program.prefix}_{kind}_shape(context_.get(), {index})"
                count = f"elements({shape}, {len(tensor.shape)})"
            checks.append(f"        check({said}, {name}.size(), {count});")
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
    return fill("template_model.hpp", program.prefix, sections, program_flags(program))
