"""Arrays that end or begin at a page which may not be touched, and kernels called on them."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from pathlib import Path

import numpy as np

PAGE = mmap.PAGESIZE
_NO_ACCESS = 0
_LIBC = ctypes.CDLL(None, use_errno=True)


class GuardedArray:
    """A float32 array with pages around it whose first read or write ends the process.

    It is as near to the page behind as an alignment of 64 bytes allows.
    """

    def __init__(self, shape: Sequence[int]):
        size = int(np.prod(shape)) * 4
        inside = -(-size // PAGE) * PAGE
        self._memory = mmap.mmap(-1, inside + 2 * PAGE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        start = base + PAGE + (inside - size) // 64 * 64
        for page in (base, base + PAGE + inside):
            if _LIBC.mprotect(ctypes.c_void_p(page), PAGE, _NO_ACCESS):
                raise OSError(ctypes.get_errno(), "mprotect")
        pointer = ctypes.cast(start, ctypes.POINTER(ctypes.c_float))
        self.array = np.ctypeslib.as_array(pointer, shape=tuple(shape))
        self.address = start


class _Dimension(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("min", "extent", "stride", "flags")]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", _Type),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(_Dimension)),
        ("padding", ctypes.c_void_p),
    ]


def call_kernel(library: Path, symbol: str, arguments: Sequence[GuardedArray]) -> int:
    """Call a kernel that needs no scratch memory; return its status."""
    buffers = [_buffer(argument) for argument in arguments]
    kernel = getattr(ctypes.CDLL(str(library)), symbol)
    return kernel(None, *(ctypes.byref(buffer) for buffer in buffers))


def _buffer(argument: GuardedArray) -> _Buffer:
    """Describe an array to Halide, innermost dimension first."""
    shape = argument.array.shape
    strides = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
    dimensions = [
        _Dimension(0, n, s, 0) for n, s in zip(reversed(shape), reversed(strides), strict=True)
    ]
    array = (_Dimension * len(shape))(*dimensions)
    return _Buffer(0, None, argument.address, 0, _Type(2, 32, 1), len(shape), array, None)
