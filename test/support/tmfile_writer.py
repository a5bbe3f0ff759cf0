"""Small tmfiles, written as Tengine's tools write them: children before parents, tables aligned."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

NUMBERS = {"float32": 0, "float16": 1, "int8": 2, "uint8": 3, "int32": 4, "int16": 5}


class TmfileWriter:
    """A graph that grows by inputs, constants and nodes; each returns the numbers of tensors."""

    def __init__(self, nhwc: bool = False):
        self.nhwc = nhwc
        self.data = bytearray(12)
        self.tensors: list[int] = []
        self.buffers: list[int] = []
        self.nodes: list[int] = []
        self.inputs: list[int] = []
        self.makers: dict[int, int] = {}

    def input(self, name: str, dims: Sequence[int], dtype: str = "float32", quant=()) -> int:
        tensor = self._tensor(name, 3, dims, NUMBERS[dtype], quant)
        self.inputs.append(len(self.nodes))
        self._node(name, 12, None, [], [tensor])
        return tensor

    def constant(self, name: str, array: np.ndarray, quant=(), left_out: bool = False) -> int:
        raw = np.ascontiguousarray(array).tobytes()
        place = 0
        if not left_out:
            place = len(self.data)
            self.data += raw
        self.buffers.append(self._table("II", len(raw), place))
        tensor = self._tensor(name, 2, array.shape, NUMBERS[array.dtype.name], quant)
        self._node(name, 4, None, [], [tensor])
        return tensor

    def node(
        self,
        operator: int,
        inputs: Sequence[int],
        letters: str = "",
        *values,
        outputs: int = 1,
        name: str = "",
        dtype: str = "float32",
        quant=(),
    ) -> int:
        """Append a node and return its first output, whose successors are the others.

        ``letters`` are those of Python's ``struct``; ``V`` takes a list of integers.
        """
        name = name or f"node{len(self.nodes)}"
        made = [
            self._tensor(f"{name}_{i}" if i else name, 1, [], NUMBERS[dtype], quant)
            for i in range(outputs)
        ]
        parameters = 0
        if letters:
            placed = [self._list(v) if isinstance(v, list) else v for v in values]
            parameters = self._table(letters.replace("V", "I"), *placed)
        self._node(name, operator, parameters, inputs, made)
        return made[0]

    def bytes(self, *outputs: int) -> bytes:
        """Return the file; its outputs are all results of the nodes that make these tensors."""
        makers = list(dict.fromkeys(self.makers[tensor] for tensor in outputs))
        subgraph = self._table(
            "IiiIIIIIII",
            0,
            int(self.nhwc),
            0,
            self._list(self.inputs),
            self._list(makers),
            self._list(self.nodes),
            self._list(self.tensors),
            self._list(self.buffers),
            0,
            0,
        )
        root = self._table("iiII", 3, 0, self._list([subgraph]), 0)
        # The third number is padding, which writers do not set.
        struct.pack_into("<HHHHI", self.data, 0, 2, 0, 0, 1023, root)
        return bytes(self.data)

    def _node(self, name, operator, parameters, inputs, outputs) -> None:
        made = self._table("III", 1, operator, parameters or 0)
        lists = [self._list(inputs) if inputs else 0, self._list(outputs)]
        for tensor in outputs:
            self.makers[tensor] = len(self.nodes)
        place = self._table("IIIIIIBxxx", len(self.nodes), *lists, made, self._string(name), 0, 0)
        self.nodes.append(place)

    def _tensor(self, name, kind, dims, data_type, quant) -> int:
        found = [self._table("ifi", point, scale, 0) for scale, point in quant]
        place = self._table(
            "IIIIIiii",
            len(self.tensors),
            len(self.buffers) - 1 if kind == 2 else 0,
            self._list(dims) if len(dims) else 0,
            self._string(name),
            self._list(found) if found else 0,
            0,
            kind,
            data_type,
        )
        self.tensors.append(place)
        return len(self.tensors) - 1

    def _string(self, text: str) -> int:
        if not text:
            return 0
        raw = text.encode() + b"\0"
        place = len(self.data)
        self.data += raw
        return self._table("II", len(raw), place)

    def _list(self, numbers: Sequence[int]) -> int:
        return self._table(f"I{len(numbers)}i", len(numbers), *numbers)

    def _table(self, letters: str, *values) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        place = len(self.data)
        self.data += struct.pack(f"<{letters}", *values)
        return place


def small_network() -> bytes:
    """A network of several kinds of tables: lists of parameters, strings, quantisation."""
    file = TmfileWriter()
    x = file.input("x", [1, 4, 5, 5])
    q = np.arange(64, dtype=np.int8).reshape(4, 4, 2, 2)
    w = file.constant("w", q, [(0.5, 1), (0.25, 2), (0.5, 3), (1.0, 4)])
    y = file.node(5, [x, w], "14i", 2, 2, 1, 1, 1, 1, 4, 4, 1, 0, 1, 1, 0, 0)
    y = file.node(16, [y], "I10i", 0, 2, 2, 1, 1, 0, 0, 1, 1, 0, 0)
    y = file.node(23, [y], "iiVi", 0, 0, [1, -1], 1)
    y = file.node(27, [y], "iVVViiiiii", 1, [], [], [], 0, 0, 1, 0, 100, 1)
    y = file.node(
        11, [y, file.constant("fc", np.arange(400, dtype=np.float32).reshape(4, 100))], "i", 4
    )
    return file.bytes(file.node(28, [y], "i", 1))
