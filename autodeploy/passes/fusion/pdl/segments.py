"""The segment of an op for each entry of a ``pdl.operation``'s operand or result list.

An op's definition divides its operands (and its results) into segments, each for one value, for
one or none (optional), or for any number (variadic). Entries are the pdl values of a list; each
is a single value or a range. They are dealt like this:

1. As many entries as segments: the i-th entry is the i-th segment, which has exactly one value,
   or for a range any number.
2. Another number, no range: single segments get one entry, then optional ones, then the only
   variadic one. Segments without entries are empty.
3. Another number, one range: by position. Values before the range are the first operands, values
   after it the last.

Thus ``(%x, %w)`` matches a convolution without a bias, ``(%x, %w, %b)`` one with, and if ``%b`` is
a range, both. A nameless ``pdl.operation`` has no segments: without a range it takes the exact
number, with one rule 3 holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal, TypeAlias

from xdsl.dialects import pdl
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    AttrSizedSegments,
    IRDLOperation,
    OptionalDef,
    VariadicDef,
)

What: TypeAlias = Literal["operands", "results"]


class Width(Enum):
    """How many values a segment holds."""

    SINGLE = auto()
    OPTIONAL = auto()
    VARIADIC = auto()


@dataclass(frozen=True)
class Segment:
    """One named part of an op's operands or results."""

    name: str
    width: Width


class SegmentError(Exception):
    """The entries of a list do not fit the segments of the op; the message states the reason."""


def is_range(entry: SSAValue) -> bool:
    """Return whether a pdl value is a range."""
    return isinstance(entry.type, pdl.RangeType)


def segments_of(op_class: type[Operation] | None, what: What) -> tuple[Segment, ...] | None:
    """Return the segments of an op's definition, ``None`` if it has none."""
    if op_class is None or not issubclass(op_class, IRDLOperation):
        return None
    definition = op_class.get_irdl_definition()
    declared = definition.operands if what == "operands" else definition.results
    return tuple(Segment(name, _width(part)) for name, part in declared)


def _width(declared: object) -> Width:
    if isinstance(declared, OptionalDef):
        return Width.OPTIONAL
    return Width.VARIADIC if isinstance(declared, VariadicDef) else Width.SINGLE


def sizes_option(op_class: type[Operation], what: What) -> AttrSizedSegments | None:
    """Return how an op stores the sizes of its segments, ``None`` if they follow by count."""
    if not issubclass(op_class, IRDLOperation):
        return None
    kind = AttrSizedOperandSegments if what == "operands" else AttrSizedResultSegments
    options = op_class.get_irdl_definition().options
    return next((option for option in options if isinstance(option, kind)), None)


def sizes_names(op_class: type[Operation]) -> set[str]:
    """Return the names of the attributes in which an op stores the sizes of its segments."""
    options = (sizes_option(op_class, "operands"), sizes_option(op_class, "results"))
    return {option.attribute_name for option in options if option is not None}


def distribute(
    entries: Sequence[SSAValue], segments: Sequence[Segment] | None, what: What
) -> list[Sequence[SSAValue]] | None:
    """Return the entries of each segment, ``None`` if they go by position (rule 3).

    Raises ``SegmentError`` if no op of this definition can have such a list.
    """
    ranges = sum(map(is_range, entries))
    if segments is None:
        if ranges > 1:
            raise SegmentError(f"{ranges} ranges of {what} need the name of the operation")
        return None
    if len(entries) == len(segments):
        return [(entry,) for entry in entries]
    listed = ", ".join(segment.name for segment in segments) or "none"
    if ranges > 1:
        raise SegmentError(
            f"{ranges} ranges among {len(entries)} {what} cannot be told apart; give one entry "
            f"for each of {len(segments)} ({listed})"
        )
    counts = {width: sum(s.width is width for s in segments) for width in Width}
    unbounded = counts[Width.VARIADIC] > 0
    most = counts[Width.SINGLE] + counts[Width.OPTIONAL]
    if len(entries) - ranges > most and not unbounded:
        raise SegmentError(
            f"found {len(entries) - ranges} {what}, it has at most {most} ({listed})"
        )
    if ranges:
        return None
    if len(entries) < counts[Width.SINGLE]:
        raise SegmentError(
            f"found {len(entries)} {what}, it has {_at_least(segments)} "
            f"{counts[Width.SINGLE]} ({listed})"
        )
    return _fill(entries, segments, counts, what)


def _at_least(segments: Sequence[Segment]) -> str:
    return "exactly" if all(s.width is Width.SINGLE for s in segments) else "at least"


def _fill(
    entries: Sequence[SSAValue], segments: Sequence[Segment], counts: dict[Width, int], what: What
) -> list[Sequence[SSAValue]]:
    left = len(entries) - counts[Width.SINGLE]
    optional = min(left, counts[Width.OPTIONAL])
    variadic = left - optional
    if variadic and counts[Width.VARIADIC] > 1:
        raise SegmentError(
            f"{len(entries)} {what} cannot be told apart among {counts[Width.VARIADIC]} variadic "
            f"ones; give one range for each"
        )
    groups: list[Sequence[SSAValue]] = []
    taken = 0
    for segment in segments:
        match segment.width:
            case Width.SINGLE:
                size = 1
            case Width.OPTIONAL:
                size = min(optional, 1)
                optional -= size
            case Width.VARIADIC:
                size = variadic
        groups.append(tuple(entries[taken : taken + size]))
        taken += size
    return groups
