"""Programs with kernels on a device by OpenCL: their numbers, their errors, what they link with."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from device_programs import RNG, X, build_bundle, expected, network, shared, start
from opencl import needs_opencl, opencl_library

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.session import load_bundle

pytestmark = [
    needs_opencl,
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are exchanged by LD_PRELOAD"),
    pytest.mark.xdist_group("device"),
]

DIGITS = Path(__file__).parents[2] / "examples" / "mnist"
OPTIONS = CompileOptions(machine="host:device=opencl", jobs=1)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built bundle of the network, with its programs."""
    return build_bundle(tmp_path_factory.mktemp("device") / "b", OPTIONS)


@pytest.fixture(scope="module")
def caller(bundle: Path) -> Path:
    """Return a program of the bundle's C interface."""
    return bundle / "caller"


@pytest.fixture(scope="module")
def other_opencl(bundle: Path) -> Path:
    """Return a library whose dlopen gives what OPENCL_IS names for OpenCL's library."""
    return shared(bundle, "dlopen_of_opencl.c", "-ldl")


@pytest.mark.exhaustive
def test_digits_are_told_apart(tmp_path: Path):
    model = (DIGITS / "mnist.onnx").read_bytes()
    manifest = compile_model(model, tmp_path / "b", OPTIONS).manifest
    assert all(kernel.on_device for kernel in manifest.kernels)
    (name, shape) = manifest.inputs[0].name, manifest.inputs[0].shape
    x = RNG.random(shape, np.float32)
    with load_bundle(tmp_path / "b") as session:
        (y,) = session.run({name: x}).values()
    np.testing.assert_allclose(y, expected(model, {name: x}), rtol=1e-4, atol=1e-5)


def test_kernels_of_the_processor_between_those_of_the_device(bundle: Path):
    manifest = Manifest.load(bundle)
    reasons = [kernel.on_host for kernel in manifest.kernels if not kernel.on_device]
    assert reasons == ["the device has no f64"] * len(reasons)
    assert 2 <= len(reasons) < len(manifest.kernels)
    with load_bundle(bundle) as session:
        for x in (X, -X, X):
            (y,) = session.run({"x": x}).values()
            np.testing.assert_allclose(y, expected(network(), {"x": x}), rtol=1e-5, atol=1e-6)


def test_contexts_of_two_threads(bundle: Path):
    def repeat(x: np.ndarray) -> list[np.ndarray]:
        with load_bundle(bundle) as session:
            return [next(iter(session.run({"x": x}).values())) for _ in range(20)]

    inputs = [X, 0.5 - X]
    with ThreadPoolExecutor(2) as threads:
        for x, found in zip(inputs, threads.map(repeat, inputs), strict=True):
            for y in found:
                np.testing.assert_array_equal(y, found[0])
            np.testing.assert_allclose(y, expected(network(), {"x": x}), rtol=1e-5, atol=1e-6)


def test_a_device_may_do_everything_late(bundle: Path, other_opencl: Path):
    late = shared(bundle, "late_opencl.c", "-Wl,--no-as-needed", str(opencl_library()), "-ldl")
    words = (bundle / "x.npy", "--output", bundle / "y.npy")
    status, _, errors = start(bundle / "net", *words, LD_PRELOAD=other_opencl, OPENCL_IS=late)
    assert (status, errors) == (0, "")
    y = np.load(bundle / "y.npy")
    np.testing.assert_allclose(y, expected(network(), {"x": X}), rtol=1e-5, atol=1e-6)


def test_a_device_is_chosen_by_a_part_of_its_name(bundle: Path, caller: Path):
    status, said, _ = start(caller)
    name = said.removeprefix("device ").rstrip("\n")
    assert status == 0
    assert name
    assert start(caller, name[1:-1])[:2] == (0, said)
    with load_bundle(bundle, device=name[:4]) as session:
        assert session.run({"x": X})["y"].shape == (4, 32)


def test_no_device_has_the_name(bundle: Path, caller: Path):
    text = "OpenCL finds no device of this name"
    assert start(caller, "no such name")[:2] == (1, f"the device is missing or failed: {text}.\n")
    with pytest.raises(UserError, match=text):
        load_bundle(bundle, device="no such name")


def test_no_device_at_all(bundle: Path, caller: Path, tmp_path: Path):
    text = "the device is missing or failed: OpenCL finds no device.\n"
    variables = {"OCL_ICD_VENDORS": tmp_path, "OCL_ICD_FILENAMES": ""}
    assert start(caller, **variables)[:2] == (1, text)


def test_no_library_of_opencl_is_one_line(bundle: Path, caller: Path, other_opencl: Path):
    text = "this machine has no library of OpenCL, and so no device"
    found = start(caller, LD_PRELOAD=other_opencl, OPENCL_IS="")
    assert found[:2] == (1, f"the device is missing or failed: {text}.\n")
    status, said, errors = start(
        bundle / "net", bundle / "x.npy", LD_PRELOAD=other_opencl, OPENCL_IS=""
    )
    assert (status, said) == (1, "")
    assert errors.endswith(f"{text}\n")
    assert errors.count("\n") == 1


def test_a_library_that_is_not_that_of_opencl(caller: Path, other_opencl: Path):
    found = start(caller, LD_PRELOAD=other_opencl, OPENCL_IS=other_opencl)
    text = "the device is missing or failed: the library of OpenCL lacks clGetPlatformIDs.\n"
    assert found[:2] == (1, text)


def test_nothing_is_linked(bundle: Path):
    for made in (bundle / "net", *bundle.glob("libnet.so*")):
        listed = subprocess.run(["ldd", made], capture_output=True, text=True, check=True).stdout
        assert "libc.so" in listed
        assert "OpenCL" not in listed


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(bundle: Path):
    run_make(bundle, ["sanitize"])
    words = (bundle / "x.npy", "--output", bundle / "z.npy")
    # Implementations of OpenCL keep memory of their own until the process ends.
    status, _, errors = start(bundle / "net-sanitize", *words, ASAN_OPTIONS="detect_leaks=0")
    assert (status, errors) == (0, "")
    z = np.load(bundle / "z.npy")
    np.testing.assert_allclose(z, expected(network(), {"x": X}), rtol=1e-5, atol=1e-6)
