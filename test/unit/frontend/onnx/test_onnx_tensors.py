"""Tensors and types in all their forms, there and back."""

import re
from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest
from onnx import ModelProto, SparseTensorProto, TensorProto, TypeProto, helper, numpy_helper
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute
from xdsl.parser import Parser

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.onnx import RawAttr, StringsAttr, UnknownType
from autodeploy.frontend.onnx.file import OnnxFile
from autodeploy.frontend.onnx.tensors import (
    MAX_DENSE_BYTES,
    sparse_array,
    tensor_array,
    tensor_proto,
    tensor_value,
)
from autodeploy.frontend.onnx.types import element_types, type_attr, type_proto

from .onnx_models import context, weight

T = TensorProto
FILE = OnnxFile(ModelProto(), None)

PLAIN = {
    T.FLOAT: (np.float32, [0.5, np.inf, -0.0]),
    T.DOUBLE: (np.float64, [0.1, np.nan, 1e300]),
    T.FLOAT16: (np.float16, [0.5, -2, np.inf]),
    T.BFLOAT16: (ml_dtypes.bfloat16, [0.5, -2, 3e38]),
    T.INT8: (np.int8, [-128, 0, 127]),
    T.INT16: (np.int16, [-32768, 0, 32767]),
    T.INT32: (np.int32, [-(2**31), 0, 2**31 - 1]),
    T.INT64: (np.int64, [-(2**63), 0, 2**63 - 1]),
    T.UINT8: (np.uint8, [0, 1, 255]),
    T.UINT16: (np.uint16, [0, 1, 65535]),
    T.UINT32: (np.uint32, [0, 1, 2**32 - 1]),
    T.UINT64: (np.uint64, [0, 1, 2**64 - 1]),
    T.BOOL: (np.bool_, [True, False, True]),
}

FIELDS = {
    T.FLOAT: "float_data", T.DOUBLE: "double_data", T.INT64: "int64_data",
    T.UINT32: "uint64_data", T.UINT64: "uint64_data",
}  # fmt: skip


def typed(number: int, data: Sequence[float], shape: Sequence[int]) -> TensorProto:
    """A tensor with its numbers in the typed field of its element type."""
    proto = TensorProto(name="t", data_type=number, dims=shape)
    getattr(proto, FIELDS.get(number, "int32_data")).extend(data)
    return proto


def entries(array: np.ndarray) -> list[int] | list[float]:
    """What a typed field holds for an array: small floats as their bits."""
    if array.dtype in (np.float16, ml_dtypes.bfloat16):
        array = array.view(np.uint16)
    return array.astype(np.uint8).tolist() if array.dtype == np.bool_ else array.tolist()


@pytest.mark.parametrize("number", PLAIN, ids=T.DataType.Name)
def test_plain_numbers_from_any_field(number: int):
    dtype, numbers = PLAIN[number]
    array = np.array(numbers, dtype)
    raw = TensorProto(name="t", data_type=number, dims=[3], raw_data=array.tobytes())
    for proto in (raw, typed(number, entries(array), [3])):
        found = tensor_array(FILE, proto)
        assert found.dtype == array.dtype
        assert found.tobytes() == array.tobytes()
    ctx = context()
    value = tensor_value(ctx, FILE, raw)
    assert isinstance(value, DenseAttr)
    assert tensor_proto(ctx, value, "t") == raw


def test_raw_data_comes_before_a_typed_field():
    proto = typed(T.INT32, [7, 8], [2])
    proto.raw_data = np.array([1, 2], np.int32).tobytes()
    np.testing.assert_array_equal(tensor_array(FILE, proto), [1, 2])


def test_large_numbers_go_to_the_store():
    ctx, array = context(), np.arange(100, dtype=np.float32)
    value = tensor_value(ctx, FILE, weight("w", array))
    assert isinstance(value, WeightAttr)
    assert tensor_proto(ctx, value).raw_data == array.tobytes()


