"""The conditions under which a kernel stays within its buffers, from Halide's lowered program.

Kernels check nothing, so Halide leaves its checks out of them. Lowered with them, whatever Halide
has not found true of a schedule is an ``assert`` in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Number: TypeAlias = NDArray[np.int64]
"""An integer, or a truth value as 0 or 1, for each run that is looked at; one for all of them."""

_NOT_OF_SCHEDULE = (
    "constraints_make_required_region_smaller",
    "buffer_argument_is_null",
    "bad_type",
    "bad_dimensions",
    "host_is_null",
    "device_dirty_with_no_device_support",
)
"""Checks of queries, which no one makes, and of buffers, which are the driver's."""

_LET = re.compile(r"let (?P<name>\S+) = (?P<value>.*)")
_FOR = re.compile(r"(?:for|parallel) \((?P<name>[^,]+), (?P<range>.*)\) \{")
_BODY = re.compile(r"internal func (?P<body>\S+) \(__user_context, (?P<name>[^,]+), [^,]+\) \{")
_SHARED = re.compile(
    r"let \S+ = halide_do_par_for\(\(halide_task_t\)::(?P<body>[^,]+), (?P<range>.*), "
    r"\(uint8_t \*\).*"
)
_ASSERT = re.compile(r"assert\((?P<condition>.*), halide_error_(?P<kind>\w+)\((?P<told>.*)\)\)")
_CAST = re.compile(r"\(u?int\d+\)")
_TOKEN = re.compile(r"\s*([A-Za-z_][\w.$]*|\d+|&&|\|\||[<>=!]=|[-+*/%<>=!(),])")

_BINARY: Mapping[str, tuple[int, Callable[[Number, Number], Number]]] = {
    "||": (1, np.logical_or),
    "&&": (2, np.logical_and),
    "==": (3, np.equal),
    "!=": (3, np.not_equal),
    "<": (4, np.less),
    "<=": (4, np.less_equal),
    ">": (4, np.greater),
    ">=": (4, np.greater_equal),
    "+": (5, np.add),
    "-": (5, np.subtract),
    "*": (6, np.multiply),
    "/": (6, np.floor_divide),
    "%": (6, np.mod),
}
"""The operators that Halide prints: how strongly they bind, and what they compute."""

_CALLS: Mapping[str, Callable[..., Number]] = {
    "min": np.minimum,
    "max": np.maximum,
    "abs": np.abs,
    "select": np.where,
    **dict.fromkeys(("int32", "int64", "uint64", "likely", "likely_if_innermost"), np.asarray),
}


class UndecidedError(Exception):
    """A condition depends on more than what is known of a run."""


@dataclass(frozen=True)
class Condition:
    """A check that a kernel leaves out.

    ``kind`` is the name of Halide's error, ``text`` what must be true, ``told`` the arguments of
    the error as text; ``lets`` have the texts that names in them stand for, ``loops`` the least
    value of each loop's variable, and how many it has.
    """

    kind: str
    text: str
    told: tuple[str, ...]
    lets: Mapping[str, str]
    loops: Mapping[str, tuple[str, str]]

    def value(self, text: str, known: Mapping[str, Number]) -> Number:
        """Return the value of a text of the condition where names have ``known`` values.

        Raises ``UndecidedError`` where it depends on more than these.
        """
        return _Expression(text, known, self.lets).value()

    def names(self, text: str) -> set[str]:
        """Return the names that a text depends on, through lets and ranges of loops as well."""
        found: set[str] = set()
        waiting = [text]
        while waiting:
            for token in _tokens(waiting.pop()):
                if token not in found:
                    found.add(token)
                    waiting += [self.lets[token]] if token in self.lets else []
                    waiting += self.loops.get(token, ())
        return found


def conditions_of(lowered: str) -> list[Condition]:
    """Return the conditions that a lowered program asserts, as far as the schedule decides on them.

    Bodies of parallel loops are functions of their own, before that which calls them.
    """
    lines = [line.strip() for line in lowered.split("\n")]
    shared = {m["body"]: m["range"] for line in lines if (m := _SHARED.fullmatch(line))}
    lets: dict[str, str] = {}
    loops: dict[str, tuple[str, str]] = {}
    found: list[Condition] = []
    for line in lines:
        if line.startswith("let ") and (match := _LET.fullmatch(line)):
            lets[match["name"]] = match["value"]
        elif match := _FOR.fullmatch(line):
            loops[match["name"]] = _range(match["range"])
        elif match := _BODY.fullmatch(line):
            loops[match["name"]] = _range(shared.get(match["body"], ""))
        elif line.startswith("assert(") and (match := _ASSERT.fullmatch(line)):
            kind, text, told = match["kind"], match["condition"], _arguments(match["told"])
            if kind not in _NOT_OF_SCHEDULE:
                found.append(Condition(kind, text, told, dict(lets), dict(loops)))
    return found


def _range(text: str) -> tuple[str, str]:
    """Return the least value of a loop's variable and the number of its values."""
    found = _arguments(text)
    return (found[0], found[1]) if len(found) == 2 else (text, "")


def _arguments(told: str) -> tuple[str, ...]:
    """Return the arguments of a call; texts among them have neither commas nor brackets."""
    parts, depth = [""], 0
    for letter in told:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip().strip('"') for part in parts)


class _Expression:
    """An expression of integers, as Halide prints it."""

    def __init__(self, text: str, known: Mapping[str, Number], lets: Mapping[str, str]):
        self._tokens = _tokens(text)
        self._known, self._lets = known, lets

    def value(self) -> Number:
        found = self._operators(0)
        if self._tokens:
            raise UndecidedError
        return found

    def _operators(self, least: int) -> Number:
        left = self._operand()
        while self._tokens and self._tokens[0] in _BINARY:
            binds, compute = _BINARY[self._tokens[0]]
            if binds <= least:
                break
            del self._tokens[0]
            left = compute(left, self._operators(binds)).astype(np.int64)
        return left

    def _operand(self) -> Number:
        token = self._tokens.pop(0) if self._tokens else ""
        if token.isdecimal():
            return np.asarray(int(token), np.int64)
        if token == "(":
            return self._list()[0]
        if token == "let":
            name, _, value = self._tokens.pop(0), self._takes("="), self._operators(0)
            self._known = {**self._known, name: value}
            self._takes("in")
            return self._operators(0)
        if token == "-":
            return -self._operand()
        if token == "!":
            return 1 - self._operand()
        if token in _CALLS:
            self._takes("(")
            return _CALLS[token](*self._list())
        if token in self._known:
            return self._known[token]
        if token in self._lets:
            return _Expression(self._lets[token], self._known, self._lets).value()
        raise UndecidedError(token)

    def _list(self) -> list[Number]:
        """Return the values up to the bracket that closes."""
        values = [self._operators(0)]
        while self._tokens[:1] == [","]:
            self._takes(",")
            values.append(self._operators(0))
        self._takes(")")
        return values

    def _takes(self, token: str) -> None:
        if self._tokens[:1] != [token]:
            raise UndecidedError
        del self._tokens[0]


def _tokens(text: str) -> list[str]:
    """Return the tokens of an expression; one that is unknown is a token of its own."""
    text, place = _CAST.sub("", text), 0
    found: list[str] = []
    while place < len(text):
        match = _TOKEN.match(text, place)
        found.append(text[place] if match is None else match[1])
        place = place + 1 if match is None else match.end()
    return found
