"""Automata that read a string once, and tell whether it matches a regular expression.

Each state stands for all places of the pattern where one may be. Before a character is read, it is
known what is on both sides of the place: so edges of words and lines are passed then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from autodeploy.lowering.onnx_to_nn.patterns import (
    LAST,
    WORD,
    Chain,
    Chars,
    Choice,
    Edge,
    Node,
    PatternError,
    Ranges,
    Repeat,
)

MAX_PLACES = 20_000
"""The most places of a pattern, repetitions written out."""
MAX_STATES = 4096
"""The most states of an automaton."""
MAX_STEPS = 1_000_000
"""The most entries of its table."""
MAX_VISITS = 20_000_000
"""The most places that are visited to make it."""


@dataclass(frozen=True)
class Automaton:
    """A character is of the class of the last of ``starts`` that is not above it.

    ``steps`` has a row for each state, the first one being where strings begin: for each class the
    next state, -1 for none, and after these 1 if strings may end, else 0.
    """

    starts: list[int]
    classes: list[int]
    steps: list[list[int]]

    def matches(self, text: str) -> bool:
        """Return whether a whole text is matched."""
        state = 0
        for character in text:
            number = self.classes[bisect_right(self.starts, ord(character)) - 1]
            state = self.steps[state][number]
            if state < 0:
                return False
        return bool(self.steps[state][-1])


def automaton(pattern: Node) -> Automaton:
    """Return the automaton of a pattern; raises ``PatternError`` if it would be too large."""
    return _Determiniser(pattern).automaton()


class _Side(IntEnum):
    """The neighbour of a place: nothing, a new line, a character of a word, another one."""

    NONE = 0
    LINE = 1
    WORD = 2
    OTHER = 3


_State: TypeAlias = tuple[frozenset[int], _Side]
"""The possible places, and the characters before them."""


@dataclass
class _Place:
    """A place of the pattern: what is read there, or what is passed, and where that leads."""

    chars: Ranges | None = None
    edge: Edge | None = None
    to: list[int] = field(default_factory=list[int])


class _Places:
    """The places of a pattern; 0 is its end."""

    def __init__(self) -> None:
        self.places = [_Place()]

    def add(self, place: _Place) -> int:
        if len(self.places) == MAX_PLACES:
            raise PatternError(f"is too large: it has more than {MAX_PLACES} places")
        self.places.append(place)
        return len(self.places) - 1

    def before(self, node: Node, end: int) -> int:
        """Return the place before a node that ``end`` follows."""
        match node:
            case Chars():
                return self.add(_Place(chars=node.ranges, to=[end]))
            case Edge():
                return self.add(_Place(edge=node, to=[end]))
            case Chain():
                for inner in reversed(node.nodes):
                    end = self.before(inner, end)
                return end
            case Choice():
                return self.add(_Place(to=[self.before(inner, end) for inner in node.nodes]))
            case Repeat():
                return self._repeated(node, end)

    def _repeated(self, node: Repeat, end: int) -> int:
        start = end
        if node.most is None:
            start = self.add(_Place(to=[end]))
            self.places[start].to.append(self.before(node.node, start))
        else:
            for _ in range(node.most - node.least):
                start = self.add(_Place(to=[end, self.before(node.node, start)]))
        for _ in range(node.least):
            start = self.before(node.node, start)
        return start


class _Determiniser:
    """Finds the states that strings can lead to."""

    def __init__(self, pattern: Node):
        found = _Places()
        self._start = found.before(pattern, 0)
        self._places = found.places
        self._visits = 0
        bounds = {0, *(end for first, last in WORD for end in (first, last + 1)), 10, 11}
        for place in self._places:
            bounds.update(end for first, last in place.chars or () for end in (first, last + 1))
        self._starts = sorted(bound for bound in bounds if bound <= LAST)

    def automaton(self) -> Automaton:
        classes, reads = self._classes()
        begin: _State = (frozenset((self._start,)), _Side.NONE)
        states: dict[_State, int] = {begin: 0}
        waiting: list[_State] = [begin]
        steps: list[list[int]] = []
        for places, before in waiting:
            row: list[int] = []
            closures = {side: self._closure(places, before, side) for side in _Side}
            for side, readers in reads:
                to = frozenset(
                    end
                    for place in closures[side]
                    if place in readers
                    for end in self._places[place].to
                )
                state = (to, side)
                if to and state not in states:
                    states[state] = len(states)
                    waiting.append(state)
                row.append(states[state] if to else -1)
            steps.append([*row, int(0 in closures[_Side.NONE])])
            if len(states) > MAX_STATES or len(states) * (len(reads) + 1) > MAX_STEPS:
                raise PatternError("is too large: its automaton has too many states")
        return Automaton(self._starts, classes, steps)

    def _classes(self) -> tuple[list[int], list[tuple[_Side, frozenset[int]]]]:
        """Return the class of each range; for each class its side, and its readers."""
        readers: list[list[int]] = [[] for _ in self._starts]
        for number, place in enumerate(self._places):
            for first, last in place.chars or ():
                low = bisect_right(self._starts, first) - 1
                for at in range(low, bisect_right(self._starts, last)):
                    readers[at].append(number)
                    self._visit(1)
        numbers: dict[tuple[_Side, frozenset[int]], int] = {}
        classes: list[int] = []
        for start, own in zip(self._starts, readers, strict=True):
            key = (_side(start), frozenset(own))
            classes.append(numbers.setdefault(key, len(numbers)))
        return classes, list(numbers)

    def _closure(self, places: Iterable[int], before: _Side, behind: _Side) -> set[int]:
        """Return the places that are reached from some without reading."""
        found: set[int] = set()
        waiting = list(places)
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found.add(number)
            self._visit(1)
            place = self._places[number]
            if place.chars is None and (place.edge is None or _is_at(place.edge, before, behind)):
                waiting += place.to
        return found

    def _visit(self, count: int) -> None:
        self._visits += count
        if self._visits > MAX_VISITS:
            raise PatternError("is too large: its automaton takes too long to make")


def _side(character: int) -> _Side:
    if character == 10:
        return _Side.LINE
    is_word = any(first <= character <= last for first, last in WORD)
    return _Side.WORD if is_word else _Side.OTHER


def _is_at(edge: Edge, before: _Side, behind: _Side) -> bool:
    match edge:
        case Edge.TEXT_BEGIN:
            return before == _Side.NONE
        case Edge.TEXT_END:
            return behind == _Side.NONE
        case Edge.LINE_BEGIN:
            return before in (_Side.NONE, _Side.LINE)
        case Edge.LINE_END:
            return behind in (_Side.NONE, _Side.LINE)
        case Edge.WORD:
            return (before == _Side.WORD) != (behind == _Side.WORD)
        case Edge.NO_WORD:
            return (before == _Side.WORD) == (behind == _Side.WORD)
