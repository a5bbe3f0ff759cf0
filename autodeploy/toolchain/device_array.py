"""Arrays of other libraries in memory of a device, as DLPack passes them on.

Source: DLPack's header ``dlpack.h``, and the Python specification of ``__dlpack__``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.fixed_call import is_fixed, shape_text
from autodeploy.weights import named_dtype

CUDA = 2
"""``kDLCUDA``, the number of CUDA's devices."""

_LEGACY_STREAM = 1
"""The queue of CUDA in which a library lets an array be ready."""

_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}


class _Tensor(ctypes.Structure):
    """``DLTensor``, to which a capsule points."""

    _fields_ = (
        ("data", ctypes.c_uint64),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class DeviceArray:
    """An array in memory of a device: its address, and the owner of the memory."""

    address: int
    owner: object


def is_on_device(value: object) -> bool:
    """Return whether a value is an array in memory of a device."""
    found: Any = getattr(value, "__dlpack_device__", None)
    return found is not None and int(found()[0]) == CUDA


def device_array(kind: str, entry: TensorEntry, value: Any) -> DeviceArray:
    """Return an array of a caller for a tensor, an ``input`` or ``output``.

    The work in the queue that CUDA's libraries share by default is done before a run reads it.
    Raises ``UserError`` if the tensor is in memory of the processor, or if type, shape or layout of
    the array are others.
    """
    if not entry.on_device or not is_fixed(entry):
        raise UserError(
            f"{kind} '{entry.name}' cannot be an array of a device: the processor uses it, or the "
            "program is not one of CUDA"
        )
    capsule = value.__dlpack__(stream=_LEGACY_STREAM)
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = _Tensor.from_address(read(capsule, b"dltensor"))
    shape = tuple(tensor.shape[axis] for axis in range(tensor.rank))
    name = _type_name(tensor)
    dtype = named_dtype(entry.dtype)
    if name != dtype.name or shape != entry.shape:
        raise UserError(
            f"{kind} '{entry.name}' takes an array of {dtype} {shape_text(entry.shape)}, found "
            f"{name} {shape_text(shape)}"
        )
    if tensor.strides and not _is_contiguous(shape, tensor.strides[: tensor.rank]):
        raise UserError(f"the array for {kind} '{entry.name}' is not C-contiguous")
    return DeviceArray(tensor.data + tensor.offset, capsule)


def _type_name(tensor: _Tensor) -> str:
    name = _KINDS.get(tensor.kind, f"type {tensor.kind} of ")
    name = name if name == "bool" else f"{name}{tensor.bits}"
    return name if tensor.lanes == 1 else f"{name} x {tensor.lanes}"


def _is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    step = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent > 1 and stride != step:
            return False
        step *= extent
    return True
