"""Whole networks on a device: how much of them is there, what is copied, whether it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from device_programs import device_text
from ptxas import assembled
from published import Published

from autodeploy import CompileOptions, compile_model
from autodeploy.dialects.driver import TransferOp
from autodeploy.dialects.driver.memory import is_on_device
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.compared import error_between
from benchmarks.models import Model

ERROR = 1e-5
"""The largest error of an output, relative to its largest number."""

SHARE = 0.98
"""The least part of the kernels that are on the device."""


@dataclass(frozen=True)
class Placed:
    """A network on a device: kernels in all and there, copies to it and from it, the error.

    ``again`` are the values that are copied twice in a direction, ``reasons`` say of the other
    kernels why they are on the processor.
    """

    kernels: int
    on_device: int
    to_device: int
    from_device: int
    again: int
    error: float
    reasons: tuple[str | None, ...] = ()

    @property
    def is_right(self) -> bool:
        """Return whether the numbers are right, and as much as can be is on the device.

        Kernels in a loop or a choice belong to the processor.
        """
        able = self.kernels - self.reasons.count("it is in a loop or a choice")
        return (
            self.error <= ERROR
            and not self.again
            and None not in self.reasons
            and self.on_device >= SHARE * able
        )


def placed(model: Model, device: str, folder: Path) -> Placed:
    """Run a network on a device and return what came of it.

    One that ends with a Softmax is run without it, as the scores of some are too far apart.
    """
    model = model.checked or model
    return run_placed(model.path.read_bytes(), model.random_inputs(), device, folder)


def placed_published(network: Published, path: Path, device: str, folder: Path) -> Placed:
    """Run a published network, which lies in a file, on a device and return what came of it."""
    model = network.model(path)
    inputs, least = network.inputs(model), 1.0 if network.scores else 0.0
    return run_placed(model.SerializeToString(), inputs, device, folder, network.shapes, least)


def run_placed(
    model: bytes,
    inputs: Mapping[str, np.ndarray],
    device: str,
    folder: Path,
    shapes: Mapping[str, Sequence[int]] | None = None,
    least: float = 0,
) -> Placed:
    """Compile and run a model, and compare it with onnxruntime.

    Errors are relative to the largest number of an output, but to ``least`` if that is larger.
    """
    machine = f"host:device={device}"
    report = compile_model(
        model, folder, CompileOptions(machine=machine, jobs=1, shapes=shapes or {})
    )
    with load_bundle(folder) as session:
        found = session.run(inputs)
    right = _reference(model).run(list(found), dict(inputs))
    ((_, module),) = report.programs
    copies = [op for op in module.walk() if isinstance(op, TransferOp)]
    to_device = sum(is_on_device(op.target) for op in copies)
    kernels = report.manifest.kernels
    return Placed(
        len(kernels),
        sum(kernel.on_device for kernel in kernels),
        to_device,
        len(copies) - to_device,
        len(copies) - len({op.source for op in copies}),
        max(_error(a, b, least) for a, b in zip(found.values(), right, strict=True)),
        tuple(kernel.on_host for kernel in kernels if not kernel.on_device),
    )


def _reference(model: bytes) -> onnxruntime.InferenceSession:
    """Return onnxruntime, which would sum codes as floats if it fused their operators."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if any(node.op_type == "QuantizeLinear" for node in onnx.load_from_string(model).graph.node):
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _error(found: np.ndarray, right: np.ndarray, least: float) -> float:
    error = error_between(found, right)
    largest = float(np.abs(right).max(initial=0))
    return error * largest / least if 0 < largest < least else error


def registers(model: Model, device: str, architecture: str, folder: Path) -> tuple[int, int]:
    """Return the kernels of a network for CUDA, and those whose values do not fit into registers.

    The assembler must take all of them.
    """
    compile_model(model.path, folder, CompileOptions(machine=f"x86-64:device={device}", jobs=1))
    text = device_text(folder)
    found = assembled(text, architecture)
    assert len(found) == text.count(".entry ")
    return len(found), sum(memory != (0, 0) for memory in found.values())