def test_scalars_and_empty_tensors():
    assert tensor_array(FILE, weight("w", np.float32(2))).shape == ()
    assert tensor_array(FILE, typed(T.FLOAT, [], [0, 3])).shape == (0, 3)
    assert tensor_array(FILE, weight("w", np.zeros((0, 3)))).shape == (0, 3)


def test_any_byte_but_zero_is_true():
    proto = TensorProto(data_type=T.BOOL, dims=[3], raw_data=b"\x02\x00\x01")
    assert tensor_array(FILE, proto).tobytes() == b"\x01\x00\x01"


PACKED = [
    (T.INT4, "i4", [3], b"\x21\x03", [0x21, 0x03]),
    (T.UINT4, "ui4", [3], b"\xf1\x03", [0xF1, 0x03]),
    (T.FLOAT4E2M1, "f4E2M1FN", [3], b"\x21\x03", [0x21, 0x03]),
    (T.INT2, "i2", [5], b"\xe4\x01", [0xE4, 0x01]),
    (T.UINT2, "ui2", [5], b"\xe4\x01", [0xE4, 0x01]),
    (T.FLOAT8E4M3FN, "f8E4M3FN", [2], b"\x7f\x80", [0x7F, 0x80]),
    (T.FLOAT8E4M3FNUZ, "f8E4M3FNUZ", [2], b"\x7f\x80", [0x7F, 0x80]),
    (T.FLOAT8E5M2, "f8E5M2", [2], b"\x7f\x80", [0x7F, 0x80]),
    (T.FLOAT8E5M2FNUZ, "f8E5M2FNUZ", [2], b"\x7f\x80", [0x7F, 0x80]),
    (T.FLOAT8E8M0, "f8E8M0FNU", [2], b"\x7f\x80", [0x7F, 0x80]),
    (T.FLOAT6E2M3, "f6E2M3FN", [3], b"\x81\x20\x03", [1, 2, 0x32]),
    (T.FLOAT6E3M2, "f6E3M2FN", [3], b"\x81\x20\x03", [1, 2, 0x32]),
]


@pytest.mark.parametrize(
    ("number", "element", "shape", "raw", "numbers"), PACKED, ids=[case[1] for case in PACKED]
)
def test_small_elements_keep_their_bytes(
    number: int, element: str, shape: list[int], raw: bytes, numbers: list[int]
):
    ctx = context()
    with_raw = TensorProto(name="t", data_type=number, dims=shape, raw_data=raw)
    for proto in (with_raw, typed(number, numbers, shape)):
        value = tensor_value(ctx, FILE, proto)
        assert isinstance(value, RawAttr)
        assert str(value) == f'#onnx.raw<"0x{raw.hex()}" : tensor<{shape[0]}x{element}>>'
        assert Parser(ctx, str(value)).parse_attribute() == value
        assert tensor_proto(ctx, value, "t") == with_raw


@pytest.mark.parametrize("field", [True, False])
@pytest.mark.parametrize(
    ("number", "dtype", "element"),
    [(T.COMPLEX64, np.complex64, "f32"), (T.COMPLEX128, np.complex128, "f64")],
)
def test_complex_numbers(number: int, dtype: type, element: str, field: bool):
    array = np.array([1 + 2j, 3 - 4j], dtype)
    proto = weight("t", array)
    if field:
        proto.ClearField("raw_data")
        pairs = array.view(f"f{array.itemsize // 2}").tolist()
        (proto.float_data if number == T.COMPLEX64 else proto.double_data).extend(pairs)
    value = tensor_value(context(), FILE, proto)
    assert isinstance(value, RawAttr)
    assert str(value.type) == f"tensor<2xcomplex<{element}>>"
    assert value.data.data == array.tobytes()


def test_strings():
    ctx = context()
    proto = TensorProto(name="t", data_type=T.STRING, dims=[2], string_data=[b"a", b"\xc3\xa9\xff"])
    value = tensor_value(ctx, FILE, proto)
    assert isinstance(value, StringsAttr)
    assert Parser(ctx, str(value)).parse_attribute() == value
    assert tensor_proto(ctx, value, "t") == proto


