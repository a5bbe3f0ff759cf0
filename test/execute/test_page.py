"""Networks of pages on WebGPU: their numbers, and what a device or a caller can do to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from own_numbers import OwnNumbers
from webgpu import needs_webgpu, run_pages

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest

pytestmark = [needs_webgpu, pytest.mark.xdist_group("page")]

DIGITS = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"
OPTIONS = CompileOptions(machine="wasm32-simd128:device=webgpu", jobs=1)
RNG = OwnNumbers(7)
X = RNG.standard_normal((4, 16), np.float32)
W = RNG.standard_normal((16, 16), np.float32)
M = RNG.standard_normal((4, 16), np.float32)


def network() -> bytes:
    """Return a network with an input that is read late, and a block that a kernel takes twice."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Softmax", ["a"], ["s"], axis=1),
        helper.make_node("Split", ["s"], ["l", "r"], axis=1, num_outputs=2),
        helper.make_node("Mul", ["l", "r"], ["p"]),
        helper.make_node("MatMul", ["s", "w"], ["b"]),
        helper.make_node("Add", ["b", "m"], ["c"]),
        helper.make_node("MatMul", ["c", "w"], ["y"]),
    ]
    value = helper.make_tensor_value_info
    inputs = [value(name, TensorProto.FLOAT, [4, 16]) for name in ("x", "m")]
    outputs = [value("p", TensorProto.FLOAT, [4, 8]), value("y", TensorProto.FLOAT, [4, 16])]
    graph = helper.make_graph(nodes, "net", inputs, outputs, [numpy_helper.from_array(W, "w")])
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "b"
    compile_model(network(), folder, OPTIONS)
    return folder


def check(bundle: Path, model: bytes, feeds: list[dict[str, np.ndarray]], folder: Path) -> None:
    """Run a bundle, and compare with onnxruntime."""
    (page,) = run_pages([(bundle, feeds)], folder)
    assert page.error == ""
    assert page.device.startswith("WebGPU, ")
    assert page.closed.startswith("the device was lost: ")
    assert len(page.outputs) == len(feeds)
    session = onnxruntime.InferenceSession(model)
    for feed, found in zip(feeds, page.outputs, strict=True):
        for ours, theirs in zip(found.values(), session.run(None, feed), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5 * np.abs(theirs).max())


def test_digits_are_told_apart(tmp_path: Path):
    compile_model(DIGITS, tmp_path / "b", OPTIONS)
    assert all(kernel.on_device for kernel in Manifest.load(tmp_path / "b").kernels)
    feeds = [{"image": RNG.random((1, 1, 28, 28), np.float32)} for _ in range(3)]
    check(tmp_path / "b", DIGITS.read_bytes(), feeds, tmp_path / "runs")


def test_a_late_input_and_a_block_taken_twice(bundle: Path, tmp_path: Path):
    text = (bundle / "net.js").read_text()
    steps = text.split("const STEPS = [\n")[1].split("];")[0].split("\n")
    assert [line.split('"')[1] for line in steps if line][:3] == ["write", "start", "write"]
    assert "is1" in (bundle / "net.wgsl").read_text()
    feeds = [{"x": X, "m": M}, {"x": M, "m": X}, {"x": X, "m": M}]
    check(bundle, network(), feeds, tmp_path / "runs")


def test_numbers_that_are_not_finite(tmp_path: Path):
    nodes = [
        helper.make_node("MaxPool", ["x"], ["a"], kernel_shape=[3], pads=[1, 1]),
        helper.make_node("Round", ["x"], ["b"]),
        helper.make_node("Relu", ["x"], ["c"]),
        helper.make_node("Exp", ["x"], ["d"]),
    ]
    value = helper.make_tensor_value_info
    outputs = [value(name, TensorProto.FLOAT, [1, 2, 8]) for name in "abcd"]
    inputs = [value("x", TensorProto.FLOAT, [1, 2, 8])]
    graph = helper.make_graph(nodes, "net", inputs, outputs)
    opsets = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    compile_model(model, tmp_path / "b", OPTIONS)
    x = np.array([-2.5, -np.inf, 0.5, 1.5, np.inf, np.nan, -0.0, 3e38], np.float32)
    x = np.stack([x, np.full(8, -np.inf, np.float32)])[None]
    (page,) = run_pages([(tmp_path / "b", [{"x": x}])], tmp_path / "runs")
    expected = onnxruntime.InferenceSession(model).run(list("bcd"), {"x": x})
    assert page.error == ""
    for name, theirs in zip("bcd", expected, strict=True):
        assert_close(page.outputs[0][name], theirs)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1)], constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 3, axis=-1)
    np.testing.assert_array_equal(page.outputs[0]["a"], windows.max(-1))


