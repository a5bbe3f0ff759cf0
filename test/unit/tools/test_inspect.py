"""``autodeploy inspect``: what it says of a model, whether it can be compiled or not."""

import json
import re
import sys
from dataclasses import asdict

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

import autodeploy
from autodeploy.tools import cli


def weight(name, *shape):
    return numpy_helper.from_array(np.ones(shape, np.float32), name)


@pytest.fixture
def inspect(tmp_path, monkeypatch, capsys):
    """Write a model of nodes on x, inspect it, and return what is printed."""

    def run(nodes, shape, weights=(), *words):
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        graph = helper.make_graph(nodes, "net", [x], [y], list(weights))
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 2)]
        save(helper.make_model(graph, opset_imports=opsets), tmp_path / "net.onnx")
        words = ["autodeploy", "inspect", str(tmp_path / "net.onnx"), *words]
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        assert (end.value.code, err) == (0, "")
        return out

    return run


CONV = helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1], group=2)
UP = helper.make_node("ConvTranspose", ["c", "v"], ["y"])


def test_a_model_that_can_be_compiled(inspect):
    said = inspect([CONV, UP], [1, 4, 8, 8], [weight("w", 6, 2, 3, 3), weight("v", 6, 5, 2, 2)])
    assert said.splitlines()[:-2] == [
        "model 'net', opset ai.onnx 17, com.example 2",
        "input   x: float32 [1, 4, 8, 8]",
        "output  y: float32 [1, 5, 9, 9]",
        "2 nodes of 2 operators",
        "  Conv-11               1",
        "  ConvTranspose-11      1",
        "weights: 228 numbers, 912 bytes",
        "all operators are supported",
        # 6 x 8 x 8 pixels of 2 x 3 x 3 numbers; each of these makes 5 x 2 x 2.
        f"multiply-adds of convolutions and products: {384 * 18 + 384 * 20:,}",
    ]
    flash, ram = said.splitlines()[-2:]
    assert re.fullmatch(r"flash  at least ([0-9.]+ \w+): weights \1", flash)
    assert re.fullmatch(r"RAM    at least ([0-9.]+ \w+): arena \1", ram)


def test_memories_that_share_the_arena(inspect, monkeypatch, capsys, tmp_path):
    """The first one takes what fits; one that is too small is refused."""
    weights = [weight("w", 6, 2, 3, 3), weight("v", 6, 5, 2, 2)]
    said = inspect([CONV, UP], [1, 4, 8, 8], weights, "--pool", "fast=2K,slow=1M")
    (arena,) = re.findall(r"arena ([0-9.]+ KB)", inspect([CONV, UP], [1, 4, 8, 8], weights))
    assert f"RAM    at least {arena}: pool fast {arena}, pool slow 0 bytes\n" in said
    words = ["autodeploy", "inspect", str(tmp_path / "net.onnx"), "--pool", "slow=1K"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit):
        cli.main()
    assert "pool 'slow' has 1024 bytes" in capsys.readouterr().err


@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 0), (0, 1)])
def test_products_count_in_all_layouts(inspect, a, b):
    shape, other = [7, 3] if a else [3, 7], (5, 7) if b else (7, 5)
    gemm = helper.make_node("Gemm", ["x", "w"], ["y"], transA=a, transB=b)
    assert f"products: {3 * 7 * 5}\n" in inspect([gemm], shape, [weight("w", *other)])


def test_json_and_the_function(inspect, tmp_path):
    gemm = helper.make_node("Gemm", ["x", "w"], ["y"])
    found = json.loads(inspect([gemm], [2, 3], [weight("w", 3, 5)], "--json"))
    assert found == json.loads(json.dumps(asdict(autodeploy.inspect(tmp_path / "net.onnx"))))
    assert found["inputs"] == [{"name": "x", "dtype": "float32", "shape": [2, 3]}]
    assert (found["operators"], found["needs"]["multiply_adds"]) == ({"Gemm-13": 1}, 30)
    open_ = inspect([gemm], ["n", 3], [weight("w", 3, 5)], "--json")
    assert json.loads(open_)["inputs"][0]["shape"] == ["n", 3]
    assert autodeploy.inspect(tmp_path / "net.onnx", dims={"n": 4}).needs.multiply_adds == 60


