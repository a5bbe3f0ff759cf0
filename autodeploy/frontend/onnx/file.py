"""Reading an ONNX file without copying its weights.

The file is memory-mapped. Its protobuf message is rebuilt without the large ``raw_data`` of its
tensors; what stays, the skeleton, is small however large the model is, and a tensor's bytes are a
view of the file. External data is mapped in the same way, from inside the model's folder only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import cast
from uuid import uuid4

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from onnx import GraphProto, ModelProto, NodeProto, TensorProto

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.mapped_file import map_file

LARGE_BYTES = 4096
"""Tensors from this size on stay outside the skeleton; shape inference needs the smaller ones."""

_MAX_DEPTH = 100
"""protobuf's own limit on nested messages."""


@dataclass
class OnnxFile:
    """The skeleton of a model, and the places of the bytes of its tensors."""

    proto: ModelProto
    """The model; a tensor whose bytes are elsewhere has no data field."""

    folder: Path | None
    """The folder of external data; ``None`` for a model that comes from no file."""

    spans: list[memoryview] = field(default_factory=list[memoryview])
    """The large ``raw_data`` of the message, in the order of the file."""

    token: str = field(default_factory=lambda: uuid4().hex)
    """Key of the ``external_data`` entry by which a tensor of the skeleton names its span."""

    _mapped: dict[Path, memoryview] = field(default_factory=dict[Path, memoryview])

    def raw(self, tensor: TensorProto, size: int) -> memoryview | None:
        """Return the bytes of a tensor as ``raw_data`` has them, ``None`` for one in typed fields.

        ``size`` is the number of bytes that its type takes. Raises ``ModelError`` if there are
        more or fewer, or if external data is missing or not in the model's folder.
        """
        if tensor.data_location == TensorProto.EXTERNAL:
            return self._external(tensor, size)
        span = next((e.value for e in tensor.external_data if e.key == self.token), None)
        if span is not None:
            raw = self.spans[int(span)]
        elif tensor.HasField("raw_data"):
            raw = memoryview(tensor.raw_data)
        else:
            return None
        if len(raw) != size:
            raise ModelError(
                f"tensor '{tensor.name}' takes {size} bytes by its type, the model has {len(raw)}"
            )
        return raw

    def _external(self, tensor: TensorProto, size: int) -> memoryview:
        where = f"external data of tensor {tensor.name!r}"
        entries = {entry.key: entry.value for entry in tensor.external_data}
        location = entries.get("location", "")
        data = self._map_external(location, where)
        offset = _non_negative(entries.get("offset", "0"), "offset", where)
        length = _non_negative(entries.get("length", str(size)), "length", where)
        if length != size:
            raise ModelError(f"{where} has length {length}, its type takes {size} bytes")
        if offset + length > len(data):
            raise ModelError(
                f"{where} is at bytes {offset} to {offset + length} of '{location}', "
                f"which has {len(data)}"
            )
        return data[offset : offset + length]

    def _map_external(self, location: str, where: str) -> memoryview:
        if self.folder is None:
            raise ModelError(f"{where} is in a file, but the model comes from none; give its path")
        windows = PureWindowsPath(location)
        if (
            not location
            or "\0" in location
            or windows.is_absolute()
            or windows.drive
            or PurePosixPath(location).is_absolute()
            or ".." in windows.parts
        ):
            raise ModelError(
                f"{where} names {location!r}, expected a path below the model's folder"
            )
        folder = self.folder.resolve()
        try:
            path = (folder / location).resolve()
        except (OSError, RuntimeError) as error:  # a loop of links
            raise ModelError(f"{where} in {location!r} cannot be read: {error}") from None
        if not path.is_relative_to(folder):
            raise ModelError(f"{where} in {location!r} is a link that leaves the model's folder")
        if path not in self._mapped:
            self._mapped[path] = map_file(path, f"{where} in {location!r}")
        return self._mapped[path]


def open_model(path: Path) -> OnnxFile:
    """Map an ONNX file; raises ``ModelError`` if there is none or it is malformed."""
    if (what := foreign_folder(path)) is not None:
        raise ModelError(f"'{path}' is {what}")
    return parse_model(map_file(path, f"model '{path}'"), path.parent, f"'{path}'")


def parse_model(data: bytes | memoryview, folder: Path | None, name: str) -> OnnxFile:
    """Parse a serialised model, whose tensors become views of ``data``.

    ``name`` is what an error calls the model. Raises ``ModelError`` if it is malformed.
    """
    file = OnnxFile(ModelProto(), folder)
    try:
        skeleton = b"".join(
            _strip(memoryview(data), cast(Descriptor, ModelProto.DESCRIPTOR), file, 0)
        )
        file.proto.ParseFromString(skeleton)
    except (DecodeError, ValueError, LookupError):
        raise _not_onnx(data, name, "or it is truncated") from None
    if not _is_text(file.proto):
        raise _not_onnx(data, name, "or it is damaged: it holds a name that is not UTF-8")
    if not file.proto.HasField("graph") or not file.proto.graph.output:
        raise _not_onnx(data, name, "or its graph is empty: it has no outputs")
    _shorten_domain(file.proto)
    return file


