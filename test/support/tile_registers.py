"""Programs with tile registers (AMX) on processors without them, done by ``tile_registers.c``."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

from autodeploy import CompileOptions, Session, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.session import load_bundle

MACHINE = "x86-64-sapphirerapids"

_CHECK = "static inline const char *autodeploy_cpu_lacks(const char *const *names, int count)\n{\n"


def obstacle() -> str | None:
    """Return why kernels for tile registers do not run here: vectors are those of the processor."""
    host = Machine.host()
    return None if "avx512_zen4" in host.features else "this machine has no AVX-512 with VNNI"


@contextmanager
def opened(model: bytes, options: CompileOptions) -> Iterator[Session]:
    """Compile a model for a machine with tile registers, and open its program here."""
    with tempfile.TemporaryDirectory() as folder:
        compile_model(model, folder, options)
        if Machine.host().obstacle(Machine.parse(options.machine)) is None:
            with load_bundle(folder) as session:
                yield session
            return
        header = Path(folder, "autodeploy_cpu.h")
        text = header.read_text()
        assert _CHECK in text
        header.write_text(text.replace(_CHECK, f"{_CHECK}    if (count >= 0) return NULL;\n"))
        with patch.object(Machine, "obstacle", return_value=None), load_bundle(folder) as session:
            _library().tile_registers_catch()
            yield session


def instructions_done() -> int | None:
    """Return how many instructions were caught so far; ``None`` if the processor has them all."""
    if Machine.host().obstacle(Machine.parse(MACHINE)) is None:
        return None
    return ctypes.c_ulong.in_dll(_library(), "tile_registers_count").value


@cache
def _library() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "tile_registers.so")
        source = str(Path(__file__).with_suffix(".c"))
        flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC"]
        run([*find_c_compiler(), *flags, source, "-lm", "-o", str(made)])
        return ctypes.CDLL(str(made))
