"""Maps: tables whose columns have keys."""

from __future__ import annotations

import json
import subprocess

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


def test_header_and_manifest_say_the_keys(tmp_path):
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
    for wrong in (names[1:], [*names[1:], 1], [True] * 40):
        content["outputs"][1]["keys"] = wrong
        path.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(UserError, match="malformed keys of 'maps'"):
            Manifest.load(tmp_path / "b")


def test_verify_compares_maps(tmp_path):
    path = tmp_path / "zipped.onnx"
    path.write_bytes(_zipped(classlabels_int64s=[3, 4]).SerializeToString())
    done = subprocess.run(
        ["autodeploy", "verify", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "maps: agrees" in done.stdout


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
