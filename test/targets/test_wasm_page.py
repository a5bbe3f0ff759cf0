"""Networks of pages in WebAssembly, in Node and in a browser, alone and where WebGPU is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
from browser import needs_chromium, watch_page
from cross import TARGETS, NotHereError, compiler_for
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from webgpu import Page, needs_webgpu, run_pages

from autodeploy import CompileOptions, compile_model

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="Debian's package nodejs is missing"),
    pytest.mark.xdist_group("wasm_page"),
    # The first program for WebAssembly on a machine takes zig a minute, which compiles its library.
    pytest.mark.exhaustive,
]

DIGITS = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"
ALONE = "wasm32-simd128"
BOTH = "wasm32-simd128,wasm32-simd128:device=webgpu"
RNG = OwnNumbers(9)


def built(model: Path | ModelProto, folder: Path, machine: str, **options: bool) -> Path:
    """Return the bundle of a page whose program in WebAssembly is built."""
    try:
        compiler, _ = compiler_for(TARGETS[ALONE])
    except NotHereError as missing:
        pytest.skip(str(missing))
    compile_model(model, folder, CompileOptions(machine=machine, jobs=1, **options))
    inner = folder if machine == ALONE else folder / "wasm"
    make = ["make", "-s", "-C", str(inner), f"CC={compiler}"]
    done = subprocess.run(make, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def run(bundle: Path, feed: dict[str, np.ndarray], folder: Path, **options: object) -> Page:
    """Run a bundle twice on the same inputs, and return the results."""
    (page,) = run_pages([(bundle, [feed, feed])], folder, options)
    return page


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(DIGITS, tmp_path_factory.mktemp("wasm_page") / "page", BOTH)


def check_digits(page: Page, image: np.ndarray) -> None:
    assert page.error == ""
    assert page.device == "WebAssembly"
    assert page.closed == "the network is closed"
    (expected,) = onnxruntime.InferenceSession(DIGITS).run(None, {"image": image})
    for outputs in page.outputs:
        np.testing.assert_allclose(outputs["logits"], expected, rtol=1e-4, atol=1e-4)
    assert len(page.outputs) == 2


def test_without_webgpu_it_is_webassembly(digits: Path, tmp_path: Path):
    image = RNG.random((1, 1, 28, 28), np.float32)
    page = run(digits, {"image": image}, tmp_path, gpu=None)
    check_digits(page, image)
    assert page.reason == "this browser has no WebGPU"


def test_one_that_is_asked_for(digits: Path, tmp_path: Path):
    image = RNG.random((1, 1, 28, 28), np.float32)
    page = run(digits, {"image": image}, tmp_path / "wasm", device="wasm")
    check_digits(page, image)
    assert page.reason == ""
    page = run(digits, {"image": image}, tmp_path / "webgpu", device="webgpu", gpu=None)
    assert page.error == "Error: this browser has no WebGPU"


def test_inputs_and_weights_that_do_not_fit(digits: Path, tmp_path: Path):
    page = run(digits, {"image": np.zeros(3, np.float32)}, tmp_path / "few", device="wasm")
    text = "input image is a Float32Array of 784 elements, found Float32Array of 3"
    assert page.error == f"TypeError: {text}"


@pytest.mark.parametrize("damage", ["checksum", "ends after", "goes on for 999 bytes after"])
def test_damaged_weights(digits: Path, tmp_path: Path, damage: str):
    damaged = tmp_path / "page"
    shutil.copytree(digits, damaged)
    weights = damaged / "wasm" / "mnist.weights"
    content = weights.read_bytes()
    last = {"checksum": bytes([content[-1] ^ 1]), "ends after": b""}
    weights.write_bytes(content[:-1] + last.get(damage, content[-1:] + bytes(999)))
    image = np.zeros((1, 1, 28, 28), np.float32)
    page = run(damaged, {"image": image}, tmp_path / "damaged", device="wasm")
    assert page.error.startswith("Error: the weight file in memory ")
    assert damage in page.error


def test_weights_that_come_in_pieces(digits: Path, tmp_path: Path):
    script = tmp_path / "run.mjs"
    script.write_text(
        f"""
