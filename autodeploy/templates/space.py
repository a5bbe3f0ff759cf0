"""The values that knobs may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TypeAlias, overload

from xdsl.utils.hints import isa

from autodeploy.dialects.nn.config import ConfigAttr, Knob, as_config

Knobs: TypeAlias = Mapping[str, Sequence[Knob]]
"""A value of each knob, as a config has them."""

Space: TypeAlias = Mapping[str, Sequence[Sequence[Knob]]]
"""The values of each knob of a template."""


class Values(Sequence[Sequence[Knob]], ABC):
    """Values of a knob that are made when they are asked for."""

    @abstractmethod
    def value(self, index: int) -> Sequence[Knob]:
        """Return the value of a number below their count."""

    @overload
    def __getitem__(self, index: int) -> Sequence[Knob]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[Knob]]: ...
    def __getitem__(self, index: int | slice) -> Sequence[Knob] | Sequence[Sequence[Knob]]:
        places = range(len(self))[index]
        return self.value(places) if isinstance(places, int) else [self.value(i) for i in places]


class Numbers(Values):
    """All numbers from ``first`` to ``last``, each ``times`` times; before them maybe nothing."""

    def __init__(self, first: int, last: int, times: int = 1, *, or_nothing: bool = False):
        self._range, self._times, self._empty = range(first, last + 1), times, int(or_nothing)

    def __len__(self) -> int:
        return self._empty + len(self._range)

    def __contains__(self, value: object) -> bool:
        if value == ():
            return bool(self._empty)
        return isa(value, tuple[int, ...]) and value in (
            (number,) * self._times for number in value[:1] if number in self._range
        )

    def value(self, index: int) -> Sequence[Knob]:
        """Return a number, or nothing."""
        place = index - self._empty
        return () if place < 0 else (self._range[place],) * self._times

    def __str__(self) -> str:
        numbers = f"{list(self[self._empty])} to {list(self[-1])}"
        return f"[], {numbers}" if self._empty else numbers


class Parts(Values):
    """The configs of several anchors: a template each, and its space."""

    def __init__(self, parts: Sequence[tuple[str, Space]]):
        self.parts = parts

    def __len__(self) -> int:
        return prod(len(values) for _, space in self.parts for values in space.values())

    def __contains__(self, value: object) -> bool:
        """Tell whether each config is of its template, and its knobs have values of the space."""
        return (
            isa(value, tuple[int | str | ConfigAttr, ...])
            and len(value) == len(self.parts)
            and all(
                name == config.template_name
                and all(knob in space and config.values(knob) in space[knob] for knob in config)
                for config, (name, space) in zip(map(as_config, value), self.parts, strict=True)
            )
        )

    def value(self, index: int) -> Sequence[Knob]:
        """Return the configs of a number."""
        found: list[Knob] = []
        for name, space in self.parts:
            knobs: dict[str, Sequence[Knob]] = {}
            for knob, values in space.items():
                index, place = divmod(index, len(values))
                knobs[knob] = values[place]
            found.append(ConfigAttr(name, knobs) if knobs else name)
        return tuple(found)

    def __str__(self) -> str:
        texts = (
            f"{name}<{', '.join(f'{knob}: {shown(values)}' for knob, values in space.items())}>"
            if space
            else name
            for name, space in self.parts
        )
        return f"[{', '.join(texts)}]"


def shown(values: Sequence[Sequence[Knob]], most: int | None = None) -> str:
    """Return the values of a knob as text; of ``most``, the others are left out."""
    if isinstance(values, Values):
        return str(values)
    listed = [f"[{', '.join(map(str, value))}]" for value in values[:most]]
    return ", ".join([*listed, *(["…"] if len(values) > len(listed) else [])])


def divisors(number: int) -> list[int]:
    """Return what divides a number, the least first; 1 alone of 0."""
    small = [n for n in range(1, int(number**0.5) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)}) or [1]


def powers(last: int, first: int = 1) -> Iterable[int]:
    """Return the powers of two from ``first`` to ``last``."""
    while first <= last:
        yield first
        first *= 2