@pytest.mark.parametrize(
    ("proto", "message"),
    [
        (typed(T.FLOAT, [1.0], [2]), "tensor 't' of shape 2 does not fit its 1 numbers"),
        (typed(T.INT8, [1, 2, 3], []), "tensor 't' of shape scalar does not fit its 3 numbers"),
        (typed(T.INT4, [1, 2, 3], [4]), "tensor 't' of shape 4 does not fit its 3 numbers"),
        (typed(T.FLOAT6E2M3, [1], [4]), "tensor 't' of shape 4 does not fit its 1 numbers"),
        (typed(T.INT8, [256], [1]), "tensor 't' holds a number of more than 8 bits"),
        (typed(T.INT8, [-129], [1]), "tensor 't' holds a number of more than 8 bits"),
        (typed(T.UINT32, [2**32], [1]), "tensor 't' holds a number of more than 32 bits"),
        (
            TensorProto(name="t", data_type=T.FLOAT, dims=[2], raw_data=bytes(9)),
            "tensor 't' takes 8 bytes by its type, the model has 9",
        ),
        (
            TensorProto(name="t", data_type=T.STRING, dims=[2], string_data=[b"a"]),
            "tensor 't' of shape 2 does not fit its 1 numbers",
        ),
        (typed(T.FLOAT, [], [-1, 0]), "tensor 't' has a negative extent in its shape (-1, 0)"),
        (
            typed(T.FLOAT, [], [0, 2**40, 2**40]),
            "tensor 't' has the impossible shape (0, 1099511627776, 1099511627776)",
        ),
        (TensorProto(name="t", data_type=99), "tensor 't' has the unknown data type 99"),
        (TensorProto(name="t"), "tensor 't' has the unknown data type 0"),
    ],
)
def test_tensors_that_contradict_themselves(proto: TensorProto, message: str):
    with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
        tensor_value(context(), FILE, proto)


def sparse(indices: object, shape: list[int], values: object = (1.0, 2.0)) -> SparseTensorProto:
    return helper.make_sparse_tensor(
        weight("s", np.array(values, np.float32)), weight("i", np.array(indices)), shape
    )


@pytest.mark.parametrize(
    ("proto", "message"),
    [
        (sparse([0, 6], [2, 3]), "has an index outside of its shape (2, 3)"),
        (sparse([-1, 5], [2, 3]), "has an index outside of its shape (2, 3)"),
        (sparse([[0, 0], [0, 3]], [2, 3]), "has an index outside of its shape (2, 3)"),
        (sparse([0], [2, 3]), "has values of shape (2,) and indices of shape (1,), expected n"),
        (sparse([[0], [1]], [2, 3]), "indices of shape (2, 1), expected n values and n or n x 2"),
        (sparse([0.0, 1.0], [2, 3]), "expected n values and n or n x 2 indices"),
        (sparse([0, 1], [2, 3], [[1.0, 2.0]]), "has values of shape (1, 2)"),
        (sparse([0, 1], [2**20, 2**20]), f"is larger than {MAX_DENSE_BYTES} bytes"),
        (sparse([0, 1], [-2, 3]), "of shape -2x3 is larger than"),
    ],
)
def test_sparse_tensors_that_contradict_themselves(proto: SparseTensorProto, message: str):
    with pytest.raises(ModelError, match="sparse tensor 's' .*" + re.escape(message)):
        sparse_array(FILE, proto)


def test_sparse_values_must_be_plain_numbers():
    proto = sparse([0, 1], [2, 3])
    proto.values.CopyFrom(TensorProto(name="s", data_type=T.STRING, dims=[1], string_data=[b"a"]))
    with pytest.raises(ModelError, match=r"has elements of !onnx\.string, expected plain"):
        sparse_array(FILE, proto)


def tensor_type(number: int, shape: Sequence[int | str | None] | None) -> TypeProto:
    return helper.make_tensor_type_proto(number, shape)


