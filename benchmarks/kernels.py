"""Our kernels one by one, against what the machine can do (the roofline model)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autodeploy.toolchain.profile import KernelTime, profile_bundle
from benchmarks.machine_info import Limits, pinned

ROUNDS = 50


def profile(folder: Path, cores: Sequence[int], limits: Limits) -> list[dict[str, Any]]:
    """Return the kernels of a bundle, each with what ``roofline`` says of it.

    Raises ``UserError`` as ``profile_bundle`` does.
    """
    with pinned(cores):
        kernels = profile_bundle(folder, ROUNDS, len(cores))
    return [{**asdict(kernel), **roofline(kernel, limits, len(cores))} for kernel in kernels]


def roofline(kernel: KernelTime, limits: Limits, cores: int) -> dict[str, Any]:
    """Compare a kernel with the limits of one core, the arithmetic one times ``cores``.

    ``of_peak`` is the share of the arithmetic peak. ``of_roof`` is the least time that a call
    needs, for its arithmetic or for reaching its bytes, whichever is longer (``bound`` says which),
    divided by the time that it takes. Bytes are taken to come from the smallest memory that holds
    all of a call's; where they come from a larger one, less than 100 % is all there is.
    """
    if not kernel.seconds or not (kernel.flops or kernel.bytes):
        return {"gflops": 0.0, "gbs": 0.0, "of_peak": 0.0, "of_roof": 0.0, "bound": ""}
    gflops = kernel.flops / kernel.seconds * 1e-9
    gbs = kernel.bytes / kernel.seconds * 1e-9
    source, rate = limits.source(kernel.bytes // max(kernel.calls, 1))
    of_peak = gflops / (limits.fma_gflops * cores)
    of_source = gbs / rate
    return {
        "gflops": gflops,
        "gbs": gbs,
        "of_peak": of_peak,
        "of_roof": max(of_peak, of_source),
        "bound": "arithmetic" if of_peak >= of_source else source,
    }


def kernel_table(name: str, kernels: Sequence[Mapping[str, Any]]) -> str:
    """Return the kernels as a Markdown table, the longest-running first."""
    total = sum(kernel["seconds"] for kernel in kernels)
    lines = [
        f"### {name}: {total * 1e3:.4g} ms a run in {sum(k['calls'] for k in kernels) - 1} calls",
        "",
        "| kernel | algorithm | calls | ms | share | GFLOP/s | of peak | GB/s | of roof | bound |",
        "|-|-|-:|-:|-:|-:|-:|-:|-:|-|",
    ]
    for kernel in sorted(kernels, key=lambda k: -k["seconds"]):
        lines.append(
            f"| {kernel['name']} | {kernel['algorithm'] or ''} | {kernel['calls']} "
            f"| {kernel['seconds'] * 1e3:.4f} | {kernel['seconds'] / total:.1%} "
            f"| {kernel['gflops']:.1f} | {kernel['of_peak']:.0%} "
            f"| {kernel['gbs']:.1f} | {kernel['of_roof']:.0%} | {kernel['bound']} |"
        )
    return "\n".join(lines)
