"""How the host starts kernels on a device, read from Halide's lowered program.

As all shapes are constants, each start is a row of constants. The layout is Halide 21's; another
one is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from autodeploy.diagnostics import ToolchainError

_HOST = "\nexternal func "
_RUN = re.compile(r"halide_\w+_run\((?P<arguments>.*)\)$", re.M)
_ARRAY = re.compile(
    r"^\s*allocate (?P<name>[\w$.]+)\[[a-z]+(?P<bits>\d+) \* (?P<extents>[\d *]+)\]", re.M
)
_STORE = re.compile(r"^\s*[\w$.]+\[.*\] = ", re.M)
_LOOP = re.compile(r"^\s*(?:for|parallel|vectorized) \(|^\s*if \(", re.M)


@dataclass(frozen=True)
class Launch:
    """One start of a kernel: see ``#halide.launch``, which has the same members."""

    entry: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    args: tuple[int, ...]


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
    for match in _RUN.finditer(host):
        arguments = _split(match["arguments"])
        if len(arguments) != 12:
            raise unknown(kernel, "a start has other arguments")
        numbers = [_number(text, kernel) for text in arguments[2:9]]
        values, kinds = (_split(text[text.index("(", 9) + 1 : -1]) for text in arguments[10:])
        if any(kind != "(uint8)1" for kind in kinds[:-1]):
            raise unknown(kernel, "a kernel takes a number")
        places: list[int] = []
        for value in values[:-1]:
            name = _plain(value.replace("(void *)", ""))
            if name not in names:
                raise unknown(kernel, f"'{name}' is no buffer")
            places.append(names.index(name))
        entry = arguments[1].strip('"')
        grid, block, shared = tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6]
        yield Launch(entry, grid, block, shared, tuple(places))


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
