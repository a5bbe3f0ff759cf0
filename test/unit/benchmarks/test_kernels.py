"""The table of our kernels in a comparison."""

from dataclasses import asdict

from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime
from autodeploy.toolchain.roofline import roofline
from benchmarks.kernels import kernel_table

LIMITS = Limits(100.0, 90.0, 10.0, 8.0, (("L1", 1 << 10, 400.0), ("L2", 1 << 20, 50.0)))


def test_the_table_lists_the_slowest_first():
    times = [
        KernelTime("quick", "m_quick", "direct_conv", 2, 1e-6, 10, 10),
        KernelTime("slow", "m_slow", "direct_conv", 1, 3e-6, 10, 10),
        KernelTime("driver", "", None, 1, 0.0, 0, 0),
    ]
    rows = [{**asdict(time), **asdict(roofline(time, LIMITS, 1))} for time in times]
    lines = kernel_table("m", rows).splitlines()
    assert lines[0] == "### m: 0.004 ms a run in 3 calls"
    assert [line.split("|")[1].strip() for line in lines[4:]] == ["slow", "quick", "driver"]
    assert "75.0%" in lines[4]
