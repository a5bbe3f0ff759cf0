"""How the host starts kernels on a device, read from Halide's lowered program.

As shapes are constants, each start is a row of constants; numbers that follow from open extents are
expressions. The layout is Halide 21's; another one is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.halide.start_numbers import (
    KIND_BYTES,
    NAMES,
    StartNumber,
    c_number,
    extents_of,
)

_HOST = "\nexternal func "
_RUN = re.compile(r"halide_\w+_run\((?P<arguments>.*)\)$", re.M)
_ARRAY = re.compile(
    r"^\s*allocate (?P<name>[\w$.]+)\[[a-z]+(?P<bits>\d+) \* (?P<extents>[\d *]+)\]", re.M
)
_STORE = re.compile(r"^\s*[\w$.]+\[.*\] = ", re.M)
_LET = re.compile(r"^\s*let (?P<name>[\w$.]+) = (?P<value>.*)$", re.M)
_NAME = re.compile(r"[A-Za-z_][\w$.]*")
_STRUCT = re.compile(r"make_struct\((.*)\)")
_TYPED = re.compile(r"\((int64)\)(-?\d+)")
_LOOP = re.compile(r"^\s*(?:for|parallel|vectorized) \(|\} else ", re.M)
_CONDITION = re.compile(r"\s*if \((.*)\) \{")


@dataclass(frozen=True)
class Launch:
    """One start of a kernel: see ``#halide.launch``, which has the same members."""

    entry: str
    grid: tuple[StartNumber, ...]
    block: tuple[int, ...]
    shared: int
    args: tuple[StartNumber, ...]


def read_starts(
    lowered: str, kernel: str, buffers: Sequence[str]
) -> tuple[tuple[Launch, ...], tuple[int, ...]]:
    """Return the starts of a kernel, and the bytes of each array that they pass on.

    ``lowered`` is Halide's ``stmt``, ``buffers`` are Halide's names of the buffers, ``entry`` of a
    start is Halide's. Raises ``ToolchainError`` naming the ``kernel`` where the text is not as
    Halide 21 writes it.
    """
    if _HOST not in lowered:
        raise unknown(kernel, "the text has no kernels")
    host = lowered[lowered.rindex(_HOST) :]
    if _LOOP.search(host):
        raise unknown(kernel, "the host starts kernels in a loop")
    if _STORE.search(host):
        raise unknown(kernel, "the host computes elements")
    arrays = {_plain(m["name"]): _bytes(m) for m in _ARRAY.finditer(host)}
    if len(arrays) < len(re.findall(r"^\s*allocate ", host, re.M)):
        raise unknown(kernel, "an array has no constant size")
    names = [*map(_plain, buffers), *arrays]
    return tuple(_launches(host, kernel, names)), tuple(arrays.values())


def unknown(kernel: str, what: str) -> ToolchainError:
    """Return the error that a kernel is not as Halide 21 writes it."""
    return ToolchainError(f"kernel '{kernel}' cannot be compiled for a device: {what}")


def _launches(host: str, kernel: str, names: Sequence[str]) -> Iterator[Launch]:
    lets = {match["name"]: match["value"] for match in _LET.finditer(host)}
    for match, conditions in _runs(host):
        arguments = _split(match["arguments"])
        if len(arguments) != 12:
            raise unknown(kernel, "a start has other arguments")
        # A start of no blocks is none.
        for condition in conditions:
            arguments[2] = f"select({condition}, {arguments[2]}, 0)"
        grid = tuple(_start_number(text, kernel, names, lets) for text in arguments[2:5])
        *block, shared = (_number(text, kernel) for text in arguments[5:9])
        sizes, values, kinds = (_split(text[text.index("(", 9) + 1 : -1]) for text in arguments[9:])
        places: list[StartNumber] = []
        for size, value, kind in list(zip(sizes, values, kinds, strict=True))[:-1]:
            name = _plain(value.replace("(void *)", ""))
            if kind == "(uint8)0":
                found = _STRUCT.fullmatch(name)
                number = _start_number(found[1], kernel, names, lets) if found else 0
                if isinstance(number, int) or size != f"(int64){_bytes_of(number)}":
                    raise unknown(kernel, "a kernel takes a number")
                places.append(number)
            elif name not in names:
                raise unknown(kernel, f"'{name}' is no buffer")
            else:
                places.append(names.index(name))
        yield Launch(arguments[1].strip('"'), grid, tuple(block), shared, tuple(places))


def _runs(host: str) -> Iterator[tuple[re.Match[str], list[str]]]:
    """Yield each start, and the conditions under which the host comes to it."""
    around: list[str | None] = []
    for line in host.splitlines():
        if line.endswith("{"):
            condition = _CONDITION.fullmatch(line)
            around.append(None if condition is None else condition[1])
        elif line.strip() == "}":
            around.pop()
        elif match := _RUN.search(line):
            yield match, [condition for condition in around if condition is not None]


def _start_number(
    text: str, kernel: str, names: Sequence[str], lets: Mapping[str, str]
) -> StartNumber:
    """Return a number that a start is given: a constant, or an expression of extents."""

    def named(match: re.Match[str]) -> str:
        name = match[0]
        buffer, _, dimension = _plain(name).rpartition(".extent.")
        if buffer in names and dimension.isdigit():
            return f"extent({names.index(buffer)}, {dimension})"
        if name in lets:
            return f"({resolved(lets[name])})"
        if name in NAMES:
            return name
        raise unknown(kernel, f"'{name}' is no number of a start")

    def resolved(text: str) -> str:
        return _NAME.sub(named, _TYPED.sub(r"\1(\2)", text))

    if text.isdigit():
        return int(text)
    found = resolved(text)
    try:
        if not extents_of(found):
            raise unknown(kernel, f"'{text}' is no constant")
    except ValueError as error:
        raise unknown(kernel, str(error)) from None
    return found


def _bytes_of(number: str) -> int:
    """Return the bytes of a parameter that takes an expression."""
    return KIND_BYTES[c_number(number, str)[1]]


def _split(text: str) -> list[str]:
    """Split a text at its commas that are in no brackets."""
    parts, depth, start = list[str](), 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _number(text: str, kernel: str) -> int:
    if not text.isdigit():
        raise unknown(kernel, f"'{text}' is no constant")
    return int(text)


def _plain(name: str) -> str:
    """Return a name of Halide's without the number that tells it from equal ones."""
    return re.sub(r"\$\d+", "", name).removesuffix(".buffer")


def _bytes(match: re.Match[str]) -> int:
    return prod(map(int, match["extents"].split("*"))) * ((int(match["bits"]) + 7) // 8)
