"""Draw what ``benchmarks.tuners`` found, and say in how many trials: ``python -m
benchmarks.tuner_curves benchmarks/tuners.json docs/pictures/tuners.png``.

A line is the median over the seeds of the best time so far, against the rule's config; its band
spans all seeds. It takes matplotlib (``autodeploy[plot]``).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any

_COLOURS = {"random": "tab:gray", "xgb": "tab:blue"}


def bests(kernel: dict[str, Any], tuner: str) -> list[list[float]]:
    """Return the best seconds so far of each seed, trial by trial."""
    found = (run["costs"] for run in kernel["runs"] if run["tuner"] == tuner)
    return [
        list(accumulate((math.inf if cost is None else cost for cost in costs), min))
        for costs in found
    ]


def trials_to(best: float, curve: Sequence[float]) -> int | None:
    """Return after how many trials beside the rule's a search was as fast as ``best``."""
    return next((trial for trial, cost in enumerate(curve) if cost <= best), None)


def told(kernel: dict[str, Any]) -> Iterator[str]:
    """Yield the cells of a row of a table: what random search finds, and when ``xgb`` does."""
    best = min(curve[-1] for curve in bests(kernel, "random"))
    trials = len(bests(kernel, "random")[0]) - 1
    needed = [trials_to(best, curve) for curve in bests(kernel, "xgb")]
    known = sorted(math.inf if count is None else count for count in needed)
    spread = [f"{count:.0f}" if count < math.inf else "not reached" for count in known]
    yield f"{kernel['network']}: {kernel['kernel']}"
    yield f"{kernel['rule'] * 1e6:.4g} us"
    yield f"{best * 1e6:.4g} us in {trials}"
    yield f"{spread[len(spread) // 2]} ({spread[0]} to {spread[-1]})"


def draw(found: dict[str, Any], file: Path) -> None:
    """Write a picture with a part for each kernel."""
    kernels = found["kernels"]
    kind: Any = import_module("matplotlib.figure").Figure
    figure = kind(figsize=(4.2 * len(kernels), 3.6), layout="constrained")
    parts = figure.subplots(1, len(kernels), squeeze=False)[0]
    for axes, kernel in zip(parts, kernels, strict=True):
        for tuner, colour in _COLOURS.items():
            # A search ends where it has no more points.
            together = zip(*bests(kernel, tuner), strict=False)
            steps = [[kernel["rule"] / cost for cost in costs] for costs in together]
            middle, least, most = ([*map(which, steps)] for which in (median, min, max))
            axes.step(range(len(steps)), middle, where="post", color=colour, label=tuner)
            axes.fill_between(range(len(steps)), least, most, step="post", color=colour, alpha=0.2)
        axes.set_title(f"{kernel['network']}\n{kernel['kernel']}", fontsize="small")
        axes.set_xlabel("trials")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small", loc="lower right")
    parts[0].set_ylabel("times as fast as the rule's config")
    figure.savefig(file, dpi=110)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuner_curves", description=__doc__)
    parser.add_argument("found", type=Path, help="JSON of benchmarks.tuners")
    parser.add_argument("picture", type=Path, help="the picture that is written")
    given = parser.parse_args(arguments)
    found = json.loads(given.found.read_text(encoding="utf-8"))
    draw(found, given.picture)
    print("| kernel | rule | best of random search | trials of xgb (of all seeds) |")
    print("|---|---|---|---|")
    for kernel in found["kernels"]:
        print(f"| {' | '.join(told(kernel))} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
