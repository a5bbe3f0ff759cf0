"""What the machine is and can do."""

import os
import re
import shutil
import subprocess

import pytest

from autodeploy.toolchain.profile import KernelTime
from benchmarks import machine_info
from benchmarks.kernels import kernel_table, roofline
from benchmarks.machine_info import Limits, choose_cores, describe_machine, measure_limits, pinned

LIMITS = Limits(100.0, 10.0, 8.0, (("L1", 1 << 10, 400.0), ("L2", 1 << 20, 50.0)))


def test_the_machine_is_described():
    machine = describe_machine()
    assert machine["processor"]
    assert machine["cores"] >= 1
    assert machine["l1_bytes"] >= 4096


def test_the_limits_are_measured(tmp_path):
    limits = measure_limits(tmp_path)
    assert limits.fma_gflops > 1
    assert limits.read_gbs > 0.1
    assert limits.copy_gbs > 0.1
    assert limits.caches[0][0] == "L1"
    assert all(size > 0 and rate > 0 for _, size, rate in limits.caches)


@pytest.mark.parametrize("flags", [["-mavx2", "-mfma"], ["-mavx512f"]])
def test_the_chains_of_the_peak_stay_in_registers(flags, tmp_path):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or describe_machine()["architecture"] != "x86_64":
        pytest.skip("made for gcc on x86-64")
    assembly = tmp_path / "peak.s"
    source = machine_info._SOURCE
    command = [compiler, "-std=gnu99", "-O2", *flags, "-S", str(source), "-o", str(assembly)]
    subprocess.run(command, check=True)
    body = re.search(r"^multiply_add[\w.]*:(.*?)\.cfi_endproc", assembly.read_text(), re.M | re.S)[
        1
    ]
    fused = re.findall(r"vfmadd\w*ps\s+(.*)", body)
    assert len(fused) == 12
    assert not [operands for operands in fused if "(" in operands]


def test_a_block_that_no_memory_holds(tmp_path):
    measure_limits(tmp_path)
    result = subprocess.run([tmp_path / "peak", "7"], capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "a block has from" in result.stderr


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_pinning():
    before = os.sched_getaffinity(0)
    cores = choose_cores(1)
    assert cores == [max(before)]
    with pinned(cores):
        assert os.sched_getaffinity(0) == set(cores)
    assert os.sched_getaffinity(0) == before
    with pytest.raises(ValueError, match="1000 threads need as many cores"):
        choose_cores(1000)


def kernel(flops, size, seconds=1e-6, calls=1, name="conv"):
    return KernelTime(name, f"m_{name}", "direct_conv", calls, seconds, flops, size)


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
    assert found["bound"] == bound
    assert found["of_roof"] == pytest.approx(of_roof)
    assert found["of_peak"] == pytest.approx(flops / 100_000)


def test_roofline_of_many_calls_and_cores():
    # Each of the calls fits the first cache, all together would not.
    found = roofline(kernel(400, 4_000, calls=8), LIMITS, 2)
    assert found["bound"] == "L1"
    assert found["of_peak"] == pytest.approx(0.002)


def test_what_does_nothing_has_no_roof():
    assert roofline(kernel(0, 0), LIMITS, 1)["bound"] == ""
    assert roofline(kernel(5, 5, seconds=0.0), LIMITS, 1)["of_roof"] == 0


def test_the_table_lists_the_slowest_first():
    rows = [
        {**vars(k), **roofline(k, LIMITS, 1)}
        for k in (kernel(10, 10, 1e-6, 2, "quick"), kernel(10, 10, 3e-6, 1, "slow"))
    ]
    rows.append(
        {**vars(KernelTime("driver", "", None, 1, 0.0, 0, 0)), **roofline(kernel(0, 0), LIMITS, 1)}
    )
    lines = kernel_table("m", rows).splitlines()
    assert lines[0] == "### m: 0.004 ms a run in 3 calls"
    assert [line.split("|")[1].strip() for line in lines[4:]] == ["slow", "quick", "driver"]
    assert "75.0%" in lines[4]
