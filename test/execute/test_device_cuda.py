"""Programs with kernels on a device by CUDA: their numbers, their use of the driver, its errors.

No GPU is needed: a library that checks its caller takes the place of the driver, and kernels are
simulated.
"""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from device_programs import RNG, X, build_bundle, expected, network, start
from fake_cuda import build_fake_cuda, fake_cuda, needs_linux

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.template import runtime_file
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import find_c_compiler, run, run_make
from autodeploy.toolchain.profile import COPIES, profile_bundle
from autodeploy.toolchain.session import load_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

DIGITS = Path(__file__).parents[2] / "examples" / "mnist"
OPTIONS = CompileOptions(machine="host:device=cuda", jobs=1)
CALLS = re.findall(r' X\(\w+, "(\w+)"', runtime_file("autodeploy_cuda.c"))
"""The functions of the driver that the runtime uses."""

GIVING_BACK = {
    *("cuDevicePrimaryCtxRelease_v2", "cuCtxPopCurrent_v2", "cuStreamDestroy_v2", "cuMemFree_v2"),
    *("cuModuleUnload", "cuGraphDestroy", "cuGraphExecDestroy"),
}
"""Those whose errors have no consequences."""

FROM_ANOTHER = {"cuDeviceGet", "cuDeviceGetName"}
"""Those whose error at one device is none at the next one."""

