"""``autodeploy verify`` of bundles for a device: the error and the limit of each precision.

Kernels for CUDA are simulated.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper, numpy_helper, save

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.tools import cli

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

DEVICE = "host:device=cuda-sm_80"
BOTH = f"host,{DEVICE}"


def network(path: Path, columns: int = 16, seed: int = 0) -> Path:
    """Write a product of 16 rows with a bias and a function."""
    random = np.random.default_rng(seed)
    weights = {
        "w": random.standard_normal((16, columns)).astype(np.float32),
        "b": random.standard_normal(columns).astype(np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["a"]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "net",
        [value("x", TensorProto.FLOAT, [16, 16])],
        [value("y", TensorProto.FLOAT, [16, columns])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", 17)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return path


def compiled(folder: Path, model: Path, element: str, machine: str = DEVICE) -> Path:
    """Return the bundle of a model whose factors may be rounded."""
    options = CompileOptions(machine=machine, precision=f"products={element}", jobs=1)
    compile_model(model, folder, options)
    return folder


@pytest.fixture
def verify(monkeypatch, capsys):
    fake_cuda()

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["autodeploy", "verify", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return end.value.code, *capsys.readouterr()

    return run


def error_and_limit(printed: str) -> tuple[float, str]:
    """Return the largest error that is printed, and the one that is expected at most."""
    ((error, limit),) = re.findall(r"largest error (\S+) of the .* at most (\S+) is", printed)
    return float(error), limit


@pytest.mark.one_case
@pytest.mark.parametrize(
    ("element", "least", "limit"),
    [("tf32", 1e-5, "1e-02"), ("f16", 1e-5, "1e-02"), ("bf16", 1e-4, "1e-01")],
)
def test_the_error_of_rounded_factors_is_printed(verify, tmp_path, element, least, limit):
    model = network(tmp_path / "net.onnx")
    bundle = compiled(tmp_path / "b", model, element)
    status, out, err = verify(model, bundle)
    error, expected = error_and_limit(out)
    assert (status, err, expected) == (0, "", limit)
    assert least < error < float(limit)
    status, out, err = verify(model, bundle, "--tolerance", "1e-6")
    assert (status, error_and_limit(out)) == (1, (error, "1e-06"))
    assert err.startswith("autodeploy: error: 1 of 1 outputs differ from onnxruntime")
    other = network(tmp_path / "other.onnx", seed=1)
    assert verify(other, bundle)[0] == 1


def test_a_factor_beyond_the_range_is_found(verify, tmp_path):
    model = network(tmp_path / "net.onnx")
    bundle = compiled(tmp_path / "b", model, "f16")
    assert verify(model, bundle, "--range=0,65000")[0] == 0
    status, out, _ = verify(model, bundle, "--range=0,70000")
    assert (status, error_and_limit(out)) == (1, (np.inf, "1e-02"))


def test_a_program_that_rounds_no_factor_is_held_to_the_limit_of_floats(verify, tmp_path):
    model = network(tmp_path / "net.onnx", columns=15)
    bundle = compiled(tmp_path / "b", model, "bf16")
    status, out, _ = verify(model, bundle)
    error, limit = error_and_limit(out)
    assert (status, limit) == (0, "1e-04")
    assert error < 1e-6


def test_the_processor_of_a_bundle_for_both_rounds_no_factor(verify, tmp_path):
    model = network(tmp_path / "net.onnx")
    bundle = compiled(tmp_path / "b", model, "bf16", BOTH)
    algorithms = {
        v.name: [kernel.algorithm for kernel in v.kernels] for v in Manifest.load(bundle).variants
    }
    assert algorithms[DEVICE] == ["device_tensor"]
    assert "device_tensor" not in algorithms["host"]
    status, out, _ = verify(model, bundle)
    error, limit = error_and_limit(out)
    assert (status, limit, error > 1e-4) == (0, "1e-01", True)
    status, out, _ = verify(model, bundle, "--machine", "host")
    error, limit = error_and_limit(out)
    assert (status, limit, error < 1e-6) == (0, "1e-04", True)


@pytest.mark.parametrize(
    ("machine", "what"),
    [
        ("host,host:device=opencl", "device 'opencl'"),
        ("x86-64,x86-64-avx2", "machine 'x86-64-avx2'"),
    ],
)
def test_a_bundle_without_tensor_cores_is_refused(tmp_path, machine, what):
    text = f"{what} has no tensor cores for products of tf32; cuda-sm_80 is the first device"
    with pytest.raises(UserError, match=text):
        compiled(tmp_path / "b", network(tmp_path / "net.onnx"), "tf32", machine)
