"""The kernels of a device as Halide writes them: their text, and their starts by the host.

Halide writes the text of a device's kernels as one file, and the host's half of a kernel into the
lowered program. As all shapes are constants, each start there is a row of constants. The layout of
both is Halide 21's; another one is an error, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from autodeploy.diagnostics import ToolchainError

PREAMBLE_END = "__kernel void _at_least_one_kernel(int x) { }\n"
PART = "_part"
"""Is between the name of a kernel and the number of one of several functions for it."""

_FIRST_PRAGMA = "#pragma OPENCL FP_CONTRACT ON\n"
_CONTRACT = "#pragma OPENCL FP_CONTRACT {}\n"
_OF_THREE = re.compile(r"\b[a-z]+3 \*\)")
"""Halide 21 takes such a vector for 12 bytes, and OpenCL C for 16."""

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


@dataclass(frozen=True)
class DeviceCode:
    """The text of the kernels that a pipeline becomes, their starts, and the bytes of arrays.

    ``preamble`` is what the kernels of all pipelines share.
    """

    preamble: str
    source: str
    launches: tuple[Launch, ...]
    arrays: tuple[int, ...]


def program_lines(codes: Sequence[DeviceCode]) -> list[str]:
    """Return the lines of a program of all these kernels."""
    shared = "".join(dict.fromkeys(code.preamble for code in codes))
    return (shared + "".join(code.source for code in codes)).splitlines()


def device_code(
    source: bytes, lowered: str, kernel: str, symbol: str, buffers: Sequence[str], *, strict: bool
) -> DeviceCode:
    """Return the code of a kernel whose functions on the device begin with ``symbol``.

    ``source`` is Halide's ``device_code``, ``lowered`` its ``stmt``; ``buffers`` are Halide's names
    of the buffers. With ``strict`` floats are computed as IEEE 754 says. Raises ``ToolchainError``
    naming the ``kernel`` where they are not as Halide 21 writes them.
    """
    text = source.decode("latin1").rstrip("\0")
    head, found, body = text.partition(PREAMBLE_END)
    before, pragma, shared = head.partition(_FIRST_PRAGMA)
    if not found or not pragma or before.count("\n") != 1 or _HOST not in lowered:
        raise _unknown(kernel, "the text has no kernels")
    host = lowered[lowered.rindex(_HOST) :]
    if _OF_THREE.search(text):
        raise _unknown(kernel, "it loads or stores vectors of three elements")
    if _LOOP.search(host):
        raise _unknown(kernel, "the host starts kernels in a loop")
    if _STORE.search(host):
        raise _unknown(kernel, "the host computes elements")
    arrays = {_plain(m["name"]): _bytes(m) for m in _ARRAY.finditer(host)}
    if len(arrays) < len(re.findall(r"^\s*allocate ", host, re.M)):
        raise _unknown(kernel, "an array has no constant size")
    names = [*map(_plain, buffers), *arrays]
    launches = list(_launches(host, kernel, names))
    renamed: list[Launch] = []
    for number, launch in enumerate(launches):
        entry = symbol if len(launches) == 1 else f"{symbol}{PART}{number}"
        body, count = re.subn(rf"\b{re.escape(launch.entry)}\b(?=\()", entry, body)
        if count != 1:
            raise _unknown(kernel, f"'{launch.entry}' is not there once")
        renamed.append(Launch(entry, launch.grid, launch.block, launch.shared, launch.args))
    contract = _CONTRACT.format("OFF" if strict else "ON")
    return DeviceCode(shared, contract + body, tuple(renamed), tuple(arrays.values()))


def _launches(host: str, kernel: str, names: Sequence[str]) -> Iterator[Launch]:
    for match in _RUN.finditer(host):
        arguments = _split(match["arguments"])
        if len(arguments) != 12:
            raise _unknown(kernel, "a start has other arguments")
        numbers = [_number(text, kernel) for text in arguments[2:9]]
        values, kinds = (_split(text[text.index("(", 9) + 1 : -1]) for text in arguments[10:])
        if any(kind != "(uint8)1" for kind in kinds[:-1]):
            raise _unknown(kernel, "a kernel takes a number")
        places: list[int] = []
        for value in values[:-1]:
            name = _plain(value.replace("(void *)", ""))
            if name not in names:
                raise _unknown(kernel, f"'{name}' is no buffer")
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
        raise _unknown(kernel, f"'{text}' is no constant")
    return int(text)


def _plain(name: str) -> str:
    """Return a name of Halide's without the number that tells it from equal ones."""
    return re.sub(r"\$\d+", "", name).removesuffix(".buffer")


def _bytes(match: re.Match[str]) -> int:
    return prod(map(int, match["extents"].split("*"))) * ((int(match["bits"]) + 7) // 8)


def _unknown(kernel: str, what: str) -> ToolchainError:
    return ToolchainError(f"kernel '{kernel}' cannot be compiled for a device: {what}")