TYPES = [
    (tensor_type(T.FLOAT, [1, 2]), "tensor<1x2xf32>"),
    (tensor_type(T.INT64, []), "tensor<i64>"),
    (tensor_type(T.FLOAT16, [None, 0]), "tensor<?x0xf16>"),
    (tensor_type(T.STRING, None), "tensor<*x!onnx.string>"),
    (helper.make_sequence_type_proto(tensor_type(T.UINT8, [2])), "!onnx.sequence<tensor<2xui8>>"),
    (helper.make_optional_type_proto(tensor_type(T.BOOL, [])), "!onnx.optional<tensor<i1>>"),
    (helper.make_sparse_tensor_type_proto(T.DOUBLE, [9]), "!onnx.sparse<tensor<9xf64>>"),
    (
        helper.make_map_type_proto(T.STRING, tensor_type(T.FLOAT, [])),
        "!onnx.map<!onnx.string, tensor<f32>>",
    ),
    (
        helper.make_optional_type_proto(
            helper.make_sequence_type_proto(tensor_type(T.COMPLEX64, None))
        ),
        "!onnx.optional<!onnx.sequence<tensor<*xcomplex<f32>>>>",
    ),
]


@pytest.mark.parametrize(("proto", "text"), TYPES, ids=[text for _, text in TYPES])
def test_types_there_and_back(proto: TypeProto, text: str):
    attribute = type_attr(proto)
    assert str(attribute) == text
    assert Parser(context(), text).parse_attribute() == attribute
    assert type_proto(attribute) == proto


@pytest.mark.parametrize("number", sorted(element_types()), ids=T.DataType.Name)
def test_every_element_type_there_and_back(number: int):
    proto = tensor_type(number, [2])
    attribute = type_attr(proto)
    assert Parser(context(), str(attribute)).parse_attribute() == attribute
    assert type_proto(attribute) == proto


def test_every_element_type_of_onnx_is_known():
    assert {*element_types()} == {*T.DataType.values()} - {T.UNDEFINED}


@pytest.mark.parametrize("extent", ["N", "", -1])
def test_open_extents_lose_their_names(extent: int | str):
    assert str(type_attr(tensor_type(T.FLOAT, [extent]))) == "tensor<?xf32>"


@pytest.mark.parametrize("key", [T.UNDEFINED, T.FLOAT, 99])
def test_a_map_with_keys_that_are_none(key: int):
    proto = helper.make_map_type_proto(T.STRING, tensor_type(T.FLOAT, []))
    proto.map_type.key_type = key
    assert type_attr(proto) == UnknownType()


@pytest.mark.parametrize("proto", [TypeProto(), tensor_type(T.UNDEFINED, [1])])
def test_types_without_information(proto: TypeProto):
    assert type_attr(proto) == UnknownType()


@pytest.mark.parametrize(
    "text",
    [
        "!onnx.unknown",
        "tensor<2xindex>",
        "tensor<*xi3>",
        "!onnx.sequence<!onnx.unknown>",
        "!onnx.optional<!onnx.unknown>",
        "!onnx.sparse<tensor<2xindex>>",
        "!onnx.sparse<f32>",
        "!onnx.map<i64, !onnx.unknown>",
        "!onnx.map<i3, tensor<f32>>",
    ],
)
def test_types_that_onnx_lacks(text: str):
    assert type_proto(Parser(context(), text).parse_attribute()) is None


def test_an_attribute_that_is_no_type():
    attribute: Attribute = i32
    assert type_proto(attribute) is None


def test_numpy_helper_agrees_on_packed_numbers():
    array = np.array([1, -8, 7, -1, 3], ml_dtypes.int4)
    proto = numpy_helper.from_array(array, "t")
    value = tensor_value(context(), FILE, proto)
    again = numpy_helper.to_array(tensor_proto(context(), value))
    np.testing.assert_array_equal(again.astype(np.int8), array.astype(np.int8))