def test_texts_of_the_model(tmp_path):
    """They reach the inspection, the text of the IR, the manifest, the session and the header."""
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "net", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.doc_string = "Cuts.\nBy \u5173"
    model.producer_name, model.producer_version = "tool */", "1" + " 2" * 100
    helper.set_model_props(model, {"stride": "32", 'na"mes': "{0: 'cat'}"})
    metadata = {"stride": "32", 'na"mes': "{0: 'cat'}"}
    found = autodeploy.inspect(model)
    assert (found.doc_string, found.metadata) == (model.doc_string, metadata)
    assert str(found).splitlines()[1:3] == ["doc_string: Cuts. By \u5173", "stride: 32"]
    options = autodeploy.CompileOptions(dump_ir=tmp_path / "ir")
    autodeploy.compile_model(model, tmp_path / "a", options)
    autodeploy.compile_model(next((tmp_path / "ir").glob("*-fused.mlir")), tmp_path / "b")
    for bundle in (tmp_path / "a", tmp_path / "b"):
        with autodeploy.load(bundle) as session:
            assert session.metadata == {"doc_string": model.doc_string, **metadata}
        comment = (bundle / "net.h").read_text().split("*/")[0]
        assert " *     doc_string: Cuts. By ?\n *     producer: tool * / 1 2 2" in comment
        assert " *     stride: 32\n" in comment and max(map(len, comment.splitlines())) <= 100


def test_weights_that_are_equal_count_once(inspect):
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("MatMul", ["p", "v"], ["y"]),
    ]
    said = inspect(nodes, [2, 40], [weight("w", 40, 40), weight("v", 40, 40)])
    assert "weights: 1,600 numbers, 6.4 KB\n" in said


def test_extents_that_are_open(inspect):
    relu = helper.make_node("Relu", ["x"], ["y"])
    said = inspect([relu], ["batch", 3])
    assert "input   x: float32 [batch, 3]\n" in said
    assert "all operators are supported\nmultiply-adds and memory depend on" in said
    assert said.endswith("such as --shape x=1,3\n")
    assert "[2, 3]\n" in inspect([relu], ["batch", 3], [], "--shape", "x=2,3")


def test_operators_that_are_not_supported(inspect):
    nodes = [helper.make_node("Bend", ["x"], ["y"], "volume", domain="com.example")]
    reason = "com.example.Bend node 'volume' on f32: this operator is not supported\n"
    assert inspect(nodes, [3, 3]).endswith(f"cannot be converted\n  {reason}")
    assert reason in inspect(nodes, ["n", "n"])


def test_operators_of_other_domains(inspect):
    nodes = [helper.make_node("Fold", ["x"], ["y"], "fold", domain="com.example")]
    said = inspect(nodes, [3, 3])
    assert "1 node of 1 operator\n  com.example.Fold      1\n" in said


def test_an_extent_by_its_name_and_another_shape_than_the_models(inspect):
    relu = helper.make_node("Relu", ["x"], ["y"])
    assert "x: float32 [5, 4]\n" in inspect([relu], ["N", 4], (), "--dim", "N=5")
    assert "y: float32 [5, 4]\n" in inspect([relu], [3, 4], (), "--shape", "x=5,4")


def test_a_shape_that_a_node_does_not_allow(inspect):
    reshape = helper.make_node("Reshape", ["x", "s"], ["y"])
    weights = [numpy_helper.from_array(np.array([2, 3]), "s")]
    said = inspect([reshape], [2, 3], weights, "--shape", "x=4,3")
    assert "Reshape-14 node 'y' on f32: tensor<4x3xf32> does not reshape to [2, 3]" in said


def test_sizes_that_are_computed_from_an_input(tmp_path, monkeypatch, capsys):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])
    n = helper.make_tensor_value_info("n", TensorProto.INT64, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["a", "b"])
    graph = helper.make_graph([helper.make_node("Expand", ["x", "n"], ["y"])], "net", [x, n], [y])
    path = tmp_path / "net.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)

    def said(*words):
        monkeypatch.setattr(sys, "argv", ["autodeploy", "inspect", str(path), *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert end.value.code == 0
        return capsys.readouterr().out.splitlines()

    assert said()[-1].endswith(
        "input 'shape' must be a constant, found an argument; give the largest that a run can "
        "find, such as --bound n=1000; give the values of inputs that are "
        "the same in all runs, such as --value n=1,1"
    )
    lines = said("--value", "n=2,3")
    assert lines[2:4] == ["input   n: int64 [2]", "output  y: float32 [2, 3]"]
    assert lines[4:6] == ["1 node of 1 operator", "  Expand-13      1"]
    assert "all operators are supported" in lines
