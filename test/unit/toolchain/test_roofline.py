"""Kernels next to the limits of the machine."""

from __future__ import annotations

import pytest

from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime
from autodeploy.toolchain.roofline import roofline

LIMITS = Limits(100.0, 90.0, 10.0, 8.0, (("L1", 1 << 10, 400.0), ("L2", 1 << 20, 50.0)))


def kernel(flops: int, size: int, seconds: float = 1e-6, calls: int = 1) -> KernelTime:
    return KernelTime("conv", "m_conv", "direct_conv", calls, seconds, flops, size)


@pytest.mark.parametrize(
    ("flops", "size", "bound", "of_roof"),
    [
        (50_000, 100, "arithmetic", 0.5),
        (100, 1_000, "L1", 1 / 400),
        (1_000, 5_000, "L2", 5 / 50),
        (1_000, 2 << 20, "memory", (2 << 20) / 1e4),
        (0, 1_000, "L1", 1 / 400),
    ],
)
def test_roofline(flops, size, bound, of_roof):
    found = roofline(kernel(flops, size), LIMITS, 1)
    assert found.bound == bound
    assert found.of_roof == pytest.approx(of_roof)
    assert found.of_peak == pytest.approx(flops / 100_000)


def test_roofline_of_many_calls_and_cores():
    # Each of the calls fits the first cache, all together would not.
    found = roofline(kernel(400, 4_000, calls=8), LIMITS, 2)
    assert found.bound == "L1"
    assert found.of_peak == pytest.approx(0.002)


def test_what_does_nothing_has_no_roof():
    assert roofline(kernel(0, 0), LIMITS, 1).bound == ""
    assert roofline(kernel(5, 5, seconds=0.0), LIMITS, 1).of_roof == 0
