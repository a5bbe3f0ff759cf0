"""Texts that repeat the failure of a pass: the IR before it, and the pass in the first line."""

from __future__ import annotations

from pathlib import Path

from xdsl.passes import ModulePass

from autodeploy.diagnostics import UserError
from autodeploy.tools.opt.flags import PassRequest, parse_anchored
from autodeploy.tools.opt.pipeline import pipeline_text

_START = "// configuration: --pass-pipeline="


def reproducer_text(step: ModulePass, text: str) -> str:
    """Return the text of a module with the pass that fails on it."""
    return f"{_START}'{pipeline_text([step])}'\n{text.rstrip()}\n"


def requests_of(path: Path | None) -> list[PassRequest]:
    """Return the passes in the first line of a file; raises ``UserError`` if it names none."""
    if path is None:
        raise UserError("a reproducer is a file, found standard input")
    try:
        with path.open(encoding="utf-8") as file:
            line = file.readline().strip()
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"input '{path}' is not UTF-8 text") from None
    if not line.startswith(_START):
        raise UserError(f"'{path}' is no reproducer: its first line does not begin with '{_START}'")
    return parse_anchored(line.removeprefix(_START).strip("'"))
