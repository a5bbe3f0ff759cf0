"""Whole networks on a device by CUDA: right, one graph a run, nothing left, errors of the driver.

No GPU is needed: a library that checks its caller takes the place of the driver. Kernels are
simulated where numbers are compared, and do nothing elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from device_programs import start
from fake_cuda import build_fake_cuda, fake_cuda, needs_linux

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.c.template import runtime_file
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.compared import error_between
from benchmarks.models import MissingGraphError, provide, read_catalogue

pytestmark = [needs_linux, pytest.mark.exhaustive, pytest.mark.xdist_group("device-cuda")]

NETWORKS = ("digit", "resnet18", "mobilenetv2", "minilm", "unet128")

CALLS = re.findall(r' X\(\w+, "(\w+)"', runtime_file("autodeploy_cuda.c"))
"""The functions of the driver that the runtime uses."""

HARMLESS = re.compile("Release|Pop|Destroy|Free|Unload|DtoD")
"""Functions whose errors have no consequences: they give back, or copy arrays of the device."""


@dataclass(frozen=True)
class Network:
    """A built bundle with inputs, their files and the outputs of onnxruntime."""

    bundle: Path
    inputs: dict[str, np.ndarray]
    files: tuple[Path, ...]
    outputs: list[np.ndarray]
    driver: Path

    def run(self, *words: str, fails: str = "") -> tuple[int, str, list[str], str]:
        """Run the program; return its status and errors, the calls, and what is left."""
        log = self.bundle / "log"
        variables = {"LD_LIBRARY_PATH": self.driver, "FAKE_CUDA_LOG": log, "FAKE_CUDA_FAIL": fails}
        status, _, errors = start(self.bundle / "net", *self.files, *words, **variables)
        *names, last = log.read_text().splitlines()
        return status, errors, names, last


@pytest.fixture(scope="module", params=NETWORKS)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Network:
    folder = tmp_path_factory.mktemp(request.param)
    try:
        model = provide(request.param, read_catalogue()[request.param], folder)
    except MissingGraphError as missing:
        pytest.skip(str(missing))
    bundle = folder / "b"
    options = CompileOptions(machine="host:device=cuda", jobs=1, name="net")
    manifest = compile_model(model.path, bundle, options).manifest
    assert all(kernel.on_device for kernel in manifest.kernels)
    run_make(bundle)
    inputs = model.random_inputs()
    files = tuple(folder / f"{number}.npy" for number in range(len(inputs)))
    for file, value in zip(files, inputs.values(), strict=True):
        np.save(file, value)
    session = onnxruntime.InferenceSession(model.path, providers=["CPUExecutionProvider"])
    outputs = session.run([entry.name for entry in manifest.outputs], inputs)
    return Network(bundle, inputs, files, outputs, build_fake_cuda(folder).parent)


def test_numbers_are_right_and_nothing_is_left(network: Network):
    device = fake_cuda()
    with load_bundle(network.bundle) as session:
        found = session.run(network.inputs)
        assert device.left > 0
    assert (device.left, device.faults) == (0, [])
    for ours, right in zip(found.values(), network.outputs, strict=True):
        assert error_between(ours, right) <= 1e-5


def test_a_run_is_one_graph(network: Network):
    status, errors, names, last = network.run("--bench", "3")
    assert (status, errors, last) == (0, "", "left 0 depth 0")
    opened = len(names) - names[::-1].index("cuGraphUpload")
    in_runs = names[opened : names.index("cuGraphExecDestroy")]
    runs, rest = divmod(in_runs.count("cuMemcpyDtoHAsync_v2"), len(network.outputs))
    assert (in_runs.count("cuGraphLaunch"), rest) == (runs, 0)
    assert runs >= 3
    assert "cuLaunchKernel" not in in_runs


@pytest.mark.parametrize("call", CALLS)
def test_an_error_of_each_call_is_survived(network: Network, call: str):
    status, errors, _, last = network.run(fails=call)
    if HARMLESS.search(call):
        assert (status, errors) == (0, "")
        return
    assert (status, errors.count("\n"), last) == (1, 1, "left 0 depth 0")
    assert errors.startswith("net: error: ")
