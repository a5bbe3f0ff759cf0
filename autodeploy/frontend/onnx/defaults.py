"""Inputs that have a default: an initializer of the same name.

In versions 1 to 3 of ONNX's file format, each initializer has to be an input as well, and some
exporters still write all weights so. A caller of such a file does not mean to give them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto
from onnx.helper import make_tensor_type_proto
from xdsl.context import Context

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.types import ELEMENT_NAMES, bounds_of, element_of
from autodeploy.dialects.onnx.families import POINTWISE
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.onnx.file import OnnxFile, graphs_of
from autodeploy.frontend.onnx.tensors import raw_bytes, tensor_value
from autodeploy.frontend.onnx.types import element_types
from autodeploy.weights import INLINE_BYTES

_FIRST_VERSION = 4
"""The version of the file format from which on an initializer may be no input."""

_FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}


def take_defaults(ctx: Context, file: OnnxFile, names: Iterable[str]) -> Mapping[str, DenseAttr]:
    """Make inputs of the initializers that a caller may give; return the defaults by name.

    An input that is named is one without a default; it may be named as messages have it, in ASCII.
    Small floats that pointwise operators alone read are inputs with a default, unless the file
    lists its weights as inputs, too. All other initializers are constants: integers often decide
    shapes, and other operators may need constants. Raises ``ModelError`` if an input has other
    elements than its default.
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
            _declare(info, defaults[info.name])
    forget_defaults(graph, {*named, *defaults})
    return defaults


def _declare(info: ValueInfoProto, default: DenseAttr) -> None:
    """Give an input the shape of its default."""
    number, found = info.type.tensor_type.elem_type, element_of(default.type)
    element = element_types().get(number)
    if element != found:
        name = ELEMENT_NAMES.get(element, number) if element else number
        raise ModelError(
            f"input '{info.name}' has elements of type {name}, and its default has elements of "
            f"type {ELEMENT_NAMES[found]}"
        )
    info.type.CopyFrom(make_tensor_type_proto(number, bounds_of(default.type)))


def _optional(model: ModelProto) -> Mapping[str, TensorProto]:
    """Return the initializers that a caller may give, by name."""
    inputs = {info.name for info in model.graph.input}
    listed = [tensor for tensor in model.graph.initializer if tensor.name in inputs]
    are_small = all(0 < (raw_bytes(tensor) or 0) <= INLINE_BYTES for tensor in listed)
    if model.ir_version < _FIRST_VERSION or not are_small:
        return {}
    needed = {
        name
        for graph in graphs_of(model.graph)
        for node in graph.node
        if node.domain or node.op_type not in POINTWISE
        for name in node.input
    }
    return {t.name: t for t in listed if t.data_type in _FLOATS and t.name not in needed}


def forget_defaults(graph: GraphProto, names: Container[str]) -> None:
    """Make inputs without a default of the initializers of these names."""
    kept = [tensor for tensor in graph.initializer if tensor.name not in names]
    if len(kept) < len(graph.initializer):
        del graph.initializer[:]
        graph.initializer.extend(kept)
