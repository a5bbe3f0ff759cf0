"""Inputs that have a default: an initializer of the same name.

In versions 1 to 3 of ONNX's file format, each initializer has to be an input as well, and some
exporters still write all weights so. A caller of such a file does not mean to give them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from onnx import GraphProto, ModelProto, TensorProto
from onnx.helper import make_tensor_type_proto
from xdsl.context import Context

from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.onnx.file import OnnxFile
from autodeploy.frontend.onnx.tensors import raw_bytes, tensor_value
from autodeploy.weights import INLINE_BYTES

_FIRST_VERSION = 4
"""The version of the file format from which on an initializer may be no input."""

_FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}


def take_defaults(ctx: Context, file: OnnxFile, names: Iterable[str]) -> Mapping[str, DenseAttr]:
    """Make inputs of those initializers that a caller may give; return the values of the others.

    An input that is named is one without a default; it may be named as messages have it, in ASCII.
    Small floats are inputs with a default, unless the file lists its weights as inputs, too. All
    other initializers are constants, integers included: these often decide shapes.
    """
    graph = file.proto.graph
    named = {info.name for info in graph.input if {info.name, ascii_text(info.name)} & {*names}}
    defaults = {
        name: value
        for name, tensor in _optional(file.proto).items()
        if name not in named and isinstance(value := tensor_value(ctx, file, tensor), DenseAttr)
    }
    for info in graph.input:
        if info.name in defaults:
            shape = bounds_of(defaults[info.name].type)
            info.type.CopyFrom(make_tensor_type_proto(info.type.tensor_type.elem_type, shape))
    forget_defaults(graph, {*named, *defaults})
    return defaults


def _optional(model: ModelProto) -> Mapping[str, TensorProto]:
    """Return the initializers that a caller may give, by name."""
    inputs = {info.name for info in model.graph.input}
    listed = [tensor for tensor in model.graph.initializer if tensor.name in inputs]
    are_small = all(0 < (raw_bytes(tensor) or 0) <= INLINE_BYTES for tensor in listed)
    if model.ir_version < _FIRST_VERSION or not are_small:
        return {}
    return {tensor.name: tensor for tensor in listed if tensor.data_type in _FLOATS}


def forget_defaults(graph: GraphProto, names: Container[str]) -> None:
    """Make inputs without a default of the initializers of these names."""
    kept = [tensor for tensor in graph.initializer if tensor.name not in names]
    if len(kept) < len(graph.initializer):
        del graph.initializer[:]
        graph.initializer.extend(kept)
