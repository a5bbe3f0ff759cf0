"""tinygrad on a device, recorded by its JIT; inputs are written and outputs read in each run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from tinygrad import Tensor, TinyJit
from tinygrad.helpers import DEV
from tinygrad.nn.onnx import OnnxRunner

from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from benchmarks import engine
from benchmarks.engine import Array, Setup, aligned_copy
from benchmarks.models import Model

_NAMES = {"opencl": "CL", "cuda": "CUDA"}
_RECORDED = 3
"""Runs until all is recorded: the first two are not yet the JIT's."""


class Engine(engine.Engine):
    """See ``benchmarks.engine.Engine``."""

    def __init__(self, model: Model, setup: Setup, folder: Path):
        device = Machine.parse(setup.machine).device
        if not device or DEVICES[device].api not in _NAMES:
            raise ValueError("tinygrad is compared on devices: --machine host:device=opencl")
        DEV.value = _NAMES[DEVICES[device].api]
        network = OnnxRunner(model.path)

        def compute(**inputs: Tensor) -> dict[str, Tensor]:
            results = {name: result.contiguous() for name, result in network(inputs).items()}
            Tensor.realize(*results.values())
            return results

        self._compute = TinyJit(compute)
        self.bind(model.random_inputs())
        self.run(_RECORDED)

    def version(self) -> str:
        """Return the version of the engine."""
        return version("tinygrad")

    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them."""
        self._inputs = {name: aligned_copy(array) for name, array in inputs.items()}

    def run(self, count: int) -> float:
        """Compute ``count`` times."""
        start = time.perf_counter()
        for _ in range(count):
            inputs = {name: Tensor(array).realize() for name, array in self._inputs.items()}
            self._outputs = {
                name: result.numpy() for name, result in self._compute(**inputs).items()
            }
        return time.perf_counter() - start

    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""
        return dict(self._outputs)
