"""A library of CUDA's driver without a GPU, whose kernels are run by ``ptx_run``."""

from __future__ import annotations

import atexit
import ctypes
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from ptx_program import PtxProgram, read_ptx
from ptx_run import run_kernel

from autodeploy.toolchain.compiler import find_c_compiler, run

NAME = "libcuda.so.1"

needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="a library takes the place of libcuda.so.1"
)

_ADDRESS = ctypes.c_uint64
_COUNTS = ctypes.POINTER(ctypes.c_uint)
_RUNNER = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, _COUNTS, _COUNTS, ctypes.POINTER(_ADDRESS)
)


def build_fake_cuda(folder: Path) -> Path:
    """Return the library, made in a folder; programs find it there by ``LD_LIBRARY_PATH``."""
    made = folder / NAME
    source = str(Path(__file__).with_suffix(".c"))
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-shared", "-fPIC", f"-Wl,-soname,{NAME}"]
    run([*find_c_compiler(), *flags, source, "-pthread", "-o", str(made)])
    return made


class CallerArray:
    """An array of another library in memory of the device, which DLPack passes on."""

    def __init__(self, library: ctypes.CDLL, address: int, values: np.ndarray) -> None:
        self._library, self._address = library, ctypes.c_uint64(address)
        cells = (ctypes.c_uint8 * values.nbytes).from_address(address)
        self.values = np.frombuffer(cells, values.dtype).reshape(values.shape)
        self.values[...] = values

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, *, stream: int | None = None) -> object:
        assert stream == 1
        return self.values.__dlpack__()

    def close(self) -> None:
        self._library.fake_cuda_free(self._address)


class FakeCuda:
    """The library in this process: later programs that ask for CUDA's get it, too."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="autodeploy-cuda-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.library = ctypes.CDLL(str(build_fake_cuda(Path(folder))))
        self.faults: list[Exception] = []
        """What kernels did that they must not."""
        self._programs: dict[bytes, PtxProgram] = {}
        self._runner = _RUNNER(self._run)
        self.library.fake_cuda_runs(self._runner)

    @property
    def left(self) -> int:
        """Return how many objects nobody has given back."""
        return self.library.fake_cuda_left()

    @property
    def legacy_waits(self) -> int:
        """Return how often a program has waited for the queue that all threads share."""
        return self.library.fake_cuda_legacy_waits()

    def array(self, values: np.ndarray) -> CallerArray:
        """Return an array of a caller in memory of the device."""
        allocate = self.library.fake_cuda_allocate
        allocate.restype = ctypes.c_uint64
        return CallerArray(self.library, allocate(ctypes.c_size_t(values.nbytes)), values)

    def _run(self, text: int, entry: bytes, grid: object, block: object, arguments: object) -> int:
        try:
            content = ctypes.string_at(text)
            if content not in self._programs:
                self._programs = {content: read_ptx(content.decode("latin1"))}
            program, name = self._programs[content], entry.decode()
            count = len(program.kernels[name].parameters)
            given = arguments[:count]  # type: ignore[index]
            run_kernel(program, name, grid[:3], block[:3], self._memory(), given)  # type: ignore[index]
        except Exception as error:  # it would be lost in a function that C calls
            self.faults.append(error)
            return 700
        return 0

    def _memory(self) -> list[tuple[int, np.ndarray]]:
        at, size = _ADDRESS(), ctypes.c_size_t()
        found: list[tuple[int, np.ndarray]] = []
        while self.library.fake_cuda_memory(len(found), ctypes.byref(at), ctypes.byref(size)):
            cells = (ctypes.c_uint8 * size.value).from_address(at.value)
            found.append((at.value, np.ctypeslib.as_array(cells)))
        return found


@cache
def fake_cuda() -> FakeCuda:
    """Return the one of this process."""
    return FakeCuda()
