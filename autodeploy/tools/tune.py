"""``autodeploy tune``: search for the fastest configs of a model on this machine."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autodeploy.tools.command_options import MODEL, PRECISION, count, flag, level, path, text
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.terminal import new_table, say, show_table, shown
from autodeploy.tools.usage import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from autodeploy.tuning.search import Callback, Progress
    from autodeploy.tuning.tune import TaskResult, Tuning

_ROWS = 24
"""Tasks that are shown while a search goes on: those that take longest."""

_WIDTH = 100


def _minutes(text: str | float) -> float:
    value = float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", str(text)) else 0.0
    if not value:
        raise UsageError(f"option '--minutes' takes a number above 0, found '{text}'")
    return value


@with_model_options
def tune(
    *,
    model: Annotated[Path, MODEL],
    records: Annotated[
        Path,
        path("FILE", "file to append to, for compile --records; user: that in the user's cache"),
    ],
    minutes: Annotated[
        float | None, typer.Option(metavar="M", parser=_minutes, help="end after M minutes")
    ] = None,
    trials: Annotated[int | None, count("--trials", "end after N trials")] = None,
    tuner: Annotated[
        str | None,
        text(
            "xgb|ga|random|grid",
            "strategy for candidates; default: xgb if xgboost is installed, else ga",
        ),
    ] = None,
    seed: Annotated[int, count("--seed", "of random numbers", least=0)] = 0,
    early_stopping: Annotated[
        int | None, count("--early-stopping", "leave a kernel alone after N trials without a gain")
    ] = None,
    level: Annotated[int, level("as of compile", least=2)] = 3,
    given: ModelOptions,
    machine: Annotated[
        str, text("MACHINE", "as of compile; it runs here, or on workers", show_default=True)
    ] = "host",
    precision: Annotated[str | None, PRECISION] = None,
    threads: Annotated[int, count("--threads", "as of compile")] = 1,
    launch: Annotated[
        str, text("COMMAND", "words before each measured program, such as 'chrt -f 20'")
    ] = "",
    overlap: Annotated[
        bool, flag("--overlap", "compile others while one is measured, on a core of its own")
    ] = False,
    scheduler: Annotated[
        str | None,
        text("ADDRESS", "measure on the workers of a Dask scheduler, such as tcp://host:8786"),
    ] = None,
    tls_ca_file: Annotated[Path | None, text("FILE", "TLS: certificate of the authority")] = None,
    tls_cert: Annotated[Path | None, text("FILE", "TLS: certificate of this side")] = None,
    tls_key: Annotated[Path | None, text("FILE", "TLS: its private key")] = None,
) -> None:
    """Measure configs of a model's kernels on this machine, and keep them in a file of records.

    Every trial is in the file at once: Ctrl-C at any time keeps what was found. With --scheduler,
    workers measure: see 'autodeploy worker'.
    """
    from autodeploy.runner.main import tls as tls_files
    from autodeploy.runner.worker import WorkerError
    from autodeploy.tuning.tune import tune as search

    if minutes is None and trials is None:
        raise UsageError("a search needs '--minutes' or '--trials'")
    files = (tls_ca_file, tls_cert, tls_key)
    try:
        security = tls_files(*(None if file is None else str(file) for file in files))
    except WorkerError as error:
        raise UsageError(str(error)) from None
    try:
        with live_table(minutes, trials) as callback:
            found = search(
                model,
                records=str(records),
                trials=trials,
                minutes=minutes,
                tuner=tuner,
                seed=seed,
                early_stopping=early_stopping,
                callback=callback,
                level=level,
                machine=machine,
                **given,
                precision=precision,
                threads=threads,
                launch=launch,
                overlap=overlap,
                scheduler=scheduler,
                tls=security,
            )
    except KeyboardInterrupt:
        say(f"interrupted; what was measured is in '{records}'", to_stderr=True)
        raise
    show_table(result_table(found.tasks), _WIDTH)
    say(*_summary(found))
    say(f"compile with: --records {records}")


@contextmanager
def live_table(minutes: float | None, trials: int | None) -> Generator[Callback]:
    """Show a table while a search goes on, on a terminal only; yields the search's callback."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False)
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def show(progress: Progress) -> None:
            if console.is_terminal:
                live.update(progress_table(progress, minutes, trials), refresh=True)

        yield show


def progress_table(progress: Progress, minutes: float | None, trials: int | None) -> Table:
    """Return a table of the tasks of a search, those that take longest first."""
    states = sorted(progress.states, key=lambda s: s.seconds if _known(s.seconds) else -1.0)[::-1]
    total = sum(s.seconds for s in states if _known(s.seconds))
    table = new_table("task", "share", "trials", "failed", "rule us", "best us", "gain")
    for state in states[:_ROWS]:
        known = _known(state.rule_cost)
        table.add_row(
            shown(state.task.title),
            f"{state.seconds / total:.1%}" if known and total else "",
            str(len(state.bests)),
            str(state.failed),
            _us(state.rule_cost),
            _us(state.best_cost),
            f"{state.rule_cost / state.best_cost - 1:+.1%}" if known and state.bests else "",
        )
    spent = f"{progress.trials} trials in {progress.seconds:.0f} s"
    left = "" if trials is None else f", {max(trials - progress.trials, 0)} trials left"
    if minutes is not None:
        left += f", {max(minutes * 60 - progress.seconds, 0):.0f} s left"
    table.caption = shown(f"{spent}{left}: {progress.doing}")
    return table


def result_table(tasks: Sequence[TaskResult]) -> Table:
    """Return a table of the choices of a search, in the order of the network."""
    table = new_table("task", "calls", "trials", "rule us", "chosen us", "gain")
    for task in tasks:
        table.add_row(
            shown(task.title),
            str(task.count),
            str(task.trials),
            _us(task.rule_seconds),
            _us(task.seconds),
            f"{task.rule_seconds / task.seconds - 1:+.1%}",
        )
    return table


def _summary(found: Tuning) -> list[str]:
    merges = [f"kernels {text}" for text in found.merges]
    if found.network_gain > 1:
        gain = f"the network is {found.network_gain:.3f} times as fast"
        return [*merges, f"{found.trials} trials; {gain}"]
    nothing = "nothing was found by which the network is faster"
    return [*merges, f"{found.trials} trials; {nothing}"]


def _known(seconds: float) -> bool:
    return seconds < math.inf


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.2f}" if _known(seconds) else ""
