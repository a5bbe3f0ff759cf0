"""Whole networks on a device: how much of them is there, what is copied, whether it is right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import onnxruntime
from device_programs import device_text
from ptxas import assembled

from autodeploy import CompileOptions, compile_model
from autodeploy.dialects.driver import TransferOp
from autodeploy.dialects.driver.memory import is_on_device
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.compared import error_between
from benchmarks.models import Model

ERROR = 1e-4
"""The largest error of an output, relative to its largest number.

A thread sums up to 25088 equal numbers, one after another.
"""

SHARE = 0.98
"""The least part of the kernels that are on the device."""


@dataclass(frozen=True)
class Placed:
    """A network on a device: kernels in all and there, copies to it and from it, the error.

    ``again`` are the values that are copied twice in a direction.
    """

    kernels: int
    on_device: int
    to_device: int
    from_device: int
    again: int
    error: float

    @property
    def is_right(self) -> bool:
        return self.error <= ERROR and not self.again and self.on_device >= SHARE * self.kernels


def placed(model: Model, device: str, folder: Path) -> Placed:
    """Run a network on a device and return what came of it.

    One that ends with a Softmax is run without it, as the scores of some are too far apart.
    """
    model = model.checked or model
    report = compile_model(
        model.path, folder, CompileOptions(machine=f"host:device={device}", jobs=1)
    )
    inputs = model.random_inputs()
    with load_bundle(folder) as session:
        found = session.run(inputs)
    reference = onnxruntime.InferenceSession(model.path, providers=["CPUExecutionProvider"])
    right = reference.run(list(found), inputs)
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
        max(error_between(a, b) for a, b in zip(found.values(), right, strict=True)),
    )


def registers(model: Model, device: str, architecture: str, folder: Path) -> tuple[int, int]:
    """Return the kernels of a network for CUDA, and those whose values do not fit into registers.

    The assembler must take all of them.
    """
    compile_model(model.path, folder, CompileOptions(machine=f"x86-64:device={device}", jobs=1))
    text = device_text(folder)
    found = assembled(text, architecture)
    assert len(found) == text.count(".entry ")
    return len(found), sum(memory != (0, 0) for memory in found.values())
