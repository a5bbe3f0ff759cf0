"""Kernels next to the limits of the machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine.host import usable_cores
from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime
from autodeploy.toolchain.roofline import roofline

CORES = min(2, usable_cores())
LIMITS = Limits(100.0, 90.0, 10.0, 8.0, (("L1", 1 << 10, 400.0), ("L2", 1 << 20, 50.0)))


def kernel(operations: int, size: int, seconds: float = 1e-6, calls: int = 1) -> KernelTime:
    return KernelTime("conv", "m_conv", "direct_conv", calls, seconds, operations, size)


@pytest.mark.parametrize(
    ("operations", "size", "bound", "of_roof"),
    [
        (50_000, 100, "arithmetic", 0.5),
        (100, 1_000, "L1", 1 / 400),
        (1_000, 5_000, "L2", 5 / 50),
        (1_000, 2 << 20, "memory", (2 << 20) / 1e7),
        (0, 1_000, "L1", 1 / 400),
    ],
)
def test_roofline(operations, size, bound, of_roof):
    seconds = 1e-3 if bound == "memory" else 1e-6
    found = roofline(kernel(operations, size, seconds), LIMITS, 1)
    assert found.bound == bound
    assert found.of_roof == pytest.approx(of_roof)
    assert found.of_peak == pytest.approx(operations / seconds * 1e-11)


def test_roofline_of_many_calls_and_cores():
    # Each of the calls fits the first cache, all together would not.
    found = roofline(kernel(400, 4_000, calls=8), LIMITS, CORES)
    assert found.bound == "L1"
    assert found.of_peak == pytest.approx(0.004 / CORES)
    # A core has its part of the bytes of a call.
    found = roofline(kernel(400, CORES << 10), LIMITS, CORES)
    assert (found.bound, found.of_roof) == ("L1", pytest.approx(1024 / 400e3))


def test_more_threads_than_cores_compute_no_faster():
    assert roofline(kernel(4_000, 8), LIMITS, CORES) == roofline(kernel(4_000, 8), LIMITS, 2000)


def test_a_limit_that_is_exceeded_is_none():
    """More operations than can be are not those of the kernel; more bytes came from nearer."""
    found = roofline(kernel(119_000, 100), LIMITS, 1)
    assert found.gops == pytest.approx(119.0)
    assert (found.of_peak, found.of_roof, found.bound) == (None, None, "")
    found = roofline(kernel(1_000, 3 << 20), LIMITS, 1)
    assert (found.of_peak, found.of_roof, found.bound) == (pytest.approx(0.01), None, "")


def test_the_peak_is_of_floats_of_32_bits():
    found = roofline(replace(kernel(50_000, 100), in_float32=False), LIMITS, 1)
    assert found.gops == pytest.approx(50.0)
    assert (found.of_peak, found.of_roof, found.bound) == (None, None, "")


def test_the_peak_is_the_most_that_was_reached():
    assert replace(LIMITS, tile_gflops=125.0).peak_gflops == 125.0 and LIMITS.peak_gflops == 100.0


def test_a_kernel_without_work_has_no_roof():
    assert roofline(kernel(0, 0), LIMITS, 1).bound == ""
    assert roofline(kernel(5, 5, seconds=0.0), LIMITS, 1).of_roof is None
