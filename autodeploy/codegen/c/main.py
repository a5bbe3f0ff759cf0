"""The demo program ``main.c`` of the generated C program."""

from __future__ import annotations

from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.header import title
from autodeploy.codegen.c.names import c_string
from autodeploy.codegen.c.open_shapes import extent_macros, max_rank, times_text
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.states import counted_numbers
from autodeploy.codegen.c.template import fill
from autodeploy.frontend.names import original_text


def main_text(program: Program, label: str | None = None) -> str:
    """Return the demo program.

    With a ``label`` it prints that and the index of the largest score, below each output that is a
    row of scores.
    """
    sections = {"title": title(program), "name": c_string(program.name)}
    flags = program_flags(program)
    if program.numbers:
        by_shapes = len(program.numbers) > 1 or bool(counted_numbers(program))
        flags.add("several_extents" if by_shapes else "one_extent")
        sections |= _extent_sections(program)
    if label is not None:
        sections["label"] = c_string(label)
        flags.add("label")
    return fill("template_main.c", program.prefix, sections, flags)


def _extent_sections(program: Program) -> dict[str, str]:
    """Return the sections about open extents: their ranges, and which axes of inputs tell them."""
    lines: list[str] = []
    counted = counted_numbers(program)
    for place, (number, macro) in enumerate(
        zip(program.numbers, extent_macros(program), strict=True)
    ):
        name, numbers = c_string(original_text(number.label)), c_string(number.text)
        if counted:
            numbers += f", {int(place in counted)}"
        lines.append(f"    {{{name}, {macro}_LEAST, {macro}_MOST, {macro}_STEP, {numbers}}},")
    told = [
        f"    {{{index}, {axis}, {times_text(growth, len(program.numbers))}, {growth.plus}}},"
        for index, tensor in enumerate(program.inputs)
        for axis, growth in tensor.grown.items()
        if growth.is_sum
    ]
    if counted and not told:
        # C has no empty tables; this one tells nothing.
        zeros = ", ".join("0" for _ in program.numbers)
        told = [f"    {{0, 0, {{{zeros}}}, 0}},"]
    return {
        "extent_count": str(len(program.numbers)),
        "extents": "\n".join(lines),
        "told_count": str(len(told)),
        "told": "\n".join(told),
        "max_rank": str(max_rank(program)),
    }
