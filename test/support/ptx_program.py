"""Kernels in PTX as lists of instructions, for ``ptx_run``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

TYPES = {
    **{f"b{n}": np.dtype(f"u{n // 8}") for n in (8, 16, 32, 64)},
    **{f"u{n}": np.dtype(f"u{n // 8}") for n in (8, 16, 32, 64)},
    **{f"s{n}": np.dtype(f"i{n // 8}") for n in (8, 16, 32, 64)},
    "f32": np.dtype("f4"),
    "f64": np.dtype("f8"),
    "pred": np.dtype("?"),
}
"""The types of PTX."""

CONST_BASE = 1 << 20
"""Where tables of constants begin, in an address space of their own."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_TABLE = re.compile(r"\.(?:const|global) \.align (\d+) \.b8 ([\w$]+)\[(\d+)\] = \{([\d, ]*)\};")
_ENTRY = re.compile(r"\.entry ([\w$]+)\s*\((.*?)\)\s*\n\{(.*?)\n\}", re.S)
_SPACE = " \t\n{}"
"""May come before a statement: blocks are not told apart."""
_REGISTERS = re.compile(r"\.reg \.(\w+)\s+(%?\w+)(?:<(\d+)>)?$")
_OWN = re.compile(r"\.(local|shared) \.align \d+ \.b8\s+([\w$]+)\[(\d+)\]$")
_STEP = re.compile(r"(?:@(!?)(%\w+)\s+)?([\w.]+)\s*(.*)", re.S)


class PtxError(Exception):
    """A kernel does what it must not, or what is not known here."""


@dataclass(frozen=True)
class Instruction:
    """An instruction; it is done by threads whose ``guard`` is, or is not (``negated``), true."""

    guard: str | None
    negated: bool
    name: str
    operands: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Return the parts of the name: ``fma``, ``rn``, ``f32``."""
        return tuple(self.name.split("."))


@dataclass
class Kernel:
    """A kernel: its parameters, addresses and numbers, and its instructions."""

    parameters: tuple[str, ...]
    registers: dict[str, str] = field(default_factory=dict)
    instructions: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    local_bytes: int = 0
    shared_bytes: int = 0
    symbols: dict[str, int] = field(default_factory=dict)


@dataclass
class PtxProgram:
    """The kernels of a text by name, and its tables of constants as bytes."""

    kernels: dict[str, Kernel]
    constants: np.ndarray


def read_ptx(text: str) -> PtxProgram:
    """Read a text; raises ``PtxError`` where it has a statement that is not known here."""
    text = _COMMENT.sub("", text)
    places: dict[str, int] = {}
    table = bytearray()
    for align, name, size, numbers in _TABLE.findall(text):
        table += bytes(-len(table) % int(align))
        if name in places:
            raise PtxError(f"'{name}' is there twice")
        places[name] = CONST_BASE + len(table)
        content = bytes(map(int, numbers.split(",")))
        assert len(content) == int(size)
        table += content
    kernels: dict[str, Kernel] = {}
    for name, parameters, body in _ENTRY.findall(text):
        if name in kernels:
            raise PtxError(f"'{name}' is there twice")
        names = re.findall(r"([\w$]+)\s*(?:,|$)", parameters)
        kernels[name] = _read(Kernel(tuple(names), symbols=dict(places)), body)
    return PtxProgram(kernels, np.frombuffer(bytes(table), np.uint8))


def _read(kernel: Kernel, body: str) -> Kernel:
    for piece in body.split(";"):
        statement = piece.strip().lstrip(_SPACE)
        while label := re.match(r"(\$\w+):\s*", statement):
            kernel.labels[label[1]] = len(kernel.instructions)
            statement = statement[label.end() :].lstrip(_SPACE)
        if not statement:
            continue
        if found := _REGISTERS.match(statement):
            count = found[3]
            names = [found[2]] if count is None else [f"{found[2]}{i}" for i in range(int(count))]
            kernel.registers |= dict.fromkeys(names, found[1])
        elif found := _OWN.match(statement):
            kernel.symbols[found[2]] = 0
            if found[1] == "local":
                kernel.local_bytes = int(found[3])
            else:
                kernel.shared_bytes = int(found[3])
        elif found := _STEP.match(statement):
            operands = re.split(r",(?![^\[{]*[\]}])", found[4]) if found[4] else []
            kernel.instructions.append(
                Instruction(found[2], found[1] == "!", found[3], tuple(o.strip() for o in operands))
            )
        else:
            raise PtxError(f"'{statement}' is not known")
    return kernel
