"""Programs with kernels on a device by OpenCL, under Oclgrind: no race, no element out of bounds,
no wrong call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from device_programs import expected, start
from oclgrind import needs_oclgrind, with_oclgrind
from onnx import TensorProto, helper, numpy_helper
from opencl import needs_opencl
from own_numbers import OwnNumbers

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.registry import device_templates
from autodeploy.toolchain.compiler import run_make
from autodeploy.tools.compared import error_between

pytestmark = [
    needs_opencl,
    needs_oclgrind,
    pytest.mark.xdist_group("device-oclgrind"),
    pytest.mark.exhaustive,
]

RNG = OwnNumbers(3)
X = RNG.standard_normal((2, 3, 9, 7), np.float32)
OPTIONS = CompileOptions(machine="host:device=opencl", jobs=1)


def network() -> bytes:
    """Return a network with a kernel of each kind of a device, as tests name them."""
    weights = {
        "w0": RNG.standard_normal((8, 3, 3, 3), np.float32) / 4,
        "b0": RNG.standard_normal((8,), np.float32),
        "w1": RNG.standard_normal((8, 1, 3, 3), np.float32) / 3,
        "w2": RNG.standard_normal((80, 8, 1, 1), np.float32) / 3,
        "w3": RNG.standard_normal((80, 5, 2, 2), np.float32) / 5,
        "w4": RNG.standard_normal((80, 12), np.float32) / 5,
        "w5": np.arange(-288, 288, dtype=np.int16).astype(np.int8).reshape(8, 8, 3, 3),
        "s5": np.array(0.03, np.float32),
        "z5": np.array(9, np.uint8),
        "scale": RNG.standard_normal((12,), np.float32),
        "flat": np.array([0, 80]),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w0", "b0"], ["c0"], pads=[1, 1, 1, 1]),
        node("Relu", ["c0"], ["r0"]),
        node("Conv", ["r0", "w1"], ["c1"], pads=[1, 1, 1, 1], group=8),
        node("Add", ["c1", "r0"], ["a1"]),
        node("MaxPool", ["a1"], ["p1"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("Conv", ["p1", "w2"], ["c2"]),
        node("ConvTranspose", ["c2", "w3"], ["image"], strides=[2, 2]),
        node("GlobalAveragePool", ["c2"], ["g2"]),
        node("Reshape", ["g2", "flat"], ["f2"]),
        node("MatMul", ["f2", "w4"], ["m4"]),
        node("LayerNormalization", ["m4", "scale"], ["n4"]),
        node("Softmax", ["n4"], ["s4"], axis=1),
        node("Transpose", ["s4"], ["t4"], perm=[1, 0]),
        node("MatMul", ["s4", "t4"], ["pairs"]),
        node("Concat", ["n4", "s4"], ["rows"], axis=1),
        node("QuantizeLinear", ["r0", "s5", "z5"], ["q5"]),
        node("ConvInteger", ["q5", "w5", "z5"], ["c5"], pads=[1, 1, 1, 1]),
        node("Cast", ["c5"], ["codes"], to=TensorProto.FLOAT),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "net",
        [value("x", TensorProto.FLOAT, X.shape)],
        [value(name, TensorProto.FLOAT, None) for name in ("image", "pairs", "rows", "codes")],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


MODEL = network()


def reports(folder: Path, *changes: tuple[str, str]) -> str:
    """Run a bundle, whose kernels may be changed, and return the reports."""
    (kernels,) = folder.glob("*_kernels.c")
    text = kernels.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    kernels.write_text(text)
    run_make(folder)
    np.save(folder / "x.npy", X)
    log = folder / "log"
    words = (folder / "x.npy", "--output", folder / "y.npy")
    status, _, errors = start(folder / "net", *words, **with_oclgrind(log))
    assert (status, errors) == (0, "")
    if not changes:
        y = np.load(folder / "y.npy")
        assert error_between(y, expected(MODEL, {"x": X})) < 1e-2
    return log.read_text()


@pytest.mark.parametrize(
    ("given", "multiprocessors"),
    [
        ({"level": 2}, 0),
        ({"level": 0}, 0),
        ({"level": 3}, 20),
        ({"level": 2, "machine": "host:device=opencl-amd"}, 0),
        ({"level": 2, "machine": "host:device=opencl-mali"}, 0),
        ({"level": 2, "precision": "weights=f16"}, 0),
        ({"level": 2, "dynamic": (OpenSpec(("x:0",), 1, 2),)}, 0),
    ],
    ids=["tiles", "plain", "parts", "eight rows", "four rows", "halves", "open"],
)
def test_kernels_have_no_race_and_stay_within_bounds(
    tmp_path: Path, given: dict[str, object], multiprocessors: int, monkeypatch: pytest.MonkeyPatch
):
    described = replace(DEVICES["opencl"], multiprocessors=multiprocessors)
    monkeypatch.setitem(DEVICES, "opencl", described)
    compile_model(MODEL, tmp_path / "b", replace(OPTIONS, **given))
    used = {k.algorithm for k in Manifest.load(tmp_path / "b").kernels if k.on_device}
    assert used >= {name for name, template in device_templates() if template.exact}
    assert reports(tmp_path / "b") == ""


def test_an_element_out_of_bounds_is_reported(tmp_path: Path):
    compile_model(MODEL, tmp_path / "b", OPTIONS)
    found = reports(tmp_path / "b", ("= get_group_id(0);", "= get_group_id(0) + 1000000;"))
    assert "Invalid write" in found


def test_two_threads_at_an_element_are_reported(tmp_path: Path):
    compile_model(MODEL, tmp_path / "b", OPTIONS)
    found = reports(tmp_path / "b", ("= get_local_id(0);", "= get_local_id(0) / 2;"))
    assert "race" in found
