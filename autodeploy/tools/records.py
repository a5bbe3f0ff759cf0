"""``autodeploy records``: what files of records say, and how they are kept small."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autodeploy.tools.command_options import JSON, argument, count, flag, output, text
from autodeploy.tools.terminal import json_text, new_table, say, show_table, shown

if TYPE_CHECKING:
    from rich.table import Table

    from autodeploy.records.best import KernelRecords
    from autodeploy.records.record import Record

app = typer.Typer(help="Show, merge and prune files of records.")

_FILE = argument("FILE", "the file of records")
_WIDTH = 120


@app.command()
def show(
    file: Annotated[Path, _FILE],
    best: Annotated[bool, flag("--best", "show the best configs, too")] = False,
    plot: Annotated[
        Path | None,
        text(
            "PICTURE",
            "draw the best of each kernel by trials: a file that ends in .png, .svg or .pdf",
        ),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Show the kernels of a file: their trials, the rule's time, the best one."""
    from autodeploy.records.record_file import read_records
    from autodeploy.tools.curves import curves, draw_curves

    records = read_records(file)
    if plot is not None:
        draw_curves(curves(records), plot)
    if as_json:
        typer.echo(json_text(_entries(records)))
        return
    show_table(records_table(records, best), _WIDTH)


@app.command()
def merge(
    files: Annotated[list[Path], argument("FILE…", "files of records")],
    output: Annotated[Path, output("FILE", "file to append to")],
) -> None:
    """Append the records of files to another one, those that it lacks, by their time."""
    from autodeploy.records.record_file import append_records, read_records

    there = {record.to_line() for record in read_records(output, missing_ok=True)}
    found = {record.to_line(): record for file in files for record in read_records(file)}
    new = [record for line, record in found.items() if line not in there]
    append_records(output, sorted(new, key=lambda record: record.time))
    say(f"{len(new)} of {len(found)} records were new to '{output}'")


@app.command()
def prune(
    file: Annotated[Path, _FILE],
    keep: Annotated[int, count("--keep", "fastest trials of each kernel", least=0)] = 8,
) -> None:
    """Remove damaged lines and all but the first, the best and the fastest trials of each kernel.

    A kernel that is tuned again may try again what was removed.
    """
    from autodeploy.records.record_file import read_records, rewrite_records

    if not file.exists():
        read_records(file)  # which says so
    gone = rewrite_records(file, lambda records: _kept(records, keep))
    say(f"removed {gone} record{'s' * (gone != 1)} from '{file}'")


@app.command("best")
def best_(file: Annotated[Path, _FILE]) -> None:
    """Print the record that compile takes for each kernel, a line each."""
    from autodeploy.records.best import grouped
    from autodeploy.records.record_file import read_records

    for group in grouped(read_records(file)).values():
        if group.best is not None:
            say(group.best.to_line())


def _kept(records: list[Record], keep: int) -> Iterable[Record]:
    from autodeploy.records.best import grouped

    kept: set[int] = set()
    for group in grouped(records).values():
        working = [trial for trial in group.trials if trial.error is None]
        fastest = heapq.nsmallest(keep, working, key=lambda trial: trial.cost)
        kept |= {id(record) for record in (group.rule, group.best, *fastest)}
    return [record for record in records if id(record) in kept]


def _entries(records: Iterable[Record]) -> list[dict[str, object]]:
    """Return the rows of the table of records, with seconds and configs."""
    from autodeploy.records.best import grouped

    return [
        {
            "kernel": group.records[0].title,
            "machine": machine_name(machine),
            "versions": dict(versions),
            "trials": len(group.trials),
            "failed": sum(trial.error is not None for trial in group.trials),
            "rule_seconds": None if group.rule is None else group.rule.cost,
            "best_seconds": None if group.best is None else group.best.cost,
            "best_config": None if group.best is None else group.best.config,
        }
        for (_, machine, versions), group in grouped(records).items()
    ]


def records_table(records: Iterable[Record], best: bool = False) -> Table:
    """Return a table with a row for each kernel, machine and version."""
    from autodeploy.records.best import grouped
    from autodeploy.records.record import current_versions

    table = new_table("kernel")
    table.add_column("machine")
    for name in ("trials", "failed", "rule us", "best us", "gain"):
        table.add_column(name, justify="right")
    table.add_column("best config" if best else "")
    for (_, machine, versions), group in grouped(records).items():
        other = "" if dict(versions) == current_versions() else "of another version"
        table.add_row(
            shown(group.records[0].title),
            shown(machine_name(machine)),
            *_numbers(group),
            shown(group.best.config) if best and group.best is not None else other,
        )
    return table


def machine_name(machine: str) -> str:
    """Return the name in the text of a machine."""
    parts = machine.split('"')
    return parts[1] if len(parts) > 1 else machine


def _numbers(group: KernelRecords) -> Iterable[str]:
    failed = sum(trial.error is not None for trial in group.trials)
    rule, best = group.rule, group.best
    return (
        str(len(group.trials)),
        str(failed),
        "" if rule is None else f"{rule.cost * 1e6:.2f}",
        "" if best is None else f"{best.cost * 1e6:.2f}",
        "" if rule is None or best is None else f"{rule.cost / best.cost - 1:+.1%}",
    )
