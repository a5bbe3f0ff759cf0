"""An ``onnx.backend``: models are compiled, and the C program runs.

``onnx.backend.test.BackendTest(autodeploy.onnx_backend, __name__)`` is ONNX's own suite for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias, cast

import numpy as np
from onnx import ModelProto, TypeProto
from onnx.backend.base import BackendRep

from autodeploy.diagnostics import UnsupportedError, UserError
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.onnx.structures import ABSENT, element_names
from autodeploy.frontend.onnx.values import Values
from autodeploy.interface import compile
from autodeploy.pipelines import DEFAULT_LEVEL
from autodeploy.toolchain.session import Array, Session

Shapes: TypeAlias = Mapping[str, Sequence[int]]


class PreparedModel(BackendRep):
    """A model whose program is made by ``build``, from the shapes of inputs that it leaves open.

    A model that leaves none open is built at once; another one when it runs, once for each shape.
    If sizes are computed from the values of inputs, it is built once for each value.
    """

    def __init__(self, model: ModelProto, build: Callable[[Shapes, Values], Session]):
        stored = {tensor.name for tensor in model.graph.initializer}
        self._inputs = {
            value.name: value.type for value in model.graph.input if value.name not in stored
        }
        self._outputs = {value.name: value.type for value in model.graph.output}
        self._build = build
        self._sessions: dict[Hashable, Session] = {}
        self._sized_by: set[str] = set()
        """The inputs from whose values sizes are computed, as far as that is known."""
        if not any(map(is_open, self._inputs.values())):
            try:
                self._session({}, {})
            except UnsupportedError as error:
                if not error.inputs:
                    raise

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the outputs in the order of the model.

        ``inputs`` are arrays in the order of the model, or by name, or one array. A sequence is a
        list, and an optional that holds nothing is ``None``. Raises ``UserError`` where they are
        not those of the model.
        """
        named = self._named(inputs)
        given: dict[str, Any] = {}
        for name, value in named.items():
            if isinstance(value, list | tuple):
                elements = cast(Sequence[Any], value)
                given |= zip(element_names(name, len(elements)), elements, strict=True)
            elif value is not None:
                given[name] = value
        session = self._session(named, {ascii_text(name): given[name] for name in given})
        found: dict[str, Any] = dict(session.run(given))
        for entry in session.outputs:
            if entry.keys:
                rows = found[entry.name].tolist()
                found[entry.name] = [dict(zip(entry.keys, row, strict=True)) for row in rows]
        return tuple(_collected(found, name, type_) for name, type_ in self._outputs.items())

    def _named(self, inputs: Array | Sequence[Any] | Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(inputs, Mapping):
            return inputs
        listed = [inputs] if isinstance(inputs, np.ndarray) else inputs
        if len(listed) != len(self._inputs):
            raise UserError(f"the model takes {len(self._inputs)} inputs, found {len(listed)}")
        return dict(zip(self._inputs, listed, strict=True))

    def _session(self, inputs: Mapping[str, Any], tensors: Mapping[str, Any]) -> Session:
        """Return the session for inputs; ``tensors`` are these and their elements, by ASCII names.

        Each error of a build may name further inputs from which sizes are computed.
        """
        shapes = open_shapes(self._inputs, inputs)
        while True:
            values = {name: np.asarray(tensors[name]) for name in sorted(self._sized_by)}
            key = (
                tuple((name, tuple(shape)) for name, shape in shapes.items()),
                tuple((name, value.shape, value.tobytes()) for name, value in values.items()),
            )
            if key in self._sessions:
                return self._sessions[key]
            try:
                return self._sessions.setdefault(key, self._build(shapes, values))
            except UnsupportedError as error:
                further = set(error.inputs) - self._sized_by
                if not further or not further <= tensors.keys():
                    raise
                self._sized_by |= further


def open_shapes(types: Mapping[str, TypeProto], inputs: Mapping[str, Any]) -> Shapes:
    """Return the shapes of inputs that a model leaves open, and of the elements of sequences."""
    shapes: dict[str, Sequence[int]] = {}
    for name, type_ in types.items():
        if name not in inputs or not is_open(type_):
            continue
        value = inputs[name]
        if value is None:
            shapes[name] = ABSENT
        elif isinstance(value, list | tuple):
            elements = cast(Sequence[Any], value)
            shapes[name] = (len(elements),)
            names = element_names(name, len(elements))
            shapes |= {own: np.shape(item) for own, item in zip(names, elements, strict=True)}
        else:
            shapes[name] = np.shape(value)
    return shapes


def _collected(found: Mapping[str, Any], name: str, type_: TypeProto) -> Any:
    """Return an output; a list for a sequence, ``None`` for an optional that holds nothing."""
    while type_.HasField("optional_type"):
        type_ = type_.optional_type.elem_type
    if not type_.HasField("sequence_type") or name in found:  # rows of maps have its own name
        return found.get(name)
    return [found[own] for own in takewhile(found.__contains__, element_names(name, len(found)))]


def is_open(type_: TypeProto) -> bool:
    """Tell whether a model leaves extents of a tensor, its rank, or a length to its user."""
    if not type_.HasField("tensor_type"):
        return type_.HasField("sequence_type") or type_.HasField("optional_type")
    tensor = type_.tensor_type
    return not tensor.HasField("shape") or any(
        not dim.HasField("dim_value") or dim.dim_value < 0 for dim in tensor.shape.dim
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

    def build(shapes: Shapes, values: Values) -> Session:
        return compile(
            data, level=level, machine=machine, shapes=shapes, values=values, threads=threads
        )

    return PreparedModel(model, build)


def run_model(
    model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
) -> tuple[Any, ...]:
    """Compile a model and run it once."""
    return prepare(model, device, **kwargs).run(inputs)


def supports_device(device: str) -> bool:
    """Tell whether programs run on a device: the CPU."""
    return device.partition(":")[0] == "CPU"
