"""Reading a tmfile: its tables as Python objects, its weights as views of the file.

A tmfile is a web of tables that name each other by their places in the file. A place or a count is
trusted only if its target is within the file, and all tables together may not take more
memory than a few times the file: a damaged file could name one long list very often.

``operators.txt`` has an operator a line: its number, its name and, after a colon, its struct, as
in ``i axis num_axes; f eps``: letters of Python's ``struct``, names of fields. ``V`` is the offset
of a list of integers; ``-`` stands for a field that nothing reads.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.mapped_file import map_file

VERSION = 2
_HEADER_BYTES = 12
_GROWTH = 4
"""How many times the bytes of the file its tables may take in memory, beyond ``_ALLOWANCE``."""
_ALLOWANCE = 16 << 20
_OBJECT_GROWTH = 9
"""How many times the bytes that it has in the file a number of Python takes."""

ParameterValue = int | float | tuple[int, ...]


@dataclass(frozen=True)
class Quantisation:
    """The quantisation of a tensor: ``(q - zero_points) * scales``.

    There is one of each, or one for each index of the first axis.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]


@dataclass(frozen=True)
class TmTensor:
    """A tensor of the file; the dims of one that is computed may be out of date."""

    name: str
    kind: int
    data_type: int
    dims: tuple[int, ...]
    quantisation: Quantisation | None
    data: memoryview | None
    """The bytes of a constant; ``None`` if the file leaves them out, or it is none."""

    size: int
    """The bytes that a constant has, or would have."""


@dataclass(frozen=True)
class TmNode:
    """A node: its operator's number, and the numbers of the tensors that it reads and writes."""

    name: str
    operator: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    parameters: Mapping[str, ParameterValue]

    @property
    def label(self) -> str:
        """Return how messages call the node."""
        return f"node '{self.name}' ({operator_name(self.operator)})"


@dataclass(frozen=True)
class TmFile:
    """A tmfile: one graph, nodes in the order of their execution."""

    name: str
    origin: int
    is_nhwc: bool
    tensors: tuple[TmTensor, ...]
    nodes: tuple[TmNode, ...]
    inputs: tuple[int, ...]
    """The numbers of the nodes that are inputs."""
    outputs: tuple[int, ...]
    """The numbers of the nodes whose results are outputs."""
    bytes: int


CONSTANT_TENSOR = 2


def is_tmfile(start: bytes | memoryview) -> bool:
    """Tell by its first bytes whether a file is a tmfile; no ONNX model starts like one.

    The format has no magic number, but a header: version 1 or 2, whose other two numbers are 0. In
    protobuf's wire format that would be a field of number 0, which no message has.
    """
    return bytes(start[:6]) in (b"\1\0\0\0\0\0", b"\2\0\0\0\0\0")


