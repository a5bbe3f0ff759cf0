"""Sums of products of four neighbours, in the text of Halide's C++ and OpenCL C, as one call.

Halide writes a loop over the neighbours of a dot, which a schedule vectorizes, as one statement
after the other: products of single elements, and their sum. If both factors are bytes that are
consecutive in memory, these statements become the call of a function that loads four at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

NEIGHBOURS = 4
"""Products to a call."""

_REDUCED = "// Vector reduce: add"
_DECLARED = re.compile(r"(?P<type>\w+) (?P<name>_\d+) = (?P<value>.*);")
_SAME = re.compile(r"(?:\((?:int16_t|int32_t|short|int)\))?\(?(_\d+)\)?")
_UNSIGNED = re.compile(r"\((?:uint16_t|ushort)\)\((_\d+)\)")
_SUM = re.compile(r"(_\d+) \+ (_\d+)")
_PRODUCT = re.compile(r"(_\d+) \* (_\d+)")
_ELEMENT = re.compile(r"(?P<array>\(\(\w+ \*\)\w+\)|[A-Za-z_]\w*)\[(?P<place>\w+)\]")
_SHIFTED = re.compile(r"(_\d+) \+ (-?\d+)")
_CHOSEN = re.compile(r"select\((_\d+), (_\d+), (_\d+)\)")
_FACTORS = {("int8_t", "int8_t"), ("uint8_t", "int8_t"), ("char", "char"), ("uchar", "char")}


class Load(NamedTuple):
    """An element: its type, the array, the name of a place or nothing, and steps from it.

    If there is a condition ``mask`` and that is false, it is ``other`` instead.
    """

    type: str
    array: str
    base: str
    steps: int
    place: str
    other: str = ""
    mask: str = ""


def dot_call_of_c(lhs: Load, rhs: Load, added: str) -> str | None:
    """Return a call whose function reads from memory, as ``runtime/halide_kernel.h`` has it."""
    places = ", ".join(f"&{load.array}[{load.place}]" for load in (lhs, rhs))
    return None if lhs.mask or rhs.mask else f"dot_{lhs.type[:-2]}({places}, {added})"


def dot_calls(
    lines: Sequence[str], written: Callable[[Load, Load, str], str | None] = dot_call_of_c
) -> list[str]:
    """Return the lines, with sums of four products of neighbours as calls.

    A sum that is added to another one is added by the call. ``written`` returns it for the first
    factors of both sides and the other sum; ``None`` if there is none.
    """
    values, number = dict[str, re.Match[str]](), 0
    changed, idle = dict[int, str](), set[str]()
    while number < len(lines):
        if lines[number].strip() != _REDUCED:
            number += 1
            continue
        first, number = number + 1, number + 1
        while match := _DECLARED.fullmatch(lines[number].strip()):
            values[match["name"]] = match
            number += 1
        made = [match["name"] for match in _declarations(lines[first:number])]
        call = _call(values, made[-1], written) if made else None
        if call is not None:
            text, total = lines[number - 1], values[made[-1]]
            changed[number - 1] = text.replace(total["value"], call, 1)
            idle.update(made[:-1])
    return _without(idle, [changed.get(n, line) for n, line in enumerate(lines)])


def _declarations(lines: Sequence[str]) -> Iterator[re.Match[str]]:
    return (match for line in lines if (match := _DECLARED.fullmatch(line.strip())))


def _call(
    values: Mapping[str, re.Match[str]],
    name: str,
    written: Callable[[Load, Load, str], str | None],
) -> str | None:
    """Return the call that adds four products to a sum; ``None`` if a sum has no such products."""
    added = _SUM.fullmatch(values[name]["value"])
    if added is None:
        return None
    products, other = added[1], added[2]
    if len(_terms(values, products)) == 1:
        products, other = other, products
    pairs = [_factors(values, term) for term in _terms(values, products)]
    if len(pairs) != NEIGHBOURS or any(pair is None for pair in pairs):
        return None
    sides = zip(*(pair for pair in pairs if pair is not None), strict=True)
    lhs, rhs = (_run(side) for side in sides)
    if lhs is None or rhs is None:
        return None
    if (lhs.type, rhs.type) not in _FACTORS:
        lhs, rhs = rhs, lhs
    return written(lhs, rhs, other) if (lhs.type, rhs.type) in _FACTORS else None


def _same(values: Mapping[str, re.Match[str]], name: str) -> str:
    """Return the value of a name without conversions to wider types."""
    while name in values and (match := _SAME.fullmatch(values[name]["value"])):
        name = match[1]
    return name


def _terms(values: Mapping[str, re.Match[str]], name: str) -> list[str]:
    name = _same(values, name)
    match = _SUM.fullmatch(values[name]["value"]) if name in values else None
    return [name] if match is None else [*_terms(values, match[1]), *_terms(values, match[2])]


def _factors(values: Mapping[str, re.Match[str]], name: str) -> tuple[Load, Load] | None:
    match = _PRODUCT.fullmatch(values[name]["value"]) if name in values else None
    if match is None:
        return None
    one, other = (_load(values, factor) for factor in match.groups())
    return None if one is None or other is None else (one, other)


def _load(values: Mapping[str, re.Match[str]], name: str) -> Load | None:
    name = _same(values, name)
    if name in values and (widened := _UNSIGNED.fullmatch(values[name]["value"])):
        name = widened[1]
    other, mask = "", ""
    if name in values and (chosen := _CHOSEN.fullmatch(values[name]["value"])):
        other, name, mask = chosen.groups()
        if name not in values or not _ELEMENT.fullmatch(values[name]["value"]):
            other, name, mask = name, other, f"!{mask}"
    match = _ELEMENT.fullmatch(values[name]["value"]) if name in values else None
    if match is None:
        return None
    place = match["place"]
    if place.isdigit():
        return Load(values[name]["type"], match["array"], "", int(place), place, other, mask)
    index = values[place]["value"] if place in values else place
    shifted = _SHIFTED.fullmatch(index)
    base, steps = (shifted[1], int(shifted[2])) if shifted is not None else (place, 0)
    return Load(values[name]["type"], match["array"], base, steps, place, other, mask)


def _run(loads: Sequence[Load]) -> Load | None:
    """Return the first of some loads, if these are neighbours in memory."""
    first = loads[0]
    wanted = [first._replace(steps=first.steps + n) for n in range(len(loads))]
    found = [load._replace(place=first.place) for load in loads]
    return first if found == wanted else None


def _without(idle: set[str], lines: list[str]) -> list[str]:
    """Return the lines without declarations of names that no other line uses any more."""
    while idle:
        uses = Counter(name for line in lines for name in re.findall(r"\b_\d+\b", line))
        kept = [
            line
            for line in lines
            if (match := _DECLARED.fullmatch(line.strip())) is None
            or match["name"] not in idle
            or uses[match["name"]] > 1
        ]
        if len(kept) == len(lines):
            break
        lines = kept
    return lines
