"""The program that times one kernel: how it is built and run, with limits."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.halide.types import BufferType
from autodeploy.toolchain.compiler import find_c_compiler, run

SYMBOL = "autodeploy_candidate"
"""The C function of a candidate."""

_SOURCE = Path(__file__).with_name("measure.c")
_RUNTIME = Path(__file__).parents[1] / "runtime"
_RUNTIME_FILES = ("halide_runtime.c", "autodeploy_pool.c")
_FLAGS = ("-std=c99", "-O2", "-U_FORTIFY_SOURCE", f"-I{_RUNTIME}")
_PROGRAM, _BUFFERS, _DATA, _RESULTS = "candidate", "buffers.txt", "data.bin", "results.bin"

_CALL = """\
struct halide_buffer_t;
int {symbol}({parameters});
int autodeploy_measure_call(const void *context, struct halide_buffer_t **buffers);

int autodeploy_measure_call(const void *context, struct halide_buffer_t **buffers)
{{
    return {symbol}({arguments});
}}
"""


class Role(IntEnum):
    """What a buffer holds, as the program is told."""

    COMPUTED = 0
    WEIGHTS = 1
    RESULT = 2


@dataclass(frozen=True)
class Buffer:
    """A buffer that a kernel takes; ``own`` is the number of the one whose memory it is."""

    role: Role
    bytes: int
    own: int
    type: BufferType

    def line(self) -> str:
        """Return the line that describes it to the program."""
        extents, strides = self.type.extents, self.type.strides
        dims = (f"{e} {s}" for e, s in zip(extents, strides, strict=True))
        return " ".join([f"{self.role:d} {self.bytes} {self.own} {len(extents)}", *dims])


@dataclass(frozen=True)
class Limits:
    """What a candidate may take: seconds to build, seconds to run, bytes of memory.

    ``call`` are the seconds of one call beyond which it is not measured any further, ``batches``
    those that are spent on its batches.
    """

    build: float = 60.0
    run: float = 30.0
    bytes: int = 8 << 30
    call: float = float("inf")
    batches: float = 0.5


class RunFailedError(Exception):
    """A candidate crashed, hung or took too much memory; the text says so."""


class Harness:
    """Builds and runs programs; what they have in common is compiled once, in ``folder``."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._common = cache(self._compile_common)

    def prepare(self) -> None:
        """Compile what programs have in common; raises ``ToolchainError``."""
        self._common()

    def link(
        self,
        folder: Path,
        objects: Sequence[Path],
        buffers: Sequence[Buffer],
        data: Sequence[npt.NDArray[np.generic]],
    ) -> None:
        """Build the program of a candidate in ``folder``, and write what it reads."""
        (folder / _BUFFERS).write_text("\n".join([*(b.line() for b in buffers), ""]))
        with (folder / _DATA).open("wb") as file:
            for array in data:
                file.write(np.ascontiguousarray(array).tobytes())
        call = folder / "call.c"
        call.write_text(_call_text(len(buffers)))
        parts = map(str, (call, *objects, *self._common()))
        program = str(folder / _PROGRAM)
        run([*find_c_compiler(), *_FLAGS, *parts, "-lm", "-pthread", "-o", program])

    def run(
        self,
        folder: Path,
        scratch_bytes: int,
        worker_scratch_bytes: int,
        threads: int,
        between: int,
        limits: Limits,
    ) -> list[float]:
        """Run the program of ``folder``, and return the seconds of a call, a number a batch.

        ``between`` are the bytes that are touched from one call to the next. Raises
        ``RunFailedError`` where it crashes, hangs or takes too much memory.
        """
        command = [str(folder / name) for name in (_PROGRAM, _BUFFERS, _DATA, _RESULTS)]
        numbers = (scratch_bytes, worker_scratch_bytes, threads, between, limits.batches)
        command += [*map(str, numbers), str(min(limits.call, 1e9))]
        try:
            result = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=limits.run,
                preexec_fn=_limited(limits, threads),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RunFailedError(f"no end after {limits.run:g} s") from None
        if result.returncode:
            said = result.stderr.decode(errors="replace").strip().splitlines()
            raise RunFailedError(said[-1] if said else ended(result.returncode))
        costs = [float(line) for line in result.stdout.split()]
        if not costs or min(costs) <= 0:
            raise RunFailedError("it measured nothing")
        return costs

    @staticmethod
    def results(folder: Path) -> bytes:
        """Return the bytes of all results of the first call."""
        return (folder / _RESULTS).read_bytes()

    def _compile_common(self) -> tuple[Path, ...]:
        sources = [_SOURCE, *(_RUNTIME / name for name in _RUNTIME_FILES)]
        return tuple(self._compile(source) for source in sources)

    def _compile(self, source: Path) -> Path:
        output = self.folder / f"{source.stem}.o"
        run([*find_c_compiler(), *_FLAGS, "-c", str(source), "-o", str(output)])
        return output


def _call_text(arity: int) -> str:
    """Return the C function that calls a kernel of a number of buffers."""
    parameters = ", ".join(["const void *", *(arity * ["struct halide_buffer_t *"])])
    arguments = ", ".join(["context", *(f"buffers[{index}]" for index in range(arity))])
    return _CALL.format(symbol=SYMBOL, parameters=parameters, arguments=arguments)


def ended(code: int) -> str:
    """Return in words how a process ended."""
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def limit_memory(limit: int) -> None:
    """Bound the address space of this process, and let it leave no core."""
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limited(limits: Limits, threads: int) -> Callable[[], None]:
    """Return what a process does before it runs a candidate: take the limits, stay on one core."""

    def prepare() -> None:
        limit_memory(limits.bytes)
        if threads == 1 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    return prepare
