"""Products that are added to sums, in the text of Halide's C++ backend, as one call.

Halide writes the product and the sum as two statements. The header of kernels keeps compilers from
making one instruction of them, as most sums in a kernel are rounded as ONNX says. Sums of products
are not: there the two become one call of a function that rounds once where the machine can.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

_DECLARED = re.compile(r"(?P<type>\w+) (?P<name>_\d+) = (?P<value>.*);")
_STORED = re.compile(r"(?P<place>[^=]*\]) = (?P<value>_\d+);")
_STORED_VECTOR = re.compile(r"\w+_ops::store\((?P<value>_\d+), (?P<place>\w+), .*\);")
_PRODUCT = re.compile(r"(_\d+) \* (_\d+)")
_SUM = re.compile(r"(_\d+) \+ (_\d+)")
_FLOAT = re.compile(r"(?:float|double)\d*")
"""A scalar, or a vector by its number of lanes."""


def contracted(lines: Sequence[str], sums: Set[str], call: str) -> list[str]:
    """Return the lines, with products that are added to a sum within one call.

    ``sums`` are the names of the arrays and buffers whose elements are sums of products, ``call``
    is the name of the function, with ``{type}`` for the type of the sum. A product is used once, by
    the line that adds it; the sum is stored to one of ``sums``.
    """
    uses = Counter(name for line in lines for name in re.findall(r"\b_\d+\b", line))
    made: dict[str, int] = {}
    changed: dict[int, str | None] = {}
    for number, line in enumerate(lines):
        text = line.strip()
        stored = _STORED.fullmatch(text) or _STORED_VECTOR.fullmatch(text)
        if match := _DECLARED.fullmatch(text):
            made[match["name"]] = number
        elif stored is None or stored["value"] not in made:
            continue
        elif not sums.isdisjoint(_unnumbered(stored["place"])):
            changed |= _contraction(lines, made, uses, made[stored["value"]], call)
    kept = (changed.get(number, line) for number, line in enumerate(lines))
    return [line for line in kept if line is not None]


def _contraction(
    lines: Sequence[str], made: Mapping[str, int], uses: Mapping[str, int], number: int, call: str
) -> dict[int, str | None]:
    """Return what changes where a line adds a product: the line, and that of the product."""
    added = _DECLARED.fullmatch(lines[number].strip())
    operands = _SUM.fullmatch(added["value"]) if added is not None else None
    if added is None or operands is None or not _FLOAT.fullmatch(added["type"]):
        return {}
    for product, other in ((operands[2], operands[1]), (operands[1], operands[2])):
        declared = _DECLARED.fullmatch(lines[made[product]].strip()) if product in made else None
        factors = _PRODUCT.fullmatch(declared["value"]) if declared is not None else None
        if factors is not None and uses[product] == 2:
            name = call.format(type=added["type"])
            value = f"{name}({factors[1]}, {factors[2]}, {other})"
            return {made[product]: None, number: lines[number].replace(added["value"], value)}
    return {}


def _unnumbered(place: str) -> Set[str]:
    """Return the names in a place, without the numbers of those that Halide has met before."""
    return {re.sub(r"__\d+$", "", name) for name in re.findall(r"\w+", place)}
