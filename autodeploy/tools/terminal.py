"""How the tools print text that may come from a model, a file or another program."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, cast

from autodeploy.diagnostics import visible

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def say(*lines: str, to_stderr: bool = False) -> None:
    """Print lines; what no terminal shows is printed as escapes (``visible``)."""
    stream = sys.stderr if to_stderr else sys.stdout
    for line in lines:
        print(visible(line, "\t"), file=stream, flush=True)


def json_text(content: object) -> str:
    """Return JSON of dictionaries, lists and numbers, where ``"inf"`` and ``"nan"`` are texts."""
    return json.dumps(_strict(content), indent=1)


def _strict(content: object) -> object:
    """Return the content with texts for the numbers that JSON does not have."""
    if isinstance(content, Mapping):
        members = cast(Mapping[str, object], content)
        return {name: _strict(value) for name, value in members.items()}
    if isinstance(content, list | tuple):
        return [_strict(value) for value in cast(Sequence[object], content)]
    return str(content) if isinstance(content, float) and not isfinite(content) else content


def new_table(first: str, *others: str) -> Table:
    """Return a table without rows, whose columns but the first are aligned at the right."""
    from rich.box import SIMPLE  # rich costs a fortieth of a second, few commands need it
    from rich.table import Table

    table = Table(first, box=SIMPLE)
    for name in others:
        table.add_column(name, justify="right")
    return table


def show_table(table: Table, width: int) -> None:
    """Print a table, ``width`` columns wide where the terminal is narrower or there is none."""
    from rich.console import Console

    console = Console(highlight=False)
    console.width = max(console.width, width)
    console.print(table)


def shown(text: str) -> Text:
    """Return a cell of a table: without markup, escaped as by ``say``."""
    from rich.text import Text

    return Text(visible(text, "\t"))
