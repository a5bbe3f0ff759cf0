"""Tensors of ONNX to constants of the IR, and back.

Sizes are checked against the dims of the tensor before anything is believed of its data.
"""

from __future__ import annotations

from math import prod

import numpy as np
import numpy.typing as npt
from onnx import SparseTensorProto, TensorProto
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.onnx import RawAttr, StringsAttr, StringType, TensorValue, text_bytes
from autodeploy.dialects.onnx.values import element_bits
from autodeploy.frontend.onnx.file import OnnxFile
from autodeploy.frontend.onnx.types import element_numbers, element_types
from autodeploy.weights import Array, WeightStore, numpy_dtype

MAX_DENSE_BYTES = 1 << 30
"""A sparse tensor that is larger than this when it is made dense is refused."""

_MAX_ELEMENTS = 1 << 56
"""NumPy refuses shapes of about this many elements, even where an extent of zero leaves none."""


def tensor_value(ctx: Context, file: OnnxFile, tensor: TensorProto) -> TensorValue:
    """Return the constant that a tensor is.

    Elements that nn knows go to the context's weight store, as views if they are raw bytes.
    Raises ``ModelError`` if data and dims contradict each other or data is missing.
    """
    element, shape = _element(tensor), _shape(tensor)
    if isinstance(element, StringType):
        if len(tensor.string_data) != prod(shape):
            raise _wrong_count(tensor, len(tensor.string_data))
        return StringsAttr(tensor.string_data, shape)
    if element in ELEMENT_BYTES:
        return WeightStore.of(ctx).attribute(tensor_array(file, tensor))
    return RawAttr(bytes(_bytes(file, tensor, element)), TensorType(element, shape))


def tensor_array(file: OnnxFile, tensor: TensorProto) -> Array:
    """Return the array of a tensor whose elements nn knows; raises as ``tensor_value`` does."""
    element, shape = _element(tensor), _shape(tensor)
    if element not in ELEMENT_BYTES:
        raise ModelError(
            f"tensor '{tensor.name}' has elements of {element}, expected plain numbers"
        )
    array = np.frombuffer(_bytes(file, tensor, element), numpy_dtype(element)).reshape(shape)
    if array.dtype == np.bool_ and (array.view(np.uint8) > 1).any():
        return array.view(np.uint8) != 0
    return array


def sparse_array(file: OnnxFile, sparse: SparseTensorProto) -> Array:
    """Return a sparse tensor as a dense array.

    Raises ``ModelError`` if indices and dims contradict each other, or it would be larger than
    ``MAX_DENSE_BYTES``.
    """
    name, shape = sparse.values.name, tuple(sparse.dims)
    values, found = tensor_array(file, sparse.values), tensor_array(file, sparse.indices)
    if min(shape, default=0) < 0 or prod(shape) * values.itemsize > MAX_DENSE_BYTES:
        raise ModelError(
            f"sparse tensor '{name}' of shape {'x'.join(map(str, shape))} is larger than "
            f"{MAX_DENSE_BYTES} bytes when it is made dense"
        )
    count = values.shape[0] if values.ndim == 1 else -1
    if found.dtype != np.int64 or found.shape not in ((count,), (count, len(shape))):
        raise ModelError(
            f"sparse tensor '{name}' has values of shape {values.shape} and indices of shape "
            f"{found.shape}, expected n values and n or n x {len(shape)} indices"
        )
    indices = found.astype(np.int64)
    bounds = np.array(shape if indices.ndim == 2 else [prod(shape)])
    if ((indices < 0) | (indices >= bounds)).any():
        raise ModelError(f"sparse tensor '{name}' has an index outside of its shape {shape}")
    dense: Array = np.zeros(shape, values.dtype)
    if indices.ndim == 2:
        dense[tuple(indices.T)] = values
    else:
        dense.reshape(-1)[indices] = values
    return dense


def tensor_proto(ctx: Context, value: TensorValue, name: str = "") -> TensorProto:
    """Return ONNX's form of a constant, with its data."""
    element = value.type.get_element_type()
    proto = TensorProto(
        name=name, data_type=element_numbers()[element], dims=list(value.type.get_shape())
    )
    match value:
        case StringsAttr():
            proto.string_data.extend(map(text_bytes, value.values))
        case RawAttr():
            proto.raw_data = value.data.data
        case DenseAttr() | WeightAttr():
            proto.raw_data = WeightStore.of(ctx).array(value).tobytes()
    return proto


