"""``autodeploy quantize``: the model that it writes, its table of errors, and its refusals."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from PIL import Image

import autodeploy as package
from autodeploy.diagnostics import UserError
from autodeploy.tools import cli, quantisation
from autodeploy.tools.calibration import input_entries, read_samples
from autodeploy.tools.layer_errors import measured_model

pytest.importorskip("onnxruntime", reason="pip install 'autodeploy[quantize]'")

MNIST = Path(__file__).parents[3] / "examples" / "mnist"


@pytest.fixture
def autodeploy(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["autodeploy", *map(str, arguments)])
        try:
            cli.main()
            status = 0
        except SystemExit as end:
            status = end.code
        captured = capsys.readouterr()
        return SimpleNamespace(status=status, out=captured.out, err=captured.err)

    return run


def digits() -> np.ndarray:
    """Return the ten digits, each moved to nine places."""
    files = sorted((MNIST / "digits").glob("*.png"))
    images = [np.asarray(Image.open(file), np.float32)[None, None] / 255 for file in files]
    moves = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return np.concatenate([np.roll(image, move, (2, 3)) for image in images for move in moves])


def classes(model: str | Path) -> list[int]:
    with package.compile(model, level=2) as session:
        return [int(session.run(image[None])["logits"].argmax()) for image in digits()]


def kinds(path: Path) -> list[str]:
    return [node.op_type for node in onnx.load(path).graph.node]


def test_the_digit_network_keeps_its_classes(autodeploy, tmp_path):
    np.savez(tmp_path / "digits.npz", image=digits())
    done = autodeploy(
        "quantize", MNIST / "mnist.onnx", "--calibration", "digits.npz", "-o", "q.onnx"
    )
    assert (done.status, done.err) == (0, "")
    rows = re.findall(r"^(\S+) +([\d.]+) %  (\d\.\de-\d\d)$", done.out, re.MULTILINE)
    assert [name for name, *_ in rows] == ["conv1", "conv2", "dense"]
    assert sum(float(share) for _, share, _ in rows) == pytest.approx(100, abs=0.02)
    assert all(1e-4 < float(error) < 0.05 for *_, error in rows)
    assert re.search(r"^output 'logits': error \d\.\de-0\d$", done.out, re.MULTILINE)
    assert done.out.endswith("KB: 3 of 3 layers in 8-bit integers\n")
    stored = {t.name: t.data_type for t in onnx.load("q.onnx").graph.initializer}
    assert list(stored.values()).count(TensorProto.INT8) >= 3
    assert classes("q.onnx") == classes(MNIST / "mnist.onnx")


@pytest.mark.exhaustive
def test_layers_stay_in_floats_by_name_and_by_share(autodeploy, tmp_path):
    arguments = "--calibration", MNIST / "digits", "-o", "q.onnx", "--per-tensor"
    done = autodeploy(
        "quantize", MNIST / "mnist.onnx", *arguments, "--skip", "conv1", "--keep", "1%"
    )
    assert (done.status, done.err) == (0, "")
    assert "conv1 " not in done.out
    assert re.search(r"^dense .* stays in floats$", done.out, re.MULTILINE)
    assert "1 of 2 layers in 8-bit integers" in done.out
    graph = onnx.load("q.onnx").graph
    makers = {name: node.op_type for node in graph.node for name in node.output}
    weights = {n.name: makers.get(n.input[1]) for n in graph.node if n.op_type in ("Conv", "Gemm")}
    assert [*weights.values()] == [None, "DequantizeLinear", None]


def product_model() -> onnx.ModelProto:
    """Return a product with two inputs, and a sum after it."""
    w = numpy_helper.from_array(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3), "w")
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name="product"),
        helper.make_node("Add", ["p", "z"], ["y"], name="sum"),
    ]
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in
              (("x", [2, 4]), ("z", [2, 3]))]  # fmt: skip
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])]
    graph = helper.make_graph(nodes, "product", inputs, outputs, [w])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def test_an_old_file_whose_weights_are_inputs(autodeploy, tmp_path):
    model = product_model()
    model.ir_version, model.opset_import[0].version = 3, 9
    model.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [4, 3]))
    onnx.save(model, "old.onnx")
    np.savez("samples.npz", x=X, z=Z)
    done = autodeploy("quantize", "old.onnx", "--calibration", "samples.npz", "-o", "q.onnx")
    assert (done.status, done.err) == (0, "")
    assert [info.name for info in onnx.load("q.onnx").graph.input] == ["x", "z"]
    with package.compile("q.onnx") as session:
        found = session.run({"x": X, "z": Z})["y"]
    right = ReferenceEvaluator(product_model()).run(None, {"x": X, "z": Z})[0]
    assert np.abs(found - right).max() < 0.02 * np.abs(right).max()


X = np.array([[1, -2, 0.5, 0.25], [3, 1, -1, 0.1]], np.float32)
Z = np.ones((2, 3), np.float32)


def test_the_error_of_a_layer_is_that_of_its_codes():
    floats = product_model()
    quantised = onnx.ModelProto()
    quantised.CopyFrom(floats)
    graph = quantised.graph
    step = np.float32(0.05)
    codes = np.rint(numpy_helper.to_array(graph.initializer[0]) / step).astype(np.int8)
    graph.initializer[0].CopyFrom(numpy_helper.from_array(codes, "w"))
    graph.initializer.extend(
        [numpy_helper.from_array(step, "s"), numpy_helper.from_array(np.int8(0), "zero"),
         numpy_helper.from_array(np.uint8(100), "place")]
    )  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "place"], ["xq"]),
        helper.make_node("DequantizeLinear", ["xq", "s", "place"], ["xd"]),
        helper.make_node("DequantizeLinear", ["w", "s", "zero"], ["wd"]),
        helper.make_node("MatMul", ["xd", "wd"], ["p"], name="product"),
        graph.node[1],
    ]
    del graph.node[:]
    graph.node.extend(nodes)
    model, layers = measured_model(onnx.shape_inference.infer_shapes(floats), quantised)
    assert layers == {"product": 24}
    _, error, size = ReferenceEvaluator(model).run(None, {"x": X, "z": Z})
    rounded = np.clip(np.rint(X / step), -100, 155) * step
    right = X @ numpy_helper.to_array(floats.graph.initializer[0])
    assert error == pytest.approx(np.square(rounded @ (codes * step) - right).sum(), rel=1e-4)
    assert size == pytest.approx(np.square(right).sum(), rel=1e-4)


def test_samples_of_several_inputs(tmp_path):
    entries = input_entries(product_model().graph)
    np.savez(tmp_path / "all.npz", x=np.concatenate([X, 2 * X, 3 * X]), z=np.concatenate([Z] * 3))
    (tmp_path / "each").mkdir()
    (tmp_path / "each" / "notes.txt").write_text("no sample")
    for number in range(3):
        np.savez(tmp_path / "each" / f"{number}.npz", x=(number + 1) * X, z=Z)
    for place in ("all.npz", "each"):
        samples = read_samples(tmp_path / place, entries)
        assert [sorted(sample) for sample in samples] == [["x", "z"]] * 3
        for number, sample in enumerate(samples):
            assert np.array_equal(sample["x"], (number + 1) * X)
            assert np.array_equal(sample["z"], Z)


REFUSALS = {
    "no file": ("none.npz", "cannot read 'none.npz': No such file or directory"),
    "empty folder": ("empty", "the folder 'empty' holds no samples: no .npy, .*"),
    "text": ("text.npz", "'text.npz' is not a valid .npz file: .*"),
    "name": ("name.npz", "'name.npz' holds 'picture', expected an array 'image'"),
    "shape": (
        "shape.npz",
        "'shape.npz' holds float32 4x28x28 for input 'image', expected float32 Nx1x28x28 for N "
        "samples",
    ),
    "type": ("type.npz", "'type.npz' holds float64 4x1x28x28 for input 'image', expected .*"),
    "nan": ("nan.npz", "a sample of 'nan.npz' for input 'image' has a nan or an infinity"),
    "none": ("nothing.npz", "'nothing.npz' holds no samples"),
    "a file of another shape": ("wrong", "'wrong/x.npy' holds float32 28x28, input 'image' .*"),
}


@pytest.mark.parametrize(("place", "message"), REFUSALS.values(), ids=REFUSALS)
def test_wrong_samples_are_one_line_and_nothing_is_written(autodeploy, tmp_path, place, message):
    for folder in ("empty", "wrong"):
        (tmp_path / folder).mkdir()
    np.save(tmp_path / "wrong" / "x.npy", np.zeros((28, 28), np.float32))
    (tmp_path / "text.npz").write_text("no archive")
    shape = (4, 1, 28, 28)
    np.savez(tmp_path / "name.npz", picture=np.zeros(shape, np.float32))
    np.savez(tmp_path / "shape.npz", image=np.zeros((4, 28, 28), np.float32))
    np.savez(tmp_path / "type.npz", image=np.zeros(shape))
    np.savez(tmp_path / "nan.npz", image=np.full(shape, np.nan, np.float32))
    np.savez(tmp_path / "nothing.npz", image=np.zeros((0, 1, 28, 28), np.float32))
    before = sorted(tmp_path.iterdir())
    done = autodeploy("quantize", MNIST / "mnist.onnx", "--calibration", place, "-o", "q.onnx")
    assert (done.status, done.out) == (1, "")
    assert re.fullmatch(f"autodeploy: error: {message}\n", done.err), done.err
    assert sorted(tmp_path.iterdir()) == before


MISTAKES = {
    "node": (["--skip", "conv3"], "the model has no node 'conv3'; did you mean 'conv.'\\?"),
    "folder": (["-o", "none/q.onnx"], "cannot write 'none/q.onnx': No such file or directory"),
    "nothing left": (
        ["--skip", "conv1", "--skip", "conv2", "--skip", "dense"],
        "'.*mnist.onnx' has no convolution or product left that can be quantised",
    ),
}


@pytest.mark.parametrize(("options", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_wrong_option_is_one_line(autodeploy, tmp_path, options, message):
    given = "--calibration", MNIST / "digits", "-o", "q.onnx"
    done = autodeploy("quantize", MNIST / "mnist.onnx", *given, *options)
    assert (done.status, done.out) == (1, "")
    assert re.fullmatch(f"autodeploy: error: {message}\n", done.err), done.err
    assert not list(tmp_path.iterdir())


def test_open_extents_are_an_error():
    graph = product_model().graph
    graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    with pytest.raises(UserError, match=r"input 'x' has the open shape \[batch, 4\]; give"):
        input_entries(graph)


def test_without_the_extra_the_command_is_named(autodeploy, tmp_path, monkeypatch):
    monkeypatch.setattr(quantisation, "find_spec", lambda name: None)
    done = autodeploy(
        "quantize", MNIST / "mnist.onnx", "--calibration", MNIST / "digits", "-o", "q.onnx"
    )
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "autodeploy: error: onnxruntime quantises models; run: pip install 'autodeploy[quantize]'\n"
    )
    assert not list(tmp_path.iterdir())
