"""Compiled kernels in a library, called with NumPy arrays."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import ml_dtypes
import numpy as np

from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.dialects.nn.types import ELEMENT_NAMES

RUNTIME = Path(find_spec("autodeploy").submodule_search_locations[0]) / "runtime"
CXX = os.environ.get("CXX") or shutil.which("g++")


class Dimension(ctypes.Structure):
    _fields_ = (
        ("min", ctypes.c_int32),
        ("extent", ctypes.c_int32),
        ("stride", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class Buffer(ctypes.Structure):
    """``halide_buffer_t``; kernels without assertions look at ``host`` only."""

    _fields_ = (
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", ctypes.c_uint32),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(Dimension)),
        ("padding", ctypes.c_void_p),
    )


class Runtime(ctypes.Structure):
    """``struct autodeploy_runtime``."""

    _fields_ = (
        ("scratch", ctypes.c_void_p),
        ("scratch_bytes", ctypes.c_size_t),
        ("used", ctypes.c_size_t),
        ("newest", ctypes.c_size_t),
        ("peak", ctypes.c_size_t),
        ("parallel_for", ctypes.c_void_p),
        ("pool", ctypes.c_void_p),
        ("failed", ctypes.c_int),
        ("message", ctypes.c_char * 160),
    )


def link(output: Path, files: Sequence[Path]) -> ctypes.CDLL:
    runtime = output.with_suffix(".runtime.o")
    c = ["-x", "c", "-std=c99", "-c", "-fPIC", RUNTIME / "halide_runtime.c", "-o", runtime]
    subprocess.run([CXX, *c], check=True)
    subprocess.run([CXX, "-shared", "-fPIC", *files, runtime, "-lm", "-o", output], check=True)
    return ctypes.CDLL(str(output))


def dtype(kernel: CompiledKernel, index: int) -> np.dtype:
    name = ELEMENT_NAMES[kernel.arguments[index].type.element]
    return np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)


def memory(kernel: CompiledKernel, index: int) -> np.ndarray:
    """Return zeroed memory for a buffer, as one row of elements; only outputs are aligned."""
    argument = kernel.arguments[index]
    type_, element = argument.type, dtype(kernel, index)
    span = 1 + sum((e - 1) * s for e, s in zip(type_.extents, type_.strides, strict=True))
    raw = np.zeros(span * element.itemsize + 2 * 64, np.uint8)
    start = -raw.ctypes.data % 64 + (0 if argument.is_output else element.itemsize)
    return raw[start : start + span * element.itemsize].view(element)


def call(
    library: ctypes.CDLL, symbol: str, kernel: CompiledKernel, inputs: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Run a kernel and return its outputs' memory; the scratch memory is as large as it said."""
    outputs = [memory(kernel, i) for i, a in enumerate(kernel.arguments) if a.is_output]
    buffers = []
    for argument, array in zip(kernel.arguments, [*inputs, *outputs], strict=True):
        extents, strides = argument.type.extents, argument.type.strides
        dims = [Dimension(0, e, s, 0) for e, s in zip(extents, strides, strict=True)]
        rank = len(dims)
        dim = (Dimension * rank)(*dims)
        buffers.append(Buffer(0, None, array.ctypes.data, 0, 0, rank, dim, None))
    scratch = ctypes.create_string_buffer(max(1, kernel.scratch_bytes))
    runtime = Runtime()
    library.autodeploy_runtime_init(
        ctypes.byref(runtime), scratch, ctypes.c_size_t(kernel.scratch_bytes)
    )
    result = library[symbol](ctypes.byref(runtime), *map(ctypes.byref, buffers))
    assert (result, runtime.failed, runtime.used) == (0, 0, 0)
    assert runtime.peak <= kernel.scratch_bytes
    return outputs
