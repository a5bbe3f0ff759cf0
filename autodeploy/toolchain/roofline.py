"""The times of kernels against what the machine can do (the roofline model)."""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime

ARITHMETIC = "arithmetic"
"""What binds a kernel that would take longest for its operations."""


@dataclass(frozen=True)
class Roofline:
    """A kernel's rates, and their shares of the limits.

    ``of_peak`` is the share of the arithmetic peak. ``of_roof`` is the least time that a call
    needs, for its arithmetic or for reaching its bytes, whichever is longer (``bound`` says which:
    ``ARITHMETIC``, a cache, or memory), divided by the time that it takes. What does nothing that
    is counted has no bound.
    """

    gflops: float = 0.0
    gbs: float = 0.0
    of_peak: float = 0.0
    of_roof: float = 0.0
    bound: str = ""


def roofline(kernel: KernelTime, limits: Limits, cores: int) -> Roofline:
    """Compare a kernel with the limits of one core, the arithmetic one times ``cores``.

    Bytes are taken to come from the smallest memory that holds all of a call's; where they come
    from a larger one, less than 100 % is all there is.
    """
    if not kernel.seconds or not (kernel.flops or kernel.bytes):
        return Roofline()
    gflops = kernel.flops / kernel.seconds * 1e-9
    gbs = kernel.bytes / kernel.seconds * 1e-9
    source, rate = limits.source(kernel.bytes // max(kernel.calls, 1))
    of_peak = gflops / (limits.fma_gflops * cores)
    of_source = gbs / rate
    bound = ARITHMETIC if of_peak >= of_source else source
    return Roofline(gflops, gbs, of_peak, max(of_peak, of_source), bound)
