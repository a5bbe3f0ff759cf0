"""Bundles with a program for a device and one for the processor, which runs where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from device_programs import X, build_bundle, expected, network, start
from fake_cuda import build_fake_cuda, needs_linux
from opencl import needs_opencl

from autodeploy import CompileOptions
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.profile import COPIES, DRIVER, profile_bundle
from autodeploy.toolchain.session import load_bundle

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are hidden by variables"),
    pytest.mark.xdist_group("device-or-processor"),
]

MACHINE = "host,host:device=opencl"
NO_DEVICE = "OpenCL finds no device"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = CompileOptions(machine=MACHINE, threads=2, jobs=1)
    return build_bundle(tmp_path_factory.mktemp("both") / "b", options)


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide all drivers of OpenCL from programs that start."""
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path))
    monkeypatch.setenv("OCL_ICD_FILENAMES", "")


def outputs(bundle: Path, *words: str) -> np.ndarray:
    """Return what the demo program writes, which reads the parts of the weight file."""
    status, _, errors = start(
        bundle / "net", bundle / "x.npy", "--output", bundle / "y.npy", *words
    )
    assert (status, errors) == (0, "")
    return np.load(bundle / "y.npy")


@needs_opencl
def test_the_device_is_the_first_choice(bundle: Path):
    assert [v.name for v in Manifest.load(bundle).variants] == ["host:device=opencl", "host"]
    status, said, _ = start(bundle / "caller")
    name = said.removeprefix("device ").rstrip("\n")
    assert (status, name != "") == (0, True)
    assert NO_DEVICE not in name
    np.testing.assert_allclose(outputs(bundle), expected(network(), {"x": X}), 1e-5, 1e-6)
    with load_bundle(bundle, device=name[:4], threads=2) as session:
        assert session.machine == "host:device=opencl"
        np.testing.assert_allclose(
            session.run({"x": X})["y"], expected(network(), {"x": X}), 1e-5, 1e-6
        )


def test_the_processor_computes_where_no_device_is(bundle: Path, no_device: None):
    assert start(bundle / "caller")[:2] == (0, f"device {NO_DEVICE}\n")
    np.testing.assert_allclose(outputs(bundle), expected(network(), {"x": X}), 1e-5, 1e-6)


@pytest.mark.usefixtures("no_device")
def test_a_device_that_is_asked_for_must_be_there(bundle: Path):
    text = f"the device is missing or failed: {NO_DEVICE} of this name.\n"
    assert start(bundle / "caller", "a name")[:2] == (1, text)
    words = (bundle / "x.npy", "--machine", "host:device=opencl")
    status, _, errors = start(bundle / "net", *words)
    assert (status, errors.endswith(f"{NO_DEVICE}\n"), errors.count("\n")) == (1, True, 1)


def test_the_processor_can_be_chosen(bundle: Path):
    np.testing.assert_allclose(
        outputs(bundle, "--machine", "host"), expected(network(), {"x": X}), 1e-5, 1e-6
    )
    with load_bundle(bundle, machine="host") as session:
        assert session.machine == "host"
    with pytest.raises(UserError, match="the program that runs has no device"):
        load_bundle(bundle, machine="host", device="a name")


@pytest.fixture(scope="module")
def bundle_of_rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle for 1 to 4 rows."""
    options = CompileOptions(machine=MACHINE, dynamic=OpenSpec(("x:0",), 1, 4), jobs=1)
    return build_bundle(tmp_path_factory.mktemp("rows") / "b", options)


@needs_opencl
def test_an_open_extent_on_the_device(bundle_of_rows: Path):
    right = expected(network(), {"x": X})
    with load_bundle(bundle_of_rows) as session:
        assert session.machine == "host:device=opencl"
        for count in (2, 4, 1):
            found = session.run({"x": X[:count]})["y"]
            np.testing.assert_allclose(found, right[:count], 1e-5, 1e-6)


def test_an_open_extent_where_no_device_is(bundle_of_rows: Path, no_device: None):
    assert start(bundle_of_rows / "caller")[1] == f"device {NO_DEVICE}\n"
    right = expected(network(), {"x": X})
    for count in (3, 1, 4):
        np.save(bundle_of_rows / "x.npy", X[:count])
        np.testing.assert_allclose(outputs(bundle_of_rows), right[:count], 1e-5, 1e-6)


@pytest.mark.exhaustive
@needs_opencl
def test_kernels_of_both_programs_are_timed(bundle: Path):
    for machine, copies in (("host", False), ("host:device=opencl", True)):
        times = profile_bundle(bundle, 1, machine=machine)
        assert (COPIES in [time.name for time in times]) == copies
        assert all(time.calls for time in times if time.name not in (COPIES, DRIVER))


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(bundle: Path, no_device: None):
    run_make(bundle, ["sanitize"])
    words = (bundle / "x.npy", "--output", bundle / "z.npy")
    assert start(bundle / "net-sanitize", *words)[::2] == (0, "")


@needs_linux
@pytest.mark.exhaustive
def test_cuda_with_and_without_its_library(tmp_path: Path):
    options = CompileOptions(machine="host:device=cuda,host", jobs=1)
    folder = build_bundle(tmp_path / "b", options)
    driver = build_fake_cuda(tmp_path)
    without = "device this machine has no library of CUDA, and so no device\n"
    assert start(folder / "caller")[:2] == (0, without)
    found = start(folder / "caller", LD_LIBRARY_PATH=driver.parent)
    assert (found[0], found[1].startswith("device this")) == (0, False)
