"""MKL's packed single-precision product, for networks of nothing but products.

``cblas_sgemm_pack`` packs the weights once, ``cblas_sgemm_compute`` multiplies by them; a loop in C
calls it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from autodeploy.toolchain.compiler import find_c_compiler, run
from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy, output_arrays
from benchmarks.models import Model

_LOOP = Path(__file__).with_name("mkl_loop.c")
_ROW_MAJOR, _PLAIN, _RIGHT = 101, 111, 162


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``. It has as many threads as ``MKL_NUM_THREADS`` says."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        self._library = ctypes.CDLL(str(_find_library()))
        graph = onnx.load(model.path).graph
        if any(node.op_type != "MatMul" for node in graph.node):
            raise RuntimeError("MKL computes products alone")
        weights = {tensor.name: tensor for tensor in graph.initializer}
        matrices = [numpy_helper.to_array(weights[node.input[1]]) for node in graph.node]
        self._rows = model.inputs[0].shape[0]
        self._inner, self._columns = matrices[0].shape
        self._packed = [self._pack(matrix) for matrix in matrices]
        arrays = output_arrays(model)
        self._outputs = {node.output[0]: arrays[node.output[0]] for node in graph.node}
        folder.mkdir(parents=True, exist_ok=True)
        library = folder.resolve() / "loop.so"
        source = [*find_c_compiler(), "-std=c99", "-O2", "-fPIC", "-shared", str(_LOOP)]
        run([*source, "-o", str(library)])
        self._loop = ctypes.CDLL(str(library))
        self._loop.loop_run.restype = ctypes.c_double
        self._input: Array | None = None

    def version(self) -> str:
        """Return the version of the engine."""
        return version("mkl")

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        (self._input,) = (aligned_copy(array) for array in inputs.values())

    def run(self, count: int) -> float:
        """Compute ``count`` times."""
        assert self._input is not None
        return self._loop.loop_run(
            ctypes.cast(self._library.cblas_sgemm_compute, ctypes.c_void_p),
            *(ctypes.c_int(n) for n in (self._rows, self._columns, self._inner)),
            ctypes.c_void_p(self._input.ctypes.data),
            _pointers(self._packed),
            _pointers(list(self._outputs.values())),
            ctypes.c_int(len(self._packed)),
            ctypes.c_long(count),
        )

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return {name: np.array(array) for name, array in self._outputs.items()}

    def _pack(self, matrix: Array) -> Array:
        size = self._library.cblas_sgemm_pack_get_size
        size.restype = ctypes.c_size_t
        sizes = [ctypes.c_int(n) for n in (self._rows, self._columns, self._inner)]
        packed = engine.aligned((size(ctypes.c_int(_RIGHT), *sizes),), np.dtype(np.uint8))
        kept = np.ascontiguousarray(matrix, np.float32)
        self._library.cblas_sgemm_pack(
            *(ctypes.c_int(n) for n in (_ROW_MAJOR, _RIGHT, _PLAIN)),
            *sizes,
            ctypes.c_float(1.0),
            ctypes.c_void_p(kept.ctypes.data),
            ctypes.c_int(self._columns),
            ctypes.c_void_p(packed.ctypes.data),
        )
        return packed


def _find_library() -> Path:
    """Return MKL's single library, which the package puts beside those of the system's prefix."""
    for folder in ("lib", "Library/bin"):
        for pattern in ("libmkl_rt.so*", "libmkl_rt*.dylib", "mkl_rt*.dll"):
            found = sorted((Path(sys.prefix) / folder).glob(pattern))
            if found:
                return found[-1]
    raise RuntimeError(f"there is no libmkl_rt below {sys.prefix}")


def _pointers(arrays: list[Array]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
