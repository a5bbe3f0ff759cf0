"""Programs whose kernels on a device have open extents: starts, errors, times.

Their numbers are in ``test_open_ranges``. A library that checks its caller is CUDA's driver here.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from device_programs import X, network, start
from fake_cuda import build_fake_cuda, needs_linux

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.profile import COPIES, profile_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-open")]

CUDA = "host:device=cuda"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built bundle with kernels on both sides, for 1 to 4 rows, with the library."""
    folder = tmp_path_factory.mktemp("open") / "b"
    options = CompileOptions(machine=CUDA, dynamic=OpenSpec(("x:0",), 1, 4), jobs=1)
    compile_model(network(), folder, options)
    run_make(folder)
    build_fake_cuda(folder)
    np.save(folder / "x.npy", X[:3])
    return folder


def run_three_rows(bundle: Path, log: Path, **variables: str) -> tuple[int, str, str]:
    paths = {"LD_LIBRARY_PATH": str(bundle), "FAKE_CUDA_LOG": str(log)}
    return start(bundle / "net", bundle / "x.npy", **paths, **variables)


def test_starts_with_numbers_of_a_run_are_in_no_graph(bundle: Path, tmp_path: Path):
    status, _, errors = run_three_rows(bundle, tmp_path / "log")
    assert (status, errors) == (0, "")
    *calls, last = (tmp_path / "log").read_text().splitlines()
    assert last == "left 0 depth 0"
    # Each kernel has a count of rows, and so no start is recorded.
    text = (bundle / "net.mlir").read_text()
    assert calls.count("cuLaunchKernel") == text.count("#halide.launch<") > 2
    assert "cuGraphLaunch" not in calls


@pytest.mark.every_case
@pytest.mark.parametrize(
    "call", ["cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemAlloc_v2"]
)
def test_an_error_of_a_call_is_survived(bundle: Path, tmp_path: Path, call: str):
    status, said, errors = run_three_rows(bundle, tmp_path / "log", FAKE_CUDA_FAIL=call)
    assert (status, said, errors.count("\n")) == (1, "", 1)
    assert (tmp_path / "log").read_text().splitlines()[-1] == "left 0 depth 0"


def test_each_kernel_is_timed(bundle: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(bundle))
    times = {time.name: time.calls for time in profile_bundle(bundle, 1)}
    text = (bundle / "net.mlir").read_text()
    assert times.pop(COPIES) == text.count("driver.transfer") + text.count("driver.copy")
    assert times.pop("driver") == 1
    assert times == dict.fromkeys(re.findall(r"driver.call @(\w+)\(", text), 1)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built bundle with programs for 1, for 2 or 3, and for 4 rows."""
    folder = tmp_path_factory.mktemp("parts") / "b"
    options = CompileOptions(machine=CUDA, dynamic=OpenSpec.of({"x:0": "1,2..3,4"}), jobs=1)
    compile_model(network(), folder, options)
    run_make(folder)
    build_fake_cuda(folder)
    for rows in range(1, 5):
        np.save(folder / f"x{rows}.npy", X[:rows])
    return folder


def test_the_device_has_the_kernels_and_the_memory_of_all_parts(parts: Path, tmp_path: Path):
    programs = Manifest.load(parts).variants
    assert [any(kernel.on_device for kernel in one.kernels) for one in programs] == [True] * 3
    for rows in range(1, 5):
        log = tmp_path / f"log{rows}"
        paths = {"LD_LIBRARY_PATH": str(parts), "FAKE_CUDA_LOG": str(log)}
        assert start(parts / "net", parts / f"x{rows}.npy", **paths)[::2] == (0, "")
        *calls, last = log.read_text().splitlines()
        assert last == "left 0 depth 0"
        assert calls.count("cuMemAlloc_v2") == 1
        # A part of one number is a graph, the other one follows the number of rows.
        kinds = {kind for kind in ("cuLaunchKernel", "cuGraphLaunch") if kind in calls}
        assert ("cuGraphLaunch" in kinds) == (rows in (1, 4))


def test_kernels_of_a_part_are_timed(parts: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(parts))
    for part in ("x:0=1", "x:0=2..3"):
        times = {time.name: time.calls for time in profile_bundle(parts, 1, part=part)}
        assert times.pop(COPIES) > 0
        assert all(times.values())