def raw_bytes(tensor: TensorProto) -> int | None:
    """Return how many bytes of ``raw_data`` a tensor takes; ``None`` for strings.

    Raises ``ModelError`` for an unknown element type or a negative dim.
    """
    element, shape = _element(tensor), _shape(tensor)
    return None if isinstance(element, StringType) else _size(element, shape)


def _element(tensor: TensorProto) -> Attribute:
    element = element_types().get(tensor.data_type)
    if element is None:
        raise ModelError(f"tensor '{tensor.name}' has the unknown data type {tensor.data_type}")
    return element


def _shape(tensor: TensorProto) -> tuple[int, ...]:
    shape = tuple(tensor.dims)
    if min(shape, default=0) < 0:
        raise ModelError(f"tensor '{tensor.name}' has a negative extent in its shape {shape}")
    if prod(max(extent, 1) for extent in shape) > _MAX_ELEMENTS:
        raise ModelError(f"tensor '{tensor.name}' has the impossible shape {shape}")
    return shape


def _size(element: Attribute, shape: tuple[int, ...]) -> int:
    return (prod(shape) * element_bits(element) + 7) // 8


def _bytes(file: OnnxFile, tensor: TensorProto, element: Attribute) -> memoryview | bytes:
    """Return the bytes of a tensor as ``raw_data`` has them, from wherever they are."""
    shape = _shape(tensor)
    raw = file.raw(tensor, _size(element, shape))
    if raw is not None:
        return raw
    count, bits = prod(shape), element_bits(element)
    match tensor.data_type:
        case TensorProto.FLOAT:
            return _typed(tensor, tensor.float_data, np.float32, count)
        case TensorProto.COMPLEX64:
            return _typed(tensor, tensor.float_data, np.float32, 2 * count)
        case TensorProto.DOUBLE:
            return _typed(tensor, tensor.double_data, np.float64, count)
        case TensorProto.COMPLEX128:
            return _typed(tensor, tensor.double_data, np.float64, 2 * count)
        case TensorProto.INT64:
            return _typed(tensor, tensor.int64_data, np.int64, count)
        case TensorProto.UINT64:
            return _typed(tensor, tensor.uint64_data, np.uint64, count)
        case TensorProto.UINT32:
            return _narrowed(tensor, np.array(tensor.uint64_data, np.uint64), 32, count)
        case _:
            entries = np.array(tensor.int32_data, np.int64)
            if bits == 6:
                return _packed_sixes(tensor, entries, count)
            if bits < 8:  # an entry holds a byte of packed elements
                return _narrowed(tensor, entries, 8, (count * bits + 7) // 8)
            return _narrowed(tensor, entries, bits, count)


def _typed(tensor: TensorProto, data: object, dtype: npt.DTypeLike, count: int) -> bytes:
    array = np.array(data, dtype)
    if array.size != count:
        raise _wrong_count(tensor, array.size)
    return array.tobytes()


def _narrowed(
    tensor: TensorProto, entries: npt.NDArray[np.int64 | np.uint64], bits: int, count: int
) -> bytes:
    """Cut the entries of a wider field to their low bits, signed or unsigned."""
    if entries.size != count:
        raise _wrong_count(tensor, entries.size)
    if (
        entries.size
        and not -(1 << bits - 1) <= int(entries.min()) <= int(entries.max()) < 1 << bits
    ):
        raise ModelError(f"tensor '{tensor.name}' holds a number of more than {bits} bits")
    return entries.astype(f"u{bits // 8}").tobytes()


def _packed_sixes(tensor: TensorProto, entries: npt.NDArray[np.int64], count: int) -> bytes:
    """Pack numbers of six bits, one an entry, to a stream of bits, low bits first."""
    if entries.size != count:
        raise _wrong_count(tensor, entries.size)
    bits = (entries[:, None] >> np.arange(6)) & 1
    return np.packbits(bits.astype(np.uint8).reshape(-1), bitorder="little").tobytes()


def _wrong_count(tensor: TensorProto, found: int) -> ModelError:
    shape = "x".join(map(str, tensor.dims)) or "scalar"
    return ModelError(f"tensor '{tensor.name}' of shape {shape} does not fit its {found} numbers")
