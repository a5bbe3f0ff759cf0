"""The least time that a network could take on this machine, and how far ahead that would be.

A kernel's least time is that of its operations at the rate of a register tile whose operands lie in
the first-level cache, or of its bytes at the rate of the smallest memory that holds them all,
whichever is longer. Both are measured (``autodeploy/toolchain/peak.c``). It is a bound of the
kernels as they are: other algorithms, or kernels that are cut in another way, have bounds of their
own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autodeploy.toolchain.limits import Limits
from benchmarks.measure import geometric_mean


def limits_of(saved: Mapping[str, Any]) -> Limits:
    """Return the limits of a machine as ``results.json`` has them."""
    caches = tuple((name, size, rate) for name, size, rate in saved["caches"])
    return Limits(**{**saved, "caches": caches})


def least_seconds(kernels: Sequence[Mapping[str, Any]], limits: Limits, threads: int) -> float:
    """Return the sum of the kernels' least times of one run.

    Each core brings its own arithmetic and its own bytes. A kernel that is faster than its bound,
    as its bytes come from a nearer cache, counts with the time that it takes. What neither computes
    nor has bytes that are counted takes no time.
    """
    return sum(min(_bound(kernel, limits, threads), kernel["seconds"]) for kernel in kernels)


def _bound(kernel: Mapping[str, Any], limits: Limits, threads: int) -> float:
    _, rate = limits.source(kernel["bytes"] // max(kernel["calls"], 1))
    arithmetic = kernel["operations"] / limits.tile_gflops
    return max(arithmetic, kernel["bytes"] / rate) * 1e-9 / threads


def limit_table(report: Mapping[str, Any], ours: str) -> str:
    """Return, for each network whose kernels were timed, its limit as a Markdown table.

    ``ours`` is the engine whose kernels these are. *Fastest other* says how many times as long as
    that one the fastest of the others takes, *at the limit* how many times it would be if each
    kernel took its least time. Empty where no kernels were timed, or no limits measured.
    """
    if report["limits"] is None:
        return ""
    limits, rows = limits_of(report["limits"]), list[str]()
    now, most = list[float](), list[float]()
    for result in report["results"]:
        name, threads, contenders = (result[key] for key in ("model", "threads", "contenders"))
        kernels = report["kernels"].get(f"{name}, threads: {threads}")
        if kernels is None or "median" not in contenders.get(ours, {}):
            continue
        least, taken = least_seconds(kernels, limits, threads), contenders[ours]["median"]
        cells = [name, threads, f"{taken * 1e3:.3g}", f"{least * 1e3:.3g}", f"{least / taken:.0%}"]
        ratios = [c["ratio"] for c in contenders.values() if "ratio" in c]
        if ratios:
            now.append(min(ratios))
            most.append(min(ratios) * taken / least)
        seen = [f"{now[-1]:.2f}", f"{most[-1]:.2f}"] if ratios else ["", ""]
        rows.append(f"| {' | '.join(map(str, [*cells, *seen]))} |")
    if not rows:
        return ""
    if len(now) > 1:
        rows.append(
            f"| geometric mean | | | | | {geometric_mean(now):.2f} | {geometric_mean(most):.2f} |"
        )
    heading = "| model | threads | ms | limit ms | of limit | fastest other | at the limit |"
    return "\n".join([heading, "|-|-:|-:|-:|-:|-:|-:|", *rows])