def starts_like_tmfile(path: Path) -> bool:
    """Return whether a path is a file that ``is_tmfile`` takes for one."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return is_tmfile(file.read(6))
    except OSError:  # which reading the model will report
        return False


def open_tmfile(path: Path) -> TmFile:
    """Map a tmfile; raises ``ModelError`` if there is none or it is malformed."""
    return parse_tmfile(map_file(path, f"model '{path}'"), f"'{path}'")


def parse_tmfile(data: bytes | memoryview, name: str) -> TmFile:
    """Parse a tmfile, whose constants become views of ``data``.

    ``name`` is what an error calls the file. Raises ``ModelError`` if it is malformed.
    """
    return _Reader(memoryview(data), name).file()


class _Reader:
    """The bytes of a file, and how much memory the tables may still take."""

    def __init__(self, data: memoryview, name: str):
        self._data, self._name = data, name
        self._left = _GROWTH * len(data) + _ALLOWANCE

    def file(self) -> TmFile:
        """Read everything but the bytes of constants."""
        if len(self._data) < _HEADER_BYTES:
            raise self._error(f"it has {len(self._data)} bytes, and the header takes more")
        version, _, _, _, root = self._unpack("HHHHI", 0, "the header")
        if version != VERSION:
            raise ModelError(
                f"{self._name} is a tmfile of version {version}, expected version {VERSION}, "
                "which Tengine's convert_tool writes"
            )
        origin, _, graphs, label = self._unpack("iiII", root, "the model")
        found = self._list(graphs, "I", "the subgraphs")
        if len(found) != 1:
            raise self._error(f"it has {len(found)} subgraphs, expected 1")
        _, layout, _, inputs, outputs, nodes, tensors, buffers = self._unpack(
            "IiiIIIII", found[0], "the subgraph"
        )
        if layout not in (0, 1):
            raise self._error(f"its layout is {layout}, expected 0 (NCHW) or 1 (NHWC)")
        read_buffers = [
            self._unpack("II", place, f"buffer {number}")
            for number, place in enumerate(self._list(buffers, "I", "the buffers"))
        ]
        read_tensors = tuple(
            self._tensor(place, number, read_buffers)
            for number, place in enumerate(self._list(tensors, "I", "the tensors"))
        )
        read_nodes = tuple(
            self._node(place, number, len(read_tensors))
            for number, place in enumerate(self._list(nodes, "I", "the nodes"))
        )
        return TmFile(
            self._string(label, "the name of the model"),
            origin,
            layout == 1,
            read_tensors,
            read_nodes,
            self._numbers(inputs, len(read_nodes), "the inputs of the graph", "node"),
            self._numbers(outputs, len(read_nodes), "the outputs of the graph", "node"),
            len(self._data),
        )

    def _tensor(self, place: int, number: int, buffers: list[tuple[int, ...]]) -> TmTensor:
        what = f"tensor {number}"
        _, buffer, dims, label, quantisation, _, kind, data_type = self._unpack(
            "IIIIIiii", place, what
        )
        name = self._string(label, f"the name of {what}") or f"tensor_{number}"
        size, data = 0, None
        if kind == CONSTANT_TENSOR:
            if buffer >= len(buffers):
                raise self._error(
                    f"constant '{name}' has buffer {buffer}, but the file has {len(buffers)}"
                )
            size, start = buffers[buffer]
            if start:
                self._check(start, size, f"the data of constant '{name}'")
                data = self._data[start : start + size]
        return TmTensor(
            name,
            kind,
            data_type,
            self._list(dims, "i", f"the dims of {what}"),
            self._quantisation(quantisation, name),
            data,
            size,
        )

    def _quantisation(self, place: int, name: str) -> Quantisation | None:
        what = f"the quantisation of tensor '{name}'"
        found = [self._unpack("if", one, what) for one in self._list(place, "I", what)]
        if not found:
            return None
        zero_points, scales = zip(*found, strict=True)
        return Quantisation(tuple(map(float, scales)), tuple(map(int, zero_points)))

    def _node(self, place: int, number: int, tensors: int) -> TmNode:
        what = f"node {number}"
        _, inputs, outputs, operator, label = self._unpack("IIIII", place, what)
        name = self._string(label, f"the name of {what}") or f"node_{number}"
        what = f"node '{name}'"
        _, kind, parameters = self._unpack("III", operator, f"the operator of {what}")
        # Writers put the operator after its parameters: the bytes between are all that it has.
        room = operator - parameters if operator > parameters else len(self._data)
        return TmNode(
            name,
            kind,
            self._numbers(inputs, tensors, f"the inputs of {what}", "tensor"),
            self._numbers(outputs, tensors, f"the outputs of {what}", "tensor"),
            self._parameters(kind, parameters, room, f"the parameters of {what}"),
        )

    def _parameters(
        self, operator: int, place: int, room: int, what: str
    ) -> dict[str, ParameterValue]:
        """Return the parameters that the file has; old writers leave out the last ones of some."""
        found: dict[str, ParameterValue] = {}
        if not place:
            return found
        for letter, name, start in fields_of(operator):
            if start + letter_bytes(letter) > room:
                break
            (value,) = self._unpack("I" if letter == "V" else letter, place + start, what)
            if letter == "V":
                # Offsets that the operator does not need are not always set to 0.
                value = self._lenient_list(value)
            found[name] = value
        return found

    def _lenient_list(self, place: int) -> tuple[int, ...]:
        """Return a list of integers; an empty one for a place where none can be."""
        if not 0 < place <= len(self._data) - 4:
            return ()
        (count,) = struct.unpack_from("<I", self._data, place)
        if 4 * count > len(self._data) - place - 4:
            return ()
        return self._list(place, "i", "a list of parameters")

    def _numbers(self, place: int, bound: int, what: str, kind: str) -> tuple[int, ...]:
        """Return a list of numbers of nodes or tensors, each below ``bound``."""
        found = self._list(place, "I", what)
        for number in found:
            if number >= bound:
                raise self._error(f"{what} name {kind} {number}, but the file has {bound}")
        return found

    def _list(self, place: int, letter: str, what: str) -> tuple[int, ...]:
        """Return a list of 32-bit numbers; an empty one where the file has none."""
        if not place:
            return ()
        (count,) = self._unpack("I", place, what)
        return self._unpack(f"{count}{letter}", place + 4, what, 4 * count)

    def _string(self, place: int, what: str) -> str:
        """Return a string without the 0 at its end; an empty one where the file has none."""
        if not place:
            return ""
        size, start = self._unpack("II", place, what)
        self._take(start, size, what)
        raw = bytes(self._data[start : start + size]) if start else b""
        return raw.rstrip(b"\0").decode("utf-8", "backslashreplace")

    def _unpack(self, letters: str, place: int, what: str, size: int = 0) -> tuple[int, ...]:
        self._take(place, size or struct.calcsize(f"<{letters}"), what)
        return struct.unpack_from(f"<{letters}", self._data, place)

    def _take(self, place: int, size: int, what: str) -> None:
        self._check(place, size, what)
        self._left -= _OBJECT_GROWTH * size
        if self._left < 0:
            raise self._error("its tables take more memory than the file")

    def _check(self, place: int, size: int, what: str) -> None:
        if place + size > len(self._data):
            raise self._error(
                f"bytes {place} to {place + size} of {what} are beyond its {len(self._data)} bytes"
            )

    def _error(self, what: str) -> ModelError:
        return ModelError(f"{self._name} is not a valid tmfile: {what}")


CONST = 4
INPUT = 12


@cache
def _operators() -> Mapping[int, tuple[str, str]]:
    """Return name and struct of each operator by its number."""
    text = Path(__file__).with_name("operators.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^(\d+) (\w+)(?:: (.*))?$", text, re.MULTILINE)
    return {int(number): (name, struct_) for number, name, struct_ in rows}


class Field(NamedTuple):
    """A field of a struct of parameters: its letter, its name, and the byte at which it starts."""

    letter: str
    name: str
    start: int


def operator_name(number: int) -> str:
    """Return the name of an operator, ``operator 120`` for a number that the format lacks."""
    return _operators().get(number, (f"operator {number}",))[0]


def operator_names() -> Mapping[str, int]:
    """Return all operators by name."""
    return {name: number for number, (name, _) in _operators().items()}


@cache
def fields_of(number: int) -> tuple[Field, ...]:
    """Return the parameters of an operator in the order of its struct."""
    found: list[Field] = []
    start = 0
    for group in filter(None, _operators().get(number, ("", ""))[1].split("; ")):
        letter, *names = group.split(" ")
        for name in names:
            found.append(Field(letter, name, start))
            start += letter_bytes(letter)
    return tuple(field for field in found if field.letter != "x")


def letter_bytes(letter: str) -> int:
    """Return how many bytes a field of this letter takes; structs have no padding but ``x``."""
    return struct.calcsize("I" if letter == "V" else letter)
