"""The weight store: tensor data by the hash of its content, or of how it is made, outside the IR.

One store belongs to one xDSL context. Importers and passes put arrays in, ``nn.constant`` names
them; equal data is held once. On disk a store is a safetensors file next to the ``.mlir`` text,
read through a memory map: an array is a view of the file until someone changes it."""

from __future__ import annotations

import hashlib
import json
import math
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import ClassVar, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.diagnostics import WeightsError
from autodeploy.dialects.nn.constant import (
    ConstantOp,
    ConstantValue,
    DenseAttr,
    WeightAttr,
    with_type,
)
from autodeploy.dialects.nn.stored import cell_bytes
from autodeploy.dialects.nn.types import ELEMENT_NAMES, bounds_of, byte_size, element_of, tensor

Array: TypeAlias = npt.NDArray[np.generic]

FILE_ATTRIBUTE = "nn.weights"
"""Module attribute that names the safetensors file, relative to the .mlir text."""

LARGE_BYTES = 1 << 20
"""Arrays from this size on are not kept where others say how they are made."""

INLINE_BYTES = 64
"""Data up to this size stays in the text; a splat does at any size."""

_COLUMNS = 32

_ELEMENTS = {name: element for element, name in ELEMENT_NAMES.items()}

_SAFETENSORS_NAMES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "I8",
    "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8", "uint16": "U16",
    "uint32": "U32", "uint64": "U64", "bool": "BOOL",
}  # fmt: skip


def numpy_dtype(element: Attribute) -> np.dtype[np.generic]:
    """Return the NumPy type that holds an element type."""
    return named_dtype(ELEMENT_NAMES[element])


def named_dtype(name: str) -> np.dtype[np.generic]:
    """Return the NumPy type that a manifest names; bfloat16 and smaller types are ml_dtypes'.

    Strings are Python's, as objects.
    """
    if cell_bytes(name) is not None:
        return np.dtype(object)
    return np.dtype(getattr(ml_dtypes, name, name))


def packed(array: Array, bits: int) -> npt.NDArray[np.uint8]:
    """Return the bytes of elements as a program takes them: the first one in the low bits."""
    codes: npt.NDArray[np.uint8] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if bits >= 8:
        return codes
    count = 8 // bits
    rows = np.pad(codes & ((1 << bits) - 1), (0, -codes.size % count)).reshape(-1, count)
    return (rows << _places(bits)).sum(axis=1, dtype=np.uint8)


def unpacked(
    raw: npt.NDArray[np.uint8], bits: int, dtype: np.dtype[np.generic], shape: Sequence[int]
) -> Array:
    """Return the elements in the bytes that a program gives; the opposite of ``packed``."""
    if bits >= 8:
        return raw.view(dtype).reshape(shape)
    codes = (raw[:, None] >> _places(bits)) & ((1 << bits) - 1)
    return codes.reshape(-1)[: math.prod(shape)].view(dtype).reshape(shape)


def _places(bits: int) -> npt.NDArray[np.uint8]:
    """Return the places in a byte at which elements begin."""
    return np.arange(0, 8, bits).astype(np.uint8)


def element_type(dtype: npt.DTypeLike) -> Attribute:
    """Return the element type that a NumPy type stands for; raises ``KeyError`` where none does."""
    return _ELEMENTS[np.dtype(dtype).name]


