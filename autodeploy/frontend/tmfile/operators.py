"""The operators of tmfiles: their numbers, their names, and the structs of their parameters.

``operators.txt`` has an operator a line: its number, its name and, after a colon, its struct, as
in ``i axis num_axes; f eps``: letters of Python's ``struct``, names of fields. ``V`` is the offset
of a list of integers; ``-`` stands for a field that nothing reads.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

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
