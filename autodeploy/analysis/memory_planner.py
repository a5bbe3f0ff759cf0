"""Placing blocks in one arena: blocks in, offsets out; nothing of the IR is known here.

A block needs its bytes from its first call to its last. Two blocks may share bytes where their
live ranges do not touch. Finding the least arena is the NP-hard dynamic storage allocation problem.
But some order of the blocks is always optimal when each, in that order, takes the lowest place that
is free (the blocks of a best arena from bottom to top are such an order), so this is a search over
orders: all of them for a few blocks; else greedy ones that do well, then the best of them improved
round by round. It ends as soon as the lower bound is reached.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, permutations

EXHAUSTIVE_BLOCKS = 6
"""The most blocks that are tried in every order, 720 at most: their arena is the least there is."""

MAX_ROUNDS = 400
"""Orders tried at most for more blocks."""

MAX_WORK = 1_000_000
"""Pairs of blocks looked at over all rounds, so that large graphs stay quick."""

KEEP = 0.3
"""Part of the blocks above the bound that a round leaves alone, so that rounds do not cycle."""


@dataclass(frozen=True)
class Block:
    """Bytes that are needed from call ``first`` to call ``last``, both included."""

    bytes: int
    first: int
    last: int

    def meets(self, other: Block) -> bool:
        """Return whether both are alive at some call."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class Overlap:
    """Two blocks, by their numbers, that may share bytes though both are alive at one call.

    The last call of ``source`` is the first one of ``target``. There ``source`` begins at least
    ``distance`` bytes after the start of ``target``, or they have no byte in common.
    """

    source: int
    target: int
    distance: int

    def shared(self, sizes: Sequence[int]) -> int:
        """Return how many bytes both may have in common, of blocks of these sizes."""
        source, target = sizes[self.source], sizes[self.target]
        return max(source + target - max(target, self.distance + source), 0)


@dataclass(frozen=True)
class _Conflict:
    """The offsets that a placed block excludes for another one.

    The other one ends at most ``start`` bytes after the start of block ``other``, or begins at
    least ``end`` bytes after it.
    """

    other: int
    start: int
    end: int


@dataclass(frozen=True)
class Plan:
    """The offset of each block, in the order of the blocks."""

    offsets: tuple[int, ...]
    arena_bytes: int
    lower_bound: int
    """Largest sum of the bytes that are alive at one call: no arena is smaller.

    Without those that blocks may share there.
    """

    @property
    def ratio(self) -> float:
        """Return arena bytes over lower bound; 1.0 is the best there is."""
        return self.arena_bytes / self.lower_bound if self.lower_bound else 1.0


