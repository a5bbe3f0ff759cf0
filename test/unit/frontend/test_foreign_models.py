"""Files of other tools are named as what they are, with the way to ONNX."""

import gzip
import io
import pickle
import zipfile

import pytest

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.file import open_model, parse_model

from .onnx.onnx_models import relu


def archive(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for name in names:
            zipped.writestr(name, bytes(100))
    return file.getvalue()


def node_def(name, op):
    """Return a TensorFlow GraphDef of one node: fields name and op, both texts."""
    return field(1, field(1, name.encode()) + field(2, op.encode()))


def field(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


def saved_model(graph):
    """Return a TensorFlow SavedModel of one graph, which has a tag."""
    return b"\x08\x01" + field(2, field(1, field(4, b"serve")) + field(2, graph))


FILES = {
    "TensorFlow Lite": (b"\x1c\0\0\0TFL3" + bytes(20), "TensorFlow Lite model.*--tflite"),
    "ORT": (b"\x1c\0\0\0ORTM" + bytes(20), "model in onnxruntime's own format"),
    "PyTorch": (archive("net/data.pkl", "net/data/0"), "PyTorch file.*torch.onnx.export"),
    "PyTorch, old": (pickle.dumps([1], protocol=2), "Python pickle.*torch.onnx.export"),
    "Keras": (archive("config.json", "model.weights.h5"), "Keras model.*export"),
    "HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(8), "HDF5 file, maybe a Keras model.*export"),
    "TensorFlow graph": (node_def("x", "Placeholder"), "TensorFlow graph.*--graphdef"),
    "TensorFlow SavedModel": (
        saved_model(node_def("x", "Placeholder")),
        r"TensorFlow SavedModel, .*folder \(--saved-model\)",
    ),
    "ZIP": (archive("model.onnx"), "ZIP archive.*unzip"),
    "gzip": (gzip.compress(b"model"), "compressed by gzip.*gunzip"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull"),
    "OpenVINO": (b'<?xml version="1.0"?>\n<net name="g" version="11"></net>', "OpenVINO"),
    "safetensors": (b"\x10\0\0\0\0\0\0\0" + b'{"w": {}}', "safetensors file.*no network"),
    "MLIR": (b"builtin.module {\n}\n", "MLIR text.*autodeploy-opt"),
    "web page": (b"<!DOCTYPE html><html></html>", "web page"),
}


@pytest.mark.parametrize(("content", "said"), FILES.values(), ids=FILES)
def test_a_file_of_another_tool_is_named(tmp_path, content, said):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=rf"^'.*model\.onnx' is .*{said}") as error:
        open_model(path)
    assert "truncated" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_of_tensorflow_is_named(tmp_path):
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(ModelError, match="is a TensorFlow SavedModel, expected ONNX"):
        open_model(tmp_path)


def test_a_model_is_the_same_with_other_texts():
    model = relu((1, 3))
    model.producer_name = "Placeholder"
    model.doc_string = "\x12\x05Const TFL3 PK\x03\x04"
    assert parse_model(model.SerializeToString(), None, "the model").proto == model


def test_unknown_integers_may_be_truncated():
    with pytest.raises(ModelError, match=r"^the model is not an ONNX model, or it is truncated$"):
        parse_model(b"hello", None, "the model")
