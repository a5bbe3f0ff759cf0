"""How the ratios of products are distributed, as Markdown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.measure import geometric_mean
from benchmarks.products import EPILOGUES
from benchmarks.report import OURS

WORST = 12
"""Points that the summary lists."""

_Point = Mapping[str, Any]


def best_ratio(point: _Point) -> float | None:
    """Return how many times as long as ours the fastest other engine takes, where there is one."""
    found = [
        contender["ratio"] for contender in point["contenders"].values() if "ratio" in contender
    ]
    return min(found, default=None)


def gflops(point: _Point, peer: str) -> float | None:
    """Return the GFLOP/s of an engine: those of the product alone."""
    median = point["contenders"].get(peer, {}).get("median")
    return None if median is None else point["operations"] / median * 1e-9


def point_row(point: _Point, peers: Sequence[str]) -> str:
    """Return a point as the row of a table: GFLOP/s of each engine, the ratio."""
    cells = [_cell(point, peer) for peer in peers]
    found = best_ratio(point)
    return f"| {point['name']} | {' | '.join(cells)} | {'' if found is None else f'{found:.2f}'} |"


def summary(report: Mapping[str, Any]) -> str:
    """Return the distribution: all points, by class, and the worst ones."""
    points = [point for point in report["points"] if best_ratio(point) is not None]
    if not points:
        return "No point was computed by autodeploy and by another engine."
    rows = ["| points | number | at least 1.0 | geometric mean | least |", "|-|-:|-:|-:|-:|"]
    rows += [_class_row("all", points)]
    for class_of in _CLASSES:
        rows += [
            _class_row(title, [point for point in points if class_of(point)[1] == title])
            for _, title in sorted({class_of(point) for point in points})
        ]
    worst = sorted(points, key=lambda point: best_ratio(point) or 0.0)[:WORST]
    return "\n".join([*rows, "", "The least:", "", *_table(worst, report["peers"])])


def markdown(report: Mapping[str, Any]) -> str:
    """Return the whole report; see ``gemm.py`` for what it holds."""
    machine, settings = report["machine"], report["settings"]
    versions = ", ".join(f"{peer} {v}" for peer, v in report["versions"].items())
    calls = ", ".join(f"{peer} {time * 1e6:.1f} µs" for peer, time in report["calls"].items())
    caches = ", ".join(f"L{n} {machine[f'l{n}_bytes'] >> 10} KiB" for n in (1, 2, 3))
    lines = [
        "# Products",
        "",
        f"- machine: {machine['processor']}, {machine['isa']}, {machine['cores']} cores, {caches}",
        f"- system: {machine['system']}, {machine['c_compiler']}",
        f"- threads: {settings['threads']}",
        f"- engines: {versions}",
        f"- a call, taken off all times: {calls}",
        f"- medians of {settings['rounds']} interleaved rounds of about {settings['budget']:g} s; "
        "GFLOP/s of the product alone; the ratio is the time of the fastest other engine by ours",
        f"- load average at the start: {machine['load_average'][0]:.1f}",
        "",
        "## Summary",
        "",
        summary(report),
        "",
        "## All points",
        "",
        *_table(report["points"], report["peers"]),
        *_failures(report["points"]),
    ]
    return "\n".join(lines) + "\n"


def _table(points: Sequence[_Point], peers: Sequence[str]) -> list[str]:
    heads = [f"{peer} GFLOP/s" if peer == OURS else peer for peer in peers]
    head = [f"| product | {' | '.join(heads)} | ratio |", f"|-|{'-:|' * (len(peers) + 1)}"]
    return [*head, *(point_row(point, peers) for point in points)]


def _cell(point: _Point, peer: str) -> str:
    found = gflops(point, peer)
    if found is None:
        return "failed" if "failed" in point["contenders"].get(peer, {}) else ""
    return f"{found:.3g}"


def _class_row(title: str, points: Sequence[_Point]) -> str:
    ratios = [found for point in points if (found := best_ratio(point)) is not None]
    share = sum(found >= 1.0 for found in ratios) / len(ratios)
    mean = geometric_mean(ratios)
    return f"| {title} | {len(ratios)} | {share:.0%} | {mean:.2f} | {min(ratios):.2f} |"


def _failures(points: Sequence[_Point]) -> list[str]:
    lines = [
        f"- {point['name']}, {peer}: {contender['failed']}"
        for point in points
        for peer, contender in point["contenders"].items()
        if "failed" in contender
    ]
    return ["", *lines] if lines else []


def _within(title: str, limits: Sequence[int], value: int) -> tuple[int, str]:
    """Return the place and the title of the class between two of ``limits`` that a number is in."""
    place = bisect_left(limits, value)
    low = limits[place - 1] + 1 if place else 1
    high = f"to {limits[place]}" if place < len(limits) else "and more"
    return place, title.format(f"{low} {high}")


_CLASSES: Sequence[Callable[[_Point], tuple[int, str]]] = (
    lambda point: (point["cold"], "cold weights" if point["cold"] else "near weights"),
    lambda point: (EPILOGUES.index(point["epilogue"]), f"epilogue {point['epilogue']}"),
    lambda point: _within("{} rows", (1, 16, 77, 199, 299), point["rows"]),
    lambda point: _within("inner axis of {}", (96, 384, 1024), point["inner"]),
    lambda point: _within("weights of {} KiB", (128, 1024, 8192), point["weight_bytes"] >> 10),
)
"""By what the summary divides the points: the place of a class and its title."""
