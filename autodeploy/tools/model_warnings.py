"""Warnings about a model, the cache, rules, records or workers, as the tools print them."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

from autodeploy.diagnostics import (
    CacheWarning,
    ModelWarning,
    PatternWarning,
    RecordsWarning,
    WorkerWarning,
)
from autodeploy.tools.terminal import say

_KINDS = (ModelWarning, CacheWarning, PatternWarning, RecordsWarning, WorkerWarning)


@contextmanager
def warnings_in_lines(tool: str) -> Generator[None]:
    """Print each of autodeploy's warnings as one line on standard error, ``tool: warning: …``."""
    with warnings.catch_warnings():
        for kind in _KINDS:
            warnings.simplefilter("always", kind)
        show_other = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, _KINDS):
                say(f"{tool}: warning: {message}", to_stderr=True)
            else:
                show_other(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield
