"""Attributes of ONNX nodes to properties of onnx ops, and back."""

from __future__ import annotations

from onnx import AttributeProto
from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.onnx import RawAttr, StringsAttr, TextAttr, text_attr, text_bytes
from autodeploy.dialects.onnx.op import int_values
from autodeploy.frontend.onnx.file import OnnxFile
from autodeploy.frontend.onnx.tensors import sparse_array, tensor_proto, tensor_value
from autodeploy.frontend.onnx.types import type_attr, type_proto
from autodeploy.weights import WeightStore


def attribute_of(ctx: Context, file: OnnxFile, proto: AttributeProto) -> Attribute | None:
    """Return the property for an attribute of a node; ``None`` for graphs, which become regions.

    Sparse tensors become dense. Raises ``ModelError`` if a tensor is malformed or the attribute
    has no value of a known kind.
    """
    match proto.type:
        case AttributeProto.INT:
            return IntegerAttr(proto.i, i64)
        case AttributeProto.FLOAT:
            return FloatAttr(proto.f, f32)
        case AttributeProto.STRING:
            return text_attr(proto.s)
        case AttributeProto.INTS:
            return DenseArrayBase.from_list(i64, list(proto.ints))
        case AttributeProto.FLOATS:
            return ArrayAttr(FloatAttr(number, f32) for number in proto.floats)
        case AttributeProto.STRINGS:
            return ArrayAttr(map(text_attr, proto.strings))
        case AttributeProto.TENSOR:
            return tensor_value(ctx, file, proto.t)
        case AttributeProto.TENSORS:
            return ArrayAttr(tensor_value(ctx, file, tensor) for tensor in proto.tensors)
        case AttributeProto.SPARSE_TENSOR:
            return WeightStore.of(ctx).attribute(sparse_array(file, proto.sparse_tensor))
        case AttributeProto.TYPE_PROTO:
            return type_attr(proto.tp)
        case AttributeProto.TYPE_PROTOS:
            return ArrayAttr(map(type_attr, proto.type_protos))
        case AttributeProto.GRAPH | AttributeProto.GRAPHS:
            return None
        case _:
            raise ModelError(f"attribute '{proto.name}' has no value of a known kind")


def attribute_proto(ctx: Context, name: str, kind: str, value: Attribute) -> AttributeProto | None:
    """Return ONNX's form of a property of an onnx op.

    ``kind`` is the attribute's kind in the schema, such as ``"INTS"``; an empty list says nothing
    of it. ``None`` if the kind has no form for the value.
    """
    proto = AttributeProto(name=name, type=kind)
    match kind, value:
        case "INT", IntegerAttr():
            proto.i = value.value.data
        case "FLOAT", FloatAttr():
            proto.f = value.value.data
        case "STRING", StringAttr() | BytesAttr():
            proto.s = text_bytes(value)
        case "INTS", DenseArrayBase():
            proto.ints.extend(int_values(value))
        case "FLOATS", _ if isa(value, ArrayAttr[FloatAttr]):
            proto.floats.extend(number.value.data for number in value)
        case "STRINGS", _ if isa(value, ArrayAttr[TextAttr]):
            proto.strings.extend(map(text_bytes, value))
        case "TENSOR", DenseAttr() | WeightAttr() | RawAttr() | StringsAttr():
            proto.t.CopyFrom(tensor_proto(ctx, value))
        case "TYPE_PROTO", TypeAttribute():
            if (type_ := type_proto(value)) is None:
                return None
            proto.tp.CopyFrom(type_)
        case _:
            return None
    return proto
