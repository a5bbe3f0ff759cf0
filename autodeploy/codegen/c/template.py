"""The C sources that autodeploy brings along: those copied as they are, and those to be filled in.

A template is C written for a model called ``model``. To fill it in, ``model_`` and ``MODEL_``
before a name (and ``model.h`` after ``include``) become the model's own prefix, ``@name@`` becomes
the text of that section (``@version@`` autodeploy's version), and the lines between ``@if flag@``
and its ``@end@`` are kept where the flag is set, those after ``@if not flag@`` where it is not.
``@part name@`` stands for the lines of
``template_part_name.c``, ``@part name.js@`` for those of ``template_part_name.js``: those about one
subject, or those that several templates share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from autodeploy.diagnostics import UserError


@cache
def runtime_file(name: str) -> str:
    """Return the text of a file of ``autodeploy/runtime`` or of its library of functions.

    Raises ``UserError`` if there is none.
    """
    runtime = files("autodeploy").joinpath("runtime")
    for path in (runtime.joinpath(name), runtime.joinpath("library", name)):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise UserError(f"the runtime has no file '{name}'")


@cache
def tool_version() -> str:
    """Return the version of autodeploy as it is installed."""
    return version("autodeploy")


def fill(
    template: str, prefix: str, sections: Mapping[str, str], flags: Set[str] = frozenset()
) -> str:
    """Return ``fill_text`` of the file ``template`` of ``autodeploy/runtime``."""
    return fill_text(runtime_file(template), prefix, sections, flags)


def fill_text(
    text: str, prefix: str, sections: Mapping[str, str], flags: Set[str] = frozenset()
) -> str:
    """Return the text of a template, filled in for the model ``prefix``.

    Raises ``KeyError`` for a section of the template that ``sections`` lacks.
    """
    text = re.sub(
        r"^@part (\w+)(\.\w+)?@\n",
        lambda match: runtime_file(f"template_part_{match[1]}{match[2] or '.c'}"),
        text,
        flags=re.MULTILINE,
    )
    text = "".join(_kept(text, flags))
    known = {"version": tool_version(), **sections}

    # One pass: what is put in may itself hold what is replaced.
    def filled(match: re.Match[str]) -> str:
        if match[1]:
            return known[match[1]]
        return prefix if match[0] == "model" else prefix.upper()

    return re.sub(r"@(\w+)@|\bmodel(?=_\w|\.h\b)|\bMODEL(?=_\w)", filled, text)


def _kept(text: str, flags: Set[str]) -> Iterator[str]:
    """Yield the lines whose conditions all hold."""
    holds: list[bool] = []
    for line in text.splitlines(keepends=True):
        if condition := re.fullmatch(r"@if (not )?(\w+)@\n", line):
            holds.append((condition[2] in flags) != bool(condition[1]))
        elif line == "@end@\n":
            holds.pop()
        elif all(holds):
            yield line
