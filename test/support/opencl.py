"""Whether this machine has a device by OpenCL."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import pytest

WHERE_FROM = "OpenCL finds no device here; Debian's package pocl-opencl-icd is one"


@cache
def has_device() -> bool:
    """Return whether OpenCL finds a platform."""
    try:
        library = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return False
    count = ctypes.c_uint32(0)
    return library.clGetPlatformIDs(0, None, ctypes.byref(count)) == 0 and count.value > 0


needs_opencl = pytest.mark.skipif(not has_device(), reason=WHERE_FROM)


def opencl_library() -> Path:
    """Return the file of OpenCL's library, which is there."""
    ctypes.CDLL("libOpenCL.so.1")
    maps = Path("/proc/self/maps").read_text().splitlines()
    return next(Path(line.split()[-1]) for line in maps if "libOpenCL.so" in line)
