"""The C functions of `runtime/library` on NumPy arrays."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

import autodeploy
from autodeploy.toolchain.compiler import find_c_compiler, run

RUNTIME = Path(autodeploy.__file__).parent / "runtime"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-O1", "-fPIC")
_CODES = {"i": 0, "u": 1, "b": 1, "f": 2}


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Dimension(ctypes.Structure):
    _fields_ = (
        ("min", ctypes.c_int32),
        ("extent", ctypes.c_int32),
        ("stride", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class _Buffer(ctypes.Structure):
    _fields_ = (
        ("device", ctypes.c_uint64),
        ("interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", _Type),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(_Dimension)),
        ("padding", ctypes.c_void_p),
    )


class RefusedError(Exception):
    """A function found something that it cannot take."""


def call(
    function: str,
    inputs: Sequence[np.ndarray],
    outputs: Sequence[np.ndarray],
    parameters: Sequence[int] = (),
) -> None:
    """Let a function fill the outputs."""
    runtime = ctypes.create_string_buffer(4096)
    _library().autodeploy_runtime_init(runtime, None, ctypes.c_size_t(0))
    buffers = [_buffer(array) for array in (*map(np.ascontiguousarray, inputs), *outputs)]
    numbers = [ctypes.c_int64(number) for number in parameters]
    operands = [ctypes.byref(buffer) for buffer, _ in buffers]
    if getattr(_library(), f"autodeploy_{function}")(runtime, *operands, *numbers):
        raise RefusedError(function)


def _buffer(array: np.ndarray) -> tuple[_Buffer, object]:
    strides = [step // array.itemsize for step in array.strides]
    axes = [_Dimension(0, n, s, 0) for n, s in zip(array.shape[::-1], strides[::-1], strict=True)]
    dimensions = (_Dimension * len(axes))(*axes)
    code = _CODES.get(array.dtype.kind, 4)
    bits = 1 if array.dtype == np.bool_ else 8 * array.itemsize
    made = _Buffer(0, None, array.ctypes.data, 0, _Type(code, bits, 1), array.ndim, dimensions)
    return made, array


@cache
def _library() -> ctypes.CDLL:
    _kept.append(tempfile.TemporaryDirectory(prefix="autodeploy-library-"))
    target = Path(_kept[0].name) / "library.so"
    sources = [RUNTIME / "halide_runtime.c", *sorted((RUNTIME / "library").glob("*.c"))]
    include = [f"-I{RUNTIME}", f"-I{RUNTIME / 'library'}"]
    run([*find_c_compiler(), *STRICT, "-shared", *include, *map(str, sources), "-lm",
         "-o", str(target)])  # fmt: skip
    return ctypes.CDLL(str(target))


_kept: list[tempfile.TemporaryDirectory[str]] = []
