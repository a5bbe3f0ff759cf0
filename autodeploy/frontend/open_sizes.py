"""Extents that stay open: which ones, their ranges and parts, and the import of such a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, cast

from typing_extensions import TypeIs

from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver.part import PartAttr
from autodeploy.dialects.extents import OpenRange
from autodeploy.dialects.nn.open_extent import (
    MOST,
    OpenExtentAttr,
)
from autodeploy.dialects.nn.parts import Part, hidden_part
from autodeploy.frontend.extent_expressions import FollowingExtent, parse_extent
from autodeploy.frontend.module import Axes
from autodeploy.frontend.names import ascii_text

RangeLike: TypeAlias = tuple[int, ...] | Sequence[int | tuple[int, ...]] | str
"""The range of an open extent: least, largest and perhaps step; or a list of its parts.

Or a text: the range as the command line has it, such as ``"1..32"``, or what it is by other
extents, such as ``"past+1"``.
"""

_PART = re.compile(r"\s*(\d{1,18})\s*(?:\.\.\s*(\d{1,18})\s*)?(?::\s*(\d{1,18})\s*)?", re.ASCII)
"""A part of a range, as text: its least number, its largest, its step."""


@dataclass(frozen=True)
class NamedRange:
    """Extents that are one number: names that the model has, or ``input:axis``; and its range.

    The number is a multiple of ``step``. If the range is one number, the extents are constants.
    """

    names: tuple[str, ...]
    least: int
    most: int
    step: int = 1

    @property
    def open_range(self) -> OpenRange:
        """Return the range in steps, by the name that the IR has for it."""
        label = ascii_text(self.names[0])
        return OpenRange(label, self.least // self.step, self.most // self.step, self.step)

    @property
    def is_open(self) -> bool:
        """Return whether there are several numbers."""
        return self.least < self.most


@dataclass(frozen=True)
class OpenSpec(NamedRange):
    """Extents that stay open, with the range of their number.

    The ends of the range are multiples of ``step``. A program is compiled for each of ``parts``, if
    there are any; the range is then from their least number to their largest.
    """

    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if not self.names or not all(self.names):
            raise UserError("an open extent has a name, or is an axis of an input, such as 'x:0'")
        if not 0 <= self.least < self.most <= MOST:
            raise UserError(
                f"the range of extent '{self.names[0]}' is of several numbers from 0 to {MOST}, "
                f"found {self.least} to {self.most}"
            )
        if self.step < 1 or any(
            part.least % self.step or part.most % self.step for part in self._all_parts
        ):
            raise UserError(
                f"the range of extent '{self.names[0]}' begins and ends with multiples of its "
                f"step, found {', '.join(map(_part_text, self._all_parts))} in steps of {self.step}"
            )
        for part in self.parts:
            if part.least > part.most:
                raise UserError(
                    f"a part of extent '{self.names[0]}' begins with its least number, found {part}"
                )
        hidden = hidden_part(self.parts, self.step)
        if hidden is not None:
            raise UserError(
                f"part {hidden} of extent '{self.names[0]}' is never chosen: parts before it have "
                "its numbers"
            )

    @property
    def _all_parts(self) -> tuple[Part, ...]:
        return self.parts or (Part(self.least, self.most),)

    @property
    def ranges(self) -> tuple[NamedRange, ...]:
        """Return the range of each part, or the whole where there are none."""
        return tuple(
            NamedRange(self.names, part.least, part.most, self.step) for part in self._all_parts
        )

    @staticmethod
    def of_parts(names: tuple[str, ...], parts: Sequence[Part], step: int = 1) -> OpenSpec:
        """Return what has these parts; one alone is the whole range."""
        least, most = min(part.least for part in parts), max(part.most for part in parts)
        return OpenSpec(names, least, most, step, tuple(parts) if len(parts) > 1 else ())

    @staticmethod
    def of(ranges: Mapping[str, RangeLike]) -> tuple[OpenSpec | FollowingExtent, ...]:
        """Return what is given by name; names of one number have commas between them.

        A range is a tuple of its least number, its largest and its step, if it has one; or a list
        of parts, which are such tuples or single numbers, of one step. A text is one for
        ``of_text``. Raises ``UserError`` for anything else.
        """
        if not isinstance(ranges, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UserError(
                "open extents are a dictionary from names to ranges, such as "
                f"{{'batch': (1, 32)}}, found {ranges}"
            )
        return tuple(
            OpenSpec.of_text(names, given) if isinstance(given, str) else _spec(names, given)
            for names, given in ranges.items()
        )

    @staticmethod
    def of_text(names: str, text: str) -> OpenSpec | FollowingExtent:
        """Return what a text says: ``1..32``, ``1,2..32``, ``64..1280:8`` or ``past+1``.

        Parts of a range have commas between them and may be one number. A step after the last part
        is the step of all; other parts may repeat it. Raises ``UserError`` for another form.
        """
        words = tuple(names.split(","))
        if names and parse_extent(text) is not None:
            return FollowingExtent(words, text.strip())
        found = [_PART.fullmatch(part) for part in text.split(",")]
        parts = [Part(int(m[1]), int(m[2] or m[1])) for m in found if m is not None]
        steps = [m[3] for m in found if m is not None]
        if (
            not names
            or len(parts) < len(found)
            or any(step not in (None, steps[-1]) for step in steps)
            or (len(parts) == 1 and found[0] is not None and found[0][2] is None)
        ):
            whole = f"{names}={text}" if names else text
            raise UserError(
                f"malformed range '{whole}', expected 'name=1..32', 'name=64..1280:8', parts of a "
                "range of one step, such as 'name=1,2..32', or what follows from others, such as "
                "'name=past+1'"
            )
        return OpenSpec.of_parts(words, parts, int(steps[-1] or 1))


def _spec(names: str, given: object) -> OpenSpec:
    parts = _listed(given)
    if isinstance(given, tuple) and all(isinstance(part, int) for part in parts):
        parts = (parts,)
    pairs = [(part, part) if isinstance(part, int) else _listed(part) for part in parts]
    ranges = [pair for pair in pairs if _is_range(pair)]
    steps = {step for range_ in ranges for step in range_[2:]}
    if not ranges or len(ranges) < len(pairs) or len(steps) > 1:
        raise UserError(
            f"the range of extent '{names}' is its least number, its largest and its step, if it "
            "has one, or a list of such parts and of single numbers, which have one step, found "
            f"{given}"
        )
    found = [Part(*range_[:2]) for range_ in ranges]
    return OpenSpec.of_parts(tuple(names.split(",")), found, steps.pop() if steps else 1)


def _listed(given: object) -> Sequence[object]:
    return cast("Sequence[object]", given) if isinstance(given, list | tuple) else ()


def _is_range(numbers: Sequence[object]) -> TypeIs[Sequence[int]]:
    """Return whether values are a least number, a largest, and perhaps a step."""
    return 2 <= len(numbers) <= 3 and all(isinstance(number, int) for number in numbers)


def _part_text(part: Part) -> str:
    return f"{part.least} to {part.most}"


@dataclass(frozen=True)
class OpenSizes:
    """The extents with which a model is imported, by names and by axes; those that are open vary.

    Without ``extent`` none is open: all are constants.
    """

    extent: OpenExtentAttr | None
    dims: Mapping[str, int]
    axes: Axes

    @staticmethod
    def of(
        ranges: Sequence[NamedRange],
        dims: Mapping[str, int],
        following: Sequence[FollowingExtent] = (),
    ) -> OpenSizes:
        """Return the sizes of a model; raises ``UserError`` for a name that is given twice."""
        names = [name for given in (*ranges, *following) for name in given.names]
        for name in names:
            if names.count(name) > 1:
                raise UserError(f"extent '{name}' is to stay open twice")
            if _axis(name) is None and name in dims:
                raise UserError(f"extent '{name}' is given a number, and is to stay open")
        counted = tuple(range_.open_range for range_ in ranges if range_.is_open)
        extent = OpenExtentAttr(counted) if counted else None
        if extent is not None:
            extent.grid.check()
        numbers = iter(() if extent is None else map(extent.grid.extent, range(len(counted))))
        extents = {
            name: number
            for range_ in ranges
            for number in [next(numbers) if range_.is_open else range_.most]
            for name in range_.names
        }
        told = {**dims, **extents}
        extents |= {name: entry.number(told) for entry in following for name in entry.names}
        axes: dict[str, dict[int, int]] = {}
        symbols = {**dims}
        for name, number in extents.items():
            if (place := _axis(name)) is None:
                symbols[name] = number
            else:
                axes.setdefault(place[0], {})[place[1]] = number
        return OpenSizes(extent, symbols, axes)


def _axis(name: str) -> tuple[str, int] | None:
    """Return the input and the axis that ``input:axis`` says; ``None`` for a name alone."""
    text, colon, axis = name.rpartition(":")
    return (text, int(axis)) if colon and text and axis.isdecimal() else None


def combinations(specs: Sequence[OpenSpec]) -> list[tuple[NamedRange, ...]]:
    """Return the ranges of each program.

    All parts of the last extent follow each other, for each part of the one before.
    """
    return list(product(*(spec.ranges for spec in specs)))


def part_name(ranges: Sequence[NamedRange]) -> str:
    """Return the name of the program for a part, in the syntax of the option."""
    return ",".join(f"{r.open_range.label}={Part(r.least, r.most)}" for r in ranges)


def part_attr(ranges: Sequence[NamedRange]) -> PartAttr | None:
    """Return what the IR says of the part; ``None`` if there are no open extents."""
    return PartAttr(tuple(range_.open_range for range_ in ranges)) if ranges else None