import {{ readFile }} from "node:fs/promises";
import {{ open }} from "{digits}/mnist.js";
const read = async (name) => {{
  const file = new Uint8Array(await readFile(`{digits}/${{name}}`));
  let at = 0;
  const pull = (to) => {{
    if (at === file.length) return to.close();
    to.enqueue(file.slice(at, (at = Math.min(at + 999, file.length))));
  }};
  return new Response(new ReadableStream({{ pull }}));
}};
const image = new Float32Array(784).fill(0.5);
const found = [];
for (const options of [{{ read }}, {{ read: (name) => readFile(`{digits}/${{name}}`) }}]) {{
  const session = await open({{ device: "wasm", ...options }});
  found.push((await session.run({{ image }})).logits.join());
}}
console.log(found[0].split(",").length, found[0] === found[1]);
"""
    )
    done = subprocess.run(["node", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["10", "true"]


def of_all_types() -> tuple[ModelProto, dict[str, np.ndarray]]:
    """Return a network that negates or inverts an input of each type, and its inputs."""
    numbers = RNG.standard_normal((2, 3), np.float32) * 9
    types = [np.float32, np.float64, np.float16, np.int8, np.int16, np.int32, np.int64]
    inputs = {np.dtype(t).name: numbers.astype(t) for t in types}
    inputs |= {"bool": numbers > 0, "bfloat16": numbers.astype(ml_dtypes.bfloat16)}
    nodes, given, found = [], [], []
    for name, array in inputs.items():
        operator = "Not" if name == "bool" else "Neg"
        nodes.append(helper.make_node(operator, [name], [f"y_{name}"]))
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        given.append(helper.make_tensor_value_info(name, kind, array.shape))
        found.append(helper.make_tensor_value_info(f"y_{name}", kind, array.shape))
    graph = helper.make_graph(nodes, "types", given, found)
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9), inputs


def test_types_that_only_the_processor_has(tmp_path: Path):
    model, inputs = of_all_types()
    page = run(built(model, tmp_path / "b", ALONE), inputs, tmp_path / "runs")
    assert page.error == ""
    for name, array in inputs.items():
        expected = ~array if name == "bool" else -array
        found = page.outputs[0][f"y_{name}"]
        np.testing.assert_array_equal(found.view(expected.dtype), expected, err_msg=name)


def test_both_programs_of_a_page_have_words(tmp_path: Path):
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Cast", ["ids"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Where", ["mask", "numbers", "x"], ["y"]),
        helper.make_node("Greater", ["y", "x"], ["above"]),
    ]
    given = {
        "ids": np.array([3, -4, 5]),
        "mask": np.array([True, False, True]),
        "x": np.array([4, 4, 4], np.float32),
    }
    kinds = {"ids": TensorProto.INT64, "mask": TensorProto.BOOL, "x": TensorProto.FLOAT}
    outputs = [value("y", TensorProto.FLOAT, [3]), value("above", TensorProto.BOOL, [3])]
    graph = helper.make_graph(nodes, "net", [value(n, k, [3]) for n, k in kinds.items()], outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    bundle = built(model, tmp_path / "b", BOTH)
    page = run(bundle, given, tmp_path / "runs", device="wasm")
    assert page.error == ""
    np.testing.assert_array_equal(page.outputs[0]["y"], [3, 4, 5])
    np.testing.assert_array_equal(page.outputs[0]["above"], [0, 0, 1])


@pytest.fixture(scope="module")
def affine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a model that computes x * k + c, with k = 2 and c = (0, 1, -8)."""
    info = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [3]), ("k", [1]), ("c", [3]), ("y", [3]))
    ]
    nodes = [helper.make_node("Mul", ["x", "k"], ["m"]), helper.make_node("Add", ["m", "c"], ["y"])]
    values = {"k": np.float32([2]), "c": np.float32([0, 1, -8])}
    weights = [numpy_helper.from_array(value, name) for name, value in values.items()]
    graph = helper.make_graph(nodes, "affine", info[:3], info[3:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return built(model, tmp_path_factory.mktemp("affine") / "page", BOTH)


@pytest.mark.parametrize("device", ["wasm", pytest.param("webgpu", marks=needs_webgpu)])
def test_inputs_that_are_left_out(affine: Path, device: str, tmp_path: Path):
    x, k = np.array([1, -2, 3], np.float32), np.array([5], np.float32)
    bundles = [(affine, [{"x": x}, {"x": x, "k": k}, {"x": x}]), (affine, [{"k": k}])]
    left_out, missing = run_pages(bundles, tmp_path, {"device": device})
    assert left_out.error == ""
    for outputs, expected in zip(
        left_out.outputs, ([2, -3, -2], [5, -9, 7], [2, -3, -2]), strict=True
    ):
        np.testing.assert_array_equal(outputs["y"], expected)
    assert missing.error == "TypeError: input x is a Float32Array of 3 elements, found undefined"


def test_types_of_inputs_that_may_be_left_out(affine: Path):
    types = (affine / "affine.d.ts").read_text()
    assert '"x": Float32Array;' in types
    assert '"k"?: Float32Array;' in types


def test_an_input_of_an_unknown_name(affine: Path, tmp_path: Path):
    script = tmp_path / "run.mjs"
    script.write_text(
        f"""
import {{ readFile }} from "node:fs/promises";
import {{ open }} from "{affine}/affine.js";
const read = async (name) => new Uint8Array(await readFile(`{affine}/${{name}}`)).buffer;
const session = await open({{ device: "wasm", read }});
await session.run({{ x: new Float32Array(3), z: 1 }}).catch((error) => console.log(error.message));
await session.run().catch((error) => console.log(error.message));
"""
    )
    done = subprocess.run(["node", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "there is no input z; the inputs are x, k, c",
        "input x is a Float32Array of 3 elements, found undefined",
    ]


def test_weights_that_are_linked_in(tmp_path: Path):
    bundle = built(DIGITS, tmp_path / "b", ALONE, embed_weights=True)
    assert not (bundle / "mnist.weights").exists()
    image = RNG.random((1, 1, 28, 28), np.float32)
    check_digits(run(bundle, {"image": image}, tmp_path / "runs"), image)


@needs_chromium
@pytest.mark.exhaustive
def test_a_browser_without_webgpu_runs_webassembly(digits: Path):
    said = watch_page(digits, webgpu=False)
    assert said["state"] == "ready"
    assert said["text"].startswith("WebAssembly, since ")
    assert said["first"] == "1"
