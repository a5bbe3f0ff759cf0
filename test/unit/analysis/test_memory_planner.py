"""The planner over random blocks and over the live ranges of networks of several families."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodeploy.analysis.memory_planner import EXHAUSTIVE_BLOCKS, Block, Overlap, Plan, plan


@st.composite
def blocks(draw: st.DrawFn, most: int = 30, largest: int = 1000, calls: int = 20) -> list[Block]:
    def one() -> Block:
        first = draw(st.integers(0, calls))
        return Block(draw(st.integers(0, largest)), first, first + draw(st.integers(0, calls // 2)))

    return [one() for _ in range(draw(st.integers(0, most)))]


def rounded(size: int, alignment: int) -> int:
    return (size + alignment - 1) // alignment * alignment


def live_peak(given_blocks: list[Block], alignment: int) -> int:
    """Add up the live bytes at every single call."""
    last = max((block.last for block in given_blocks), default=0)
    return max(
        sum(rounded(b.bytes, alignment) for b in given_blocks if b.first <= call <= b.last)
        for call in range(last + 1)
    )


def check_plan(given_blocks: list[Block], alignment: int, found: Plan) -> None:
    """Assert all that a plan promises."""
    assert len(found.offsets) == len(given_blocks)
    assert all(offset >= 0 and offset % alignment == 0 for offset in found.offsets)
    placed = list(zip(given_blocks, found.offsets, strict=True))
    for (one, low), (other, high) in combinations(placed, 2):
        both_alive = max(one.first, other.first) <= min(one.last, other.last)
        assert one.meets(other) == other.meets(one) == both_alive
        if both_alive and one.bytes and other.bytes:
            assert low + one.bytes <= high or high + other.bytes <= low, (one, other)
    ends = [offset + rounded(block.bytes, alignment) for block, offset in placed]
    assert found.arena_bytes == max(ends, default=0)
    assert found.lower_bound == live_peak(given_blocks, alignment)
    assert found.arena_bytes >= found.lower_bound


@settings(max_examples=300)
@given(blocks(), st.sampled_from([1, 8, 64]))
def test_live_blocks_have_aligned_offsets_and_do_not_overlap(
    given_blocks: list[Block], alignment: int
):
    check_plan(given_blocks, alignment, plan(given_blocks, alignment))


@pytest.mark.exhaustive
@settings(max_examples=20)
@given(blocks(most=120, calls=60))
def test_many_blocks_do_not_overlap(given_blocks: list[Block]):
    check_plan(given_blocks, 64, plan(given_blocks, 64))


@settings(max_examples=50)
@given(blocks())
def test_equal_blocks_have_an_equal_plan(given_blocks: list[Block]):
    state = random.getstate()
    first = plan(given_blocks, 64)
    random.seed(len(given_blocks))
    assert plan(list(given_blocks), 64) == first
    random.setstate(state)


@settings(max_examples=100)
@given(blocks(), st.sampled_from([1, 64]))
def test_without_reuse_no_bytes_are_shared(given_blocks: list[Block], alignment: int):
    found = plan(given_blocks, alignment, reuse=False)
    always = [Block(block.bytes, 0, 1) for block in given_blocks]
    check_plan(always, alignment, Plan(found.offsets, found.arena_bytes, found.arena_bytes))
    assert found.lower_bound == live_peak(given_blocks, alignment)


def fits(given_blocks: list[Block], height: int) -> bool:
    """Tell whether some offsets below ``height`` keep live blocks apart, by trying them all."""

    def place(offsets: list[int]) -> bool:
        if len(offsets) == len(given_blocks):
            return True
        block = given_blocks[len(offsets)]
        for low in range(height - block.bytes + 1):
            if all(
                not block.meets(other) or low + block.bytes <= offset or offset + other.bytes <= low
                for other, offset in zip(given_blocks, offsets, strict=False)
            ) and place([*offsets, low]):
                return True
        return False

    return place([])


@settings(max_examples=200)
@given(blocks(most=EXHAUSTIVE_BLOCKS, largest=4, calls=6))
def test_few_blocks_have_the_least_arena(given_blocks: list[Block]):
    found = plan(given_blocks, 1)
    assert fits(given_blocks, found.arena_bytes)
    assert found.arena_bytes == 0 or not fits(given_blocks, found.arena_bytes - 1)


@st.composite
def overlapping(
    draw: st.DrawFn, most: int = 30, largest: int = 1000, calls: int = 20
) -> tuple[list[Block], list[Overlap]]:
    """Draw blocks, and distances of some that have one call in common."""
    found = draw(blocks(most, largest, calls))
    pairs = [
        Overlap(i, j, draw(st.integers(0, largest)))
        for i, one in enumerate(found)
        for j, other in enumerate(found)
        if one.first < one.last == other.first < other.last and draw(st.booleans())
    ]
    return found, pairs


def may_lie(found: list[Block], pairs: list[Overlap], offsets: list[int], i: int, j: int) -> bool:
    """Tell whether two blocks that are alive together lie as they may."""
    one, other = (found[n].bytes for n in (i, j))
    if not (found[i].meets(found[j]) and one and other):
        return True
    apart = offsets[i] + one <= offsets[j] or offsets[j] + other <= offsets[i]
    return apart or any(
        {pair.source, pair.target} == {i, j}
        and offsets[pair.source] - offsets[pair.target] >= pair.distance
        for pair in pairs
    )


@pytest.mark.exhaustive
@settings(max_examples=300)
@given(overlapping(), st.sampled_from([1, 64]))
def test_blocks_overlap_as_far_as_they_may(
    given_blocks: tuple[list[Block], list[Overlap]], alignment: int
):
    found, pairs = given_blocks
    planned = plan(found, alignment, overlaps=pairs)
    offsets = list(planned.offsets)
    assert all(may_lie(found, pairs, offsets, i, j) for i, j in combinations(range(len(found)), 2))
    assert all(offset >= 0 and offset % alignment == 0 for offset in offsets)
    ends = [o + rounded(b.bytes, alignment) for b, o in zip(found, offsets, strict=True)]
    assert planned.arena_bytes == max(ends, default=0) >= planned.lower_bound
    assert planned.lower_bound <= live_peak(found, alignment)


@settings(max_examples=100)
@given(overlapping(most=4, largest=3, calls=4))
def test_few_blocks_that_may_overlap_have_the_least_arena(
    given_blocks: tuple[list[Block], list[Overlap]],
):
    found, pairs = given_blocks
    planned = plan(found, 1, overlaps=pairs)
    for height in range(planned.arena_bytes):
        ranges = [range(height - block.bytes + 1) for block in found]
        assert not any(
            all(may_lie(found, pairs, list(o), i, j) for i, j in combinations(range(len(o)), 2))
            for o in product(*ranges)
        )


def test_an_input_is_at_the_end_of_an_output_or_an_output_at_the_start_of_an_input():
    narrow, wide = Block(64, 0, 1), Block(256, 1, 2)
    assert plan([narrow, wide], 64, overlaps=[Overlap(0, 1, 192)]).offsets == (192, 0)
    assert plan([narrow, wide], 64, overlaps=[Overlap(0, 1, 200)]).arena_bytes == 256 + 64
    wide, narrow = Block(256, 0, 1), Block(64, 1, 2)
    assert plan([wide, narrow], 64, overlaps=[Overlap(0, 1, 0)]).arena_bytes == 256
    assert plan([wide, narrow], 64).arena_bytes == plan([wide, narrow], 64).lower_bound == 320
    # Without reuse all bytes are kept.
    apart = plan([wide, narrow], 64, reuse=False, overlaps=[Overlap(0, 1, 0)])
    assert apart.offsets == (0, 256)


@pytest.mark.parametrize("pair", [Overlap(0, 1, -64), Overlap(1, 0, 0), Overlap(0, 2, 0)], ids=str)
def test_malformed_overlaps_are_refused(pair: Overlap):
    with pytest.raises(ValueError, match="malformed overlap"):
        plan([Block(64, 0, 1), Block(64, 1, 2), Block(64, 0, 2)], 64, overlaps=[pair])


# Too many blocks for every order to be tried; the greedy orders lead to 12 bytes, 10 are enough.
KNOT = [
    Block(4, 1, 3), Block(1, 2, 4), Block(2, 5, 5), Block(4, 6, 8), Block(2, 4, 8), Block(2, 1, 1),
    Block(4, 3, 6), Block(1, 3, 5),
]  # fmt: skip


class Network:
    """Calls that each write one tensor of so many bytes and read others."""

    def __init__(self) -> None:
        self.tensors: list[tuple[int, int, int]] = []

    def call(self, size: int, *inputs: int) -> int:
        number = len(self.tensors)
        for read in inputs:
            length, first, _ = self.tensors[read]
            self.tensors[read] = (length, first, number)
        self.tensors.append((size, number, number))
        return number

    @property
    def blocks(self) -> list[Block]:
        return [Block(*tensor) for tensor in self.tensors]


def chain(net: Network, depth: int, rng: random.Random) -> None:
    x = net.call(rng.randrange(1, 100_000))
    for _ in range(depth):
        x = net.call(rng.randrange(1, 100_000), x)


def residual(net: Network, depth: int, rng: random.Random) -> None:
    size = 800_000
    x = net.call(size)
    for number in range(depth):
        shrinks = rng.random() < 0.25
        size = size // 2 if shrinks else size
        narrow = net.call(size // 4, net.call(size // 4, x))
        wide = net.call(size, narrow)
        x = net.call(size, wide, net.call(size, x) if shrinks and number else x)


def inverted_residual(net: Network, depth: int, rng: random.Random) -> None:
    size = 200_000
    x = net.call(size)
    for _ in range(depth):
        shrinks = rng.random() < 0.3
        expanded = net.call(6 * size, x)
        size = size * 3 // 8 if shrinks else size
        y = net.call(size, net.call(6 * size, expanded))
        x = y if shrinks else net.call(size, y, x)


def densenet(net: Network, depth: int, rng: random.Random) -> None:
    """Every layer concatenates what it makes with all that came before."""
    growth, size = 400_000, 800_000
    x = net.call(size)
    for number in range(depth):
        y = net.call(growth, net.call(4 * growth, x))
        size += growth
        x = net.call(size, x, y)
        if number % 6 == 5:
            size, growth = size // 8, growth // 4
            x = net.call(size, x)


def densenet_of_views(net: Network, depth: int, rng: random.Random) -> None:
    """Every layer reads all that came before it in its stage."""
    growth = rng.randrange(1000, 100_000)
    seen = [net.call(2 * growth)]
    for number in range(depth):
        seen.append(net.call(growth, net.call(4 * growth, *seen)))
        if number % 8 == 7:
            seen = [net.call(len(seen) * growth // 2, *seen)]


def inception(net: Network, depth: int, rng: random.Random) -> None:
    """Parallel branches of unequal length, concatenated."""
    x = net.call(400_000)
    for _ in range(depth):
        ends: list[int] = []
        for _ in range(rng.randrange(2, 6)):
            y = x
            for _ in range(rng.randrange(1, 5)):
                y = net.call(rng.randrange(1, 9) * 12_544, y)
            ends.append(y)
        x = net.call(sum(net.tensors[end][0] for end in ends), *ends)


def unet(net: Network, depth: int, rng: random.Random) -> None:
    size = 1 << 20
    x = net.call(size)
    skips: list[tuple[int, int]] = []
    for _ in range(min(depth, 8)):
        x = net.call(size, net.call(size, x))
        skips.append((x, size))
        size //= 2
        x = net.call(size, x)
    for skip, size in reversed(skips):
        x = net.call(size, net.call(2 * size, net.call(size, x), skip))


def transformer(net: Network, depth: int, rng: random.Random) -> None:
    tokens, width = rng.randrange(8, 256), 256
    size = tokens * width * 4
    x = net.call(size)
    for _ in range(depth):
        y = net.call(size, x)
        query, key, value = (net.call(size, y) for _ in range(3))
        scores = net.call(8 * tokens * tokens * 4, net.call(8 * tokens * tokens * 4, query, key))
        x = net.call(size, x, net.call(size, net.call(size, scores, value)))
        x = net.call(size, x, net.call(size, net.call(4 * size, net.call(size, x))))


def searched(net: Network, depth: int, rng: random.Random) -> None:
    """Cells of randomly wired pairs, as architecture search finds them."""
    size = 50_000
    older = newer = net.call(4 * size)
    for _ in range(depth):
        states = [older, newer]
        for _ in range(5):
            pair = [net.call(size * rng.randrange(1, 5), rng.choice(states)) for _ in range(2)]
            states.append(net.call(size * rng.randrange(1, 5), *pair))
        older, newer = newer, net.call(3 * size, *states[2:])


FAMILIES: list[Callable[[Network, int, random.Random], None]] = [
    chain, residual, inverted_residual, densenet, densenet_of_views, inception, unet, transformer,
    searched,
]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@pytest.mark.parametrize("depth", [1, 3, 10, 30])
def test_networks_are_within_a_tenth_of_the_bound(family, depth: int):
    for seed in range(4):
        net = Network()
        family(net, depth, random.Random(seed))
        found = plan(net.blocks, 64)
        check_plan(net.blocks, 64, found)
        assert found.ratio <= 1.10


def test_a_long_chain_of_unequal_tensors_takes_no_more_than_the_bound():
    net = Network()
    chain(net, 1000, random.Random(1))
    found = plan(net.blocks, 64)
    assert found.arena_bytes == found.lower_bound


def test_rounds_after_the_greedy_orders_improve_the_plan():
    found = plan(KNOT, 1)
    check_plan(KNOT, 1, found)
    assert found.arena_bytes == found.lower_bound


def test_nothing_takes_nothing():
    assert plan([], 64) == Plan((), 0, 0)
    assert plan([], 64).ratio == 1.0
    assert plan([Block(0, 0, 3), Block(0, 1, 2)], 64).arena_bytes == 0


def test_a_block_without_bytes_is_in_nobodys_way():
    found = plan([Block(64, 0, 2), Block(0, 0, 9), Block(128, 1, 3), Block(0, 2, 2)], 64)
    assert found.arena_bytes == found.lower_bound == 192


def test_touching_ranges_share_no_bytes_and_the_next_call_does():
    assert plan([Block(64, 0, 1), Block(64, 1, 2)], 64).arena_bytes == 128
    assert plan([Block(64, 0, 1), Block(64, 2, 3)], 64).arena_bytes == 64


@pytest.mark.parametrize(
    ("given_blocks", "alignment", "message"),
    [
        ([Block(64, 0, 0)], 0, "alignment is at least 1, found 0"),
        ([Block(-1, 0, 0)], 64, "malformed block"),
        ([Block(64, 1, 0)], 64, "malformed block"),
    ],
)
def test_malformed_arguments(given_blocks: list[Block], alignment: int, message: str):
    with pytest.raises(ValueError, match=message):
        plan(given_blocks, alignment)
