"""The demo program ``main.c`` of the generated C program."""

from __future__ import annotations

from autodeploy.codegen.c_header import title
from autodeploy.codegen.names import c_string
from autodeploy.codegen.program import Program
from autodeploy.codegen.template import fill

DEFAULT_LABEL = "predicted number is"
"""What the program prints before the index of the largest score of a classifier."""


def main_text(program: Program, label: str = DEFAULT_LABEL) -> str:
    """Return the demo program; ``label`` stands before the index of the largest score."""
    sections = {
        "title": title(program),
        "name": c_string(program.name),
        "label": c_string(label),
    }
    flags = {"embedded" if program.embeds_weights else "weight_file"}
    return fill("template_main.c", program.prefix, sections, flags)
