"""Fewer values in the lines of a kernel in WGSL: arrays as variables, and no value twice.

Halide keeps a tile of sums in an array, and computes the places of a vector of weights again for
each row of a tile. Compilers of WGSL differ in which of that they undo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from autodeploy.codegen.halide.wgsl_vectors import (
    LANES,
    is_multiple,
    values_of,
    with_vectors,
)

DEFINITION = re.compile(r"let (\w+)(?: : [\w<>]+)? = (.*);")
"""A line that defines a value, which never changes."""

_ARRAY = re.compile(r"var (\w+) : array<(\w+), (\d+)>;")
_VARIABLE = re.compile(r"var (\w+) : [\w<>]+;")
_STORE = re.compile(r"(\w+)\[.*?\] = ")
_MOST_VECTORS = 16
"""Variables from which one is chosen by its index."""
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def with_fewer_values(lines: Sequence[str]) -> list[str]:
    """Return lines that compute the same with fewer arrays and values."""
    return _used(list(_once(_without_arrays(lines))))


def _without_arrays(lines: Sequence[str]) -> list[str]:
    """Make each vector or element of an array a variable, if the kernel stores at constant indices.

    A vector that is read at another index is one of all these variables.
    """
    text = "\n".join(lines)
    values = values_of(text)
    for name, element, size in _ARRAY.findall(text):
        count = int(size)
        stored, used = (
            re.findall(rf"{begin}{name}\[([^\]]*)\]{end}", text, flags=re.M)
            for begin, end in (("^", " ="), (r"\b", ""))
        )
        if not all(_is_below(index, count) for index in stored):
            continue
        for lanes in LANES:
            place = partial(_variable, name, lanes, count // lanes, values)
            vectors = with_vectors(text, name, element, lanes, place)
            if vectors is not None:
                text, kind = vectors, f"vec{lanes}<{element}>"
                break
        else:
            if not all(_is_below(index, count) for index in used):
                continue
            text, kind, lanes = re.sub(rf"\b{name}\[(\d+)\]", rf"{name}_\1", text), element, 1
        variables = "\n".join(f"var {name}_{i} : {kind};" for i in range(count // lanes))
        text = text.replace(f"var {name} : array<{element}, {size}>;", variables)
    return text.splitlines()


def _is_below(index: str, count: int) -> bool:
    return index.isdigit() and int(index) < count


def _variable(
    name: str, lanes: int, count: int, values: Mapping[str, str], index: str
) -> str | None:
    """Return which of the ``count`` vectors of an array begins at an index."""
    if count > _MOST_VECTORS or not is_multiple(index, lanes, values):
        return None
    if index.isdigit():
        return f"{name}_{int(index) // lanes}" if int(index) < count * lanes else None
    chosen = f"{name}_0"
    for i in range(1, count):
        chosen = f"select({chosen}, {name}_{i}, {index} == {i * lanes})"
    return chosen


def _once(lines: Sequence[str]) -> Iterator[str]:
    """Name a value by the first name that it has where a second one is defined."""
    changing = {m[1] for line in lines if (m := _STORE.match(line))}
    changing |= {m[1] for line in lines if (m := _VARIABLE.fullmatch(line))}
    scopes: list[dict[str, str]] = [{}]
    names: dict[str, str] = {}
    for written in lines:
        line = _NAME.sub(lambda match: names.get(match[0], match[0]), written)
        scopes += [{}] if line == "{" else []
        if line == "}":
            scopes.pop()
        if definition := DEFINITION.fullmatch(line):
            name, value = definition.groups()
            known = next((scope[value] for scope in scopes if value in scope), None)
            if known is not None:
                names[name] = known
                continue
            if changing.isdisjoint(_NAME.findall(value)):
                scopes[-1][value] = name
        yield line


def _used(lines: Sequence[str]) -> list[str]:
    """Leave out definitions that no later line names."""
    used: set[str] = set()
    kept: list[str] = []
    for line in reversed(lines):
        definition = DEFINITION.fullmatch(line)
        if definition is None or definition[1] in used:
            used |= set(_NAME.findall(line if definition is None else definition[2]))
            kept.append(line)
    return kept[::-1]
