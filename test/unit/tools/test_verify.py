"""``autodeploy verify``: it tells what agrees from what does not, and where that begins."""

import json
import sys

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save
from xdsl.rewriter import Rewriter

import autodeploy
from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.dialects.nn.activation import ReluOp
from autodeploy.passes.nn.simplify_nn import SimplifyNnPass
from autodeploy.tools import cli, comparison
from autodeploy.tools.comparison import Draw, _drawn


@pytest.fixture
def model(tmp_path):
    weight = np.random.default_rng(0).standard_normal((6, 6)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], "product"),
        helper.make_node("Relu", ["p"], ["r"], "cut"),
        helper.make_node("MatMul", ["r", "w"], ["q"], "again"),
        helper.make_node("Tanh", ["q"], ["y"], "bend"),
    ]
    x, y, r = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4, 6]) for n in "xyr")
    graph = helper.make_graph(nodes, "net", [x], [y, r], [numpy_helper.from_array(weight, "w")])
    path = tmp_path / "net.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


@pytest.fixture
def verify(monkeypatch, capsys):
    def run(*words):
        monkeypatch.setattr(sys, "argv", ["autodeploy", "verify", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return end.value.code, *capsys.readouterr()

    return run


@pytest.fixture
def no_relu(monkeypatch):
    """Let the compiler drop each relu from -O1 on."""

    def apply(self, ctx, op):
        for relu in [o for o in op.walk() if isinstance(o, ReluOp)]:
            Rewriter.replace_op(relu, [], [relu.operands[0]])

    monkeypatch.setattr(SimplifyNnPass, "apply", apply)


def test_results_that_agree(model, verify, tmp_path):
    status, out, err = verify(model, "-O1")
    assert (status, err) == (0, "")
    first, *outputs = out.splitlines()
    assert first.startswith("compared with onnxruntime 1.") and first.endswith("on random inputs")
    assert [line.split(",")[0] for line in outputs] == ["y: agrees", "r: agrees"]


def test_a_shape_that_is_not_the_models(model, verify, no_relu, tmp_path):
    shape = ("--shape", "x=2,6")
    status, _, err = verify(model, *shape, "-O1", "--per-layer")
    assert status == 1
    assert err.endswith("first in 'r' of Relu node 'cut'\n")
    compile_model(model, tmp_path / "out", CompileOptions(level=0, shapes={"x": (2, 6)}))
    assert verify(model, tmp_path / "out", *shape)[0] == 0
    assert "is of another model: its input 'x'" in verify(model, tmp_path / "out")[2]


@pytest.mark.parametrize(
    ("precision", "limit"), [("weights=f16", "1e-02"), ("weights=s8", "1e-01")]
)
def test_weights_of_fewer_bits(model, verify, no_relu, precision, limit):
    """Their errors are printed; a program that computes something else still fails."""
    status, out, _ = verify(model, "-O0", "--precision", precision)
    assert status == 0
    assert out.count(f"at most {limit} is expected") == 2
    assert "0.0e+00" not in out
    assert verify(model, "-O1", "--precision", precision)[0] == 1


def test_without_onnxruntime(model, verify, monkeypatch):
    monkeypatch.setattr("autodeploy.tools.comparison.find_spec", lambda name: None)
    status, out, _ = verify(model, "-O0")
    assert status == 0
    assert out.startswith("compared with ONNX's reference 1.")


def test_results_that_differ(model, verify, no_relu):
    status, out, err = verify(model, "-O2", "--per-layer")
    assert status == 1
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["y: differs", "r: differs"]
    assert err.startswith("autodeploy: error: 2 of 2 outputs differ from onnxruntime 1.")
    assert err.endswith("; they do from -O1 on, first in 'r' of Relu node 'cut'\n")


def test_json(model, verify, no_relu):
    status, out, err = verify(model, "-O0", "--json")
    assert (status, err) == (0, "")
    assert [(one["output"], one["agrees"]) for one in json.loads(out)] == [("y", True), ("r", True)]
    status, out, err = verify(model, "-O2", "--json")
    assert status == 1 and err.startswith("autodeploy: error: 2 of 2 outputs differ")
    assert [one["agrees"] for one in json.loads(out)] == [False, False]


def test_json_of_an_error_is_none(model, verify):
    assert verify(model, "no bundle", "--json")[:2] == (1, "")


def test_the_function(model, no_relu):
    x = {"x": np.ones((4, 6), np.float64).tolist()}
    plain = autodeploy.verify(model, inputs=x, options=CompileOptions(level=0))
    assert [(one.output, one.agrees) for one in plain] == [("y", True), ("r", True)]
    wrong = autodeploy.verify(str(model), options=CompileOptions(level=2))
    assert [one.agrees for one in wrong] == [False, False]
    with pytest.raises(autodeploy.UserError, match="no input 'z'"):
        autodeploy.verify(model, inputs={"z": 1}, options=CompileOptions(level=0))


def test_the_tolerance_decides(model, verify, no_relu):
    status, out, _ = verify(model, "-O2", "--tolerance", "100")
    assert status == 0 and out.count("at most 1e+02 is expected") == 2
    assert verify(model, "-O2", "--tolerance", "0.01")[0] == 1


def test_without_negative_sums_a_missing_relu_is_not_seen(model, verify, no_relu):
    assert verify(model, "-O2", "--seed", 4, "--range=0,0")[0] == 0


def test_inputs_are_drawn_from_the_range_and_the_seed():
    entries = [
        TensorEntry(kind, kind, (1000,)) for kind in ("float32", "int16", "uint8", "bool", "int4")
    ]
    first, same, other = (_drawn(entries, Draw(seed, (2, 7.5))) for seed in (1, 1, 2))
    for name, values in first.items():
        assert np.array_equal(values, same[name]) and not np.array_equal(values, other[name])
        least, most = (0, 1) if name in ("bool", "int4") else (2, 7.5)
        assert least <= values.min() < values.max() <= most
    assert set(first["int16"].tolist()) == {2, 3, 4, 5, 6, 7}
    plain = _drawn(entries, Draw())
    assert 0 <= plain["float32"].min() < plain["float32"].max() <= 1
    assert set(plain["int16"].tolist()) == {0, 1}


def test_an_older_bundle_that_differs(model, verify, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        no_relu.__wrapped__(patched)
        compile_model(model, tmp_path / "out", CompileOptions(level=1))
    status, _, err = verify(model, tmp_path / "out", "-O1", "--per-layer")
    assert status == 1
    assert err.endswith("; compiled again, they agree at -O0 to -O1\n")


def test_a_bundle_of_another_model(model, verify, tmp_path):
    x, z = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4, 6]) for n in "xz")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["z"])], "other", [x], [z])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "o.onnx")
    compile_model(tmp_path / "o.onnx", tmp_path / "out")
    status, out, err = verify(model, tmp_path / "out")
    assert (status, out) == (1, "")
    assert err == (
        f"autodeploy: error: bundle '{tmp_path}/out' is of another model: this one has no 'z'\n"
    )


