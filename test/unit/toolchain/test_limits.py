"""What the machine can do at best."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from autodeploy.machine import Machine
from autodeploy.toolchain.limits import SOURCE, measure_limits


def test_the_limits_are_measured(tmp_path):
    limits = measure_limits(tmp_path)
    assert limits.fma_gflops > 1
    assert limits.tile_gflops > 1
    assert 0.1 < limits.clock_ghz < 20
    assert limits.read_gbs > 0.1
    assert limits.copy_gbs > 0.1
    assert limits.caches[0][0] == "L1"
    assert all(size > 0 and rate > 0 for _, size, rate in limits.caches)


@pytest.mark.parametrize("flags", [["-mavx2", "-mfma"], ["-mavx512f"]])
def test_the_chains_of_the_peak_stay_in_registers(flags, tmp_path):
    body = assembly_of("multiply_add", flags, tmp_path)
    fused = re.findall(r"vfmadd\w*ps\s+(.*)", body)
    assert len(fused) == 12
    assert not [operands for operands in fused if "(" in operands]


@pytest.mark.parametrize(("flags", "sums"), [(["-mavx2", "-mfma"], 12), (["-mavx512f"], 24)])
def test_the_sums_of_the_tile_stay_in_registers(flags, sums, tmp_path):
    body = assembly_of("multiply_tile", flags, tmp_path)
    assert len(re.findall(r"vfmadd\w*ps\s+(.*)", body)) == sums
    assert "rsp" not in body


def assembly_of(function, flags, folder):
    """Return the instructions that gcc makes of a function of the program."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or Machine.host().arch != "x86_64":
        pytest.skip("made for gcc on x86-64")
    assembly = folder / "peak.s"
    command = [compiler, "-std=gnu99", "-O2", *flags, "-S", str(SOURCE), "-o", str(assembly)]
    subprocess.run(command, check=True)
    body = rf"^{function}[\w.]*:(.*?)\.cfi_endproc"
    return re.search(body, assembly.read_text(), re.M | re.S)[1]


@pytest.mark.exhaustive
def test_a_block_that_no_memory_holds(tmp_path):
    measure_limits(tmp_path)
    result = subprocess.run([tmp_path / "peak", "7"], capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "a block has from" in result.stderr
