"""The shared library of a bundle, and the weights that it is given."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.toolchain.fixed_call import Array, aligned


class Options(ctypes.Structure):
    """``<model>_options`` of the generated header."""

    _fields_ = [
        ("weights_path", ctypes.c_char_p),
        ("weights", ctypes.c_void_p),
        ("weights_bytes", ctypes.c_size_t),
        ("arena", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_size_t),
        ("context", ctypes.c_void_p),
        ("context_bytes", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("flush_subnormals", ctypes.c_int),
        ("message", ctypes.c_char_p),
        ("message_bytes", ctypes.c_size_t),
        # ``machine`` of several programs, then ``device`` and ``cache``: those that there are. Or
        # addresses and sizes of up to 6 pools, which are parts of the arena here.
        ("choices", ctypes.c_char_p * 12),
    ]


def names_of_choices(
    folder: Path,
    manifest: Manifest,
    machine: str | None,
    device: str | None,
    cache: str | os.PathLike[str] | None,
) -> tuple[str | None, ...]:
    """Return the ``choices`` of a program; raises ``UserError`` for one that it has not."""
    machines = [variant.machine for variant in manifest.for_machines] or [manifest.machine]
    devices = [one.device_api for one in machines if one is not None and one.device]
    if device is not None and not devices:
        raise UserError(f"bundle '{folder}' has no device, found device '{device}'")
    if cache is not None and "opencl" not in devices:
        raise UserError(f"bundle '{folder}' has no device by OpenCL, found cache '{cache}'")
    found = [machine] if manifest.for_machines else []
    found += [device] if devices else []
    found += [None if cache is None else os.fspath(cache)] if "opencl" in devices else []
    return tuple(found)


def flush_option(flush: bool | None) -> int:
    """Return the value of ``flush_subnormals`` in the options of the C program."""
    return 0 if flush is None else 1 if flush else -1


def read_weights(path: Path) -> Array | None:
    """Return the weight file in memory; ``None`` if the program is to say what is wrong with it."""
    try:
        size = path.stat().st_size
        memory = aligned(size)
        with path.open("rb", buffering=0) as file:
            view, done = memory.data, 0
            while done < size and (count := file.readinto(view[done:])):
                done += count
        return memory if done == size and size else None
    except OSError:
        return None


def is_current(library: Path, sources: Sequence[Path]) -> bool:
    """Return whether a library is there and no older than its sources."""
    try:
        built = library.stat().st_mtime_ns
        return all(source.stat().st_mtime_ns <= built for source in sources)
    except OSError:
        return False


def load_library(library: Path) -> ctypes.CDLL:
    """Load a copy of the library: the loader would give back an older build of the same path."""
    try:
        with tempfile.TemporaryDirectory(prefix="autodeploy-") as folder:
            copy = Path(folder) / library.name
            shutil.copyfile(library, copy)
            return ctypes.CDLL(str(copy))
    except OSError as error:
        raise ToolchainError(f"library '{library}' cannot be loaded: {error}") from None
