"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autodeploy.diagnostics import ToolchainError
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run


@dataclass(frozen=True)
class Limits:
    """What one core can do at best: fused multiply-adds, bytes from memory and from its caches.

    ``caches`` holds, from the smallest to the largest, a cache's name, its bytes, and the GB/s of
    reading a block that fits into it.
    """

    fma_gflops: float
    read_gbs: float
    copy_gbs: float
    caches: tuple[tuple[str, int, float], ...] = ()

    def source(self, size: int) -> tuple[str, float]:
        """Return the smallest memory that holds ``size`` bytes, and the GB/s that it gives."""
        for name, capacity, rate in self.caches:
            if size <= capacity:
                return name, rate
        return "memory", max(self.read_gbs, self.copy_gbs)


_SOURCE = Path(__file__).with_name("peak.c")
_LARGEST_BLOCK = 64 << 20


def describe_machine() -> dict[str, Any]:
    """Return processor, instruction set, cores, caches (in bytes), system and C compiler."""
    machine = Machine.host()
    return {
        "processor": _processor(),
        "architecture": machine.arch,
        "isa": machine.isa,
        "features": list(machine.features),
        "cores": machine.cores,
        "l1_bytes": machine.l1_bytes,
        "l2_bytes": machine.l2_bytes,
        "l3_bytes": machine.l3_bytes,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "c_compiler": _compiler(),
        "load_average": list(os.getloadavg()),
    }


def measure_limits(folder: Path) -> Limits:
    """Return what one core can do at best.

    A program is built in ``folder``. Raises ``ToolchainError`` where there is no compiler that
    takes the options.
    """
    folder.mkdir(parents=True, exist_ok=True)
    program = folder.resolve() / "peak"
    native = "-mcpu=native" if platform.machine() in ("aarch64", "arm64") else "-march=native"
    run([*find_c_compiler(), "-std=gnu99", "-O2", native, str(_SOURCE), "-o", str(program)])
    machine = Machine.host()
    sizes = {"L1": machine.l1_bytes, "L2": machine.l2_bytes, "L3": machine.l3_bytes}
    # A part of the cache, so that what else there is has room; the last one is shared.
    blocks = {name: size // (4 if name == "L3" else 2) for name, size in sizes.items() if size}
    blocks = {name: min(block, _LARGEST_BLOCK) for name, block in blocks.items()}
    words = run([str(program), *map(str, blocks.values())]).split()
    found = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    return Limits(
        found["fma_gflops"],
        found["read_gbs"],
        found["copy_gbs"],
        tuple((name, sizes[name], found[f"read_{block}_gbs"]) for name, block in blocks.items()),
    )


def choose_cores(threads: int) -> list[int]:
    """Return the cores to compute on: the last ones, since the first serve interrupts.

    Raises ``ValueError`` where the process may not use so many.
    """
    if not hasattr(os, "sched_getaffinity"):
        return list(range(threads))
    usable = sorted(os.sched_getaffinity(0))
    if threads > len(usable):
        raise ValueError(f"{threads} threads need as many cores, usable are {len(usable)}")
    return usable[-threads:]


@contextmanager
def pinned(cores: Sequence[int]) -> Generator[None]:
    """Keep this process, and those that it starts, to ``cores``."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^(?:model name|Processor|uarch)\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _compiler() -> str:
    try:
        return run([*find_c_compiler(), "--version"]).splitlines()[0]
    except ToolchainError:
        return "none"
