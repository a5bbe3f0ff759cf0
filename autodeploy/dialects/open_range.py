"""The range of a number of a run, and options that split ranges so that a question is decided."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LISTED = 16
"""How many numbers of a range a message lists."""

_PARTS = 8
"""How many parts of a range a message lists."""

_STEPS = 64
"""The largest step, in steps of a range, that a message proposes."""


@dataclass(frozen=True)
class OpenRange:
    """A number of a run by its name, and its range, which counts steps of the number."""

    label: str
    least: int
    most: int
    step: int = 1

    @property
    def count(self) -> int:
        """Return how many numbers there are."""
        return self.most - self.least + 1

    def number(self, count: int) -> int:
        """Return the number that a run is given for a count of steps."""
        return count * self.step

    def coarser(self, by: int = 2) -> OpenRange:
        """Return the numbers of the range that are multiples of some of its steps."""
        return replace(self, least=-(-self.least // by), most=self.most // by, step=by * self.step)

    def places(self, finer: OpenRange) -> Sequence[int]:
        """Return the places of the numbers among those of a finer range."""
        by = self.step // finer.step
        return range(self.least * by - finer.least, self.most * by - finer.least + 1, by)

    def option(self, parts: Sequence[tuple[int, int]]) -> str:
        """Return the option for parts, by the first and last counts: ``--dynamic n=8,16..64:8``."""
        ends = [tuple(map(self.number, part)) for part in parts]
        texts = [str(least) if least == most else f"{least}..{most}" for least, most in ends]
        step = f":{self.step}" if self.step > 1 else ""
        listed = ",".join([*texts[:_LISTED], *["…"] * (len(texts) > _LISTED)])
        return f"--dynamic {self.label}={listed}{step}"


DERIVED: WeakValueDictionary[str, Derived] = WeakValueDictionary()
"""Derived numbers in use, by their digests: types name them so, and the module has the tables."""


@dataclass(frozen=True)
class Derived(OpenRange):
    """A number that follows from those of a run: an element of a table over their grid.

    ``shape`` is that of the table, 1 along the numbers from which it does not follow; ``content``
    are its integers of 64 bits. ``of`` makes one object of equal tables.
    """

    shape: tuple[int, ...] = ()
    content: bytes = b""

    @staticmethod
    def of(shape: Sequence[int], values: Sequence[int]) -> Derived:
        """Return the number with the elements of a table."""
        content = struct.pack(f"={len(values)}q", *values)
        found = Derived("", min(values), max(values), 1, tuple(shape), content)
        return DERIVED.setdefault(found.digest, found)

    @cached_property
    def digest(self) -> str:
        """A text that tells the number from others."""
        return hashlib.sha256(str(self.shape).encode() + self.content).hexdigest()[:16]

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """The number for each combination of those of a run."""
        import numpy as np

        return np.frombuffer(self.content, np.int64).reshape(self.shape)

    @property
    def element_bytes(self) -> int:
        """The bytes of an element of the smallest unsigned type that has all."""
        return next(size for size in (1, 2, 4) if self.most < 1 << 8 * size)


def remedy(ranges: Sequence[OpenRange], answers: NDArray[Any]) -> str:
    """Return the advice by which answers, on the grid of ranges, are the same within each part.

    That is ``split the range, such as --dynamic n=1..4,5..64``, or a step.
    """
    options: list[str] = []
    ways: set[str] = set()
    for axis, range_ in enumerate(ranges):
        starts = _starts(answers, axis)
        if len(starts) > _PARTS and (step := _step(answers, axis, range_)) is not None:
            answers = answers.take(step.places(range_), axis)
            options.append(step.option([(step.least, step.most)]))
            ways.add("give a step")
        elif len(starts) > 1:
            first = [range_.least + start for start in starts]
            last = [start - 1 for start in first[1:]] + [range_.most]
            options.append(range_.option([*zip(first, last, strict=True)]))
            ways.add("split the range")
    return f"{' and '.join(sorted(ways, reverse=True))}, such as {' '.join(options)}"


def fewer(ranges: Sequence[OpenRange], points: int) -> str:
    """Return how ranges have at most some combinations of numbers: by steps, or by parts.

    The text is ``a step, such as --dynamic n=8..64:8, or parts of fewer numbers``.
    """
    found = list(ranges)
    while prod(range_.count for range_ in found) > points:
        place = max(range(len(found)), key=lambda place: found[place].count)
        coarser = found[place].coarser()
        if coarser.count < 2:
            break
        found[place] = coarser
    pairs = zip(found, ranges, strict=True)
    options = [
        range_.option([(range_.least, range_.most)]) for range_, own in pairs if range_ != own
    ]
    such = f", such as {' '.join(options)}," if options else ""
    return f"a step{such} or parts of fewer numbers"


def singles(ranges: Sequence[OpenRange]) -> str:
    """Return the options that give each number a part; ranges that are alike share one."""
    alike: dict[OpenRange, list[str]] = {}
    for range_ in ranges:
        alike.setdefault(replace(range_, label=""), []).append(range_.label)
    options: list[str] = []
    for range_, labels in alike.items():
        numbers = [str(range_.number(n)) for n in range(range_.least, range_.most + 1)]
        listed = ",".join([*numbers[:_LISTED], *["…"] * (len(numbers) > _LISTED)])
        options.append(f"--dynamic {','.join(labels)}={listed}")
    return " ".join(options)


def _starts(grid: NDArray[Any], axis: int) -> Sequence[int]:
    """Return the places of an axis at which parts begin that have the same values throughout."""
    import numpy as np

    rows = np.moveaxis(grid, axis, 0).reshape(grid.shape[axis], -1)
    return [0, *(1 + np.flatnonzero((rows[1:] != rows[:-1]).any(1))).tolist()]


def _step(grid: NDArray[Any], axis: int, range_: OpenRange) -> OpenRange | None:
    """Return several numbers of a range that have the same values on a grid, with a larger step."""
    for by in range(2, _STEPS + 1):
        found = range_.coarser(by)
        if found.count > 1 and len(_starts(grid.take(found.places(range_), axis), axis)) == 1:
            return found
    return None
