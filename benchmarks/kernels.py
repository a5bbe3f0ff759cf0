"""Our kernels one by one, against what the machine can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.toolchain.roofline import roofline
from benchmarks.machine_info import pinned

ROUNDS = 50


def profile(folder: Path, cores: Sequence[int], limits: Limits) -> list[dict[str, Any]]:
    """Return the kernels of a bundle, each with what its ``Roofline`` says.

    Raises ``UserError`` as ``profile_bundle`` does.
    """
    with pinned(cores):
        kernels = profile_bundle(folder, ROUNDS, len(cores))
    return [
        {**asdict(kernel), **asdict(roofline(kernel, limits, len(cores)))} for kernel in kernels
    ]


def kernel_table(name: str, kernels: Sequence[Mapping[str, Any]]) -> str:
    """Return the kernels as a Markdown table, the longest-running first."""
    total = sum(kernel["seconds"] for kernel in kernels)
    lines = [
        f"### {name}: {total * 1e3:.4g} ms a run in {sum(k['calls'] for k in kernels) - 1} calls",
        "",
        "| kernel | algorithm | calls | ms | share | Gop/s | of peak | GB/s | of roof | bound |",
        "|-|-|-:|-:|-:|-:|-:|-:|-:|-|",
    ]
    for kernel in sorted(kernels, key=lambda k: -k["seconds"]):
        lines.append(
            f"| {kernel['name']} | {kernel['algorithm'] or ''} | {kernel['calls']} "
            f"| {kernel['seconds'] * 1e3:.4f} | {kernel['seconds'] / total:.1%} "
            f"| {kernel['gops']:.1f} | {_share(kernel['of_peak'])} "
            f"| {kernel['gbs']:.1f} | {_share(kernel['of_roof'])} | {kernel['bound']} |"
        )
    return "\n".join(lines)


def _share(number: float | None) -> str:
    return "" if number is None else f"{number:.0%}"
