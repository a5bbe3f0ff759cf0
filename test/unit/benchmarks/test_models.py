"""The networks that are compared: where they come from, whether they compute."""

import numpy as np
import onnx
import onnxruntime
import pytest
from shared_data import shared

from benchmarks import make_models
from benchmarks.models import MissingGraphError, Model, Tensor, choose, provide, read_catalogue

CATALOGUE = read_catalogue()


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(
    ("name", "weights"), [("resnet18", 11_699_112), ("mobilenetv2", 3_538_984), ("minilm", None)]
)
def test_made_models_are_valid_and_finite(name, weights, tmp_path):
    made = make_models.MAKERS[name]()
    onnx.checker.check_model(made, full_check=True)
    if weights is not None:
        floats = [t for t in made.graph.initializer if t.dims]
        assert sum(np.prod(t.dims, dtype=int) for t in floats) == weights
    model = provide(name, CATALOGUE[name], tmp_path)
    (output,) = session(model.path).run(None, model.random_inputs())
    assert np.isfinite(output).all()
    assert 0.1 < output.std() < 100


def test_made_models_are_the_same_each_time():
    first, second = (make_models.minilm().SerializeToString(deterministic=True) for _ in range(2))
    assert first == second


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name, table in CATALOGUE.items() if "graph" in table])
def test_graphs_are_filled_with_numbers_that_stay_finite(name, tmp_path):
    graph = shared(f"zoo/{CATALOGUE[name]['graph']}.onnx")
    model = provide(name, CATALOGUE[name], tmp_path, graph.parent)
    onnx.checker.check_model(onnx.load(model.path), full_check=True)
    (output,) = session(model.path).run(None, model.random_inputs())
    assert np.isfinite(output).all()
    assert 1e-3 < output.std() < 1e3


def test_a_graph_that_is_not_there(tmp_path):
    with pytest.raises(MissingGraphError, match=r"there is no .*/bert\.onnx"):
        provide("a", {"graph": "bert"}, tmp_path, tmp_path)


def test_residual_blocks_of_mobilenetv2():
    ops = [node.op_type for node in make_models.mobilenetv2().graph.node]
    assert (ops.count("Conv"), ops.count("Clip"), ops.count("Add")) == (52, 35, 10)


def test_a_made_file_is_made_once(tmp_path):
    first = provide("minilm", CATALOGUE["minilm"], tmp_path).path
    made = first.stat().st_mtime_ns
    assert provide("minilm", CATALOGUE["minilm"], tmp_path).path.stat().st_mtime_ns == made


@pytest.mark.parametrize("name", [name for name, table in CATALOGUE.items() if "light" in table])
def test_light_models_have_one_input_and_all_their_weights(name, tmp_path):
    model = provide(name, CATALOGUE[name], tmp_path)
    assert [(t.shape, t.dtype) for t in model.inputs] == [((1, 3, 224, 224), np.float32)]
    assert [int(np.prod(t.shape)) for t in model.outputs] == [1000]


def test_a_light_model_is_checked_without_its_softmax(tmp_path):
    model = provide("shufflenet", CATALOGUE["shufflenet"], tmp_path)
    checked = model.checked
    assert checked is not None
    inputs = model.random_inputs()
    (scores,) = session(checked.path).run(None, inputs)
    (shares,) = session(model.path).run(None, inputs)
    expected = np.exp(scores - scores.max())
    np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-4)


def test_a_model_that_ends_otherwise_is_checked_as_it_is(tmp_path):
    assert provide("densenet121", CATALOGUE["densenet121"], tmp_path).checked is None
    assert provide("digit", CATALOGUE["digit"], tmp_path).checked is None


def test_random_inputs_are_of_the_kinds_that_are_asked_for():
    tensors = (
        Tensor("x", np.dtype("float32"), (200,)),
        Tensor("i", np.dtype("int64"), (200,)),
        Tensor("m", np.dtype("float32"), (2, 5)),
    )
    model = Model("m", make_models.__file__, tensors, (), mask=("m",))
    inputs = model.random_inputs()
    assert inputs["x"].dtype == np.float32
    assert inputs["x"].min() < 0 < inputs["x"].max()
    assert set(inputs["i"]) == {0, 1}
    assert inputs["m"].tolist() == [[1, 1, 1, 0, 0]] * 2
    assert all(np.array_equal(array, model.random_inputs()[n]) for n, array in inputs.items())


def test_choosing():
    quick = choose(CATALOGUE, [])
    assert "digit" in quick
    assert "vgg19" not in quick
    assert choose(CATALOGUE, ["all"]) == list(CATALOGUE)
    assert choose(CATALOGUE, ["modern", "digit"])[-1] == "digit"
    assert not set(choose(CATALOGUE, ["modern"])) & set(choose(CATALOGUE, ["classic"]))
    assert choose(CATALOGUE, ["vgg19", "digit", "vgg19"]) == ["vgg19", "digit"]
    with pytest.raises(ValueError, match="no model digits; there are digit,"):
        choose(CATALOGUE, ["digit", "digits"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]", "'a' needs exactly one of light, make, file, graph"),
        ('[a]\nmake = "x"\nfile = "y"', "'a' needs exactly one"),
        ('[a]\nmake = "x"\nmaks = ["m"]', "'a' has unknown keys maks"),
    ],
)
def test_malformed_catalogues(text, message, tmp_path):
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_catalogue(path)


def test_an_unknown_maker(tmp_path):
    with pytest.raises(ValueError, match=r"make_models\.py has no 'resnet'"):
        provide("a", {"make": "resnet"}, tmp_path)


def test_an_open_shape(tmp_path):
    value = onnx.helper.make_tensor_value_info
    relu = onnx.helper.make_node("Relu", ["x"], ["y"])
    shape = ("batch", 3)
    graph = onnx.helper.make_graph([relu], "g", [value("x", 1, shape)], [value("y", 1, shape)])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "open.onnx")
    with pytest.raises(ValueError, match="'x' has no fixed shape"):
        provide("open", {"file": tmp_path / "open.onnx"}, tmp_path)
