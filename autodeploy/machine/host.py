"""The facts that the system states about this machine."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from autodeploy.machine.targets import AMX_SETS, X86_SETS


def host_target() -> str:
    """Return Halide's target string of this machine, of instruction sets that the system offers.

    Halide knows processors by family and model. A virtual machine may offer less than its processor
    has, such as no AVX-512.
    """
    # The extension module has no type information.
    halide: Any = import_module("halide")
    return offered_target(str(halide.get_host_target()), _x86_sets(Path("/proc/cpuinfo")))


def offered_target(target: str, sets: frozenset[str]) -> str:
    """Return ``target``, a string of Halide's, without features that need more than ``sets``.

    ``sets`` are instruction sets of x86-64 as ``X86_SETS`` names them, without full stops; where
    there are none, nothing is known and ``target`` is as it was.
    """
    if not sets:
        return target
    features = target.split("-")
    return "-".join(
        feature
        for feature in features
        if all(name.replace(".", "") in sets for name in X86_SETS.get(feature, ()))
    )


@cache
def _x86_sets(path: Path) -> frozenset[str]:
    """Return the instruction sets of x86-64 that Linux lists in ``path``, none elsewhere."""
    try:
        flags = re.search(r"^flags\s*:(.*)$", path.read_text(), re.MULTILINE)
    except OSError:
        return frozenset()
    return frozenset(flags[1].replace("_", "").split()) if flags is not None else frozenset()


@cache
def offers_amx() -> bool:
    """Return whether the processor has tile registers, and Linux lets this process use them.

    The process may use them from then on. See ``Documentation/arch/x86/xstate.rst`` of Linux.
    """
    if not all(name.replace("-", "") in _x86_sets(Path("/proc/cpuinfo")) for name in AMX_SETS):
        return False
    arch_prctl, request_permission, tile_data = 158, 0x1023, 18
    return ctypes.CDLL(None).syscall(arch_prctl, request_permission, tile_data) == 0


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def host_cache_bytes() -> Mapping[int, int]:
    """Return the bytes of the data caches by level, those that can be read."""
    return _cache_bytes(Path("/sys/devices/system/cpu/cpu0/cache"))


@cache
def _cache_bytes(folder: Path) -> Mapping[int, int]:
    """Return the bytes of the data caches as Linux describes them under ``folder``."""
    sizes: dict[int, int] = {}
    try:
        for index in sorted(folder.glob("index*")):
            if (index / "type").read_text().strip() != "Instruction":
                size = re.fullmatch(r"(\d+)K", (index / "size").read_text().strip())
                if size is not None:
                    sizes[int((index / "level").read_text())] = int(size[1]) << 10
    except (OSError, ValueError):
        return sizes
    return sizes