FAILED = "the device is missing or failed: "


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built bundle of the network, with its programs."""
    return build_bundle(tmp_path_factory.mktemp("cuda") / "b", OPTIONS)


@pytest.fixture(scope="module")
def driver(bundle: Path) -> Path:
    """Return the folder of a library of CUDA."""
    return build_fake_cuda(bundle).parent


def calls(log: Path) -> tuple[list[str], str]:
    """Return the calls of the driver, and what the library says at the end."""
    *names, last = log.read_text().splitlines()
    return names, last


@pytest.mark.exhaustive
def test_digits_are_told_apart(tmp_path: Path):
    device = fake_cuda()
    model = (DIGITS / "mnist.onnx").read_bytes()
    manifest = compile_model(model, tmp_path / "b", OPTIONS).manifest
    assert all(kernel.on_device for kernel in manifest.kernels)
    (name, shape) = manifest.inputs[0].name, manifest.inputs[0].shape
    x = RNG.random(shape, np.float32)
    with load_bundle(tmp_path / "b") as session:
        (y,) = session.run({name: x}).values()
    assert device.faults == []
    np.testing.assert_allclose(y, expected(model, {name: x}), rtol=1e-4, atol=1e-5)


def test_kernels_of_the_processor_between_those_of_the_device(bundle: Path):
    device = fake_cuda()
    sides = {kernel.on_device for kernel in Manifest.load(bundle).kernels}
    assert sides == {True, False}
    with load_bundle(bundle) as session:
        assert device.left > 0
        for x in (X, -X, X):
            (y,) = session.run({"x": x}).values()
            np.testing.assert_allclose(y, expected(network(), {"x": x}), rtol=1e-5, atol=1e-6)
    assert (device.left, device.faults) == (0, [])


def test_contexts_of_two_threads(bundle: Path):
    device = fake_cuda()

    def repeat(x: np.ndarray) -> list[np.ndarray]:
        with load_bundle(bundle) as session:
            return [next(iter(session.run({"x": x}).values())) for _ in range(5)]

    inputs = [X, 0.5 - X]
    with ThreadPoolExecutor(2) as threads:
        for x, found in zip(inputs, threads.map(repeat, inputs), strict=True):
            for y in found:
                np.testing.assert_array_equal(y, found[0])
            np.testing.assert_allclose(y, expected(network(), {"x": x}), rtol=1e-5, atol=1e-6)
    assert (device.left, device.faults) == (0, [])


def test_a_run_is_one_graph_for_all_kernels_in_a_row(bundle: Path, driver: Path, tmp_path: Path):
    log = tmp_path / "log"
    words = (bundle / "x.npy", "--bench", "3")
    status, _, errors = start(bundle / "net", *words, LD_LIBRARY_PATH=driver, FAKE_CUDA_LOG=log)
    assert (status, errors) == (0, "")
    names, last = calls(log)
    assert last == "left 0 depth 0"
    opened = len(names) - names[::-1].index("cuGraphUpload")
    assert "cuGraphLaunch" not in names[:opened]
    runs = names[:opened].count("cuStreamBeginCapture_v2")
    assert runs < names[:opened].count("cuLaunchKernel")
    closed = names.index("cuGraphExecDestroy")
    in_runs = names[opened:closed]
    repeats, rest = divmod(in_runs.count("cuGraphLaunch"), runs)
    assert (rest, repeats >= 3) == (0, True)
    assert set(in_runs) == {
        *("cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuGraphLaunch", "cuStreamSynchronize"),
        *("cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuPointerGetAttribute"),
    }


def test_all_kernels_of_a_network_are_one_run(tmp_path: Path, driver: Path):
    log = tmp_path / "log"
    compile_model((DIGITS / "mnist.onnx").read_bytes(), tmp_path / "b", OPTIONS)
    run_make(tmp_path / "b")
    np.save(tmp_path / "x.npy", np.zeros((1, 1, 28, 28), np.float32))
    program = tmp_path / "b" / "mnist"
    words = [str(program), f"{program}.weights", str(tmp_path / "x.npy")]
    variables = {"LD_LIBRARY_PATH": str(driver), "FAKE_CUDA_LOG": str(log), "PATH": "/usr/bin"}
    subprocess.run(words, env=variables, check=True, capture_output=True)
    assert calls(log)[0].count("cuGraphLaunch") == 1


def test_each_kernel_of_a_run_is_timed(bundle: Path, driver: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))
    kernels = Manifest.load(bundle).kernels
    text = (bundle / "net.mlir").read_text()
    calls = {k.name: len(re.findall(rf"driver.call @{k.name}\(", text)) for k in kernels}
    # A kernel of several functions is called once.
    assert "_part1" in text
    times = profile_bundle(bundle, 1)
    assert {t.name: t.calls for t in times if t.name in calls} == calls
    (copies,) = (t for t in times if t.name == COPIES)
    assert copies.calls == text.count("driver.transfer") + text.count("driver.copy")


@pytest.mark.every_case
@pytest.mark.parametrize("number", ["", ":1", ":2", ":3"])
@pytest.mark.parametrize("call", CALLS)
def test_an_error_of_each_call_is_survived(
    bundle: Path, driver: Path, tmp_path: Path, call: str, number: str
):
    log = tmp_path / "log"
    status, said, errors = start(
        bundle / "net",
        bundle / "x.npy",
        LD_LIBRARY_PATH=driver,
        FAKE_CUDA_FAIL=call + number,
        FAKE_CUDA_LOG=log,
    )
    names, last = calls(log)
    reached = names.count(call) >= int(number[1:] or 1)
    if call in GIVING_BACK or not reached or (call in FROM_ANOTHER and number):
        assert (status, errors) == (0, "")
        return
    assert (status, said, errors.count("\n")) == (1, "", 1)
    assert re.fullmatch(r"net: error: (CUDA finds no device|.*[(]CUDA error 999[)].*)\n", errors)
    assert last == "left 0 depth 0"


def test_each_call_is_reached(bundle: Path, driver: Path, tmp_path: Path):
    log = tmp_path / "log"
    start(bundle / "net", bundle / "x.npy", LD_LIBRARY_PATH=driver, FAKE_CUDA_LOG=log)
    assert {*calls(log)[0]} == {*CALLS} - {"cuMemcpyDtoDAsync_v2"}


@pytest.mark.parametrize(
    ("variables", "text"),
    [
        ({"FAKE_CUDA_DEVICES": "0"}, "CUDA finds no device"),
        ({"FAKE_CUDA_FAIL": "cuInit"}, "CUDA finds no device (CUDA error 999)"),
        (
            {"FAKE_CUDA_FAIL": "cuMemAlloc_v2"},
            "the device has no memory for the arena and the weights (CUDA error 999)",
        ),
        (
            {"FAKE_CUDA_FAIL": "cuModuleLoadDataEx"},
            "the device does not compile the kernels (CUDA error 999): line 7: error",
        ),
        (
            {"FAKE_CUDA_FAIL": "cuGraphInstantiateWithFlags"},
            "the device does not record a run (CUDA error 999)",
        ),
    ],
)
def test_what_is_missing_is_one_line(bundle: Path, driver: Path, variables, text):
    found = start(bundle / "caller", LD_LIBRARY_PATH=driver, **variables)
    assert found[:2] == (1, f"{FAILED}{text}.\n")


def test_a_device_is_chosen_by_a_part_of_its_name(bundle: Path, driver: Path):
    found = [
        start(bundle / "caller", *words, LD_LIBRARY_PATH=driver)[:2]
        for words in ((), ("GPU B",), ("no such name",))
    ]
    missing = "CUDA finds no device of this name"
    assert found == [
        (0, "device Fake GPU A\n"),
        (0, "device Fake GPU B\n"),
        (1, f"{FAILED}{missing}.\n"),
    ]
    fake_cuda()
    with pytest.raises(UserError, match=missing):
        load_bundle(bundle, device="no such name")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "this machine has no library of CUDA, and so no device"),
        ("int other;", "the library of CUDA lacks cuInit"),
    ],
)
def test_no_library_of_cuda(bundle: Path, tmp_path: Path, content: str | None, text: str):
    library = tmp_path / "libcuda.so.1"
    if content is None:
        library.write_text("no library")
    else:
        source = tmp_path / "other.c"
        source.write_text(content)
        run([*find_c_compiler(), "-shared", "-fPIC", str(source), "-o", str(library)])
    found = start(bundle / "caller", LD_LIBRARY_PATH=tmp_path)
    assert found[:2] == (1, f"{FAILED}{text}.\n")


def test_nothing_is_linked(bundle: Path):
    for made in (bundle / "net", *bundle.glob("libnet.so*")):
        listed = subprocess.run(["ldd", made], capture_output=True, text=True, check=True).stdout
        assert "libc.so" in listed
        assert "cuda" not in listed


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(bundle: Path, driver: Path):
    run_make(bundle, ["sanitize"])
    words = (bundle / "x.npy", "--output", bundle / "z.npy")
    for fails in ("", "cuGraphLaunch", "cuModuleLoadDataEx", "cuMemAlloc_v2"):
        status, _, errors = start(
            bundle / "net-sanitize", *words, LD_LIBRARY_PATH=driver, FAKE_CUDA_FAIL=fails
        )
        assert "Sanitizer" not in errors
        assert status == int(bool(fails))
