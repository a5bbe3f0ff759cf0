"""What is taken as a model: a path, bytes, an ONNX model; what is none, or too large."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import autodeploy
from autodeploy.diagnostics import ModelError
from autodeploy.frontend.models import source_of

WEIGHT = np.arange(2000, dtype=np.float32)


def model() -> onnx.ModelProto:
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2000]) for n in ("x", "y"))
    node = helper.make_node("Add", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "sum", [x], [y], [numpy_helper.from_array(WEIGHT, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_a_model_in_memory_is_compiled() -> None:
    with autodeploy.compile(model(), level=0) as session:
        assert session.name == "sum"
        np.testing.assert_array_equal(session.run(WEIGHT)["y"], 2 * WEIGHT)


def test_paths_and_bytes_stay_as_they_are(tmp_path: Path) -> None:
    for source in ("a.onnx", tmp_path, b"bytes"):
        assert source_of(source) is source
    assert source_of(model()) == model().SerializeToString()


def test_external_data_needs_a_path(tmp_path: Path) -> None:
    path = tmp_path / "sum.onnx"
    onnx.save_model(model(), path, save_as_external_data=True, location="sum.data")
    assert (tmp_path / "sum.data").exists()
    with pytest.raises(ModelError, match="'w' is in a file, but the model comes from none"):
        autodeploy.compile(onnx.load(path, load_external_data=False))
    loaded = onnx.load(path)  # with its data
    with autodeploy.compile(loaded, level=0) as one, autodeploy.compile(path, level=0) as other:
        for session in (one, other):
            np.testing.assert_array_equal(session.run(WEIGHT)["y"], 2 * WEIGHT)


@pytest.mark.parametrize("error", ["EncodeError", "ValueError"])
def test_a_model_that_is_too_large_for_a_message(error: str) -> None:
    """Implementations of protobuf raise one or the other."""
    from google.protobuf.message import EncodeError

    class Large:
        def SerializeToString(self) -> bytes:
            raise EncodeError if error == "EncodeError" else ValueError

    with pytest.raises(ModelError, match=r"too large for one message of protobuf, 2 GB; save it"):
        source_of(Large())


@pytest.mark.parametrize("found", [None, 7, ["a.onnx"], {"x": 1}])
def test_files_that_are_no_model(found: object) -> None:
    with pytest.raises(ModelError, match="a model is a path, the bytes of a file or a ModelProto"):
        autodeploy.compile(found)
