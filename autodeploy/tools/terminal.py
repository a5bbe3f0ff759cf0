"""How the tools print text that may come from a model, a file or another program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from autodeploy.diagnostics import visible

if TYPE_CHECKING:
    from rich.text import Text


def say(*lines: str, to_stderr: bool = False) -> None:
    """Print lines; what no terminal shows is printed as escapes (``visible``)."""
    stream = sys.stderr if to_stderr else sys.stdout
    for line in lines:
        print(visible(line, "\t"), file=stream, flush=True)


def shown(text: str) -> Text:
    """Return a line, or a cell of a table, for rich: without markup, escaped as by ``say``."""
    from rich.text import Text

    return Text(visible(text, "\t"))
