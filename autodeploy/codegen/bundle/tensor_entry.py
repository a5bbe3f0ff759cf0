"""The manifest entry of an input or output, and of the open extents on which it depends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Annotated, TypeAlias

from autodeploy.diagnostics import UserError
from autodeploy.dialects.growth import CONSTANT, Growth, solved
from autodeploy.dialects.nn.open_extent import MOST
from autodeploy.dialects.nn.parts import Part, combination_of, numbers_text, part_of
from autodeploy.dialects.nn.stored import cell_bytes, element_bits, interface_element
from autodeploy.json_values import IfGiven, Signed


def _checked_growth(growth: Growth, _name: str) -> Growth:
    """Return a growth in its lowest terms; raises ``UserError`` for one that is none."""
    factors = (replace(growth, rest=()), *growth.rest)
    if factors == (CONSTANT,):
        return CONSTANT
    for one in factors:
        if min(one.times, one.over, one.by, *(times for _, times in one.others)) < 1 or one.rest:
            raise UserError(f"malformed growth, {growth.text('n')}")
    return Growth.product([Growth.sum_of(one.terms, one.plus, one.over, one.by) for one in factors])


def _checked_part(part: Part, _name: str) -> Part:
    if not part.least <= part.most <= MOST:
        raise UserError(f"malformed part of an extent, {part}")
    return part


CheckedGrowth: TypeAlias = Annotated[Growth, _checked_growth]
"""How an extent grows."""

CheckedPart: TypeAlias = Annotated[Part, _checked_part]
"""Numbers that there may be."""


@dataclass(frozen=True)
class PartShape:
    """The shape of a tensor in the program for a part of open extents.

    Extents along ``open`` axes are the largest there can be, and grow by ``growths``.
    """

    shape: tuple[int, ...]
    open: IfGiven[tuple[int, ...]] = ()
    growths: IfGiven[tuple[CheckedGrowth, ...]] = ()


@dataclass(frozen=True)
class TensorEntry:
    """An input or output: its name in the network, NumPy's name of its type, its extents.

    Strings in cells of 64 bytes have the type ``string64``. If the model has a sequence of maps,
    each row is one map, and ``keys`` are the keys of the columns.

    ``shape`` has the largest extents along ``open`` axes; a run says what they are. ``growths`` are
    functions from the numbers of a run to these extents, one for each open axis; one that is
    constant is of an extent that depends on values. They are empty where all extents are in
    proportion to the first number. ``parts`` are the shapes in each of several programs, where no
    growth holds for all of them.

    ``default`` has the bytes of an input that a run may leave out, as hexadecimal digits. A tensor
    ``on_device`` may be in memory of the device.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    open: IfGiven[tuple[int, ...]] = ()
    keys: IfGiven[tuple[str | Signed, ...]] = ()
    growths: IfGiven[tuple[CheckedGrowth, ...]] = ()
    parts: IfGiven[tuple[PartShape, ...]] = ()
    default: IfGiven[str] = ""
    on_device: IfGiven[bool] = False

    def at(self, extents: Sequence[ExtentEntry], numbers: Sequence[int]) -> TensorEntry:
        """Return the tensor of a run with numbers for the open extents.

        It is open no more, except along axes whose extents depend on values.
        """
        if not extents or not self.open:
            return self
        if self.parts:
            return self._in_part(
                self.parts[combination_of([e.ranges for e in extents], numbers)]
            ).at(extents, numbers)
        shape, growths = list(self.shape), self._growths(extents)
        for axis, growth in zip(self.open, growths, strict=True):
            steps = [n // extent.step for n, extent in zip(numbers, extents, strict=True)]
            shape[axis] = growth.at(steps) if growth else shape[axis]
        still = tuple(axis for axis, g in zip(self.open, growths, strict=True) if not g)
        return replace(self, shape=tuple(shape), open=still, growths=())

    def _in_part(self, part: PartShape) -> TensorEntry:
        return replace(self, shape=part.shape, open=part.open, growths=part.growths, parts=())

    def _growths(self, extents: Sequence[ExtentEntry]) -> Sequence[Growth]:
        """Return how the open axes grow with the steps of extents."""
        steps = extents[0].most // extents[0].step
        return self.growths or [Growth(self.shape[axis] // steps) for axis in self.open]

    def fits(self, extents: Sequence[ExtentEntry]) -> bool:
        """Return whether the shape is that for the largest numbers, and each run has elements."""
        if not extents or not self.open:
            return not self.growths and not self.parts
        if any(p >= len(extents) for growth in self.growths for p in growth.places):
            return False
        if self.parts:
            programs = list(product(*(extent.ranges for extent in extents)))
            return len(programs) == len(self.parts) and all(
                len(part.shape) == len(self.shape)
                and all(n <= most for n, most in zip(part.shape, self.shape, strict=True))
                and len(part.growths) == len(part.open)
                and self._in_part(part).fits(
                    [
                        replace(e, least=r.least, most=r.most, parts=())
                        for e, r in zip(extents, ranges, strict=True)
                    ]
                )
                for part, ranges in zip(self.parts, programs, strict=True)
            )
        least = self.at(extents, [extent.least for extent in extents]).shape
        most = self.at(extents, [extent.most for extent in extents]).shape
        # There may be none for a number of 0.
        fewest = [
            0 if any(not extents[place].least for place in growth.places) else 1
            for growth in self._growths(extents)
        ]
        pairs = zip(self.open, fewest, strict=True)
        return most == self.shape and all(least[axis] >= n for axis, n in pairs)

    def numbers_of(self, extents: Sequence[ExtentEntry], shape: Sequence[int]) -> Mapping[int, int]:
        """Return the numbers of open extents, by their place, for which an input has a shape.

        They are those of runs with such a tensor; none where it tells none.
        """
        return told_numbers([self], extents, [shape])

    def fitted(self, extents: Sequence[ExtentEntry], shape: Sequence[int]) -> TensorEntry:
        """Return the tensor of a run in which it has a shape, if there is such a run.

        Else it is that of other numbers. An extent that is a sum of numbers which the shape does
        not tell is taken as it is.
        """
        told = self.numbers_of(extents, shape)
        if not self.open or not all(extents[place].has(n) for place, n in told.items()):
            return self
        if self.parts:
            known = [n if (n := told.get(p)) is not None else e.most for p, e in enumerate(extents)]
            return self.at(extents, known) if told else self
        least, most = (
            self.at(
                extents,
                [
                    told.get(place, extent.most if largest else extent.least)
                    for place, extent in enumerate(extents)
                ],
            ).shape
            for largest in (False, True)
        )
        if len(shape) != len(least):
            return replace(self, shape=most, open=(), growths=())
        found = (min(max(n, low), high) for n, low, high in zip(shape, least, most, strict=True))
        return replace(self, shape=tuple(found), open=(), growths=())

    def told(
        self, extents: Sequence[ExtentEntry], shape: Sequence[int]
    ) -> Sequence[tuple[Growth, int]]:
        """Return how open axes of an input grow that has a shape, and the extents of these."""
        if not extents or not self.open or len(shape) != len(self.shape):
            return ()
        return [
            (growth, shape[axis])
            for axis, growth in zip(self.open, self._growths(extents), strict=True)
        ]

    @property
    def bits(self) -> int:
        """Return the bits of one element."""
        element = interface_element(self.dtype)
        assert element is not None
        return element_bits(element)

    @property
    def cell(self) -> int | None:
        """Return the bytes of the cell of a string, ``None`` if elements are none."""
        return cell_bytes(self.dtype)

    @property
    def bytes(self) -> int:
        """Return the bytes of the whole."""
        return (prod(self.shape) * self.bits + 7) // 8


@dataclass(frozen=True)
class ExtentEntry:
    """An open extent: its name, and the range of the number that each run is given.

    The number is a multiple of ``step``. The shape has the length of an open axis for the largest
    number; for others it is in proportion, or follows its growth. With ``parts`` the number is in
    one of them; the program of the first that has it runs. With ``of_state`` the number follows
    from the state of the context, and no run is given it."""

    name: str
    least: int
    most: int
    step: int = 1
    parts: IfGiven[tuple[CheckedPart, ...]] = ()
    of_state: IfGiven[bool] = False

    @property
    def ranges(self) -> tuple[Part, ...]:
        """Return the parts, or the whole range where there are none."""
        return self.parts or (Part(self.least, self.most),)

    def has(self, number: int) -> bool:
        """Return whether a run may be given a number."""
        return part_of(self.ranges, number) is not None and number % self.step == 0

    def __str__(self) -> str:
        """Return the valid numbers, as a message states them after "is"."""
        return numbers_text(self.ranges, self.step)


@dataclass(frozen=True)
class StateEntry:
    """A tensor that a context keeps: the input that it is, the output that it was, its shape.

    The shape is that of its memory. If it has rows along ``axis``, a run has the first ones, as
    many as the open extent of the number ``extent`` says.
    """

    input: str
    output: str
    dtype: str
    shape: tuple[int, ...]
    axis: IfGiven[int | None] = None
    extent: IfGiven[int | None] = None


def checked_tensor(entry: TensorEntry, _name: str) -> TensorEntry:
    """Return a tensor; raises ``UserError`` if what a manifest says of it is contradictory."""
    if interface_element(entry.dtype) is None:
        raise UserError(f"unknown element type '{entry.dtype}'")
    for shape in (entry, *entry.parts):
        if any(axis >= len(shape.shape) for axis in shape.open):
            raise UserError(f"malformed open axes {list(shape.open)}")
        if shape.growths and len(shape.growths) != len(shape.open):
            raise UserError(f"{len(shape.growths)} growths of {len(shape.open)} open axes")
    keys = entry.keys
    if keys and ((len(keys),) != entry.shape[-1:] or len(set(map(type, keys))) > 1):
        raise UserError(f"malformed keys of '{entry.name}'")
    if entry.default and not re.fullmatch(f"([0-9a-f]{{2}}){{{entry.bytes}}}", entry.default):
        raise UserError(f"malformed default of '{entry.name}'")
    return entry


def checked_extent(entry: ExtentEntry, _name: str) -> ExtentEntry:
    """Return an extent; raises ``UserError`` if there is no such range, or it has no such parts."""
    least, most, step, parts = entry.least, entry.most, entry.step, entry.parts
    if not least < most <= MOST or step < 1 or least % step or most % step:
        raise UserError(f"malformed range of an extent, {least} to {most} in steps of {step}")
    if parts and (
        any(part.least % step or part.most % step for part in parts)
        or (min(p.least for p in parts), max(p.most for p in parts)) != (least, most)
    ):
        raise UserError(f"malformed parts of an extent, {', '.join(map(str, parts))}")
    return entry


def told_numbers(
    entries: Sequence[TensorEntry], extents: Sequence[ExtentEntry], shapes: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Return the numbers of open extents, by their place, for which inputs have their shapes.

    A sum of several numbers tells one of them where the others are told.
    """
    told = [
        pair
        for entry, shape in zip(entries, shapes, strict=True)
        for pair in entry.told(extents, shape)
    ]
    of = dict(reversed(told))
    numbers: dict[int, int] = {}
    for growth, place in solved(of):
        rest = of[growth] - growth.plus
        for other, times in growth.terms.items():
            if other != place:
                rest -= times * (numbers[other] // extents[other].step)
        numbers[place] = rest * extents[place].step // growth.terms[place]
    return numbers
