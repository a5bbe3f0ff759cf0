"""The measured limits of one core of this machine."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run

SOURCE = Path(__file__).with_name("peak.c")

_LARGEST_BLOCK = 64 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of one core: FMAs, bytes from memory and from its caches.

    ``fma_gflops`` are those of a short loop on registers alone. ``tile_gflops`` are those of half a
    second of a matrix product with operands in L1: the most that a kernel can reach if the clock
    falls under load. ``caches`` holds, from the smallest to the largest, a cache's name, its bytes,
    and the GB/s of reading a block that fits into it. ``clock_ghz`` are the cycles in a nanosecond
    of a loop that draws little."""

    fma_gflops: float
    tile_gflops: float
    read_gbs: float
    copy_gbs: float
    caches: tuple[tuple[str, int, float], ...] = ()
    clock_ghz: float = 1.0

    @property
    def peak_gflops(self) -> float:
        """Return the most that was reached; a processor may raise its clock at any time."""
        return max(self.fma_gflops, self.tile_gflops)

    def source(self, size: int) -> tuple[str, float]:
        """Return the smallest memory that holds ``size`` bytes, and the GB/s that it gives."""
        for name, capacity, rate in self.caches:
            if size <= capacity:
                return name, rate
        return "memory", max(self.read_gbs, self.copy_gbs)


def measure_limits(folder: Path) -> Limits:
    """Return what one core can do at best, by a program that is built in ``folder``.

    It takes a second or two, and half a GB of memory. Raises ``ToolchainError`` if there is no
    compiler that takes the options.
    """
    folder.mkdir(parents=True, exist_ok=True)
    program = folder.resolve() / "peak"
    native = "-mcpu=native" if platform.machine() in ("aarch64", "arm64") else "-march=native"
    run([*find_c_compiler(), "-std=gnu99", "-O2", native, str(SOURCE), "-o", str(program)])
    machine = Machine.host()
    sizes = {"L1": machine.l1_bytes, "L2": machine.l2_bytes, "L3": machine.l3_bytes}
    # A part of the cache, so that what else there is has room; the last one is shared.
    blocks = {name: size // (4 if name == "L3" else 2) for name, size in sizes.items() if size}
    blocks = {name: min(block, _LARGEST_BLOCK) for name, block in blocks.items()}
    words = run([str(program), *map(str, blocks.values())]).split()
    found = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    return Limits(
        found["fma_gflops"],
        found["tile_gflops"],
        found["read_gbs"],
        found["copy_gbs"],
        tuple((name, sizes[name], found[f"read_{block}_gbs"]) for name, block in blocks.items()),
        found["clock_ghz"],
    )
