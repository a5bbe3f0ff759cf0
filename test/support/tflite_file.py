"""The parts of a .tflite file that a converter of quantised networks reads.

The file is a flatbuffer. A field has a number by its place in the schema, and is absent where it
has its default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import flatbuffers
import numpy as np
import numpy.typing as npt
from flatbuffers import number_types as kinds
from flatbuffers.table import Table

DTYPES = {0: np.float32, 2: np.int32, 3: np.uint8, 4: np.int64, 9: np.int8}
OPERATORS = {
    0: "ADD",
    1: "AVERAGE_POOL_2D",
    3: "CONV_2D",
    4: "DEPTHWISE_CONV_2D",
    9: "FULLY_CONNECTED",
    22: "RESHAPE",
    25: "SOFTMAX",
}
ACTIVATIONS = {0: "", 1: "Relu", 3: "Relu6"}
OPTIONS: Mapping[str, Sequence[str]] = {
    "ADD": ("activation",),
    "AVERAGE_POOL_2D": ("padding", "stride_w", "stride_h", "width", "height", "activation"),
    "CONV_2D": ("padding", "stride_w", "stride_h", "activation", "dilation_w", "dilation_h"),
    "DEPTHWISE_CONV_2D": (
        *("padding", "stride_w", "stride_h", "multiplier", "activation"),
        *("dilation_w", "dilation_h"),
    ),
    "FULLY_CONNECTED": ("activation",),
    "RESHAPE": (),
    "SOFTMAX": (),
}
"""The fields of an operator's options, in order, that a converter reads."""


class Fields:
    """A table of a flatbuffer, whose fields are read by their numbers."""

    def __init__(self, table: Table):
        self._table = table

    def number(self, field: int, kind=kinds.Int32Flags, default: int = 0) -> int:
        place = self._table.Offset(4 + 2 * field)
        return self._table.Get(kind, place + self._table.Pos) if place else default

    def table(self, field: int) -> Fields | None:
        place = self._table.Offset(4 + 2 * field)
        if not place:
            return None
        return Fields(Table(self._table.Bytes, self._table.Indirect(place + self._table.Pos)))

    def tables(self, field: int) -> Sequence[Fields]:
        place = self._table.Offset(4 + 2 * field)
        if not place:
            return []
        start, count = self._table.Vector(place), self._table.VectorLen(place)
        places = (self._table.Indirect(start + 4 * i) for i in range(count))
        return [Fields(Table(self._table.Bytes, place)) for place in places]

    def array(self, field: int, dtype: type) -> npt.NDArray:
        place = self._table.Offset(4 + 2 * field)
        if not place:
            return np.zeros(0, dtype)
        start, count = self._table.Vector(place), self._table.VectorLen(place)
        return np.frombuffer(self._table.Bytes, dtype, count, start)


@dataclass(frozen=True)
class Tensor:
    """A tensor; ``scale`` is empty without codes, ``data`` is ``None`` without constants."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    scale: npt.NDArray[np.float32]
    zero: npt.NDArray[np.int64]
    axis: int
    data: npt.NDArray | None


@dataclass(frozen=True)
class Operator:
    """An operator with the names of what it reads and writes."""

    kind: str
    inputs: Sequence[str]
    output: str
    options: Mapping[str, int]

    @property
    def activation(self) -> str:
        return ACTIVATIONS[self.options.get("activation", 0)]


class TfliteFile:
    """The first graph of a file."""

    def __init__(self, path: Path):
        data = bytearray(path.read_bytes())
        root = flatbuffers.encode.Get(flatbuffers.packer.uoffset, data, 0)
        self._model = Fields(Table(data, root))
        (self._graph,) = self._model.tables(2)

    @cached_property
    def tensors(self) -> Mapping[str, Tensor]:
        return {tensor.name: tensor for tensor in self._list}

    @property
    def inputs(self) -> Sequence[str]:
        return [self._list[i].name for i in self._graph.array(1, np.int32)]

    @property
    def outputs(self) -> Sequence[str]:
        return [self._list[i].name for i in self._graph.array(2, np.int32)]

    @cached_property
    def operators(self) -> Sequence[Operator]:
        codes = [
            max(code.number(0, kinds.Int8Flags), code.number(3)) for code in self._model.tables(1)
        ]
        return [self._operator(fields, codes) for fields in self._graph.tables(3)]

    def _operator(self, fields: Fields, codes: Sequence[int]) -> Operator:
        kind = OPERATORS[codes[fields.number(0)]]
        inputs = [self._list[i].name for i in fields.array(1, np.int32) if i >= 0]
        options, given = {}, fields.table(4)
        for place, name in enumerate(OPTIONS[kind] if given is not None else ()):
            byte = name in ("padding", "activation")
            default = int(name.startswith("dilation"))
            flags = kinds.Int8Flags if byte else kinds.Int32Flags
            options[name] = given.number(place, flags, default)
        return Operator(kind, inputs, self._list[fields.array(2, np.int32)[0]].name, options)

    @cached_property
    def _list(self) -> Sequence[Tensor]:
        buffers = self._model.tables(4)
        return [self._tensor(i, fields, buffers) for i, fields in enumerate(self._graph.tables(0))]

    @staticmethod
    def _tensor(number: int, fields: Fields, buffers: Sequence[Fields]) -> Tensor:
        name = fields.array(3, np.uint8).tobytes().decode() or f"t{number}"
        shape = tuple(fields.array(0, np.int32).tolist())
        dtype = np.dtype(DTYPES[fields.number(1, kinds.Int8Flags)])
        codes = fields.table(4)
        scale, zero, axis = np.zeros(0, np.float32), np.zeros(0, np.int64), 0
        if codes is not None:
            scale, zero = codes.array(2, np.float32), codes.array(3, np.int64)
            axis = codes.number(6)
        data = buffers[fields.number(2)].array(0, np.uint8)
        constant = data.view(dtype).reshape(shape) if data.size else None
        return Tensor(name, shape, dtype, scale, zero, axis, constant)