def _not_onnx(data: bytes | memoryview, name: str, doubt: str) -> ModelError:
    """Return the error for bytes that are no model: what they are, or else a doubt."""
    what = foreign_format(data)
    return ModelError(f"{name} is {what}" if what else f"{name} is not an ONNX model, {doubt}")


def graphs_of(graph: GraphProto) -> Iterator[GraphProto]:
    """Yield a graph and all subgraphs of its nodes, outermost first."""
    yield graph
    for node in graph.node:
        for subgraph in subgraphs_of(node):
            yield from graphs_of(subgraph)


def subgraphs_of(node: NodeProto) -> Iterator[GraphProto]:
    """Yield the graphs that are attributes of a node."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes_within(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield nodes, each followed by those of its subgraphs."""
    for node in nodes:
        yield node
        for graph in subgraphs_of(node):
            yield from nodes_within(graph.node)


def tensors_of(model: ModelProto) -> Iterator[TensorProto]:
    """Yield all dense tensors of a model, its subgraphs and its functions."""
    graphs, nodes = _graphs_and_nodes(model)
    for graph in graphs:
        yield from graph.initializer
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors


def _graphs_and_nodes(model: ModelProto) -> tuple[list[GraphProto], list[NodeProto]]:
    """Return all graphs and all nodes of a model, those of its functions too."""
    nodes = [node for function in model.functions for node in function.node]
    graphs = [*graphs_of(model.graph)]
    graphs += [inner for node in nodes for g in subgraphs_of(node) for inner in graphs_of(g)]
    return graphs, [*nodes, *(node for graph in graphs for node in graph.node)]


def _shorten_domain(model: ModelProto) -> None:
    """Replace ``ai.onnx``, which ONNX's own tools only half know, by the empty name."""
    imports = [*model.opset_import, *(e for f in model.functions for e in f.opset_import)]
    for named in (*imports, *_graphs_and_nodes(model)[1]):
        if named.domain == "ai.onnx":
            named.domain = ""


def _is_text(message: Message) -> bool:
    """Return whether all strings of a message are UTF-8; protobuf hands others out as bytes."""
    for known, value in message.ListFields():
        if known.type == FieldDescriptor.TYPE_MESSAGE:
            good = all(map(_is_text, [value] if isinstance(value, Message) else value))
        elif known.type == FieldDescriptor.TYPE_STRING:
            good = bytes not in map(type, [value] if isinstance(value, str | bytes) else value)
        else:
            good = True
        if not good:
            return False
    return True


def _strip(
    data: memoryview, message: Descriptor, file: OnnxFile, depth: int
) -> Iterator[bytes | memoryview]:
    """Yield the pieces of a message without large ``raw_data``, whose bytes go to ``file.spans``.

    Only submessages that are long enough to hold some are looked into. Raises ``ValueError`` or
    ``LookupError`` for bytes that are not in protobuf's wire format.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("messages are nested too deep")
    fields = message.fields_by_number
    position = kept = 0
    while position < len(data):
        start = position
        tag, position = _varint(data, position)
        kind = tag & 7
        if kind != 2:
            position = _varint(data, position)[1] if kind == 0 else position + _FIXED[kind]
            continue
        length, position = _varint(data, position)
        end = position + length
        if end > len(data):
            raise ValueError("a field is longer than its message")
        known = fields.get(tag >> 3)
        if length >= LARGE_BYTES and known is not None:
            body = data[position:end]
            inner = known.message_type
            if message.full_name == "onnx.TensorProto" and known.name == "raw_data":
                yield data[kept:start]
                kept = end
                yield _reference(file, body)
            elif inner is not None and inner.full_name != "onnx.SparseTensorProto":
                yield data[kept:start]
                kept = end
                pieces = b"".join(_strip(body, inner, file, depth + 1))
                yield _encode(tag) + _encode(len(pieces)) + pieces
        position = end
    if position > len(data):
        raise ValueError("the last field is cut off")
    yield data[kept:]


_FIXED = {1: 8, 5: 4}
"""Bytes of the fixed-size kinds of fields; any other kind is malformed."""


def _reference(file: OnnxFile, raw: memoryview) -> bytes:
    """Return the fields of a tensor that stand for a span: an entry of its external data."""
    entry = TensorProto()
    entry.external_data.add(key=file.token, value=str(len(file.spans)))
    file.spans.append(raw)
    return entry.SerializeToString()


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    """Return a number and the position after it."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
        if shift > 63:
            raise ValueError("a number is longer than 64 bits")


def _encode(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _non_negative(text: str, key: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ModelError(f"{where} has {key} '{text}', expected a number that is not negative")
    return int(text)


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
