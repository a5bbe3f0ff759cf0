"""The memory of a program by parts, as flash and RAM of a device, and sizes for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class MemorySizes:
    """Bytes of each part of the memory of a program; ``None`` if they are not known.

    ``code`` is the code of kernels, ``weights`` the weights, with the header of their file. The
    ``arena`` is without ``states``. ``stack`` is about the stack of a run. ``context`` is ``None``
    on a machine with a system, which allocates it. ``pools`` are the parts of the arena that are in
    memories of their own.
    """

    weights: int
    arena: int
    code: int | None = None
    states: int = 0
    context: int | None = None
    stack: int | None = None
    pools: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def flash(self) -> Mapping[str, int | None]:
        """Return the parts that do not change while a program runs."""
        return {"code of kernels": self.code, "weights": self.weights}

    @property
    def ram(self) -> Mapping[str, int | None]:
        """Return the parts that a program writes."""
        optional = {"states": self.states or None, "context": self.context}
        given = {name: size for name, size in optional.items() if size is not None}
        arena = {f"pool {name}": size for name, size in self.pools.items()}
        return {**(arena or {"arena": self.arena}), **given, "stack": self.stack}

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield a row for each memory: its name, the bytes of all parts, those of each part."""
        for name, parts in (("flash", self.flash), ("RAM", self.ram)):
            known = {part: size for part, size in parts.items() if size is not None}
            least = "at least " if len(known) < len(parts) else ""
            listed = ", ".join(f"{part} {readable_bytes(size)}" for part, size in known.items())
            yield name, least + readable_bytes(sum(known.values())), listed

    def lines(self) -> Iterator[str]:
        """Yield the rows as lines of text."""
        return (f"{name:5}  {total}: {listed}" for name, total, listed in self.rows())


def readable_bytes(count: int) -> str:
    """Return a number of bytes in units of 1000 bytes, 1000 of these, or 1000 of those."""
    size, units = float(count), ["KB", "MB", "GB"]
    unit = ""
    while size >= 999.95 and units:  # what would be rounded to 1000.0
        size, unit = size / 1000, units.pop(0)
    return f"{size:.1f} {unit}" if unit else f"{count} bytes"


def exact_bytes(count: int) -> str:
    """Return a number of bytes, followed by the same in larger units if there are many."""
    return f"{count} bytes" if count < 1000 else f"{count} bytes ({readable_bytes(count)})"
