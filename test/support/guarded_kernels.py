"""Calls of compiled kernels on buffers beside pages that cannot be touched.

Kernels are compiled without bounds checks. Here every buffer ends just before such a page, or
starts just behind one, so that reading or writing out of bounds ends the process that did it.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.toolchain.compiler import find_c_compiler, run

Side = Literal["before", "behind"]

SIDES: tuple[Side, ...] = ("before", "behind")
"""Where the buffers lie: before a page that cannot be touched, or behind one."""

_PAGE = mmap.PAGESIZE
_SCRATCH_BYTES = 64 << 20
_TYPES = {"f": 2, "bf": 3, "i": 0, "ui": 1}
"""Halide's codes of element types."""

_PIPELINE = re.compile(r"halide\.pipeline @(\w+)\((.*?)\) to \((.*?)\)")
_BUFFER = re.compile(r"!halide\.buffer<([a-z]+)(\d+), \[([\d, ]*)\](?:, \[([\d, ]*)\])?>")

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


@dataclass(frozen=True)
class BufferShape:
    """A buffer of a kernel: kind and bits of an element, extents and strides innermost first."""

    kind: str
    bits: int
    extents: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """The bytes from the first element to behind the last one."""
        if 0 in self.extents:
            return 0
        last = sum((n - 1) * stride for n, stride in zip(self.extents, self.strides, strict=True))
        return (last + 1) * max(self.bits, 8) // 8


class _Dimension(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("min", "extent", "stride", "flags")]


class _Buffer(ctypes.Structure):
    """``halide_buffer_t``."""

    _fields_ = [
        ("device", ctypes.c_uint64),
        ("interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("rank", ctypes.c_int32),
        ("dim", ctypes.POINTER(_Dimension)),
        ("padding", ctypes.c_void_p),
    ]


def kernel_buffers(module: str) -> Iterator[tuple[str, list[BufferShape]]]:
    """Yield the name of each kernel of a module's text, and its buffers, inputs first."""
    for name, inputs, outputs in _PIPELINE.findall(module):
        buffers = _BUFFER.findall(f"{inputs}, {outputs}")
        yield name, [_shape(*described) for described in buffers]


def bundle_faults(folder: Path) -> dict[tuple[str, str], str]:
    """Return what ended calls of the kernels of a bundle, by kernel and side; those that ended."""
    manifest, library = Manifest.load(folder), folder / "kernels.so"
    objects = [folder / kernel.file for kernel in manifest.kernels]
    # The symbols of a bundle's own library are hidden.
    sources = [folder / "halide_runtime.c", *folder.glob("autodeploy_pool.c")]
    files = [str(path) for path in (*objects, *sources)]
    run([*find_c_compiler(), "-shared", "-fPIC", *files, "-o", str(library)], folder)
    return library_faults(library, manifest, (folder / f"{manifest.prefix}.mlir").read_text())


def library_faults(library: Path, manifest: Manifest, text: str) -> dict[tuple[str, str], str]:
    """Return what ended calls of a bundle's kernels, by kernel and side; those that ended.

    ``text`` is the bundle's module. All calls are made in one process, as a process takes longer
    than a call; where that ends, each call is made in one of its own.
    """
    symbols = {kernel.name: kernel.symbol for kernel in manifest.kernels}
    calls = {
        (kernel, side): Call(symbols[kernel], buffers, side)
        for kernel, buffers in kernel_buffers(text)
        for side in SIDES
    }
    if not end_of_calls(library, list(calls.values())):
        return {}
    ends = {name: end_of_calls(library, [call]) for name, call in calls.items()}
    return {name: end for name, end in ends.items() if end} or {("", ""): "all calls together"}


def _shape(kind: str, bits: str, extents: str, strides: str) -> BufferShape:
    shape = tuple(map(int, extents.split(", "))) if extents else ()
    dense = tuple(prod(shape[:axis]) for axis in range(len(shape)))
    given = tuple(map(int, strides.split(", "))) if strides else dense
    return BufferShape(kind, int(bits), shape, given)


class Call(NamedTuple):
    """A call of a kernel, whose buffers lie on a side of pages that cannot be touched."""

    symbol: str
    buffers: list[BufferShape]
    side: Side


def end_of_calls(library: Path, calls: Sequence[Call]) -> str:
    """Call kernels in a process of their own; return what ended that, or an empty text."""
    process = os.fork()
    if process == 0:
        faulthandler.disable()  # pytest's, which tells of every fault at length
        code = 1
        try:
            code = _call(library, calls)
        finally:
            os._exit(code & 0xFF)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status < 0:
        return signal.Signals(-status).name
    return f"code {status}" if status else ""


def _call(library: Path, calls: Sequence[Call]) -> int:
    functions = ctypes.CDLL(str(library))
    runtime = ctypes.create_string_buffer(8192)
    scratch = np.empty(_SCRATCH_BYTES, np.uint8)
    for symbol, shapes, side in calls:
        functions.autodeploy_runtime_init(
            runtime, ctypes.c_void_p(scratch.ctypes.data), ctypes.c_size_t(scratch.nbytes)
        )
        made = [_buffer(shape, side) for shape in shapes]
        if code := functions[symbol](runtime, *(ctypes.byref(buffer) for buffer in made)):
            return code
    return 0


def _buffer(shape: BufferShape, side: Side) -> _Buffer:
    """Return a buffer of zeros, which are valid numbers, indices and conditions."""
    pages = -(-max(shape.bytes, 1) // _PAGE) * _PAGE
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    start = _libc.mmap(None, pages + 2 * _PAGE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    for guard in (start, start + _PAGE + pages):
        assert _libc.mprotect(guard, _PAGE, 0) == 0
    host = start + _PAGE + (pages - shape.bytes if side == "before" else 0)
    dimensions = (_Dimension * max(len(shape.extents), 1))()
    for axis, (extent, stride) in enumerate(zip(shape.extents, shape.strides, strict=True)):
        dimensions[axis].extent, dimensions[axis].stride = extent, stride
    return _Buffer(
        host=host,
        code=_TYPES["ui" if shape.bits == 1 else shape.kind],
        bits=shape.bits,
        lanes=1,
        rank=len(shape.extents),
        dim=dimensions,
    )
