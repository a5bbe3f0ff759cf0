"""Maps: tables whose columns have keys."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

import autodeploy
from autodeploy import onnx_backend
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError

_X = np.array([[1, 0], [0, 1], [-1, -1]], np.float32)
_ML = "ai.onnx.ml"
_OPSETS = [helper.make_opsetid("", 20), helper.make_opsetid(_ML, 1)]


def _map_type(key: int, value: int = TensorProto.FLOAT):
    return helper.make_map_type_proto(key, helper.make_tensor_type_proto(value, []))


def _zipped(shape=(3, 2), **keys):
    """Return a model whose second output is the first one as a sequence of maps."""
    is_text = "classlabels_strings" in keys
    nodes = [
        helper.make_node("Scaler", ["x"], ["scores"], domain=_ML, scale=[2.0], offset=[0.0]),
        helper.make_node("ZipMap", ["scores"], ["maps"], domain=_ML, **keys),
    ]
    kind = TensorProto.STRING if is_text else TensorProto.INT64
    x = helper.make_tensor_value_info("x", 1, shape)
    outputs = [
        helper.make_tensor_value_info("scores", 1, shape),
        helper.make_value_info("maps", helper.make_sequence_type_proto(_map_type(kind))),
    ]
    graph = helper.make_graph(nodes, "zipped", [x], outputs)
    return helper.make_model(graph, opset_imports=_OPSETS, ir_version=9)


@pytest.mark.parametrize("level", [0, 2])
def test_a_sequence_of_maps_is_a_table(level):
    model = _zipped(classlabels_strings=["no", "ü"])
    with autodeploy.compile(model.SerializeToString(), level=level) as session:
        scores, maps = session.outputs
        assert (scores.keys, maps.keys, maps.shape) == ((), ("no", "ü"), (3, 2))
        found = session.run(_X)
    assert found["maps"].tolist() == found["scores"].tolist() == (2 * _X).tolist()


@pytest.mark.parametrize("keys", [{"classlabels_strings": ["b", "a"]},
                                  {"classlabels_int64s": [7, -1]}])  # fmt: skip
def test_the_backend_gives_maps(keys):
    model = _zipped(**keys)
    _, right = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": _X})
    _, maps = onnx_backend.run_model(model, [_X])
    assert maps == right


def test_a_list_is_one_row():
    model = _zipped((2,), classlabels_int64s=[3, 4])
    with autodeploy.compile(model.SerializeToString()) as session:
        assert session.run(_X[0])["maps"].tolist() == [[2, 0]]


def test_header_and_manifest_list_the_keys(tmp_path):
    names = [f"class {n}" for n in range(40)]
    model = _zipped((1, 40), classlabels_strings=names)
    manifest = compile_model(model.SerializeToString(), tmp_path / "b", CompileOptions()).manifest
    header = " ".join((tmp_path / "b" / "zipped.h").read_text(encoding="utf-8").split())
    assert "each row is a map, the keys of its columns are class 0, class 1," in header
    assert "class 31, and 8 more, in manifest.json" in header.replace(" * ", " ")
    assert Manifest.load(tmp_path / "b").outputs == manifest.outputs
    path = tmp_path / "b" / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["outputs"][1]["keys"] == names
    assert "keys" not in content["outputs"][0]
    refused = "malformed keys of 'maps'|an entry of 'keys' is not a string"
    for wrong in (names[1:], [*names[1:], 1], [True] * 40):
        content["outputs"][1]["keys"] = wrong
        path.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(UserError, match=refused):
            Manifest.load(tmp_path / "b")


@pytest.mark.exhaustive
def test_verify_compares_maps(tmp_path):
    path = tmp_path / "zipped.onnx"
    path.write_bytes(_zipped(classlabels_int64s=[3, 4]).SerializeToString())
    tool = Path(sys.executable).parent / "autodeploy"
    done = subprocess.run([tool, "verify", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "maps: agrees" in done.stdout


def _counted(*readers, key=TensorProto.STRING, value=TensorProto.FLOAT, shape=None):
    """Return a model that takes a map; each reader gives an output out."""
    x = helper.make_value_info("x", _map_type(key, value))
    outputs = [helper.make_tensor_value_info(f"y{n}", value, shape) for n in range(len(readers))]
    nodes = [
        helper.make_node(kind, ["x"], [f"y{n}"], domain=_ML, **attributes)
        for n, (kind, attributes) in enumerate(readers)
    ]
    graph = helper.make_graph(nodes, "counted", [x], outputs)
    return helper.make_model(graph, opset_imports=_OPSETS[1:], ir_version=9)


_WORDS = ("DictVectorizer", {"string_vocabulary": ["b", "ü", "a"]})
_SPARSE = ("CastMap", {"map_form": "SPARSE", "max_map": 4})


@pytest.mark.parametrize(("model", "given", "row"), [
    (_counted(_WORDS), {"a": 2.5, "b": -1.0}, [-1, 0, 2.5]),
    (_counted(_WORDS, _WORDS), {}, [0, 0, 0]),
    (_counted(("DictVectorizer", {"int64_vocabulary": [7, -3]}), key=TensorProto.INT64,
              value=TensorProto.DOUBLE), {-3: 1e300}, [0, 1e300]),
    (_counted(_WORDS, value=TensorProto.INT64), {"ü": 2**60}, [0, 2**60, 0]),
    (_counted(_SPARSE, key=TensorProto.INT64), {3: 0.5, 0: 1.5}, [1.5, 0, 0, 0.5]),
])  # fmt: skip
def test_a_map_is_a_row_of_the_keys_that_count(model, given, row):
    with autodeploy.compile(model.SerializeToString()) as session:
        assert len(session.inputs[0].keys) == session.inputs[0].shape[0]
        found = list(session.run({"x": given}).values())
        with pytest.raises(UserError, match="input 'x' has no key 'other'"):
            session.run({"x": {"other": 1.0}})
    assert [table.tolist() for table in found] == [[row]] * len(found)
    again = onnx_backend.run_model(model, {"x": given})
    assert [table.tolist() for table in again] == [[row]] * len(found)
    if found[0].dtype == np.float32 and given:  # of others onnxruntime takes none from Python
        (right, *_) = onnxruntime.InferenceSession(model.SerializeToString()).run(
            None, {"x": given}
        )
        assert right.tolist() == [row]


@pytest.mark.parametrize(("value", "number"), [
    (TensorProto.FLOAT, "one"), (TensorProto.FLOAT, [1.0]), (TensorProto.DOUBLE, None),
    (TensorProto.INT64, 1.5), (TensorProto.INT64, 2**70),
])  # fmt: skip
def test_values_of_another_type_are_refused(value, number):
    with (
        autodeploy.compile(_counted(_WORDS, value=value).SerializeToString()) as session,
        pytest.raises(UserError, match="key 'a' of input 'x' has no value of type"),
    ):
        session.run({"x": {"a": number}})


def test_a_vector_stays_one_if_the_model_declares_it():
    model = _counted(_WORDS, shape=[3])
    with autodeploy.compile(model.SerializeToString()) as session:
        assert session.run(np.array([1, 2, 3], np.float32))["y0"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("model", [
    _counted(_WORDS, ("DictVectorizer", {"string_vocabulary": ["a"]})),
    _counted(("DictVectorizer", {"string_vocabulary": ["a", "a"]})),
    _counted(("CastMap", {}), key=TensorProto.INT64),
    _counted(("CastMap", {**_SPARSE[1], "max_map": 10**9}), key=TensorProto.INT64),
])  # fmt: skip
def test_maps_whose_keys_are_not_known(model):
    with pytest.raises(UserError, match="this operator is not supported"):
        autodeploy.compile(model.SerializeToString())


REFUSED = {
    "no keys": ({}, "takes keys that are all strings or all integers"),
    "too few": ({"classlabels_int64s": [3]}, "does not fit 1 keys"),
    "twice": ({"classlabels_int64s": [3, 3]}, "a key is given twice"),
    "both": ({"classlabels_int64s": [3, 4], "classlabels_strings": ["a", "b"]}, "all strings or"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_keys_that_do_not_fit(name):
    keys, message = REFUSED[name]
    with pytest.raises(UserError, match=message):
        autodeploy.compile(_zipped(**keys).SerializeToString())
