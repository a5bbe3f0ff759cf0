"""The command ``autodeploy report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from autodeploy.tools.command_options import MACHINE, PART, THREADS, argument, count, output, path
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import UsageError


def report(
    output: Annotated[Path, output("FILE", "the page, HTML")],
    bundle: Annotated[Path | None, argument("[BUNDLE]", "folder of the bundle")] = None,
    before: Annotated[Path | None, path("BUNDLE", "compare this bundle with --after")] = None,
    after: Annotated[Path | None, path("BUNDLE", "see --before")] = None,
    rounds: Annotated[
        int,
        count(
            "--rounds",
            "runs of the network, of which times are the median; 0: measure nothing",
            least=0,
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
