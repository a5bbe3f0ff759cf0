"""The demo program ``main.c`` of the generated C program."""

from __future__ import annotations

from autodeploy.codegen.c.header import title
from autodeploy.codegen.c.names import c_string
from autodeploy.codegen.c.open_shapes import extent_macro
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.template import fill
from autodeploy.frontend.names import original_text


def main_text(program: Program, label: str | None = None) -> str:
    """Return the demo program.

    With a ``label`` it prints that and the index of the largest score, below each output that is a
    row of scores.
    """
    sections = {"title": title(program), "name": c_string(program.name)}
    flags = {"embedded" if program.embeds_weights else "weight_file"}
    if program.variants:
        flags.add("several")
    flags.add("shapes" if program.has_shapes else "fixed")
    extent = program.op.open_extent
    flags.add("constant_inputs" if extent is None else "open")
    if extent is not None:
        sections["extent_macro"] = extent_macro(program)
        sections["extent_name"] = c_string(original_text(extent.label.data))
        sections["extent_steps"] = f" in steps of {extent.step}" if extent.step > 1 else ""
    if label is not None:
        sections["label"] = c_string(label)
        flags.add("label")
    return fill("template_main.c", program.prefix, sections, flags)
