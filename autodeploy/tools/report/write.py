"""``autodeploy.report``: the page about a bundle, or about two, as a file."""

from __future__ import annotations

import os
from pathlib import Path

from autodeploy.diagnostics import UserError, io_errors
from autodeploy.toolchain.profile import DEFAULT_ROUNDS
from autodeploy.tools.report.facts import collect
from autodeploy.tools.report.page import comparison_page, report_page


def write_report(
    bundle: str | Path,
    output: str | Path,
    *,
    before: str | Path | None = None,
    rounds: int = DEFAULT_ROUNDS,
    threads: int = 1,
    machine: str | None = None,
    part: str | None = None,
) -> None:
    """Write a page (HTML) about a bundle to the file ``output``, next to an older one ``before``.

    Times are medians of ``rounds`` runs; 0 measures nothing. ``machine`` or ``part``
    choose one of several programs of a bundle. Raises ``UserError`` if a folder is no
    bundle or the page cannot be written.
    """
    folder, page = Path(bundle), Path(output)
    _check_writable(page)
    if before is None:
        text = report_page(collect(folder, rounds, threads, machine=machine, part=part))
    else:
        older = collect(Path(before), rounds, threads, machine=machine, part=part)
        newer = collect(folder, rounds, threads, older.limits, machine=machine, part=part)
        text = comparison_page(older, newer)
    with io_errors(f"cannot write '{page}'"):
        page.write_text(text, encoding="utf-8")


def _check_writable(output: Path) -> None:
    """Raise ``UserError`` if a page cannot be written, before anything is built for it."""
    problem = None
    if output.is_dir():
        problem = "it is a folder"
    elif not output.parent.is_dir():
        problem = f"there is no folder '{output.parent}'"
    elif not os.access(output if output.exists() else output.parent, os.W_OK):
        problem = "it is read-only"
    if problem is not None:
        raise UserError(f"cannot write '{output}': {problem}")
