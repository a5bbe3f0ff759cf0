"""The program that times one kernel: how it is built."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.build_files import DEVICE_SOURCES
from autodeploy.dialects.halide.types import BufferType
from autodeploy.machine.devices import Api
from autodeploy.toolchain.compiler import find_c_compiler, run

SYMBOL = "autodeploy_candidate"
"""The C function of a candidate."""

_SOURCE = Path(__file__).with_name("measure.c")
_DEVICE_SOURCE = Path(__file__).with_name("measure_device.c")
_RUNTIME = Path(__file__).parents[1] / "runtime"
_RUNTIME_FILES = ("autodeploy_memory.c", "halide_runtime.c", "autodeploy_pool.c")
_PROCESSOR = (_SOURCE, *(_RUNTIME / name for name in _RUNTIME_FILES))
_FLAGS = ("-std=c99", "-O2", "-U_FORTIFY_SOURCE", f"-I{_RUNTIME}")
_PROGRAM, _BUFFERS, _DATA = "candidate", "buffers.txt", "data.bin"

CANDIDATE_FILES = (_PROGRAM, _BUFFERS, _DATA)
"""The files for a run of a candidate: the program first."""

RESULTS = "results.bin"
"""The results of its first call."""

ON_DEVICE = 0
"""The threads of a kernel that a device runs."""

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
    """Builds programs; what they have in common is compiled once, in ``folder``.

    ``compiler`` is the command of the C compiler; where there is none it is that for this machine.
    """

    def __init__(self, folder: Path, compiler: Sequence[str] = ()):
        self.folder = folder
        self._compiler = list(compiler) or find_c_compiler()

    def prepare(self) -> None:
        """Compile what programs have in common; raises ``ToolchainError``."""
        self._common(_PROCESSOR)

    def link(
        self,
        folder: Path,
        objects: Sequence[Path],
        buffers: Sequence[Buffer],
        data: Sequence[npt.NDArray[np.generic]],
    ) -> None:
        """Build the program of a candidate in ``folder``, and write what it reads."""
        call = folder / "call.c"
        call.write_text(_call_text(len(buffers)))
        self._link(folder, (call, *objects, *self._common(_PROCESSOR)), buffers, data)

    def link_device(
        self,
        folder: Path,
        api: Api,
        source: str,
        buffers: Sequence[Buffer],
        data: Sequence[npt.NDArray[np.generic]],
    ) -> None:
        """Build the program of a candidate on a device; ``source`` is that of its kernel."""
        call = folder / "call.c"
        call.write_text(source)
        sources = (_DEVICE_SOURCE, *(_RUNTIME / name for name in DEVICE_SOURCES[api]))
        self._link(folder, (call, *self._common(sources)), buffers, data)

    def _link(
        self,
        folder: Path,
        parts: Sequence[Path],
        buffers: Sequence[Buffer],
        data: Sequence[npt.NDArray[np.generic]],
    ) -> None:
        (folder / _BUFFERS).write_text("\n".join([*(b.line() for b in buffers), ""]))
        with (folder / _DATA).open("wb") as file:
            for array in data:
                file.write(np.ascontiguousarray(array).tobytes())
        program = str(folder / _PROGRAM)
        libraries = ("-lm", "-ldl", "-pthread")
        run([*self._compiler, *_FLAGS, *map(str, parts), *libraries, "-o", program])

    def _common(self, sources: Sequence[Path]) -> tuple[Path, ...]:
        return tuple(map(self._compile, sources))

    def _compile(self, source: Path) -> Path:
        """Compile a source once, whichever process builds the first candidate that needs it."""
        output = self.folder / f"{source.stem}.o"
        if not output.exists():
            partial = output.with_suffix(f".{os.getpid()}.o")
            run([*self._compiler, *_FLAGS, "-c", str(source), "-o", str(partial)])
            partial.replace(output)
        return output


def _call_text(arity: int) -> str:
    """Return the C function that calls a kernel of a number of buffers."""
    parameters = ", ".join(["const void *", *(arity * ["struct halide_buffer_t *"])])
    arguments = ", ".join(["context", *(f"buffers[{index}]" for index in range(arity))])
    return _CALL.format(symbol=SYMBOL, parameters=parameters, arguments=arguments)
