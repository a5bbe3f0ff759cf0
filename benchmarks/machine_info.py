"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autodeploy.diagnostics import ToolchainError
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run


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
