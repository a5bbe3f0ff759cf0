"""ONNX Runtime's CPU provider, by IO binding to memory that is allocated once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime

from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy, output_arrays
from benchmarks.models import Model


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = setup.threads
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model.path), options, providers=["CPUExecutionProvider"]
        )
        self._inputs: list[Array] = []
        self._outputs = output_arrays(model)
        self._binding = self._session.io_binding()
        for tensor in model.outputs:
            self._binding.bind_output(
                tensor.name, "cpu", 0, tensor.dtype, tensor.shape, self._pointer(tensor.name)
            )

    def version(self) -> str:
        """Return the version of the engine."""
        return onnxruntime.__version__

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        for name, array in inputs.items():
            copy = aligned_copy(array)
            self._inputs.append(copy)
            self._binding.bind_input(name, "cpu", 0, copy.dtype, copy.shape, copy.ctypes.data)

    def run(self, count: int) -> float:
        """Compute ``count`` times."""
        # The object below Python's wrapper: the wrapper looks up its arguments in each call.
        run, binding = self._session._sess.run_with_iobinding, self._binding._iobinding
        start = time.perf_counter()
        for _ in range(count):
            run(binding, None)
        return time.perf_counter() - start

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return {name: np.array(array) for name, array in self._outputs.items()}

    def _pointer(self, name: str) -> int:
        return self._outputs[name].ctypes.data
