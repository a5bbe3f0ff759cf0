"""Extents that are said by other ones: ``past + 1``, ``past_length + sequence_length``.

Exporters write such texts for extents of inputs, users after ``--dynamic``. There are names and
integers, which are added, subtracted and multiplied, and brackets. A minus that subtracts has
blanks around it, since one without is a part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from shlex import quote

from autodeploy.diagnostics import ModelError, UserError, did_you_mean

_TOKEN = re.compile(
    r"(?P<minus>\s+-\s)|\s*(?P<other>[0-9]{1,18}|[A-Za-z_][\w.:/]*(?:-[\w.:/]+)*|[+*()])"
)

_MOST_TOKENS = 64
"""Tokens of a text beyond which it is not read."""


@dataclass(frozen=True)
class ExtentExpression:
    """An extent as a function of named ones, which ``names`` lists in order."""

    names: tuple[str, ...]
    value: Callable[[Mapping[str, int]], int]

    def at(self, numbers: Mapping[str, int]) -> int | None:
        """Return the extent; ``None`` if a number is not known of one of the names."""
        return self.value(numbers) if all(name in numbers for name in self.names) else None


@cache
def parse_extent(text: str) -> ExtentExpression | None:
    """Return what a text says of an extent by other ones; ``None`` if it is a name, or neither.

    A text without a name, or without anything computed, says none.
    """
    tokens = _tokens(text)
    if tokens is None or len(tokens) < 2:
        return None
    parser = _Parser(tokens)
    value = parser.sum()
    if value is None or not parser.at_end or not parser.names:
        return None
    return ExtentExpression(tuple(dict.fromkeys(parser.names)), value)


def _tokens(text: str) -> list[str] | None:
    found: list[str] = []
    text, place = text.rstrip(), 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or len(found) == _MOST_TOKENS:
            return None
        found.append(match["other"] or "-")
        place = match.end()
    return found


_Value = Callable[[Mapping[str, int]], int]


class _Parser:
    def __init__(self, tokens: list[str]):
        self._tokens: Iterator[str] = iter(tokens)
        self._next: str | None = next(self._tokens, None)
        self.names: list[str] = []

    @property
    def at_end(self) -> bool:
        return self._next is None

    def _take(self) -> str | None:
        taken, self._next = self._next, next(self._tokens, None)
        return taken

    def sum(self) -> _Value | None:
        found = self._product()
        while found is not None and self._next in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            other = self._product()
            found = None if other is None else _added(found, other, sign)
        return found

    def _product(self) -> _Value | None:
        found = self._factor()
        while found is not None and self._next == "*":
            self._take()
            other = self._factor()
            found = None if other is None else _multiplied(found, other)
        return found

    def _factor(self) -> _Value | None:
        token = self._take()
        if token is None or token in ("+", "-", "*", ")"):
            return None
        if token == "(":
            inner = self.sum()
            return inner if self._take() == ")" else None
        if token.isdecimal():
            number = int(token)
            return lambda numbers: number
        self.names.append(token)
        return lambda numbers: numbers[token]


def _added(one: _Value, other: _Value, sign: int) -> _Value:
    return lambda numbers: one(numbers) + sign * other(numbers)


def _multiplied(one: _Value, other: _Value) -> _Value:
    return lambda numbers: one(numbers) * other(numbers)


@dataclass(frozen=True)
class FollowingExtent:
    """Extents, by names of the model or ``input:axis``, and their expressions.

    The text has names of other extents, whose numbers are open or given.
    """

    names: tuple[str, ...]
    text: str

    def __post_init__(self) -> None:
        if not self.names or not all(self.names) or parse_extent(self.text) is None:
            raise UserError(
                f"extent '{','.join(self.names)}' follows from others by an expression such as "
                f"'past+1' or 'past+length', found '{self.text}'"
            )

    @property
    def expression(self) -> ExtentExpression:
        """Return what the text says."""
        found = parse_extent(self.text)
        assert found is not None  # checked when this was made
        return found

    def number(self, numbers: Mapping[str, int]) -> int:
        """Return the extent where others are ``numbers``; raises ``ModelError`` if it is none."""
        for name in self.expression.names:
            if name not in numbers:
                raise ModelError(
                    f"extent '{self.names[0]}' is '{self.text}', but '{name}' is neither open nor "
                    f"given{did_you_mean(name, numbers)}"
                )
        found = self.expression.value(numbers)
        if found < 0:
            told = ", ".join(f"{name} {numbers[name]}" for name in self.expression.names)
            raise ModelError(f"extent '{self.names[0]}' is {found} for {told}")
        return found


def following_example(extent: str, opened: Iterable[str]) -> str | None:
    """Return an option by which an extent follows from ``opened`` ones, as an example.

    That is their sum, or one more than a single one; ``None`` if no text could name one.
    """
    names = [name for name in opened if parse_extent(f"{name}+1") is not None]
    if not names:
        return None
    text = "+".join(names) if len(names) > 1 else f"{names[0]}+1"
    return f"--dynamic {quote(f'{extent}={text}')}"