def test_a_tmfile(verify, tmp_path):
    (tmp_path / "net.tmfile").write_bytes(b"\x02\x00\x00\x00" + bytes(60))
    status, out, err = verify(tmp_path / "net.tmfile")
    assert (status, out) == (1, "")
    assert err.startswith("autodeploy: error: ")
    assert err.count("\n") == 1


def test_a_difference_is_traced_to_its_node(verify, no_relu, tmp_path):
    nodes = [
        helper.make_node("Tanh", ["x"], ["right"], "bend"),
        helper.make_node("Relu", ["x"], ["r"], "cut"),
        helper.make_node("Tanh", ["r"], ["wrong"], "bend_cut"),
        *(
            helper.make_node("Sin", [f"s{i}" if i else "x"], [f"s{i + 1}"], f"wave_{i}")
            for i in range(6)
        ),
    ]
    values = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [8])
        for name in ("x", "right", "wrong", "s6")
    }
    _, *results = values.values()
    graph = helper.make_graph(
        [helper.make_node("Sub", ["in", "half"], ["x"], "centre"), *nodes],
        "net",
        [helper.make_tensor_value_info("in", TensorProto.FLOAT, [8])],
        results,
        [numpy_helper.from_array(np.array([0.5], np.float32), "half")],
    )
    path = tmp_path / "net.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    status, _, err = verify(path, "-O1", "--per-layer")
    assert status == 1
    assert "1 of 3 outputs differ" in err
    assert err.endswith("they do from -O1 on, first in 'r' of Relu node 'cut'\n")


def test_where_onnxruntime_is_wrong_the_reference_decides(model, verify, monkeypatch):
    right = comparison._run_onnxruntime

    def run(proto, inputs, names):
        return [value + np.float32(1e-3) for value in right(proto, inputs, names)]

    monkeypatch.setattr(comparison, "_run_onnxruntime", run)
    status, out, err = verify(model, "-O1")
    assert (status, err) == (0, "")
    for line in out.splitlines()[1:]:
        assert "agrees with ONNX's reference, largest error" in line
        assert "; onnxruntime differs by" in line


