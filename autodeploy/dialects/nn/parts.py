"""Parts of the range of an open extent: a program is compiled for each of them.

The first part that has the number of a run says which program runs. Parts may overlap: for
``1, 8, 1..32`` there is a program for 1, one for 8, and one for all other numbers up to 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """The numbers from ``least`` to ``most``, which may be one; all are multiples of a step."""

    least: int
    most: int

    @property
    def is_single(self) -> bool:
        """Return whether there is one number, so that shapes are constants."""
        return self.least == self.most

    def has(self, number: int) -> bool:
        """Return whether a multiple of the step is one of these numbers."""
        return self.least <= number <= self.most

    def __str__(self) -> str:
        """Return the part as a user writes it."""
        return str(self.least) if self.is_single else f"{self.least}..{self.most}"


def part_of(parts: Sequence[Part], number: int) -> int | None:
    """Return the place of the first part that has a number; ``None`` if none has it."""
    return next((place for place, part in enumerate(parts) if part.has(number)), None)


def combination_of(ranges: Sequence[Sequence[Part]], numbers: Sequence[int]) -> int:
    """Return the place of the parts that have some numbers, among all combinations in order.

    A number in no part counts as one in the first.
    """
    place = 0
    for parts, number in zip(ranges, numbers, strict=True):
        place = place * len(parts) + (part_of(parts, number) or 0)
    return place


def hidden_part(parts: Sequence[Part], step: int) -> Part | None:
    """Return a part of which each number is in one before it, ``None`` if there is none."""
    for place, part in enumerate(parts):
        before = _joined(parts[:place], step)
        if any(one.least <= part.least and part.most <= one.most for one in before):
            return part
    return None


def numbers_text(parts: Sequence[Part], step: int) -> str:
    """Return the valid numbers, as a message states them after "is"."""
    joined = _joined(parts, step)
    texts = [
        str(part.least) if part.is_single else f"from {part.least} to {part.most}"
        for part in joined
    ]
    steps = "" if step == 1 or all(part.is_single for part in joined) else f" in steps of {step}"
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1]))) + steps


def _joined(parts: Sequence[Part], step: int) -> list[Part]:
    """Return the same numbers as parts in rising order, with gaps between them."""
    found: list[Part] = []
    for part in sorted(parts, key=lambda part: part.least):
        if found and part.least <= found[-1].most + step:
            found[-1] = Part(found[-1].least, max(found[-1].most, part.most))
        else:
            found.append(part)
    return found