NAMES = ["sqrt", "log", "inverse", "quotient", "of_itself", "undone", "maximum", "is_inf", "zero"]


def functions_of_two() -> bytes:
    """Return a network of functions that WGSL leaves open for some numbers."""
    nodes = [
        helper.make_node("Sqrt", ["x"], ["sqrt"]),
        helper.make_node("Log", ["x"], ["log"]),
        helper.make_node("Reciprocal", ["x"], ["inverse"]),
        helper.make_node("Div", ["x", "y"], ["quotient"]),
        helper.make_node("Div", ["x", "x"], ["of_itself"]),
        helper.make_node("Mul", ["x", "y"], ["product"]),
        helper.make_node("Div", ["product", "y"], ["undone"]),
        helper.make_node("Max", ["x", "y"], ["maximum"]),
        helper.make_node("IsInf", ["x"], ["infinite"]),
        helper.make_node("Cast", ["infinite"], ["is_inf"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["x", "none"], ["zero"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "net",
        [value(name, TensorProto.FLOAT, [121]) for name in "xy"],
        [value(name, TensorProto.FLOAT, [121]) for name in NAMES],
        [numpy_helper.from_array(np.zeros(1, np.float32), "none")],
    )
    opsets = [helper.make_opsetid("", 20)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


def test_functions_where_wgsl_leaves_them_open(tmp_path: Path):
    model = functions_of_two()
    compile_model(model, tmp_path / "b", OPTIONS)
    numbers = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.5, 1e30, -1e-30, 1.2e-38]
    x, y = (axis.ravel().astype(np.float32) for axis in np.meshgrid(numbers, numbers))
    (page,) = run_pages([(tmp_path / "b", [{"x": x, "y": y}])], tmp_path / "runs")
    assert page.error == ""
    expected = dict(zip(NAMES, ReferenceEvaluator(model).run(None, {"x": x, "y": y}), strict=True))
    assert set(expected) == set(page.outputs[0])
    for name, theirs in expected.items():
        np.testing.assert_allclose(page.outputs[0][name], theirs, 1e-6, 1e-37, err_msg=name)


def test_integers_and_booleans_outside_are_words(tmp_path: Path):
    nodes = [
        helper.make_node("Gather", ["t", "ids"], ["g"]),
        helper.make_node("Cast", ["mask"], ["m"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["m", "last"], ["u"]),
        helper.make_node("Mul", ["g", "u"], ["p"]),
        helper.make_node("Where", ["chosen", "p", "g"], ["y"]),
        helper.make_node("Greater", ["y", "zero"], ["above"]),
        helper.make_node("ArgMax", ["y"], ["best"], axis=2),
    ]
    value = helper.make_tensor_value_info
    given = {
        "ids": np.array([[0, 8, 3], [-1, 2, 5]]),
        "mask": np.array([[1, 0, 2], [1, 1, 0]]),
        "chosen": np.arange(24).reshape(2, 3, 4) % 3 > 0,
    }
    kinds = {"ids": TensorProto.INT64, "mask": TensorProto.INT64, "chosen": TensorProto.BOOL}
    graph = helper.make_graph(
        nodes,
        "net",
        [value(name, kinds[name], array.shape) for name, array in given.items()],
        [
            value("y", TensorProto.FLOAT, [2, 3, 4]),
            value("above", TensorProto.BOOL, [2, 3, 4]),
            value("best", TensorProto.INT64, [2, 3, 1]),
        ],
        [
            numpy_helper.from_array(W[:9, :4], "t"),
            numpy_helper.from_array(np.array([-1]), "last"),
            numpy_helper.from_array(np.array(0, np.float32), "zero"),
        ],
    )
    opsets = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    compile_model(model, tmp_path / "b", OPTIONS)
    # Any number but 0 is true.
    feeds = {**given, "chosen": given["chosen"] * np.int32(-7)}
    (page,) = run_pages([(tmp_path / "b", [feeds])], tmp_path / "runs")
    assert page.error == ""
    expected = onnxruntime.InferenceSession(model).run(None, given)
    for ours, theirs in zip(page.outputs[0].values(), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("level", [2, 0])
def test_booleans_and_copies_between_kernels(tmp_path: Path, level: int):
    nodes = [
        helper.make_node("Greater", ["x", "m"], ["above"]),
        helper.make_node("Transpose", ["above"], ["turned"], perm=[1, 0]),
        helper.make_node("Concat", ["turned", "known"], ["mask"], axis=1),
        helper.make_node("Concat", ["x", "m"], ["both"], axis=0),
        helper.make_node("Transpose", ["both"], ["z"], perm=[1, 0]),
        helper.make_node("Where", ["mask", "z", "low"], ["chosen"]),
        helper.make_node("Softmax", ["chosen"], ["s"], axis=1),
        helper.make_node("Not", ["mask"], ["others"]),
        helper.make_node("Cast", ["others"], ["count"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["count"], ["n"], keepdims=0),
    ]
    value = helper.make_tensor_value_info
    shapes = {"z": [16, 8], "s": [16, 8], "n": []}
    known = RNG.standard_normal((16, 4), np.float32) > 0
    graph = helper.make_graph(
        nodes,
        "net",
        [value(name, TensorProto.FLOAT, [4, 16]) for name in ("x", "m")],
        [value(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
        [
            numpy_helper.from_array(known, "known"),
            numpy_helper.from_array(np.array(-9, np.float32), "low"),
        ],
    )
    opsets = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    compile_model(model, tmp_path / "b", replace(OPTIONS, level=level))
    assert all(kernel.on_device for kernel in Manifest.load(tmp_path / "b").kernels)
    check(tmp_path / "b", model, [{"x": X, "m": M}, {"x": M, "m": X}], tmp_path / "runs")


def test_an_input_that_does_not_fit(bundle: Path, tmp_path: Path):
    (page,) = run_pages([(bundle, [{"x": X, "m": M[:2]}])], tmp_path / "runs")
    text = "input m is a Float32Array of 64 elements, found Float32Array of 32"
    assert page.error == f"TypeError: {text}"


def changed(bundle: Path, folder: Path, name: str, old: str, new: str) -> Path:
    """Return a copy of a bundle with a text of a file replaced."""
    folder.mkdir()
    for file in bundle.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    content = (folder / name).read_bytes()
    assert old.encode() in content
    (folder / name).write_bytes(content.replace(old.encode(), new.encode(), 1))
    return folder


@pytest.mark.parametrize(
    ("name", "old", "new", "text"),
    [
        ("net.js", "const ARENA_BYTES = ", "const ARENA_BYTES = 99999999", "takes"),
        ("net.wgsl", "fn main(", "fn main(x", "the device does not compile kernel net_"),
        ("net.wgsl", "\nlet ", "\nlet let ", "the device does not compile kernel net_"),
    ],
)
def test_a_bundle_that_the_device_refuses(bundle: Path, tmp_path: Path, name, old, new, text):
    folder = changed(bundle, tmp_path / "b", name, old, new)
    (page,) = run_pages([(folder, [{"x": X, "m": M}])], tmp_path / "runs")
    assert text in page.error


def test_weights_of_another_network(bundle: Path, tmp_path: Path):
    fingerprint = Manifest.load(bundle).weights.fingerprint
    folder = changed(bundle, tmp_path / "b", "net.js", fingerprint, "0" * 32)
    (page,) = run_pages([(folder, [{"x": X, "m": M}])], tmp_path / "runs")
    text = "net.weights is not the file of weights of this network"
    assert page.error == f"Error: {text}"


def test_without_webgpu_it_is_said(bundle: Path, tmp_path: Path):
    (page,) = run_pages([(bundle, [{"x": X, "m": M}])], tmp_path / "runs", {"gpu": None})
    assert page.error == "Error: this browser has no WebGPU"
