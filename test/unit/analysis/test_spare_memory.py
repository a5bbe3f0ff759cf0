"""Blocks that leave the arena for memory that is free for some time, over random blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodeploy.analysis.memory_planner import Block, Overlap, Plan, plan
from autodeploy.analysis.spare_memory import WORTH_IT, FreeInterval, Placement, plan_with_intervals

ALIGNMENT = 8


@st.composite
def blocks(draw: st.DrawFn) -> list[Block]:
    def one() -> Block:
        first = draw(st.integers(0, 12))
        return Block(draw(st.integers(0, 300)), first, first + draw(st.integers(0, 4)))

    return [one() for _ in range(draw(st.integers(1, 20)))]


def intervals() -> st.SearchStrategy[list[FreeInterval]]:
    return st.lists(st.builds(FreeInterval, st.integers(0, 900), st.integers(-1, 16)), max_size=3)


def overlaps(draw: st.DataObject, given_blocks: Sequence[Block]) -> list[Overlap]:
    """Return some pairs of blocks: the first one ends at the call at which the second begins."""
    pairs = [
        (i, j)
        for i, one in enumerate(given_blocks)
        for j, other in enumerate(given_blocks)
        if i != j and one.last == other.first and one.first < other.first < other.last
    ]
    chosen = draw.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return [Overlap(i, j, draw.draw(st.integers(0, given_blocks[j].bytes))) for i, j in chosen]


def check(
    given_blocks: Sequence[Block],
    given_intervals: Sequence[FreeInterval],
    pairs: Sequence[Overlap],
    found: Plan,
    beside: Mapping[int, Placement],
) -> None:
    """Assert that each block lies where it may, and those that are alive together lie apart."""
    distances = {(pair.source, pair.target): pair.distance for pair in pairs}
    places = [
        (-1, offset) if i not in beside else (beside[i].interval, beside[i].offset)
        for i, offset in enumerate(found.offsets)
    ]
    for i, (interval, offset) in enumerate(places):
        block = given_blocks[i]
        assert offset % ALIGNMENT == 0
        if interval < 0:
            assert offset + block.bytes <= found.arena_bytes
        else:
            assert block.last <= given_intervals[interval].last
            assert offset + block.bytes <= given_intervals[interval].bytes
    for (i, one), (j, other) in combinations(enumerate(given_blocks), 2):
        (interval, low), (same, high) = places[i], places[j]
        if interval != same or not one.meets(other) or not one.bytes or not other.bytes:
            continue
        shared = low < high + other.bytes and high < low + one.bytes
        distance, back = distances.get((i, j)), distances.get((j, i))
        assert (
            not shared
            or (distance is not None and low >= high + distance)
            or (back is not None and high >= low + back)
        )


@settings(max_examples=300)
@given(blocks(), intervals(), st.data())
def test_blocks_do_not_overlap_in_the_arena_and_in_outputs(
    given_blocks: list[Block], given_intervals: list[FreeInterval], data: st.DataObject
):
    pairs = overlaps(data, given_blocks)
    found, beside = plan_with_intervals(given_blocks, given_intervals, ALIGNMENT, pairs)
    check(given_blocks, given_intervals, pairs, found, beside)
    alone = plan(given_blocks, ALIGNMENT, overlaps=pairs)
    if beside:
        assert found.arena_bytes <= alone.arena_bytes * WORTH_IT
    else:
        assert found == alone


CHAIN = [Block(64, 0, 1), Block(128, 1, 2), Block(64, 2, 3), Block(32, 3, 4)]
"""192 bytes at most: the second one with the first or the third one."""


@pytest.mark.parametrize(
    ("interval", "arena", "outside"),
    [
        (FreeInterval(128, 3), 96, {1}),  # the largest leaves, and no other
        (FreeInterval(127, 3), 128, {0, 2}),  # it does not fit, but both beside it do
        (FreeInterval(63, 3), 192, set()),
        (FreeInterval(128, 2), 96, {1}),
        (FreeInterval(128, 1), 192, set()),  # it is alive too long, and so is the third one
        (FreeInterval(1000, 4), 0, {0, 1, 2, 3}),
    ],
)
def test_as_few_leave_as_make_the_arena_smallest(
    interval: FreeInterval, arena: int, outside: set[int]
):
    found, beside = plan_with_intervals(CHAIN, [interval], 1)
    assert (found.arena_bytes, set(beside)) == (arena, outside)


@pytest.mark.parametrize(
    ("staying", "arena", "outside"), [({1}, 128, {0, 2}), ({0, 1}, 192, set()), ({3}, 96, {1})]
)
def test_some_have_to_stay(staying: set[int], arena: int, outside: set[int]):
    found, beside = plan_with_intervals(CHAIN, [FreeInterval(128, 3)], 1, (), staying)
    assert (found.arena_bytes, set(beside)) == (arena, outside)


def test_little_is_not_worth_it():
    given_blocks = [Block(1000, 0, 4), Block(10, 0, 1)]
    found, beside = plan_with_intervals(given_blocks, [FreeInterval(100, 3)], 1)
    assert (found.arena_bytes, beside) == (1010, {})


def test_a_block_is_filled_over_another_one_in_a_room_too():
    given_blocks = [Block(64, 0, 1), Block(128, 1, 2), Block(16, 0, 3)]
    pair = Overlap(0, 1, 64)
    found, beside = plan_with_intervals(given_blocks, [FreeInterval(128, 2)], 1, [pair])
    assert found.arena_bytes == 16
    assert beside == {0: Placement(0, 64), 1: Placement(0, 0)}
    apart, beside = plan_with_intervals(given_blocks, [FreeInterval(128, 2)], 1)
    assert apart.arena_bytes == 64 + 16 and set(beside) == {1}
