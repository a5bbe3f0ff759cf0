"""Searches for configs of kernels on a device, which PoCL is here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from opencl import needs_opencl
from tuning_tasks import one_convolution, one_relu
from xdsl.utils.exceptions import VerifyException

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass, completed
from autodeploy.records.record_file import read_records
from autodeploy.templates.registry import device_templates
from autodeploy.toolchain.session import load_bundle
from autodeploy.tuning.task import extract_tasks, run_until

MACHINE = "host:device=opencl"

pytestmark = pytest.mark.xdist_group("device-opencl")


def test_a_kernel_of_a_device_has_templates_of_devices() -> None:
    options = CompileOptions(machine="x86-64-avx2:device=opencl")
    (task,) = extract_tasks(one_convolution(), options).tasks
    names = [name for name, _ in device_templates()]
    assert task.rule.template_name in names
    assert set(task.templates) <= set(names)
    assert len(task.templates) > 1


def one_product() -> bytes:
    """Return a product that tensor cores can compute."""
    value = helper.make_tensor_value_info
    shapes = {"x": [32, 64], "w": [64, 48], "y": [32, 48]}
    x, w, y = (value(name, TensorProto.FLOAT, shape) for name, shape in shapes.items())
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "p", [x, w], [y])
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


def test_a_search_rounds_no_factors() -> None:
    options = CompileOptions(machine="x86-64-avx2:device=cuda-sm_80")
    (task,) = extract_tasks(one_product(), options).tasks
    assert set(task.templates) == {"device_plain", "device_tile"}
    (task,) = extract_tasks(one_product(), replace(options, precision="products=f16")).tasks
    assert set(task.templates) == {"device_tensor"}
    assert task.templates["device_tensor"]["products"] == [("f16",)]


def test_a_record_rounds_no_factors() -> None:
    _, module, _ = run_until(
        ConfigureKernelsPass, one_product(), CompileOptions(machine="x86-64:device=cuda-sm_80")
    )
    (kernel,) = (op for op in module.walk() if isinstance(op, KernelOp))
    given = ConfigAttr("device_tensor", {"products": ("tf32",)})
    with pytest.raises(VerifyException, match="knob products of device_tensor is one of none"):
        completed(given, kernel, machine_of(module))


@needs_opencl
def test_configs_are_measured_on_the_device_and_compiled(tmp_path: Path) -> None:
    file = tmp_path / "tune.jsonl"
    found = autodeploy.tune(
        one_convolution(), records=file, trials=4, tuner="random", seed=3, machine=MACHINE
    )
    trials = [record for record in read_records(file) if record.kind == "trial"]
    assert len(trials) == found.trials == 4
    assert all(trial.costs for trial in trials), [trial.error for trial in trials]
    best = min(trials, key=lambda trial: min(trial.costs))
    folder = tmp_path / "out"
    # The search may have chosen the rule's config: the best trial is compiled here.
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    only = [line for line in lines if line.get("config") == best.config and line.get("costs")]
    chosen = tmp_path / "best.jsonl"
    chosen.write_text("".join(json.dumps(line) + "\n" for line in only))
    compile_model(
        one_convolution(), folder, CompileOptions(machine=MACHINE, records=chosen, jobs=1)
    )
    (text,) = (path.read_text() for path in folder.glob("*.mlir"))
    assert f" config{best.config.removeprefix('#nn.config')}" in text
    x = np.random.default_rng(0).standard_normal((1, 8, 12, 12), np.float32)
    with load_bundle(folder) as session:
        (y,) = session.run({"x": x}).values()
    compile_model(one_convolution(), tmp_path / "host", CompileOptions(level=1, jobs=1))
    with load_bundle(tmp_path / "host") as session:
        (expected,) = session.run({"x": x}).values()
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


def test_a_machine_without_the_device_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"no kernel of the model can be measured: run: .*CUDA"):
        autodeploy.tune(
            one_relu(), records=tmp_path / "r.jsonl", trials=1, machine="host:device=cuda"
        )
