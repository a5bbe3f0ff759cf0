"""The numbers that each run of a program is told: those of its open extents."""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.dialects.driver import ProgramOp
from autodeploy.dialects.nn.open_extent import OpenRange
from autodeploy.dialects.nn.parts import Part, numbers_text


@dataclass(frozen=True)
class OpenNumber:
    """A number of a run: its name in the network, its step, and the parts of its range.

    The name is in ASCII. A program that is not one of several has a single part, the whole range.
    """

    label: str
    step: int
    parts: tuple[Part, ...]

    @property
    def least(self) -> int:
        """Return the smallest number."""
        return min(part.least for part in self.parts)

    @property
    def most(self) -> int:
        """Return the largest number."""
        return max(part.most for part in self.parts)

    @property
    def text(self) -> str:
        """Return the valid numbers, as a message states them after "is"."""
        return numbers_text(self.parts, self.step)


def open_numbers(op: ProgramOp) -> tuple[OpenNumber, ...]:
    """Return the numbers of one program, in the order in which they are told."""
    if op.part is not None:
        return tuple(map(_number, op.part.ranges))
    return () if op.open_extent is None else tuple(map(_number, op.open_extent.ranges))


def _number(range_: OpenRange) -> OpenNumber:
    part = Part(range_.number(range_.least), range_.number(range_.most))
    return OpenNumber(range_.label, range_.step, (part,))
