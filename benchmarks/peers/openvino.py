"""OpenVINO's CPU plugin, one infer request with tensors over memory that is allocated once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import openvino

from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy, output_arrays
from benchmarks.models import Model


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            # Else bf16 on processors that have it.
            "INFERENCE_PRECISION_HINT": setup.precision,
            "INFERENCE_NUM_THREADS": setup.threads,
            "NUM_STREAMS": 1,
        }
        self._compiled = openvino.Core().compile_model(str(model.path), "CPU", settings)
        self._request = self._compiled.create_infer_request()
        self._kept: list[Array] = []
        self._outputs = output_arrays(model)
        for name, array in self._outputs.items():
            self._request.set_tensor(name, openvino.Tensor(array, shared_memory=True))

    def version(self) -> str:
        """Return the version of the engine."""
        return openvino.__version__.split("-")[0]

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        for name, array in inputs.items():
            copy = aligned_copy(array)
            self._kept.append(copy)
            self._request.set_tensor(name, openvino.Tensor(copy, shared_memory=True))

    def run(self, count: int) -> float:
        """Compute ``count`` times."""
        # ``infer`` of the wrapper also gathers the outputs into a dictionary; these two do not.
        begin, wait = self._request.start_async, self._request.wait
        start = time.perf_counter()
        for _ in range(count):
            begin()
            wait()
        return time.perf_counter() - start

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return {name: np.array(array) for name, array in self._outputs.items()}
