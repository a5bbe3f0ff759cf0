"""How much memory a compiled kernel works in, read from Halide's lowered program.

All shapes are constants, so the sizes of a kernel's allocations are, too. Halide puts constant ones
of up to 16 KiB on the C stack; the others come from the runtime's scratch memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import prod

from autodeploy.diagnostics import ToolchainError

STACK_BYTES = 16 << 10
"""Largest allocation that Halide puts on the C stack (unless the schedule says heap)."""

BLOCK_OVERHEAD = 256
"""Bytes that a block takes beyond its own (``AUTODEPLOY_SCRATCH_OVERHEAD`` of the runtime)."""

_ALLOCATE = re.compile(
    r"allocate (?P<name>\S+)\[(?P<type>[a-z]+)(?P<bits>\d*)(?:x(?P<lanes>\d+))? \* (?P<size>.*)\]"
    r"(?: in (?P<memory>\w+))?(?: if .*)?$"
)
_EXTENTS = re.compile(r"\(?(?P<extents>\d+(?: \* \d+)*)(?: \+ (?P<padding>\d+))?\)?")
_FREE = re.compile(r"free (?P<name>\S+)$")


def scratch_bytes(lowered: str, kernel: str) -> int:
    """Return the bytes of scratch memory that must be there when ``kernel`` runs on one thread.

    ``lowered`` is Halide's ``stmt`` text. A thread of a pool needs no more than this. Raises
    ``ToolchainError`` if an allocation has no constant size.
    """
    # Bodies of parallel loops are functions of their own: each adds to that which calls it.
    return sum(_peak(part, kernel, _scratch) for part in _functions(lowered))


def worker_scratch_bytes(lowered: str, kernel: str) -> int | None:
    """Return the bytes that must be there for another thread to help with ``kernel``'s loops.

    That is what the bodies of parallel loops take; ``None`` if the kernel has no such loop.
    ``lowered`` and errors are those of ``scratch_bytes``.
    """
    bodies = [part for part in _functions(lowered) if part.startswith("internal func")]
    if not bodies:
        return None
    return sum(_peak(part, kernel, _scratch) for part in bodies)


def stack_bytes(lowered: str, kernel: str) -> int:
    """Return the bytes of all arrays that are on the C stack at one time while ``kernel`` runs.

    A compiler needs more for registers, which are not known here. ``lowered`` and errors are those
    of ``scratch_bytes``.
    """
    return sum(_peak(part, kernel, _stack) for part in _functions(lowered))


def stack_arrays(lowered: str) -> Mapping[str, int]:
    """Return the bytes of the largest array on the C stack of each func that has one, by its name.

    An array of no constant size is none of them. ``lowered`` is that of ``scratch_bytes``.
    """
    sizes: dict[str, int] = {}
    for line in map(str.strip, lowered.split("\n")):
        match = _ALLOCATE.match(line)
        total = None if match is None else _constant_bytes(match)
        if match is not None and total is not None and _is_on_stack(match, total):
            sizes[match["name"]] = max(total, sizes.get(match["name"], 0))
    return sizes


def _functions(lowered: str) -> list[str]:
    return re.split(r"\n(?=\w+ func )", lowered)


def _peak(text: str, kernel: str, size_of: Callable[[re.Match[str], str], int]) -> int:
    """Return the most memory of a kind that one function takes, where it is given as by a stack."""
    blocks: list[tuple[str, int]] = []
    given_back: set[str] = set()
    # An array that is too large for the C stack is kept until the function returns.
    kept: dict[str, int] = {}
    scopes: list[list[str]] = [[]]
    peak = 0

    def give_back(names: Iterable[str]) -> None:
        # As in the runtime, memory is free for others when all newer blocks are given back, too.
        given_back.update(names)
        while blocks and blocks[-1][0] in given_back:
            given_back.discard(blocks.pop()[0])

    for line in map(str.strip, text.split("\n")):
        if line.startswith("}") and len(scopes) > 1:
            give_back(scopes.pop())
        if line.endswith("{"):
            scopes.append([])
        elif (match := _ALLOCATE.match(line)) is not None:
            name, taken = match["name"], size_of(match, kernel)
            if match["memory"] == "Stack":
                kept[name] = max(taken, kept.get(name, 0))
            elif taken:
                given_back.discard(name)
                blocks.append((name, taken))
                scopes[-1].append(name)
            peak = max(peak, sum(size for _, size in blocks))
        elif (match := _FREE.match(line)) is not None:
            give_back([match["name"]])
    return peak + sum(kept.values())


def _scratch(match: re.Match[str], kernel: str) -> int:
    """Return the bytes of scratch memory that an allocation takes."""
    total = _bytes(match, kernel)
    return 0 if _is_on_stack(match, total) else total + BLOCK_OVERHEAD


def _stack(match: re.Match[str], kernel: str) -> int:
    """Return the bytes of the C stack that an allocation takes."""
    total = _bytes(match, kernel)
    return total if _is_on_stack(match, total) else 0


def _is_on_stack(match: re.Match[str], total: int) -> bool:
    return total <= STACK_BYTES and match["memory"] != "Heap"


def _bytes(match: re.Match[str], kernel: str) -> int:
    total = _constant_bytes(match)
    if total is None:
        raise ToolchainError(
            f"kernel '{kernel}' needs memory of no constant size for func '{match['name']}', "
            f"{match['size']} elements; bound its extents in the schedule"
        )
    return total


def _constant_bytes(match: re.Match[str]) -> int | None:
    """Return the bytes of an allocation, ``None`` if only a run tells."""
    size = _EXTENTS.fullmatch(match["size"])
    if size is None:
        return None
    count = prod(map(int, size["extents"].split(" * "))) + int(size["padding"] or 0)
    return count * int(match["lanes"] or 1) * ((int(match["bits"] or 8) + 7) // 8)
