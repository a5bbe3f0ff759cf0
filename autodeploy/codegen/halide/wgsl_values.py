"""Fewer values in the lines of a kernel in WGSL: arrays as variables, and no value twice.

Halide keeps a tile of sums in an array, and computes the places of a vector of weights again for
each row of a tile. Compilers of WGSL differ in which of that they undo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

DEFINITION = re.compile(r"let (\w+)(?: : [\w<>]+)? = (.*);")
"""A line that defines a value, which never changes."""

_ARRAY = re.compile(r"var (\w+) : array<(\w+), (\d+)>;")
_VARIABLE = re.compile(r"var (\w+) : \w+;")
_STORE = re.compile(r"(\w+)\[.*?\] = ")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def with_fewer_values(lines: Sequence[str]) -> list[str]:
    """Return lines that compute the same with fewer arrays and values."""
    return _used(list(_once(_without_arrays(lines))))


def _without_arrays(lines: Sequence[str]) -> list[str]:
    """Make each element of an array a variable, if all indices of the array are constants."""
    text = "\n".join(lines)
    for name, element, count in _ARRAY.findall(text):
        indices = re.findall(rf"\b{name}\[([^\]]*)\]", text)
        if not all(index.isdigit() and int(index) < int(count) for index in indices):
            continue
        variables = "\n".join(f"var {name}_{i} : {element};" for i in range(int(count)))
        text = text.replace(f"var {name} : array<{element}, {count}>;", variables)
        text = re.sub(rf"\b{name}\[(\d+)\]", rf"{name}_\1", text)
    return text.splitlines()


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
