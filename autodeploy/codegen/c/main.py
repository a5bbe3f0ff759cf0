"""The demo program ``main.c`` of the generated C program."""

from __future__ import annotations

from autodeploy.codegen.c.header import title
from autodeploy.codegen.c.names import c_string
from autodeploy.codegen.c.open_shapes import extent_macros, max_rank
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.template import fill
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
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
        several = len(extent.ranges) > 1
        flags.add("several_extents" if several else "one_extent")
        sections |= _extent_sections(program, extent)
    if label is not None:
        sections["label"] = c_string(label)
        flags.add("label")
    return fill("template_main.c", program.prefix, sections, flags)


def _extent_sections(program: Program, extent: OpenExtentAttr) -> dict[str, str]:
    """Return the sections about open extents: their ranges, and which axes of inputs tell them."""
    lines: list[str] = []
    for range_, macro in zip(extent.ranges, extent_macros(program), strict=True):
        steps = f" in steps of {range_.step}" if range_.step > 1 else ""
        name = c_string(original_text(range_.label))
        lines.append(f'    {{{name}, {macro}_LEAST, {macro}_MOST, {macro}_STEP, "{steps}"}},')
    told = [
        f"    {{{index}, {axis}, {growth.place}, {growth.times}}},"
        for index, value in enumerate(program.op.inputs)
        for axis, growth in program.op.growths(value).items()
    ]
    return {
        "extent_count": str(len(extent.ranges)),
        "extents": "\n".join(lines),
        "told_count": str(len(told)),
        "told": "\n".join(told),
        "max_rank": str(max_rank(program)),
    }