def test_inputs_with_values_are_not_drawn(verify, no_relu, tmp_path):
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "cut"),
        helper.make_node("Expand", ["r", "n"], ["y"], "wide"),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])
    n = helper.make_tensor_value_info("n", TensorProto.INT64, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, None])
    graph = helper.make_graph(nodes, "net", [x, n], [y])
    path, value = tmp_path / "net.onnx", ("--value", "n=2,3")
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    status, out, _ = verify(path, *value)  # what is drawn is not negative
    assert status == 0
    assert "y: agrees" in out
    np.save(tmp_path / "x.npy", np.array([[-1, 1, 2]], np.float32))
    np.save(tmp_path / "n.npy", np.array([2, 3]))
    files = [word for name in "xn" for word in ("-i", f"{name}={tmp_path / name}.npy")]
    status, _, err = verify(path, *value, *files, "--per-layer")
    assert status == 1
    assert err.endswith("they do from -O1 on, first in 'r' of Relu node 'cut'\n")


@pytest.mark.parametrize("shape", [(), ("--shape", "k=1")])
def test_inputs_with_defaults_are_drawn(verify, tmp_path, shape):
    nodes = [
        helper.make_node("Mul", ["x", "k"], ["p"], "times"),
        helper.make_node("Tanh", ["p"], ["y"], "bend"),
    ]
    x, k, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [size])
        for name, size in (("x", 5), ("k", 1), ("y", 5))
    )
    default = numpy_helper.from_array(np.float32([0]), "k")
    graph = helper.make_graph(nodes, "net", [x, k], [y], [default])
    path = tmp_path / "net.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    status, out, err = verify(path, *shape, "--per-layer")
    assert (status, err) == (0, "")
    assert "y: agrees" in out
    np.save(tmp_path / "x.npy", np.ones(5, np.float32))
    status, out, err = verify(path, *shape, "-i", tmp_path / "x.npy")
    if shape:
        assert (status, err.count("\n")) == (1, 1)
        assert "names no input; give NAME=FILE" in err
    else:
        assert (status, err) == (0, "")
        assert "y: agrees" in out


def test_a_bound(verify, tmp_path):
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["s"], "sum", keepdims=0),
        helper.make_node("Cast", ["s"], ["total"], "whole", to=TensorProto.INT64),
        helper.make_node("Range", ["start", "total", "one"], ["r"], "count"),
        helper.make_node("Cast", ["r"], ["y"], "floats", to=TensorProto.FLOAT),
    ]
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [s]) for n, s in (("x", 9), "yn"))
    numbers = [numpy_helper.from_array(np.array(n), name) for name, n in (("start", 0), ("one", 1))]
    graph = helper.make_graph(nodes, "net", [x], [y], numbers)
    path = tmp_path / "net.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    assert "give the largest that a run can find" in verify(path)[2]
    status, out, err = verify(path, "--bound", "total=20", "--per-layer")
    assert (status, err) == (0, "")
    assert "y: agrees" in out


def test_operators_of_a_folder(verify, tmp_path):
    (tmp_path / "com.example.Fold.onnxtxt").write_text(
        '<opset_import: ["": 18]> Fold <by: float = 2.0> (X) => (Y)\n'
        "{\n  By = Constant <value_float: float = @by> ()\n  Y = Div (X, By)\n}\n"
    )
    node = helper.make_node("Fold", ["x"], ["y"], "halve", domain="com.example", by=4.0)
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 3]) for n in "xy")
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    graph = helper.make_graph([node], "net", [x], [y])
    save(helper.make_model(graph, opset_imports=opsets), tmp_path / "net.onnx")
    assert "this operator is not supported" in verify(tmp_path / "net.onnx")[2]
    status, out, err = verify(tmp_path / "net.onnx", "--operators", tmp_path)
    assert (status, err) == (0, "")
    assert "y: agrees" in out


def test_a_state_is_compared_over_several_runs(verify, tmp_path):
    nodes = [
        helper.make_node("Concat", ["past", "x"], ["present"], axis=0),
        helper.make_node("ReduceSum", ["present"], ["y"], keepdims=0),
    ]
    shapes = {"x": [1, 16], "past": ["n", 16], "y": [], "present": ["n + 1", 16]}
    values = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    }
    graph = helper.make_graph(
        nodes, "net", [values["x"], values["past"]], [values["y"], values["present"]]
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "n.onnx")
    words = (tmp_path / "n.onnx", "--dynamic", "n=0..2", "--state", "auto")
    code, out, _ = verify(*words)
    lines = out.splitlines()[1:]
    assert code == 0 and [line.partition(":")[0] for line in lines] == [
        f"y (run {n})" for n in (1, 2, 3)
    ]
