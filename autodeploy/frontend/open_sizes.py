"""Extents that stay open: which ones, their range, and the numbers at which a model is imported.

A model is imported once: its types have the largest numbers, and inputs say which axes are open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError, UserError, did_you_mean
from autodeploy.dialects.extents import OpenRange
from autodeploy.dialects.nn.extent_attr import extents_of
from autodeploy.dialects.nn.open_extent import (
    MOST,
    OpenExtentAttr,
)
from autodeploy.dialects.nn.parts import Part, hidden_part
from autodeploy.frontend.following_extents import FollowingExtent, following_example
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.names import ascii_text

RangeLike: TypeAlias = tuple[int, ...] | Sequence[int | tuple[int, ...]] | str
"""The range of an open extent: least, largest and perhaps step; or a list of its parts.

Or a text that says by other extents what it is, such as ``"past+1"``.
"""


@dataclass(frozen=True)
class NamedRange:
    """Extents that are one number: names that the model has, or ``input:axis``; and its range.

    The number is a multiple of ``step``. Where the range is one number, the extents are constants.
    """

    names: tuple[str, ...]
    least: int
    most: int
    step: int = 1

    @property
    def open_range(self) -> OpenRange:
        """Return the range in steps, by the name that the IR has for it."""
        label = ascii_text(self.names[0]).replace(":", "_")
        return OpenRange(label, self.least // self.step, self.most // self.step, self.step)

    @property
    def is_open(self) -> bool:
        """Tell whether there are several numbers."""
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
        of parts, which are such tuples or single numbers, of one step. A text says that an extent
        follows from others.
        """
        return tuple(
            FollowingExtent(tuple(names.split(",")), given)
            if isinstance(given, str)
            else _spec(names, given)
            for names, given in ranges.items()
        )


def _spec(names: str, given: tuple[int, ...] | Sequence[int | tuple[int, ...]]) -> OpenSpec:
    words = tuple(names.split(","))
    numbers = [number for number in given if isinstance(number, int)]
    if isinstance(given, tuple) and len(numbers) == len(given):
        if not 2 <= len(numbers) <= 3:
            raise _malformed(names, given)
        return OpenSpec(words, numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 1)
    parts: list[Part] = []
    steps: set[int] = set()
    for part in given:
        range_ = (part, part) if isinstance(part, int) else tuple(part)
        if not 2 <= len(range_) <= 3:
            raise _malformed(names, given)
        parts.append(Part(range_[0], range_[1]))
        steps |= set(range_[2:])
    if not parts or len(steps) > 1:
        raise _malformed(names, given)
    return OpenSpec.of_parts(words, parts, steps.pop() if steps else 1)


def _malformed(names: str, given: object) -> UserError:
    return UserError(
        f"the range of extent '{names}' is its least number, its largest and its step, if it has "
        f"one, or a list of such parts and of single numbers, which have one step, found {given}"
    )


def _part_text(part: Part) -> str:
    return f"{part.least} to {part.most}"


@dataclass(frozen=True)
class OpenSizes:
    """The shapes and extents with which a model is imported; those that are open vary.

    Without ``extent`` none is open: all are constants.
    """

    extent: OpenExtentAttr | None
    shapes: Mapping[str, Sequence[int]]
    dims: Mapping[str, int]

    @staticmethod
    def of(
        ctx: Context,
        model: str | Path | bytes,
        ranges: Sequence[NamedRange],
        shapes: Mapping[str, Sequence[int]],
        dims: Mapping[str, int],
        values: Mapping[str, npt.ArrayLike] | None = None,
        following: Sequence[FollowingExtent] = (),
    ) -> OpenSizes:
        """Return the sizes of a model; raises ``UserError`` where a name is not of the model."""
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
        extents = [
            (name, number)
            for range_ in ranges
            for number in [next(numbers) if range_.is_open else range_.most]
            for name in range_.names
        ]
        told = {**dims, **dict(extents)}
        extents += [(name, entry.number(told)) for entry in following for name in entry.names]
        symbols = {name: number for name, number in extents if _axis(name) is None}
        chosen = {name: list(shape) for name, shape in shapes.items()}
        placed = [(place, n) for name, n in extents if (place := _axis(name)) is not None]
        known: Mapping[str, Sequence[int]] = {}
        if placed:
            module = import_any_model(
                ctx, model, shapes=shapes, dims={**dims, **symbols}, values=values
            )
            known = input_shapes(module)
        for (name, axis), number in placed:
            _choose(chosen, known, name, axis, number)
        for name, shape in chosen.items():
            for axis in [axis for axis, own in enumerate(shape) if own < 0][:1]:
                opened = (own for range_ in ranges for own in range_.names)
                follows = following_example(f"{name}:{axis}", opened)
                raise ModelError(
                    f"input '{name}' has further open extents; give its shape by --shape"
                    + (f", or what they follow from, such as {follows}" if follows else "")
                )
        return OpenSizes(extent, chosen, {**dims, **symbols})


def _choose(
    chosen: dict[str, list[int]],
    known: Mapping[str, Sequence[int]],
    name: str,
    axis: int,
    number: int,
) -> None:
    """Let an axis of an input have a number."""
    shape = chosen.setdefault(name, list(_known_shape(known, name)))
    if not -len(shape) <= axis < len(shape):
        raise UserError(f"input '{name}' has {len(shape)} axes, found axis {axis} to stay open")
    shape[axis] = number


def _axis(name: str) -> tuple[str, int] | None:
    """Return the input and the axis that ``input:axis`` says; ``None`` for a name alone."""
    text, colon, axis = name.rpartition(":")
    return (text, int(axis)) if colon and text and axis.isdecimal() else None


def _known_shape(known: Mapping[str, Sequence[int]], name: str) -> Sequence[int]:
    shape = known.get(name)
    if shape is None:
        listed = ", ".join(map(repr, known)) or "none"
        raise ModelError(
            f"an extent of input '{name}' is to stay open, but the inputs are {listed}"
            f"{did_you_mean(name, known)}"
        )
    return shape


def input_shapes(module: ModuleOp) -> dict[str, Sequence[int]]:
    """Return the shapes of the inputs of a module by name; one that is not known is negative."""
    found: dict[str, Sequence[int]] = {}
    for func in module.body.block.ops:
        if not isinstance(func, FuncOp):
            continue
        named = func.arg_attrs.data if func.arg_attrs else ()
        for entry, type_ in zip(named, func.function_type.inputs, strict=False):
            name = entry.data.get("nn.name")
            if not isinstance(name, StringAttr) or not isa(type_, TensorType[Attribute]):
                continue
            found[name.data] = extents_of(type_)
    return found