class WeightStore:
    """Arrays by content hash; see the module's text."""

    _stores: ClassVar[dict[int, WeightStore]] = {}
    """By identity, since a context compares by value and has no hash; gone with its context."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}
        self._recipes: dict[str, Callable[[], Array]] = {}
        """How arrays are made that are not kept."""
        self._hashed: set[str] = set()
        """The keys that are hashes of contents."""
        self._recent: weakref.WeakValueDictionary[str, Array] = weakref.WeakValueDictionary()
        """Those of them that someone holds."""
        self._made: dict[object, ConstantValue] = {}

    @classmethod
    def of(cls, ctx: Context) -> WeightStore:
        """Return the store of a context; each context has exactly one."""
        store = cls._stores.get(id(ctx))
        if store is None:
            store = cls._stores[id(ctx)] = cls()
            weakref.finalize(ctx, cls._stores.pop, id(ctx), None)
        return store

    @property
    def bytes(self) -> int:
        """Return the bytes of all arrays that are kept."""
        return sum(array.nbytes for array in self._arrays.values())

    def __len__(self) -> int:
        return len(self._arrays) + len(self._recipes)

    def __iter__(self) -> Iterator[str]:
        return chain(self._arrays, self._recipes)

    def made(self, key: object, make: Callable[[], Array]) -> ConstantValue:
        """Return the attribute for an array that is made from constants, as ``key`` says.

        A large one is made again when it is asked for, so that it takes no memory until then.
        """
        if key not in self._made:
            self._made[key] = self.attribute(make(), make)
        return self._made[key]

    def attribute(
        self, array: npt.ArrayLike, make: Callable[[], Array] | None = None
    ) -> ConstantValue:
        """Return the attribute for an array: inline where it is small or a splat, else stored.

        The array is not copied unless it is not contiguous; do not change it afterwards. A large
        one that a function makes is not kept.
        """
        data = np.asarray(array)
        type_ = tensor(element_type(data.dtype), data.shape)
        if data.size > 1 and _is_splat(data):
            return DenseAttr(data.reshape(-1)[:1].tobytes(), type_)
        if data.nbytes <= INLINE_BYTES:
            return DenseAttr(data.tobytes(), type_)
        data = dense(data)
        key = _digest(data.reshape(-1).view(np.uint8).data)
        self._hashed.add(key)
        if make is not None and data.nbytes >= LARGE_BYTES:
            if key not in self._arrays:
                self._recipes.setdefault(key, make)
        elif self._arrays.setdefault(key, data) is data:
            self._recipes.pop(key, None)
        return WeightAttr(key, type_)

    def derived(
        self,
        source: ConstantValue,
        how: str,
        type_: TensorType[Attribute],
        make: Callable[[Array], Array],
        *,
        keep: bool = False,
    ) -> ConstantValue:
        """Return the attribute for an array that ``make`` makes of a constant.

        ``how`` describes it in full. The key of a large array is made of it, until ``named`` is
        called, and the array when it is asked for: again each time, or once with ``keep``. Its
        elements must not be all equal.
        """
        if byte_size(type_) < LARGE_BYTES:
            return self.attribute(make(self.array(source)))
        own = source.key.data if isinstance(source, WeightAttr) else source.data.data.hex()
        key = _digest(f"{own} {how}".encode())

        def made() -> Array:
            return make(self.array(source))

        self._recipes.setdefault(key, cache(lambda: dense(made())) if keep else made)
        return WeightAttr(key, type_)

    def named(self, value: ConstantValue) -> ConstantValue:
        """Return a constant whose key is the hash of its content."""
        if isinstance(value, DenseAttr) or value.key.data in self._hashed:
            return value
        return with_type(self.made(value.key, partial(self.array, value)), value.type)

    def array(self, value: ConstantValue) -> Array:
        """Return the read-only array of a constant's value, in the shape of its type.

        Raises ``WeightsError`` where the store lacks it or holds another size.
        """
        shape, dtype = bounds_of(value.type), numpy_dtype(element_of(value.type))
        if isinstance(value, DenseAttr):
            flat: Array = np.frombuffer(value.data.data, dtype)
            return np.broadcast_to(flat, shape) if value.is_splat else flat.reshape(shape)
        found = self._find(value.key.data)
        if found is None:
            raise WeightsError(
                f"weight '{value.key.data}' : {value.type} is in no loaded weight file"
            )
        if (found.shape, found.dtype) == (shape, dtype):
            whole = found.view()
            whole.flags.writeable = False
            return whole
        raw = dense(found).reshape(-1).view(np.uint8)
        expected = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if raw.size != expected:
            raise WeightsError(
                f"weight '{value.key.data}' : {value.type} takes {expected} bytes, "
                f"the store holds {raw.size}"
            )
        view: Array = raw.view(dtype).reshape(shape)
        view.flags.writeable = False
        return view

    def _find(self, key: str) -> Array | None:
        """Return an array that is kept, or is made again."""
        found = self._arrays.get(key)
        if found is None:
            found = self._recent.get(key)
        if found is None and (make := self._recipes.get(key)) is not None:
            found = self._recent[key] = make()
        return found

    def save(self, path: Path, keys: set[str] | None = None) -> None:
        """Write all arrays, or those of ``keys``, to a safetensors file, whole or not at all."""
        from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]

        found = {k: self._find(k) for k in self if keys is None or k in keys}
        chosen = {k: array for k, array in found.items() if array is not None}
        partial = path.with_name(f".{token_hex(8)}.partial")
        try:
            save_file({k: dense(a) for k, a in sorted(chosen.items())}, partial)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def load(self, path: Path) -> None:
        """Map a safetensors file into the store.

        Raises ``WeightsError`` where the file is missing, malformed, or its sizes contradict it.
        """
        for key, array in _map_safetensors(path).items():
            self._arrays.setdefault(key, array)


def dense(array: Array) -> Array:
    """Return an array in row-major order, copied only if it is in another one.

    Some columns of a transposed one are copied at a time, as the caches keep the lines that hold
    the next ones.
    """
    if array.flags.c_contiguous or array.ndim < 2:
        return np.ascontiguousarray(array)
    made = np.empty(array.shape, array.dtype)
    for first in range(0, array.shape[-1], _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        made[..., columns] = array[..., columns]
    return made


def _digest(data: bytes | memoryview) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def constant_value(value: SSAValue) -> ConstantValue | None:
    """Return the attribute of the ``nn.constant`` that defines a value, if one does."""
    owner = value.owner
    return owner.value if isinstance(owner, ConstantOp) else None


def constant_array(ctx: Context, value: SSAValue) -> Array | None:
    """Return the array of the ``nn.constant`` that defines a value, if one does."""
    attribute = constant_value(value)
    return None if attribute is None else WeightStore.of(ctx).array(attribute)


def used_keys(module: Operation) -> set[str]:
    """Return the keys of all weights that a module names in any attribute."""
    return {
        value.key.data
        for op in module.walk()
        for value in (*op.properties.values(), *op.attributes.values())
        if isinstance(value, WeightAttr)
    }


def equal_elements(arrays: Sequence[Array]) -> list[Array] | None:
    """Return one element of each array in rank 1; ``None`` unless each array holds only one."""
    if all(array.size and _holds_one(array) for array in arrays):
        return [array[(0,) * array.ndim].reshape(1) for array in arrays]
    return None


def _holds_one(data: Array) -> bool:
    """Tell by its strides whether an array has one element in memory."""
    return all(stride == 0 for stride, n in zip(data.strides, data.shape, strict=True) if n > 1)


def _is_splat(data: Array) -> bool:
    """Compare bit for bit (0.0 and -0.0 differ, nan equals itself); most arrays fail early."""
    if _holds_one(data):
        return True
    first = data.flat[0].tobytes()
    if any(data.flat[place].tobytes() != first for place in (-1, data.size // 2)):
        return False
    word = np.dtype(f"u{data.itemsize}") if data.itemsize in (1, 2, 4, 8) else np.uint8
    raw = np.ascontiguousarray(data).reshape(-1).view(word)
    return bool((raw.reshape(data.size, -1) == np.frombuffer(first, word)).all())


def _map_safetensors(path: Path) -> dict[str, Array]:
    try:
        raw: npt.NDArray[np.uint8] = np.memmap(path, np.uint8, mode="r")
    except FileNotFoundError:
        raise WeightsError(f"weight file '{path}' does not exist") from None
    except (OSError, ValueError) as error:
        raise WeightsError(f"weight file '{path}' cannot be read: {error}") from None
    dtypes = {short: name for name, short in _SAFETENSORS_NAMES.items()}
    try:
        length = int.from_bytes(raw[:8].tobytes(), "little")
        if raw.size < 8 or length > raw.size - 8:
            raise ValueError("the header is longer than the file")
        header = json.loads(raw[8 : 8 + length].tobytes())
        body = raw[8 + length :]
        arrays: dict[str, Array] = {}
        for key, entry in header.items():
            if key == "__metadata__":
                continue
            begin, end = map(int, entry["data_offsets"])
            name = dtypes[entry["dtype"]]
            dtype = named_dtype(name)
            shape = [int(extent) for extent in entry["shape"]]
            size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            if (
                not 0 <= begin <= end <= body.size
                or end - begin != size
                or min(shape, default=0) < 0
            ):
                raise ValueError(f"the entry of '{key}' contradicts its data")
            arrays[key] = body[begin:end].view(dtype).reshape(shape)
        return arrays
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise WeightsError(f"'{path}' is not a valid safetensors file: {error}") from None
