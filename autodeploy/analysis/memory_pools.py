"""Memories of a device that share an arena, such as a small fast one and a large slow one.

Offsets count through the pools, as if each began where the used bytes of the one before end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from autodeploy.analysis.live_ranges import calls_of
from autodeploy.analysis.memory_planner import Block, Overlap
from autodeploy.analysis.spare_memory import plan_pools
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import BufferOp, CallOp, ProgramOp, root_of
from autodeploy.dialects.memref import ALIGNMENT, aligned
from autodeploy.machine.settings import read_size

MOST_POOLS = 6


@dataclass(frozen=True)
class Pool:
    """A memory, and its bytes that are for the arena."""

    name: str
    bytes: int


def pools_of_text(text: str) -> tuple[Pool, ...]:
    """Read pools, the fastest first, as in ``dtcm=128K,sram=512K``; raises ``UserError``."""
    found: list[Pool] = []
    for part in text.split(",") if text else ():
        match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]{0,30})=(.*)", part)
        if match is None:
            raise UserError(f"a pool is a name in C and its bytes, as 'dtcm=128K', found '{part}'")
        found.append(Pool(match[1], read_size(f"pool '{match[1]}'", match[2])))
    names = [pool.name.upper() for pool in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise UserError(f"names of pools differ, found {min(twice)} several times")
    if len(found) > MOST_POOLS:
        raise UserError(f"there are at most {MOST_POOLS} pools, found {len(found)}")
    return tuple(found)


def plan_in_pools(
    blocks: Sequence[Block],
    uses: Sequence[int],
    pools: Sequence[Pool],
    overlaps: Sequence[Overlap] = (),
) -> tuple[list[int], list[int]]:
    """Return the offset of each block, counted through the pools, and the used bytes of each pool.

    Blocks with most uses of each byte are first, of these the smallest. If the last pool is too
    small then, larger blocks go first. The plan may not fit even so.
    """
    sizes = [pool.bytes - pool.bytes % ALIGNMENT for pool in pools]
    kept = [i for i, block in enumerate(blocks) if block.bytes]
    hot = sorted(kept, key=lambda i: (-uses[i], blocks[i].bytes, i))
    for order in (hot, sorted(hot, key=lambda i: -blocks[i].bytes)):
        last, beside = plan_pools(blocks, order, sizes, ALIGNMENT, overlaps)
        used = [0] * len(pools)
        used[-1] = last.arena_bytes
        for i, place in beside.items():
            end = place.offset + aligned(blocks[i].bytes)
            used[place.interval] = max(used[place.interval], end)
        if used[-1] <= sizes[-1]:
            break
    starts = pool_starts(used)
    offsets = [starts[-1] + offset for offset in last.offsets]
    for i, place in beside.items():
        offsets[i] = starts[place.interval] + place.offset
    return offsets, used


def pool_starts(used: Sequence[int]) -> list[int]:
    """Return the offset at which each pool begins."""
    return list(accumulate(used[:-1], initial=0))


def uses_of(program: ProgramOp, blocks: Iterable[BufferOp | CallOp]) -> list[int]:
    """Return how many operands of calls each block is; scratch memory counts more than all."""
    counts = Counter(root_of(value) for call in calls_of(program) for value in call.operands)
    most = 1 + max(counts.values(), default=0)
    return [counts[op.result] if isinstance(op, BufferOp) else most for op in blocks]
