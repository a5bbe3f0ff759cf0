"""Vectors in the text of a kernel in WGSL: arrays of them, where a kernel takes nothing else.

Halide takes each element of a vector by itself. Compilers of WGSL bound each index by itself, too,
and take twice as long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

LANES = (4, 2)
"""The numbers of elements of vectors."""

_BUFFER = re.compile(r"var<storage, read_write> (\w+) : array<(f32|i32|u32)>;")
_VALUE = re.compile(r"let (_\w+) : i32 = (.*);")
_VECTOR = r"(_V?\d+|vec\d<\w+>\([^()]*\))"
_NUMBER = re.compile(r"-?\d+")
_PRODUCT = re.compile(r"(\S+) \* (\S+)")
_SUM = re.compile(r"(\S+) [+-] (\S+)")
_BOUND = re.compile(r"(?:min|max)\((\S+), (\S+)\)")


def with_vectors(
    text: str, name: str, element: str, lanes: int, place: Callable[[str], str | None]
) -> str | None:
    """Return a text that takes vectors of ``lanes`` elements from an array, and no element alone.

    ``place`` returns what stands for the vector from an index on, ``None`` if the array has no
    vector that begins there. The result is ``None`` if the text takes anything else.
    """
    item = rf"\b{name}\[([^\]]*)\]"

    def vector(first: str, *others: str) -> str | None:
        number = int(first) if _NUMBER.fullmatch(first) else None
        for i, index in enumerate(others, 1):
            if index != (f"{first} + {i}" if number is None else str(number + i)):
                return None
        return place(first)

    def load(match: re.Match[str]) -> str:
        return vector(*match.groups()) or match[0]

    def store(match: re.Match[str]) -> str:
        first, value, *others = match.groups()
        found = vector(first, *others)
        return f"{found} = {value};" if found else match[0]

    text = re.sub(rf"vec{lanes}<{element}>\({', '.join([item] * lanes)}\)", load, text)
    others = "".join(rf"\n{item} = \2\[{i}\];" for i in range(1, lanes))
    text = re.sub(rf"^{item} = {_VECTOR}\[0\];{others}$", store, text, flags=re.M)
    return None if re.search(item, text) else text


def with_vector_buffers(text: str) -> str:
    """Return the text of a kernel with vectors in the buffers of which it takes nothing else."""
    values = values_of(text)
    for name, element in _BUFFER.findall(text):
        for lanes in LANES:
            place = partial(_place, f"{name}v", lanes, values)
            found = with_vectors(text, name, element, lanes, place)
            if found is not None and found != text:
                vectors = f"{name}v : array<vec{lanes}<{element}>>;"
                text = found.replace(f"{name} : array<{element}>;", vectors)
    return text


def _place(name: str, lanes: int, values: Mapping[str, str], index: str) -> str | None:
    is_whole = is_multiple(index, lanes, values)
    return f"{name}[{index} >> {lanes.bit_length() - 1}u]" if is_whole else None


def values_of(text: str) -> Mapping[str, str]:
    """Return the integers of a text by name, as it computes them.

    A name that two scopes define in different ways is left out: either could be meant.
    """
    found = set(_VALUE.findall(text))
    definitions = Counter(name for name, _ in found)
    return {name: value for name, value in found if definitions[name] == 1}


def is_multiple(index: str, of: int, values: Mapping[str, str]) -> bool:
    """Return whether an index is a multiple of a number, whatever threads and loops are."""
    if _NUMBER.fullmatch(index):
        return int(index) % of == 0
    if product := _PRODUCT.fullmatch(index):
        return any(is_multiple(factor, of, values) for factor in product.groups())
    if sum_ := _SUM.fullmatch(index) or _BOUND.fullmatch(index):
        return all(is_multiple(part, of, values) for part in sum_.groups())
    return index in values and is_multiple(values[index], of, values)
