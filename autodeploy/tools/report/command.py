"""The command ``autodeploy report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    from autodeploy.tools.report.write import write_report

    newest = after if bundle is None else bundle
    if newest is None or (after is None) != (before is None) or None not in (bundle, after):
        raise UsageError("report takes a bundle, or --before and --after; see --help")
    write_report(
        newest, output, before=before, rounds=rounds, threads=threads, machine=machine, part=part
    )
    say(f"wrote {output}")
