"""Regular expressions in the syntax of RE2, as trees.

Captures and greedy repetitions do not matter here: the only question is whether a whole string
matches.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import TypeAlias

LAST = 0x10FFFF
"""The last character of Unicode."""

MAX_REPEAT = 1000
"""The most repetitions that RE2 takes."""

MAX_DEPTH = 200
"""The most groups within each other."""

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Characters: first and last of each range, in rising order, apart from each other."""


class PatternError(Exception):
    """Says what is wrong with a pattern: "has …"."""


class Edge(Enum):
    """A place between characters."""

    TEXT_BEGIN = "text begin"
    TEXT_END = "text end"
    LINE_BEGIN = "line begin"
    LINE_END = "line end"
    WORD = "word"
    NO_WORD = "no word"


@dataclass(frozen=True)
class Chars:
    """One of some characters."""

    ranges: Ranges


@dataclass(frozen=True)
class Chain:
    """Consecutive nodes."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """One of several nodes."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """A node again and again; without ``most`` as often as one likes."""

    node: Node
    least: int
    most: int | None


Node: TypeAlias = Chars | Chain | Choice | Repeat | Edge


def parse_pattern(pattern: str) -> Node:
    """Return the tree of a pattern; raises ``PatternError`` if it is wrong or not supported."""
    parser = _Parser(pattern)
    node = parser.choice(_Flags(), 0)
    if parser.left:
        raise PatternError("has a ')' without a '('")
    return node


# Sets of characters


def _joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def _others(ranges: Ranges) -> Ranges:
    ends = [-1, *(end for pair in ranges for end in pair), LAST + 1]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return tuple((before + 1, behind - 1) for before, behind in pairs if before + 1 < behind)


def _of_text(text: str) -> Ranges:
    return _joined((ord(c), ord(c)) for c in text)


_DIGITS: Ranges = ((0x30, 0x39),)
_UPPER: Ranges = ((0x41, 0x5A),)
_LOWER: Ranges = ((0x61, 0x7A),)
WORD: Ranges = _joined((*_DIGITS, *_UPPER, *_LOWER, (0x5F, 0x5F)))
"""The characters of words; ``\\b`` is between one of them and another character."""
_PERL = {"d": _DIGITS, "s": _of_text("\t\n\f\r "), "w": WORD}
_POSIX = {
    "alnum": _joined((*_DIGITS, *_UPPER, *_LOWER)),
    "alpha": _joined((*_UPPER, *_LOWER)),
    "ascii": ((0, 0x7F),),
    "blank": _of_text("\t "),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": _DIGITS,
    "graph": ((0x21, 0x7E),),
    "lower": _LOWER,
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": _of_text("\t\n\v\f\r "),
    "upper": _UPPER,
    "word": WORD,
    "xdigit": _joined((*_DIGITS, (0x41, 0x46), (0x61, 0x66))),
}
_ESCAPES = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_CATEGORY = re.compile(r"\^?[A-Z][a-z]?&?")


@cache
def _category(name: str) -> Ranges:
    """Return the characters of a general category of Unicode, or of several: ``Lu``, ``L``."""
    return _joined(
        (code, code) for code in range(LAST + 1) if unicodedata.category(chr(code)).startswith(name)
    )


@cache
def _folded() -> dict[str, list[int]]:
    """Return the characters that are the same but for their case, by their folded form."""
    found: dict[str, list[int]] = {}
    for code in range(LAST + 1):
        found.setdefault(_fold(code), []).append(code)
    return {key: codes for key, codes in found.items() if len(codes) > 1}


def _fold(code: int) -> str:
    own = chr(code)
    folded = own.casefold()
    return folded if len(folded) == 1 else own.lower() if len(own.lower()) == 1 else own


def _in_any_case(ranges: Ranges) -> Ranges:
    found = list(ranges)
    for codes in _folded().values():
        if any(first <= code <= last for code in codes for first, last in ranges):
            found += [(code, code) for code in codes]
    return _joined(found)


# The parser


@dataclass(frozen=True)
class _Flags:
    any_case: bool = False
    lines: bool = False
    dot_all: bool = False


_FLAGS: dict[str, Callable[[_Flags, bool], _Flags]] = {
    "i": lambda flags, on: replace(flags, any_case=on),
    "m": lambda flags, on: replace(flags, lines=on),
    "s": lambda flags, on: replace(flags, dot_all=on),
    "U": lambda flags, on: flags,
}


class _Parser:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str):
        self.left = pattern

    def choice(self, flags: _Flags, depth: int) -> Node:
        """Read up to the end of the pattern, or of the group."""
        if depth > MAX_DEPTH:
            raise PatternError(f"has more than {MAX_DEPTH} groups within each other")
        nodes: list[Node] = []
        items: list[Node] = []
        while self.left and not self.left.startswith(")"):
            if self._skip("|"):
                nodes.append(Chain(tuple(items)))
                items = []
            elif found := self._skip_match(_SET_FLAGS):
                flags = self._with(flags, found[1])
            else:
                items += self._item(flags, depth)
        nodes.append(Chain(tuple(items)))
        return nodes[0] if len(nodes) == 1 else Choice(tuple(nodes))

    def _item(self, flags: _Flags, depth: int) -> Sequence[Node]:
        """Read one node, and how often it is there; text in quotes is several."""
        if self._skip(r"\Q"):
            quoted, _, self.left = self.left.partition(r"\E")
            return [self._character(ord(c), flags) for c in quoted]
        node = self._node(flags, depth)
        repeated = False
        while found := self._skip_match(_REPEATS):
            if repeated:
                raise PatternError(f"has a repetition '{found[0]}' of a repetition")
            node, repeated = self._repeated(node, found), True
        return [node]

    def _repeated(self, node: Node, found: re.Match[str]) -> Node:
        sign = found[1]
        if sign:
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        else:
            least = int(found[2])
            most = least if found[3] is None else int(found[4]) if found[4] else None
        if max(least, most or 0) > MAX_REPEAT or (most is not None and most < least):
            raise PatternError(f"has a wrong repetition '{found[0]}', of {MAX_REPEAT} at most")
        return Repeat(node, least, most)

    def _node(self, flags: _Flags, depth: int) -> Node:
        if found := self._skip_match(_GROUP):
            inner = self._with(flags, found[1] or "")
            node = self.choice(inner, depth + 1)
            if not self._skip(")"):
                raise PatternError("has a '(' without a ')'")
            return node
        if self._skip("["):
            return Chars(self._set(flags))
        if self._skip("."):
            return Chars(((0, LAST),) if flags.dot_all else _others(_of_text("\n")))
        if self._skip("^"):
            return Edge.LINE_BEGIN if flags.lines else Edge.TEXT_BEGIN
        if self._skip("$"):
            return Edge.LINE_END if flags.lines else Edge.TEXT_END
        for text, edge in _EDGES.items():
            if self._skip(text):
                return edge
        if self.left[0] in "*+?(":
            raise PatternError(f"has a '{self.left[:3]}' that is wrong there, or not supported")
        if (ranges := self._class()) is not None:
            return Chars(_in_any_case(ranges) if flags.any_case else ranges)
        return self._character(self._code(), flags)

    def _character(self, code: int, flags: _Flags) -> Chars:
        ranges = ((code, code),)
        return Chars(_in_any_case(ranges) if flags.any_case else ranges)

    def _set(self, flags: _Flags) -> Ranges:
        """Read a set after its bracket."""
        negated = self._skip("^")
        found: list[tuple[int, int]] = []
        first = True
        while first or not self._skip("]"):
            first = False
            if not self.left:
                raise PatternError("has a '[' without a ']'")
            if posix := self._skip_match(_POSIX_CLASS):
                if posix[2] not in _POSIX:
                    raise PatternError(f"has the unknown class '{posix[0]}'")
                own = _POSIX[posix[2]]
                found += _others(own) if posix[1] else own
            elif (ranges := self._class()) is not None:
                found += ranges
            else:
                low = high = self._code()
                if self.left.startswith("-") and not self.left.startswith("-]"):
                    self.left = self.left[1:]
                    high = self._code()
                if high < low:
                    raise PatternError("has a range whose end is before its start")
                found.append((low, high))
        ranges = _joined(found)
        ranges = _in_any_case(ranges) if flags.any_case else ranges
        return _others(ranges) if negated else ranges

    def _class(self) -> Ranges | None:
        """Read a class of characters: ``\\d``, ``\\pL``, ``\\P{Lu}``."""
        if found := self._skip_match(_PERL_CLASS):
            own = _PERL[found[1].lower()]
            return _others(own) if found[1].isupper() else own
        found = self._skip_match(_UNICODE_CLASS)
        if found is None:
            return None
        name = found[2] or found[3]
        negated = (found[1] == "P") != name.startswith("^")
        name = name.removeprefix("^")
        ranges = ((0, LAST),) if name == "Any" else None
        if ranges is None and _CATEGORY.fullmatch(name):
            ranges = _category(name)
        if not ranges:
            raise PatternError(f"has the class '{found[0]}', which is not supported")
        return _others(ranges) if negated else ranges

    def _code(self) -> int:
        """Read one character, escaped or not."""
        if not self.left:
            raise PatternError("ends too early")
        if not self._skip("\\"):
            own, self.left = self.left[0], self.left[1:]
            return ord(own)
        if found := self._skip_match(_NUMBER):
            code = int(found[1], 8) if found[1] else int(found[2] or found[3], 16)
            if code > LAST:
                raise PatternError(f"has no character '\\{found[0]}'")
            return code
        own, self.left = self.left[:1], self.left[1:]
        if own in _ESCAPES:
            return _ESCAPES[own]
        if not own or own.isalnum() or ord(own) > 0x7F:
            raise PatternError(f"has the escape '\\{own}', which is not supported")
        return ord(own)

    def _with(self, flags: _Flags, text: str) -> _Flags:
        on = True
        for own in text:
            if own == "-":
                on = False
            else:
                flags = _FLAGS[own](flags, on)
        return flags

    def _skip(self, text: str) -> bool:
        if not self.left.startswith(text):
            return False
        self.left = self.left[len(text) :]
        return True

    def _skip_match(self, form: re.Pattern[str]) -> re.Match[str] | None:
        found = form.match(self.left)
        if found is not None:
            self.left = self.left[found.end() :]
        return found


_EDGES = {
    r"\A": Edge.TEXT_BEGIN,
    r"\z": Edge.TEXT_END,
    r"\b": Edge.WORD,
    r"\B": Edge.NO_WORD,
}
_GROUP = re.compile(r"\((?:\?(?:P?<[A-Za-z_][A-Za-z_0-9]*>|([imsU]*(?:-[imsU]+)?):)|(?!\?))")
_SET_FLAGS = re.compile(r"\(\?([imsU]+(?:-[imsU]+)?|-[imsU]+)\)")
_REPEATS = re.compile(r"(?:([*+?])|\{([0-9]{1,9})(,([0-9]{1,9})?)?\})\??")
_POSIX_CLASS = re.compile(r"\[:(\^?)([a-z]+):\]")
_PERL_CLASS = re.compile(r"\\([dDsSwW])")
_UNICODE_CLASS = re.compile(r"\\([pP])(?:\{(\^?[A-Za-z_&]+)\}|([A-Z]))")
_NUMBER = re.compile(r"([0-7]{3}|0[0-7]{0,2})|x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,8})\}")
