"""The program that times one kernel: how it is built and run, with limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.halide.types import BufferType
from autodeploy.runner.program import Job, Limits, costs_of, run_job
from autodeploy.toolchain.compiler import find_c_compiler, run

SYMBOL = "autodeploy_candidate"
"""The C function of a candidate."""

_SOURCE = Path(__file__).with_name("measure.c")
_RUNTIME = Path(__file__).parents[1] / "runtime"
_RUNTIME_FILES = ("autodeploy_memory.c", "halide_runtime.c", "autodeploy_pool.c")
_FLAGS = ("-std=c99", "-O2", "-U_FORTIFY_SOURCE", f"-I{_RUNTIME}")
_PROGRAM, _BUFFERS, _DATA = "candidate", "buffers.txt", "data.bin"

CANDIDATE_FILES = (_PROGRAM, _BUFFERS, _DATA)
"""The files for a run of a candidate: the program first."""

RESULTS = "results.bin"
"""The results of its first call."""

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
    """The contents of a buffer, as the program reads them."""

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


class Harness:
    """Builds and runs programs; what they have in common is compiled once, in ``folder``.

    ``compiler`` is the command of the C compiler; where there is none it is that for this machine.
    """

    def __init__(self, folder: Path, compiler: Sequence[str] = ()):
        self.folder = folder
        self._compiler = list(compiler) or find_c_compiler()
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
        run([*self._compiler, *_FLAGS, *parts, "-lm", "-pthread", "-o", program])

    def run(
        self,
        folder: Path,
        scratch_bytes: int,
        worker_scratch_bytes: int,
        threads: int,
        between: int,
        limits: Limits,
        launcher: Sequence[str] = (),
    ) -> list[float]:
        """Run the program of ``folder``, and return the seconds of a call, a number a batch.

        ``between`` are the bytes that are touched from one call to the next. Raises
        ``RunFailedError`` if it crashes, hangs or takes too much memory.
        """
        job = made_job(scratch_bytes, worker_scratch_bytes, threads, between, limits, launcher)
        return list(costs_of(run_job(job, folder)))

    @staticmethod
    def results(folder: Path) -> bytes:
        """Return the bytes of all results of the first call."""
        return (folder / RESULTS).read_bytes()

    def _compile_common(self) -> tuple[Path, ...]:
        sources = [_SOURCE, *(_RUNTIME / name for name in _RUNTIME_FILES)]
        return tuple(self._compile(source) for source in sources)

    def _compile(self, source: Path) -> Path:
        output = self.folder / f"{source.stem}.o"
        run([*self._compiler, *_FLAGS, "-c", str(source), "-o", str(output)])
        return output


def made_job(
    scratch_bytes: int,
    worker_scratch_bytes: int,
    threads: int,
    between: int,
    limits: Limits,
    launcher: Sequence[str] = (),
) -> Job:
    """Return how the program of a candidate is run in its folder."""
    numbers = (scratch_bytes, worker_scratch_bytes, threads, between, limits.batches)
    most = (str(min(seconds, 1e9)) for seconds in (limits.call, limits.batch))
    arguments = (*map(str, numbers), *most)
    return Job(
        (*CANDIDATE_FILES, RESULTS, *arguments),
        limits.run,
        limits.bytes,
        threads == 1,
        tuple(launcher),
        (RESULTS,),
    )


def _call_text(arity: int) -> str:
    """Return the C function that calls a kernel of a number of buffers."""
    parameters = ", ".join(["const void *", *(arity * ["struct halide_buffer_t *"])])
    arguments = ", ".join(["context", *(f"buffers[{index}]" for index in range(arity))])
    return _CALL.format(symbol=SYMBOL, parameters=parameters, arguments=arguments)
