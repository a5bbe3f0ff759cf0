"""The results as text: Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.kernels import kernel_table
from benchmarks.limits import limit_table
from benchmarks.measure import geometric_mean

OURS = "autodeploy"

_BUSY_SHARE = 0.9
"""Where a contender had less of its core than this, others ran at the same time."""


def markdown(report: Mapping[str, Any]) -> str:
    """Return the whole report; see ``run.py`` for what it holds."""
    parts = [_machine(report), _method(report)]
    for threads in dict.fromkeys(result["threads"] for result in report["results"]):
        results = [result for result in report["results"] if result["threads"] == threads]
        parts += [
            f"## {threads} thread{'s' if threads > 1 else ''}",
            ratio_table(results, report["peers"]),
            "The same with all times, the minimum of the rounds in brackets:",
            time_table(results, report["peers"]),
            "Greatest difference from onnxruntime, relative to the greatest output:",
            error_table(results, report["peers"]),
            *_notes(results),
        ]
    if table := limit_table(report, OURS):
        parts += ["## Limits", table]
    parts += [kernel_table(name, found) for name, found in report["kernels"].items()]
    return "\n\n".join(parts) + "\n"


def ratio_table(results: Sequence[Mapping[str, Any]], peers: Sequence[str]) -> str:
    """Return our milliseconds a run, and how many times as long each other engine takes.

    It is the table of docs/performance.md.
    """
    lines = [
        f"| model | {' | '.join(f'{peer} ms' if peer == OURS else peer for peer in peers)} |",
        f"|-|{'-:|' * len(peers)}",
    ]
    for result in results:
        contenders = result["contenders"]
        cells = [_ratio_cell(peer, contenders.get(peer, {})) for peer in peers]
        lines.append(f"| {result['model']} | {' | '.join(cells)} |")
    means = [_mean(results, peer) for peer in peers]
    if len(results) > 1 and any(means):
        cells = ["" if mean is None else f"{mean:.2f}" for mean in means]
        lines.append(f"| geometric mean | {' | '.join(cells)} |")
    return "\n".join(lines)


def _ratio_cell(peer: str, contender: Mapping[str, Any]) -> str:
    if "median" not in contender:
        return "failed" if "failed" in contender else ""
    if peer == OURS:
        return f"{contender['median'] * 1e3:.3g}"
    return f"{contender['ratio']:.2f}" if "ratio" in contender else ""


def time_table(results: Sequence[Mapping[str, Any]], peers: Sequence[str]) -> str:
    """Return milliseconds a run: the median, the minimum in brackets, and the ratio to ours."""
    lines = [
        f"| model | {' | '.join(_heading(peer) for peer in peers)} |",
        f"|-|{'-:|' * len(peers)}",
    ]
    for result in results:
        cells = [_time_cell(result["contenders"].get(peer, {})) for peer in peers]
        lines.append(f"| {result['model']} | {' | '.join(cells)} |")
    means = [_mean(results, peer) for peer in peers]
    if len(results) > 1 and any(means):
        cells = ["" if mean is None else f"**{mean:.2f}x**" for mean in means]
        lines.append(f"| geometric mean | {' | '.join(cells)} |")
    return "\n".join(lines)


def error_table(results: Sequence[Mapping[str, Any]], peers: Sequence[str]) -> str:
    """Return the relative error of each contender."""
    lines = [f"| model | {' | '.join(peers)} |", f"|-|{'-:|' * len(peers)}"]
    for result in results:
        cells = [_error_cell(result["contenders"].get(peer, {})) for peer in peers]
        lines.append(f"| {result['model']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _heading(peer: str) -> str:
    return f"{peer} ms" if peer == OURS else f"{peer} ms, times ours"


def _time_cell(contender: Mapping[str, Any]) -> str:
    if "median" not in contender:
        return "failed" if "failed" in contender else ""
    text = f"{contender['median'] * 1e3:.4g} ({contender['minimum'] * 1e3:.4g})"
    if "ratio" in contender:
        text += f" **{contender['ratio']:.2f}x**"
    return text


def _mean(results: Sequence[Mapping[str, Any]], peer: str) -> float | None:
    ratios = [r["contenders"].get(peer, {}).get("ratio") for r in results]
    known = [ratio for ratio in ratios if ratio is not None]
    return geometric_mean(known) if known else None


def _error_cell(contender: Mapping[str, Any]) -> str:
    error = contender.get("error")
    return "" if error is None else f"{error:.1e}"


def _machine(report: Mapping[str, Any]) -> str:
    machine = report["machine"]
    caches = ", ".join(
        f"L{level} {machine[f'l{level}_bytes'] >> 10} KiB"
        for level in (1, 2, 3)
        if machine[f"l{level}_bytes"]
    )
    versions = ", ".join(f"{peer} {v}" for peer, v in report["versions"].items())
    lines = [
        "# Benchmarks",
        "",
        f"- machine: {machine['processor']}, {machine['isa']}, {machine['cores']} cores, {caches}",
        f"- system: {machine['system']}, {machine['c_compiler']}",
        f"- one core at best: {_limits(report['limits'])}",
        f"- engines: {versions}",
        f"- autodeploy compiles at level {report['settings']['level']} for "
        f"{report['settings']['machine']}",
        f"- load average at the start: {machine['load_average'][0]:.1f}",
    ]
    return "\n".join(lines)


def _limits(limits: Mapping[str, Any] | None) -> str:
    if limits is None:
        return "not measured"
    parts = [
        f"{limits['fma_gflops']:.0f} GFLOP/s of fp32 multiply-adds",
        f"{limits['tile_gflops']:.0f} with operands from L1",
    ]
    parts += [f"{name} {rate:.0f} GB/s" for name, _, rate in limits["caches"]]
    parts.append(f"memory {limits['read_gbs']:.1f} GB/s read, {limits['copy_gbs']:.1f} copied")
    return ", ".join(parts)


def _method(report: Mapping[str, Any]) -> str:
    settings = report["settings"]
    return (
        f"Milliseconds of one run, fp32, batch 1: median of {settings['rounds']} interleaved "
        f"rounds (minimum in brackets), samples of about {settings['budget']:g} s. Bold: how many "
        "times as long as autodeploy, the median of the rounds' ratios; above 1 autodeploy is "
        "faster."
    )


def _notes(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what failed, what was disturbed, and the figures of our demo program."""
    lines: list[str] = []
    for result in results:
        # The network before may have kept as many cores busy as there are threads.
        if result["load_average"] > result["threads"] + 1:
            lines.append(
                f"- {result['model']}: other programs ran, the load average before was "
                f"{result['load_average']:.1f}"
            )
        for peer, contender in result["contenders"].items():
            where = f"{result['model']}, {peer}"
            if "failed" in contender:
                lines.append(f"- {where}: {contender['failed']}")
            if contender.get("busy", 1.0) < _BUSY_SHARE:
                share, taken = contender["busy"], contender["processor_median"] * 1e3
                lines.append(
                    f"- {where}: had {share:.0%} of its core, other programs ran; a run took "
                    f"{taken:.4g} ms of processor time"
                )
            if contender.get("program"):
                low, middle = (contender["program"][k] * 1e3 for k in ("minimum", "median"))
                lines.append(
                    f"- {where}: the bundle's own --bench says {middle:.4g} ms ({low:.4g})"
                )
    return ["\n".join(lines)] if lines else []
