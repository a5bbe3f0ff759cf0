"""``autodeploy bench``: how long each kernel of a bundle takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from autodeploy.toolchain.profile import KernelTime

_TIMES = 50


def bench(
    bundle: Annotated[Path, typer.Argument(help="folder of the bundle")],
    rounds: Annotated[
        int, typer.Option(min=1, help="runs of the network; a time is the median of them")
    ] = _TIMES,
    threads: Annotated[int, typer.Option(min=1, help="threads that may compute")] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="print a JSON list: seconds, operations, bytes a run")
    ] = False,
) -> None:
    """Time each kernel of a bundle on this machine."""
    from autodeploy.toolchain.profile import profile_bundle

    kernels = profile_bundle(bundle, rounds, threads)
    if as_json:
        typer.echo(json.dumps([asdict(kernel) for kernel in kernels], indent=1))
    else:
        # Wide enough for every column where the output is no terminal.
        console = Console(highlight=False)
        console.print(kernel_table(kernels), width=max(console.width, 120))


def kernel_table(kernels: Sequence[KernelTime]) -> Table:
    """Return a table of kernels, one row each in the order given, with the sums below."""
    total = sum(kernel.seconds for kernel in kernels)
    table = Table(show_footer=True)
    table.add_column("kernel", "one run")
    table.add_column("algorithm")
    for name, footer in (
        ("calls", str(sum(kernel.calls for kernel in kernels if kernel.symbol))),
        ("ms", f"{total * 1e3:.4f}"),
        ("share", ""),
        ("GFLOP/s", _rate(sum(kernel.flops for kernel in kernels), total)),
        ("GB/s", ""),
    ):
        table.add_column(name, footer, justify="right")
    for kernel in kernels:
        table.add_row(
            escape(kernel.name),
            kernel.algorithm or "",
            str(kernel.calls),
            f"{kernel.seconds * 1e3:.4f}",
            f"{kernel.seconds / total:.1%}" if total else "",
            _rate(kernel.flops, kernel.seconds),
            _rate(kernel.bytes, kernel.seconds),
        )
    return table


def _rate(count: int, seconds: float) -> str:
    """Return thousands of millions a second; nothing where there is nothing to divide."""
    return f"{count / seconds * 1e-9:.1f}" if count and seconds else ""
