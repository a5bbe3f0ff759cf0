"""Inputs whose values are given before the run, as those that sizes are computed from.

Such an input is a constant for all that reads it. The program takes it all the same, and refuses
another value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, TensorProto, TypeProto

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.types import ELEMENT_BYTES, ELEMENT_NAMES
from autodeploy.frontend.module import check_inputs
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.onnx.shapes import dims_of, graph_inputs, listed_shape
from autodeploy.frontend.onnx.types import element_types
from autodeploy.weights import Array, numpy_dtype

Values = Mapping[str, npt.ArrayLike]


def fit_values(
    graph: GraphProto, values: Values, shapes: Mapping[str, Sequence[int]]
) -> dict[str, Array]:
    """Return values as arrays of the types of the graph's inputs, by the names of these.

    An input may be named as messages have it, in ASCII. ``shapes`` go before those of the graph.
    A list may stand for a tensor of any other rank whose extents are known. Raises ``ModelError``
    if a name is not that of an input, and where a value has other elements or another shape.
    """
    inputs = {info.name: info.type for info in graph_inputs(graph)}
    escaped = {ascii_text(name): name for name in inputs}
    values = {name if name in inputs else escaped.get(name, name): values[name] for name in values}
    check_inputs(values, inputs, "value")
    fitted: dict[str, Array] = {}
    for name, value in values.items():
        array = _converted(name, value, inputs[name])
        known = shapes.get(name, shapes.get(ascii_text(name)))
        fitted[name] = _reshaped(name, array, _dims(inputs[name]) if known is None else list(known))
    return fitted


def take_values(graph: GraphProto, values: Mapping[str, Array]) -> None:
    """Make weights of the inputs of a graph that have values."""
    numbers = {info.name: info.type.tensor_type.elem_type for info in graph.input}
    left = [info for info in graph.input if info.name not in values]
    del graph.input[:]
    graph.input.extend(left)
    for name, array in values.items():
        graph.initializer.append(
            TensorProto(
                name=name, data_type=numbers[name], dims=array.shape, raw_data=array.tobytes()
            )
        )


def _converted(name: str, value: npt.ArrayLike, type_: TypeProto) -> Array:
    """Return a value with the elements of its input, as which it must be the same number."""
    element = element_types().get(type_.tensor_type.elem_type)
    if element not in ELEMENT_BYTES:
        raise ModelError(f"value given for input '{name}', which is no tensor of plain numbers")
    expected = f"expected elements of type {ELEMENT_NAMES[element]}"
    try:
        given = np.asarray(value)
    except ValueError:
        raise ModelError(f"the value of input '{name}' is no tensor, {expected}") from None
    dtype = numpy_dtype(element)
    # Custom floats of 16 bits have the kind of raw bytes.
    kinds = {"b": "b", "i": "iu", "u": "iu"}.get(dtype.kind, "fiuV")
    if given.size and given.dtype.kind not in kinds:
        raise ModelError(f"the value of input '{name}' has elements of {given.dtype}, {expected}")
    if dtype.kind in "iu" and given.size:
        signed = dtype.kind == "i"
        bits = 8 * dtype.itemsize - signed
        low, high = int(given.min()), int(given.max())
        if low < -signed << bits or high >= 1 << bits:
            number = low if low < 0 else high
            raise ModelError(f"the value of input '{name}' holds {number}, {expected}")
    with np.errstate(over="ignore"):
        return given.astype(dtype)


def _reshaped(name: str, array: Array, dims: Sequence[int | str] | None) -> Array:
    """Return a value in the shape of its input; ``None`` leaves any."""
    if dims is None:
        return array
    if array.ndim == len(dims) and all(
        n == dim or isinstance(dim, str) for n, dim in zip(array.shape, dims, strict=True)
    ):
        return array
    extents = [dim for dim in dims if isinstance(dim, int)]
    if array.ndim == 1 and len(extents) == len(dims) and array.size == np.prod(extents, dtype=int):
        return array.reshape(extents)
    raise ModelError(
        f"the value of input '{name}' has shape {listed_shape(array.shape)}, the input has "
        f"{listed_shape(dims)}"
    )


def _dims(type_: TypeProto) -> list[int | str] | None:
    tensor = type_.tensor_type
    return dims_of(tensor.shape) if tensor.HasField("shape") else None
