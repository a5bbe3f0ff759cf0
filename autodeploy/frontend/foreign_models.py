"""Files that are no ONNX models: what they are, and how to get to ONNX from there.

Only what ONNX's own parser has refused is looked at, and of that only the start.
"""

from __future__ import annotations

from pathlib import Path

_LOOKED_AT = 1 << 20

_TFLITE = "a TensorFlow Lite model, expected ONNX; tf2onnx converts it (--tflite)"
_ORT = "a model in onnxruntime's own format (.ort), expected the ONNX model that it was made from"
_SAVED_MODEL = "a TensorFlow SavedModel, expected ONNX; tf2onnx converts it (--saved-model)"
_SAVED_FILE = "a TensorFlow SavedModel, expected ONNX; tf2onnx converts its folder (--saved-model)"
_GRAPH_DEF = "a TensorFlow graph, expected ONNX; tf2onnx converts it (--saved-model, --graphdef)"
_TORCH = "a PyTorch file, expected ONNX; torch.onnx.export writes that"
_PICKLE = "a Python pickle, as PyTorch writes them, expected ONNX; torch.onnx.export writes that"
_KERAS = "a Keras model, expected ONNX; its method export writes that (format='onnx')"

_STARTS = {
    b"\x89HDF\r\n\x1a\n": f"an HDF5 file, maybe {_KERAS}",
    b"version https://git-lfs": "a pointer of Git LFS, not the model; 'git lfs pull' gets that",
    b"7767517": "a network of ncnn, expected the ONNX model that it was made from",
    b"GGUF": "a GGUF file, expected ONNX",
    b"\x1f\x8b": "compressed by gzip, expected ONNX; gunzip unpacks it",
    b"builtin.module": "MLIR text, expected ONNX; autodeploy-opt reads it",
    b"<!DOCTYPE": "a web page, expected ONNX; the download went wrong",
    b"<html": "a web page, expected ONNX; the download went wrong",
}

_SAVED_START = b"\x08\x01\x12"
"""The version of the format, which is 1, and the first of its graphs."""

_FLATBUFFERS = {b"TFL3": _TFLITE, b"ORTM": _ORT}
"""The identifier of flatbuffers, after the first four bytes."""


def foreign_format(data: bytes | memoryview) -> str | None:
    """Return what a file of these bytes is, if it is known, and how to get ONNX: ``a … model``."""
    start = bytes(data[:_LOOKED_AT])
    for magic, what in _STARTS.items():
        if start.startswith(magic):
            return what
    if (what := _FLATBUFFERS.get(start[4:8])) is not None:
        return what
    if start.startswith(b"PK\x03\x04"):
        return _archive(start, bytes(data[-_LOOKED_AT:]))
    if start.startswith(b"<?xml") and b"<net " in start:
        return "a network of OpenVINO, expected the ONNX model that it was made from"
    if start[:1] == b"\x80" and start[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return _PICKLE
    if start[8:10] == b'{"' and start[6:8] == b"\0\0":
        return "a safetensors file, which holds weights and no network, expected ONNX"
    # The second field of a node of TensorFlow is its operator.
    if b"\x12\x0bPlaceholder" in start or b"\x12\x05Const" in start:
        return _SAVED_FILE if start.startswith(_SAVED_START) else _GRAPH_DEF
    return None


def foreign_folder(path: Path) -> str | None:
    """Return what a folder is, if it is a model of another kind, and how to get ONNX."""
    try:
        return _SAVED_MODEL if (path / "saved_model.pb").is_file() else None
    except OSError:  # a name that is too long, say, which opening the model will report
        return None


def _archive(start: bytes, end: bytes) -> str:
    """Distinguish archives by the names of their files, which are also at the end."""
    if b"/data.pkl" in start or b"/data.pkl" in end:
        return _TORCH
    if b"model.weights.h5" in end:
        return _KERAS
    return "a ZIP archive, expected ONNX; unzip unpacks it"
