"""autodeploy itself: the model compiled for this machine, its C function called from C."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.template import tool_version
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make
from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy, output_arrays
from benchmarks.models import Model

_LOOP = Path(__file__).with_name("autodeploy_loop.c")
_MESSAGE_BYTES = 1024
_MOST_RUNS = 1_000_000


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        self._bundle = folder.resolve() / "bundle"
        costs = Machine.parse(setup.machine).costs
        is_faster = max(costs.bfloat16_rate, costs.amx_rate) > 1
        # Where all outputs are one, none may hold a tensor while another one is written.
        options = CompileOptions(
            threads=setup.threads,
            level=setup.level,
            machine=setup.machine,
            precision=setup.precision if is_faster else Setup.precision,
            results_only=model.one_output,
        )
        compile_model(model.path, self._bundle, options)
        self._manifest = Manifest.load(self._bundle)
        self._model = model
        self._threads = setup.threads
        self._loop = ctypes.CDLL(str(_build_loop(self._bundle, self._manifest, folder)))
        self._loop.loop_open.restype = ctypes.c_void_p
        self._loop.loop_run.restype = ctypes.c_double
        self._loop.loop_error.restype = ctypes.c_char_p
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        context = self._loop.loop_open(
            os.fsencode(self._weights), setup.threads, message, ctypes.c_size_t(_MESSAGE_BYTES)
        )
        if context is None:
            raise RuntimeError(message.value.decode(errors="replace"))
        self._context = ctypes.c_void_p(context)
        self._inputs: list[Array] = []
        self._outputs = list(output_arrays(model).values())

    def version(self) -> str:
        """Return the version of the engine."""
        return tool_version()

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        self._inputs = [aligned_copy(inputs[tensor.name]) for tensor in self._model.inputs]
        self._input_pointers = _pointers(self._inputs)
        self._output_pointers = _pointers(self._outputs)

    def run(self, count: int) -> float:
        """Compute ``count`` times."""
        seconds = self._loop.loop_run(
            self._context, self._input_pointers, self._output_pointers, ctypes.c_long(count)
        )
        if seconds < 0:
            raise RuntimeError(self._loop.loop_error(self._context).decode(errors="replace"))
        return seconds

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return {
            tensor.name: np.array(array)
            for tensor, array in zip(self._model.outputs, self._outputs, strict=True)
        }

    def program(self, seconds: float) -> dict[str, float]:
        """Return what the bundle's own demo program measures: minimum and median in seconds."""
        once = self.run(1)
        runs = min(max(3, int(seconds / once)), _MOST_RUNS)
        files: list[str] = []
        for index, array in enumerate(self._inputs):
            path = self._bundle.with_name(f"input{index}.bin")
            array.tofile(path)
            files.append(str(path))
        run_make(self._bundle)
        program = str(self._bundle / self._manifest.prefix)
        settings = ["--bench", str(runs), "--threads", str(self._threads)]
        text = run([program, str(self._weights), *files, *settings])
        found = re.search(r"min ([\d.]+) ms, median ([\d.]+) ms", text)
        if found is None:
            raise RuntimeError("the demo program printed no times")
        return {"minimum": float(found[1]) * 1e-3, "median": float(found[2]) * 1e-3}

    @property
    def _weights(self) -> Path:
        return self._bundle / self._manifest.weights.file


def _build_loop(bundle: Path, manifest: Manifest, folder: Path) -> Path:
    """Link the bundle's library and the loop to a shared object."""
    archive = f"lib{manifest.prefix}.a"
    run_make(bundle, [archive])
    compiled, library = (folder.resolve() / name for name in ("loop.o", "loop.so"))
    names = [f'-DLOOP_HEADER="{manifest.prefix}.h"', f"-DLOOP_MODEL={manifest.prefix}"]
    command = [*find_c_compiler(), "-std=c99", "-O2", "-fPIC", *names, f"-I{bundle}"]
    run([*command, "-c", str(_LOOP), "-o", str(compiled)])
    is_cxx = any(kernel.file.endswith(".cpp") for kernel in manifest.kernels)
    linker = find_cxx_compiler() if is_cxx else find_c_compiler()
    flags = ["-shared", "-Wl,-Bsymbolic", "-pthread"]
    run([*linker, *flags, str(compiled), str(bundle / archive), "-lm", "-o", str(library)])
    return library


def _pointers(arrays: Sequence[Array]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