def plan(
    blocks: Sequence[Block],
    alignment: int,
    *,
    reuse: bool = True,
    overlaps: Sequence[Overlap] = (),
) -> Plan:
    """Give every block an offset that is a multiple of ``alignment`` bytes.

    Without ``reuse`` every block has bytes of its own. The result depends on the arguments alone.
    Raises ``ValueError`` for a negative size, a range that ends before it starts, an alignment
    below 1, or an overlap of blocks that are alive together at more than a call.
    """
    if alignment < 1:
        raise ValueError(f"alignment is at least 1, found {alignment}")
    for block in blocks:
        if block.bytes < 0 or block.last < block.first:
            raise ValueError(f"malformed block {block}")
    for pair in overlaps:
        if blocks[pair.source].last != blocks[pair.target].first or pair.distance < 0:
            raise ValueError(f"malformed overlap {pair}")
    sizes = [-(-block.bytes // alignment) * alignment for block in blocks]
    pairs = [replace(p, distance=-(-p.distance // alignment) * alignment) for p in overlaps]
    bound = _lower_bound(blocks, sizes, pairs)
    if not reuse:
        *offsets, end = accumulate(sizes, initial=0)
        return Plan(tuple(offsets), end, bound)
    placement = _search(blocks, sizes, pairs, bound)
    return Plan(tuple(placement.offsets), placement.top, bound)


def _lower_bound(blocks: Sequence[Block], sizes: Sequence[int], overlaps: Sequence[Overlap]) -> int:
    """Return the largest sum of live bytes, which changes only where a block begins or ends."""
    changes: dict[int, int] = {}
    for block, size in zip(blocks, sizes, strict=True):
        changes[block.first] = changes.get(block.first, 0) + size
        changes[block.last + 1] = changes.get(block.last + 1, 0) - size
    for pair in overlaps:
        shared, call = pair.shared(sizes), blocks[pair.source].last
        changes[call] -= shared
        changes[call + 1] = changes.get(call + 1, 0) + shared
    return max(accumulate((changes[call] for call in sorted(changes)), initial=0))


def distances_of(overlaps: Sequence[Overlap]) -> Mapping[tuple[int, int], int]:
    """Return the distance of each pair of a source and a target."""
    return {(pair.source, pair.target): pair.distance for pair in overlaps}


def kept_from(
    one: int, other: int, sizes: Sequence[int], distances: Mapping[tuple[int, int], int]
) -> tuple[int, int]:
    """Return what a block is kept from by another one that is alive with it.

    It ends at most the first number of bytes after the start of the other one, or begins at
    least the second number after it.
    """
    start, end = 0, sizes[other]
    if (distance := distances.get((one, other))) is not None:
        end = min(end, distance)
    elif (distance := distances.get((other, one))) is not None:
        start = max(sizes[one] - distance, 0)
    return start, end


def lowest_place(size: int, taken: Iterable[tuple[int, int]]) -> int:
    """Return the lowest place for some bytes outside of the taken intervals: starts and ends."""
    low = 0
    for start, end in sorted(taken):
        if start - low >= size:
            break
        low = max(low, end)
    return low


def _conflicts(
    blocks: Sequence[Block], sizes: Sequence[int], overlaps: Sequence[Overlap]
) -> list[list[_Conflict]]:
    """Return for each block the others that are alive with it; one without bytes bothers nobody."""
    distances = distances_of(overlaps)
    conflicts: list[list[_Conflict]] = [[] for _ in blocks]
    live: list[int] = []

    def add(one: int, other: int) -> None:
        conflicts[one].append(_Conflict(other, *kept_from(one, other, sizes, distances)))

    for i in sorted(range(len(blocks)), key=lambda i: blocks[i].first):
        if sizes[i]:
            live = [j for j in live if blocks[j].last >= blocks[i].first]
            for j in live:
                add(i, j)
                add(j, i)
            live.append(i)
    return conflicts


@dataclass(frozen=True)
class _Placement:
    """The offsets that an order of the blocks leads to."""

    order: Sequence[int]
    offsets: list[int]
    top: int


def _place(
    order: Sequence[int], sizes: Sequence[int], conflicts: Sequence[Sequence[_Conflict]]
) -> _Placement:
    """Place the blocks in this order, each as low as those that it may not touch allow."""
    offsets = [-1] * len(sizes)
    for i in order:
        offsets[i] = lowest_place(
            sizes[i],
            (
                (place + conflict.start, place + conflict.end)
                for conflict in conflicts[i]
                if (place := offsets[conflict.other]) >= 0
            ),
        )
    top = max((o + s for o, s in zip(offsets, sizes, strict=True)), default=0)
    return _Placement(order, offsets, top)


def _search(
    blocks: Sequence[Block], sizes: Sequence[int], overlaps: Sequence[Overlap], bound: int
) -> _Placement:
    """Return the best placement that is found, the first of equal ones."""
    conflicts = _conflicts(blocks, sizes, overlaps)
    orders: Iterable[Sequence[int]] = permutations(range(len(blocks)))
    rounds = 0
    if len(blocks) > EXHAUSTIVE_BLOCKS:
        rounds = min(MAX_ROUNDS, MAX_WORK // (len(blocks) + sum(map(len, conflicts))))
        orders = islice(_greedy_orders(blocks, sizes), max(1, rounds))
    best: _Placement | None = None
    for order in orders:
        placement = _place(order, sizes, conflicts)
        if best is None or placement.top < best.top:
            best = placement
        if best.top == bound:
            return best
    assert best is not None  # there is at least one order
    current, generator = best, random.Random(0)
    for _ in range(rounds):
        order = _raise_blamed(current, sizes, conflicts, bound, generator)
        current = _place(order, sizes, conflicts)
        if current.top < best.top:
            best = current
        if best.top == bound:
            break
    return best


def _greedy_orders(blocks: Sequence[Block], sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield orders that do well: by size, by size times life, by life, by first use, by last."""
    numbers = range(len(blocks))
    life = [block.last - block.first + 1 for block in blocks]
    yield sorted(numbers, key=lambda i: (-sizes[i], blocks[i].first, i))
    yield sorted(numbers, key=lambda i: (-sizes[i] * life[i], i))
    yield sorted(numbers, key=lambda i: (-life[i], -sizes[i], i))
    yield sorted(numbers, key=lambda i: (blocks[i].first, -sizes[i], i))
    yield sorted(numbers, key=lambda i: (-blocks[i].last, -sizes[i], i))


def _raise_blamed(
    placement: _Placement,
    sizes: Sequence[int],
    conflicts: Sequence[Sequence[_Conflict]],
    bound: int,
    generator: random.Random,
) -> list[int]:
    """Return an order in which blocks that reach above the bound come earlier.

    Each of them is placed before one that was in its way. The result is taken up whether it is
    better or not ("squeaky wheel" search): what it makes worse is blamed in the next round.
    """
    rank: list[float] = [0.0] * len(sizes)
    for position, i in enumerate(placement.order):
        rank[i] = position
    for i in placement.order:
        if placement.offsets[i] + sizes[i] > bound and generator.random() >= KEEP:
            others = (rank[conflict.other] for conflict in conflicts[i])
            earlier = [other for other in others if other < rank[i]]
            if earlier:
                # Not choice(): only random() gives the same numbers in every version of Python.
                rank[i] = earlier[int(generator.random() * len(earlier))] - generator.random()
    return sorted(placement.order, key=rank.__getitem__)
