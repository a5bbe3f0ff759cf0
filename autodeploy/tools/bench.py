"""``autodeploy bench``: how long each kernel of a bundle takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from autodeploy.tools.command_options import (
    BUNDLE,
    FLUSH_SUBNORMALS,
    LAUNCH,
    MACHINE,
    PART,
    THREADS,
    count,
    flag,
)
from autodeploy.tools.terminal import json_text, say, show_table, shown

if TYPE_CHECKING:
    from rich.table import Table

    from autodeploy.toolchain.evaluate import Evaluation
    from autodeploy.toolchain.profile import KernelTime
    from autodeploy.toolchain.roofline import Roofline

_TIMES = 50
_NUMBER, _REPEAT = 10, 5
_WIDTH = 130


def bench(
    bundle: Annotated[Path, BUNDLE],
    rounds: Annotated[
        int, count("--rounds", "runs of the network; a time is the median of them")
    ] = _TIMES,
    threads: Annotated[int, THREADS] = 1,
    as_json: Annotated[
        bool, flag("--json", "print a JSON list: seconds, operations, bytes a run, bounds")
    ] = False,
    flush_subnormals: Annotated[bool | None, FLUSH_SUBNORMALS] = None,
    repeat: Annotated[
        int | None,
        count(
            "--repeat",
            "time whole runs instead, R times; any of the next options does so, too",
            metavar="R",
        ),
    ] = None,
    runs: Annotated[int | None, count("--number", "runs of a repeat")] = None,
    min_repeat_ms: Annotated[
        int | None,
        count(
            "--min-repeat-ms", "raise N until a repeat takes M milliseconds", least=0, metavar="M"
        ),
    ] = None,
    flush_caches: Annotated[
        bool, flag("--flush-caches", "empty the caches before each repeat")
    ] = False,
    machine: Annotated[str | None, MACHINE] = None,
    part: Annotated[str | None, PART] = None,
    launch: Annotated[str | None, LAUNCH] = None,
) -> None:
    """Time each kernel of a bundle on this machine, next to the limits of the machine.

    With --launch whole runs are timed, as with --repeat.
    """
    of_runs = (repeat, runs, min_repeat_ms, launch)
    if flush_caches or any(value is not None for value in of_runs):
        from autodeploy.toolchain.evaluate import evaluate_bundle

        found = evaluate_bundle(
            bundle,
            runs or _NUMBER,
            repeat or _REPEAT,
            min_repeat_ms or 0,
            threads,
            flush_caches=flush_caches,
            flush_subnormals=flush_subnormals,
            machine=machine,
            part=part,
            launch=launch,
        )
        _show_evaluation(found, as_json)
        return
    from autodeploy.toolchain.limits import measure_limits
    from autodeploy.toolchain.profile import profile_bundle
    from autodeploy.toolchain.roofline import roofline

    kernels = profile_bundle(
        bundle, rounds, threads, flush_subnormals=flush_subnormals, machine=machine, part=part
    )
    with TemporaryDirectory() as folder:
        limits = measure_limits(Path(folder))
    rows = [(kernel, roofline(kernel, limits, threads)) for kernel in kernels]
    if as_json:
        typer.echo(json_text([{**asdict(time), **asdict(roof)} for time, roof in rows]))
        return
    show_table(kernel_table(rows), _WIDTH)
    rates = [(name, rate) for name, _, rate in limits.caches]
    rates += [("memory", limits.read_gbs), ("memory, copied", limits.copy_gbs)]
    reached = ", ".join(f"{name} {rate:.1f}" for name, rate in rates)
    arithmetic = f"{limits.fma_gflops:.1f} GFLOP/s, {limits.tile_gflops:.1f} with operands from L1"
    say(f"one core at best: {arithmetic}; GB/s: {reached}")


def _show_evaluation(found: Evaluation, as_json: bool) -> None:
    if as_json:
        content = {**found.summary, "number": found.number, "seconds": found.seconds}
        typer.echo(json_text(content))
        return
    numbers = ", ".join(f"{name} {value * 1e3:.4f}" for name, value in found.summary.items())
    repeats = f"{len(found.seconds)} repeat{'s' * (len(found.seconds) > 1)}"
    typer.echo(f"ms a run: {numbers}; {repeats} of {found.number} run{'s' * (found.number > 1)}")


def kernel_table(rows: Sequence[tuple[KernelTime, Roofline]]) -> Table:
    """Return a table of kernels, one row each in the order given, with the sums below."""
    from rich.box import SIMPLE
    from rich.table import Table

    total = sum(kernel.seconds for kernel, _ in rows)
    operations = sum(kernel.operations for kernel, _ in rows)
    table = Table(show_footer=True, box=SIMPLE)
    table.add_column("kernel", "one run", no_wrap=True)
    table.add_column("algorithm", no_wrap=True)
    for name, footer in (
        ("calls", str(sum(kernel.calls for kernel, _ in rows if kernel.symbol))),
        ("ms", f"{total * 1e3:.4f}"),
        ("share", ""),
        ("Gop/s", _rate(operations * 1e-9 / total if total else 0)),
        ("of peak", ""),
        ("GB/s", ""),
        ("of roof", ""),
    ):
        table.add_column(name, footer, justify="right")
    table.add_column("bound by")
    for kernel, roof in rows:
        table.add_row(
            shown(kernel.name),
            shown(kernel.algorithm or ""),
            str(kernel.calls),
            f"{kernel.seconds * 1e3:.4f}",
            f"{kernel.seconds / total:.1%}" if total else "",
            _rate(roof.gops),
            _share(roof.of_peak if roof.gops else None),
            _rate(roof.gbs),
            _share(roof.of_roof),
            roof.bound,
        )
    return table


def _rate(number: float) -> str:
    """Return a rate; nothing where there is none."""
    return f"{number:.1f}" if number else ""


def _share(number: float | None) -> str:
    """Return a share of a limit; nothing where it is not known."""
    return "" if number is None else f"{number:.0%}"
