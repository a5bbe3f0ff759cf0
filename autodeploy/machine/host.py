"""What the system says of the machine that this runs on."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def host_target() -> str:
    """Return Halide's target string of this machine."""
    # The extension module has no type information.
    halide: Any = import_module("halide")
    return str(halide.get_host_target())


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
