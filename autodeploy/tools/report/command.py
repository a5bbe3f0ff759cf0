"""The command ``autodeploy report``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from autodeploy.diagnostics import UserError
from autodeploy.tools.bench import MACHINE, PART, THREADS
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import UsageError, number


def report(
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE", readable=False, help="the page, HTML"),
    ],
    bundle: Annotated[
        Path | None,
        typer.Argument(metavar="[BUNDLE]", readable=False, help="folder of the bundle"),
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(metavar="BUNDLE", readable=False, help="compare this bundle with --after"),
    ] = None,
    after: Annotated[
        Path | None, typer.Option(metavar="BUNDLE", readable=False, help="see --before")
    ] = None,
    rounds: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=number("--rounds", 0),
            help="runs of the network, of which times are the median; 0: measure nothing",
        ),
    ] = 50,
    threads: Annotated[int, THREADS] = 1,
    machine: Annotated[str | None, MACHINE] = None,
    part: Annotated[str | None, PART] = None,
) -> None:
    """Write a page about a bundle: its graph, times, limits, memory; or about two of them."""
    from autodeploy.tools.report.facts import collect
    from autodeploy.tools.report.page import comparison_page, report_page

    _check_writable(output)
    if bundle is not None and before is None and after is None:
        page = report_page(collect(bundle, rounds, threads, machine=machine, part=part))
    elif bundle is None and before is not None and after is not None:
        older = collect(before, rounds, threads, machine=machine, part=part)
        newer = collect(after, rounds, threads, older.limits, machine=machine, part=part)
        page = comparison_page(older, newer)
    else:
        raise UsageError("report takes a bundle, or --before and --after; see --help")
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write '{output}': {error.strerror or error}") from None
    say(f"wrote {output}")


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
