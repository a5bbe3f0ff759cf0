"""The times of kernels against what the machine can do (the roofline model)."""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.machine.host import usable_cores
from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime

ARITHMETIC = "arithmetic"
"""The bound of a kernel whose operations take longest."""


@dataclass(frozen=True)
class Roofline:
    """A kernel's rates, and their shares of the limits.

    ``of_peak`` is the share of the arithmetic peak. ``of_roof`` is the least time that a call
    needs, for its arithmetic or for reaching its bytes, whichever is longer (``bound`` says which:
    ``ARITHMETIC``, a cache, or memory), divided by the time that it takes. A kernel without
    counted work has no bound.

    A share is ``None`` if it is not known: the peak is of 32-bit floats, and a limit that a
    kernel exceeds is none of this kernel, as a compiler may need fewer operations than are counted,
    or the clock was lower while the limit was measured.
    """

    gops: float = 0.0
    gbs: float = 0.0
    of_peak: float | None = None
    of_roof: float | None = None
    bound: str = ""


def roofline(kernel: KernelTime, limits: Limits, threads: int) -> Roofline:
    """Compare a kernel with the limits of one core times those that ``threads`` threads have.

    Bytes are taken to come from the smallest memory that holds all of a core's in a call; where
    they come from a larger one, less than 100 % is all there is. The limits say nothing of a
    device.
    """
    if not kernel.seconds or not (kernel.operations or kernel.bytes):
        return Roofline()
    cores = min(threads, usable_cores())
    gops = kernel.operations / kernel.seconds * 1e-9
    gbs = kernel.bytes / kernel.seconds * 1e-9
    source, rate = limits.source(kernel.bytes // max(kernel.calls, 1) // cores)
    of_peak = gops / (limits.peak_gflops * cores)
    of_source = gbs / (rate * cores)
    if kernel.on_device or not kernel.in_float32 or of_peak > 1:
        return Roofline(gops, gbs)
    if of_source > 1:
        return Roofline(gops, gbs, of_peak)
    bound = ARITHMETIC if of_peak >= of_source else source
    return Roofline(gops, gbs, of_peak, max(of_peak, of_source), bound)
