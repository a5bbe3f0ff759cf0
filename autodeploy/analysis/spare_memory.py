"""Blocks that are stored in the memory of outputs, which is free until the first write to it.

The memory of an output is unused before the first call that writes to it. A block that is dead by
then may be stored there. The arena is in use all the time and on large pages, so no more blocks
leave it than the smallest arena needs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from autodeploy.analysis.memory_planner import (
    Block,
    Overlap,
    Plan,
    distances_of,
    kept_from,
    lowest_place,
    plan,
)

WORTH_IT = 0.98
"""How large an arena may be, relative to one of all blocks, for blocks to leave it."""


MOST_PLACEMENTS = 1000
"""The most blocks that leave it, so that large graphs stay quick."""


@dataclass(frozen=True)
class FreeInterval:
    """Bytes that are free up to a call, this included."""

    bytes: int
    last: int


@dataclass(frozen=True)
class Placement:
    """The place of a block outside of the arena: an interval, and an offset in it."""

    interval: int
    offset: int


def plan_with_intervals(
    blocks: Sequence[Block],
    intervals: Sequence[FreeInterval],
    alignment: int,
    overlaps: Sequence[Overlap] = (),
    staying: Collection[int] = (),
) -> tuple[Plan, Mapping[int, Placement]]:
    """Plan an arena, and give some blocks a place in intervals instead, but none of ``staying``.

    In the plan of the arena those have no bytes. None leaves it where that makes it hardly smaller
    (``WORTH_IT``).
    """
    alone = plan(blocks, alignment, overlaps=overlaps)
    fitting = [
        i
        for i in range(len(blocks))
        if i not in staying
        and any(0 < blocks[i].bytes <= r.bytes and blocks[i].last <= r.last for r in intervals)
    ]
    if not fitting:
        return alone, {}
    found = _Intervals(blocks, intervals, alignment, overlaps)
    found.lower_peaks(fitting)
    beside = _plan_rest(blocks, found.places, alignment, overlaps)
    if beside.arena_bytes > alone.arena_bytes * WORTH_IT:
        return alone, {}
    return beside, found.places


def plan_pools(
    blocks: Sequence[Block],
    order: Sequence[int],
    pools: Sequence[int],
    alignment: int,
    overlaps: Sequence[Overlap] = (),
) -> tuple[Plan, Mapping[int, Placement]]:
    """Give blocks, in this order, the first place in the pools but the last; plan that for others.

    In the plan the blocks with a place have no bytes.
    """
    end = max((block.last for block in blocks), default=0)
    intervals = [FreeInterval(size, end) for size in pools[:-1]]
    found = _Intervals(blocks, intervals, alignment, overlaps)
    found.settle(order)
    return _plan_rest(blocks, found.places, alignment, overlaps), found.places


def _plan_rest(
    blocks: Sequence[Block],
    places: Mapping[int, Placement],
    alignment: int,
    overlaps: Sequence[Overlap],
) -> Plan:
    """Plan the blocks that have no place yet; the others have no bytes."""
    left = [
        Block(0, block.first, block.last) if i in places else block
        for i, block in enumerate(blocks)
    ]
    pairs = [p for p in overlaps if not {p.source, p.target} & places.keys()]
    return plan(left, alignment, overlaps=pairs)


class _Intervals:
    """The blocks that have left the arena, and the bytes that are alive in it at each call."""

    def __init__(
        self,
        blocks: Sequence[Block],
        intervals: Sequence[FreeInterval],
        alignment: int,
        overlaps: Sequence[Overlap],
    ):
        self.places: dict[int, Placement] = {}
        self._blocks = blocks
        self._intervals = intervals
        self._sizes = [-(-block.bytes // alignment) * alignment for block in blocks]
        steps = [p.distance + -p.distance % alignment for p in overlaps]
        pairs = [Overlap(p.source, p.target, d) for p, d in zip(overlaps, steps, strict=True)]
        self._distances = distances_of(pairs)
        self._pairs: dict[int, list[Overlap]] = {}
        for pair in pairs:
            for i in (pair.source, pair.target):
                self._pairs.setdefault(i, []).append(pair)
        self._sums = [0] * (max((block.last for block in blocks), default=0) + 1)
        self._inside: set[int] = set()
        for i in range(len(blocks)):
            self._enter(i)

    def lower_peaks(self, movable: Sequence[int]) -> None:
        """Let the largest block of a call with most bytes leave, as long as one of them can."""
        wanted = sorted(movable, key=lambda i: (-self._sizes[i], i))
        moved: list[int] = []
        while len(moved) < MOST_PLACEMENTS:
            call = self._sums.index(max(self._sums))
            for i in wanted:
                block = self._blocks[i]
                if block.first <= call <= block.last and i in self._inside:
                    place = self._find(i)
                    if place is not None:
                        self.places[i] = place
                        self._leave(i)
                        moved.append(i)
                        break
            else:
                break
        peak = max(self._sums)
        for i in reversed(moved):
            self._enter(i)
            if max(self._sums[self._blocks[i].first : self._blocks[i].last + 1]) > peak:
                self._leave(i)
            else:
                del self.places[i]

    def settle(self, order: Sequence[int]) -> None:
        """Give each block of an order a place, if there is one."""
        for i in order:
            place = self._find(i)
            if place is not None:
                self.places[i] = place

    def _find(self, i: int) -> Placement | None:
        """Return a place for a block in one of the intervals."""
        block, size = self._blocks[i], self._sizes[i]
        for number, interval in enumerate(self._intervals):
            if block.last <= interval.last and size <= interval.bytes:
                taken = (
                    (at.offset + start, at.offset + end)
                    for other, at in self.places.items()
                    if at.interval == number and block.meets(self._blocks[other])
                    for start, end in [kept_from(i, other, self._sizes, self._distances)]
                )
                offset = lowest_place(size, taken)
                if offset + size <= interval.bytes:
                    return Placement(number, offset)
        return None

    def _enter(self, i: int) -> None:
        self._count(i, 1)
        self._inside.add(i)

    def _leave(self, i: int) -> None:
        self._inside.remove(i)
        self._count(i, -1)

    def _count(self, i: int, sign: int) -> None:
        """Count the bytes of a block that is not inside, those that it shares with others once."""
        block = self._blocks[i]
        for call in range(block.first, block.last + 1):
            self._sums[call] += sign * self._sizes[i]
        for pair in self._pairs.get(i, ()):
            if (pair.target if pair.source == i else pair.source) in self._inside:
                self._sums[self._blocks[pair.source].last] -= sign * pair.shared(self._sizes)
