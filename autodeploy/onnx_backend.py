"""An ``onnx.backend``: models are compiled, and what runs is the C program.

``onnx.backend.test.BackendTest(autodeploy.onnx_backend, __name__)`` is ONNX's own suite for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from onnx import ModelProto, TypeProto
from onnx.backend.base import BackendRep

from autodeploy.compiler import compile
from autodeploy.diagnostics import UserError
from autodeploy.pipelines import DEFAULT_LEVEL
from autodeploy.toolchain.session import Array, Session

Shapes: TypeAlias = Mapping[str, Sequence[int]]


class PreparedModel(BackendRep):
    """A model whose program is made by ``build``, from the shapes of inputs that it leaves open.

    A model that leaves none open is built at once; another one when it runs, once for each shape.
    """

    def __init__(self, model: ModelProto, build: Callable[[Shapes], Session]):
        stored = {tensor.name for tensor in model.graph.initializer}
        inputs = [value for value in model.graph.input if value.name not in stored]
        self._names = [value.name for value in inputs]
        self._open = [value.name for value in inputs if is_open(value.type)]
        self._build = build
        self._sessions: dict[tuple[tuple[int, ...], ...], Session] = {}
        if not self._open:
            self._session({})

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the outputs in the order of the model.

        ``inputs`` are arrays in the order of the model, or by name, or one array. Raises
        ``UserError`` where they are not those of the model.
        """
        named = self._named(inputs)
        return tuple(self._session(named).run(named).values())

    def _named(self, inputs: Array | Sequence[Any] | Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(inputs, Mapping):
            return inputs
        listed = [inputs] if isinstance(inputs, np.ndarray) else inputs
        if len(listed) != len(self._names):
            raise UserError(f"the model takes {len(self._names)} inputs, found {len(listed)}")
        return dict(zip(self._names, listed, strict=True))

    def _session(self, inputs: Mapping[str, Any]) -> Session:
        shapes = {name: np.shape(inputs[name]) for name in self._open if name in inputs}
        key = tuple(shapes.values())
        if key not in self._sessions:
            self._sessions[key] = self._build(shapes)
        return self._sessions[key]


def is_open(type_: TypeProto) -> bool:
    """Tell whether a model leaves extents of a tensor, or its rank, to its user."""
    tensor = type_.tensor_type
    return type_.HasField("tensor_type") and (
        not tensor.HasField("shape")
        or any(not dim.HasField("dim_value") or dim.dim_value < 0 for dim in tensor.shape.dim)
    )


def is_compatible(model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
    """Tell whether a model may be prepared for a device; ``prepare`` says what it lacks."""
    return supports_device(device)


def prepare(
    model: ModelProto,
    device: str = "CPU",
    *,
    level: int = DEFAULT_LEVEL,
    machine: str = "host",
    threads: int = 1,
    **kwargs: Any,
) -> PreparedModel:
    """Compile a model; ``level``, ``machine`` and ``threads`` are those of ``autodeploy.compile``.

    Other keywords, which ONNX's suite passes on, have no effect. Raises ``UserError`` where the
    model or an option is wrong.
    """
    if not supports_device(device):
        raise UserError(f"programs run on device 'CPU', found '{device}'")
    data = model.SerializeToString()

    def build(shapes: Shapes) -> Session:
        return compile(data, level=level, machine=machine, shapes=shapes, threads=threads)

    return PreparedModel(model, build)


def run_model(
    model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
) -> tuple[Any, ...]:
    """Compile a model and run it once."""
    return prepare(model, device, **kwargs).run(inputs)


def supports_device(device: str) -> bool:
    """Tell whether programs run on a device: the CPU."""
    return device.partition(":")[0] == "CPU"
