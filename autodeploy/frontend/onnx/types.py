"""Types of ONNX values to types of the IR, and back."""

from __future__ import annotations

from functools import cache
from typing import cast

from onnx import TensorProto, TensorShapeProto, TypeProto
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    IntegerType,
    Signedness,
    TensorType,
    UnrankedTensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

from autodeploy.dialects.nn.extent_attr import plain_type
from autodeploy.dialects.nn.types import ui8, ui16, ui32, ui64
from autodeploy.dialects.onnx import (
    MapType,
    OptionalType,
    SequenceType,
    SparseType,
    StringType,
    UnknownType,
)


@cache
def element_types() -> dict[int, Attribute]:
    """Return the element type of each number of ``onnx.TensorProto.DataType``."""
    return {
        TensorProto.FLOAT: f32,
        TensorProto.UINT8: ui8,
        TensorProto.INT8: i8,
        TensorProto.UINT16: ui16,
        TensorProto.INT16: i16,
        TensorProto.INT32: i32,
        TensorProto.INT64: i64,
        TensorProto.STRING: StringType(),
        TensorProto.BOOL: i1,
        TensorProto.FLOAT16: f16,
        TensorProto.DOUBLE: f64,
        TensorProto.UINT32: ui32,
        TensorProto.UINT64: ui64,
        TensorProto.COMPLEX64: ComplexType(f32),
        TensorProto.COMPLEX128: ComplexType(f64),
        TensorProto.BFLOAT16: bf16,
        TensorProto.FLOAT8E4M3FN: Float8E4M3FNType(),
        TensorProto.FLOAT8E4M3FNUZ: Float8E4M3FNUZType(),
        TensorProto.FLOAT8E5M2: Float8E5M2Type(),
        TensorProto.FLOAT8E5M2FNUZ: Float8E5M2FNUZType(),
        TensorProto.UINT4: IntegerType(4, Signedness.UNSIGNED),
        TensorProto.INT4: IntegerType(4),
        TensorProto.FLOAT4E2M1: Float4E2M1FNType(),
        TensorProto.FLOAT8E8M0: Float8E8M0FNUType(),
        TensorProto.UINT2: IntegerType(2, Signedness.UNSIGNED),
        TensorProto.INT2: IntegerType(2),
        TensorProto.FLOAT6E2M3: Float6E2M3FNType(),
        TensorProto.FLOAT6E3M2: Float6E3M2FNType(),
    }


@cache
def element_numbers() -> dict[Attribute, int]:
    """Return the number of ``onnx.TensorProto.DataType`` of each element type."""
    return {element: number for number, element in element_types().items()}


def type_attr(proto: TypeProto) -> Attribute:
    """Return the type of the IR; what the proto leaves open is ``?``, ``*`` or ``!onnx.unknown``.

    An extent that is symbolic, missing or negative is ``?``.
    """
    match proto.WhichOneof("value"):
        case "tensor_type":
            return _tensor_attr(proto.tensor_type)
        case "sparse_tensor_type":
            return SparseType(_tensor_attr(proto.sparse_tensor_type))
        case "sequence_type":
            return SequenceType(type_attr(proto.sequence_type.elem_type))
        case "optional_type":
            return OptionalType(type_attr(proto.optional_type.elem_type))
        case "map_type":
            key = element_types().get(proto.map_type.key_type)
            if not isinstance(key, IntegerType | StringType):
                return UnknownType()
            return MapType(cast(Attribute, key), type_attr(proto.map_type.value_type))
        case _:
            return UnknownType()


def type_proto(attribute: Attribute) -> TypeProto | None:
    """Return ONNX's form of a type, without a shape for ``tensor<*x…>``.

    ``None`` if ONNX has no such type, among them ``!onnx.unknown``.
    """
    proto = TypeProto()
    match attribute:
        case TensorType() | UnrankedTensorType():
            if not _set_tensor(proto.tensor_type, attribute):
                return None
        case SparseType():
            if not _set_tensor(proto.sparse_tensor_type, attribute.element):
                return None
        case SequenceType():
            if (element := type_proto(attribute.element)) is None:
                return None
            proto.sequence_type.elem_type.CopyFrom(element)
        case OptionalType():
            if (element := type_proto(attribute.element)) is None:
                return None
            proto.optional_type.elem_type.CopyFrom(element)
        case MapType():
            key = element_numbers().get(attribute.key)
            if key is None or (value := type_proto(attribute.value)) is None:
                return None
            proto.map_type.key_type = key
            proto.map_type.value_type.CopyFrom(value)
        case _:
            return None
    return proto


def _tensor_attr(proto: TypeProto.Tensor | TypeProto.SparseTensor) -> Attribute:
    element = element_types().get(proto.elem_type)
    if element is None:
        return UnknownType()
    if not proto.HasField("shape"):
        return UnrankedTensorType(element)
    return plain_type(element, tuple(extent_of(dim) for dim in proto.shape.dim))


def extent_of(dim: TensorShapeProto.Dimension) -> int:
    """Return a fixed extent, or ``DYNAMIC_INDEX`` for one that is symbolic, missing or negative."""
    fixed = dim.HasField("dim_value") and dim.dim_value >= 0
    return dim.dim_value if fixed else DYNAMIC_INDEX


def _set_tensor(proto: TypeProto.Tensor | TypeProto.SparseTensor, attribute: Attribute) -> bool:
    # This runs thousands of times; isa() of a generic type takes a tenth of a millisecond.
    if isinstance(attribute, UnrankedTensorType):
        element, shape = cast(Attribute, attribute.element_type), None
    elif isinstance(attribute, TensorType):
        element, shape = cast(Attribute, attribute.element_type), attribute.get_shape()
    else:
        return False
    number = element_numbers().get(element)
    if number is None:
        return False
    proto.elem_type = number
    if shape is not None:
        proto.shape.SetInParent()
        for extent in shape:
            dim = proto.shape.dim.add()
            if extent >= 0:
                dim.dim_value = extent
    return True
