"""How much scratch memory a compiled kernel takes, read from Halide's lowered program.

All shapes are constants, so the sizes of a kernel's allocations are, too. Halide puts constant ones
of up to 16 KiB on the C stack; the others come from the runtime's scratch memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
    ``ToolchainError`` where an allocation has no constant size.
    """
    # Bodies of parallel loops are functions of their own: each adds to that which calls it.
    return sum(_peak(part.split("\n"), kernel) for part in _functions(lowered))


def worker_scratch_bytes(lowered: str, kernel: str) -> int | None:
    """Return the bytes that must be there for another thread to help with ``kernel``'s loops.

    That is what the bodies of parallel loops take; ``None`` where the kernel has no such loop.
    ``lowered`` and errors are those of ``scratch_bytes``.
    """
    bodies = [part for part in _functions(lowered) if part.startswith("internal func")]
    if not bodies:
        return None
    return sum(_peak(part.split("\n"), kernel) for part in bodies)


def _functions(lowered: str) -> list[str]:
    return re.split(r"\n(?=\w+ func )", lowered)


def _peak(lines: Iterable[str], kernel: str) -> int:
    """Return the most scratch memory that one function takes, as the runtime's stack gives it."""
    blocks: list[tuple[str, int]] = []
    given_back: set[str] = set()
    # What should lie on the C stack and is too large for it is kept until the function returns.
    kept: dict[str, int] = {}
    scopes: list[list[str]] = [[]]
    peak = 0

    def give_back(names: Iterable[str]) -> None:
        # As in the runtime, memory is free for others when all newer blocks are given back, too.
        given_back.update(names)
        while blocks and blocks[-1][0] in given_back:
            given_back.discard(blocks.pop()[0])

    for line in map(str.strip, lines):
        if line.startswith("}") and len(scopes) > 1:
            give_back(scopes.pop())
        if line.endswith("{"):
            scopes.append([])
        elif (match := _ALLOCATE.match(line)) is not None:
            name, taken = match["name"], _bytes(match, kernel)
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


def _bytes(match: re.Match[str], kernel: str) -> int:
    size = _EXTENTS.fullmatch(match["size"])
    if size is None:
        raise ToolchainError(
            f"kernel '{kernel}' needs memory of no constant size for func '{match['name']}', "
            f"{match['size']} elements; bound its extents in the schedule"
        )
    count = int(size["padding"] or 0)
    product = 1
    for extent in size["extents"].split(" * "):
        product *= int(extent)
    count += product
    total = count * int(match["lanes"] or 1) * ((int(match["bits"] or 8) + 7) // 8)
    if total <= STACK_BYTES and match["memory"] != "Heap":
        return 0
    return total + BLOCK_OVERHEAD
