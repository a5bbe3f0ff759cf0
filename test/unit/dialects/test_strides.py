"""Strided layouts against NumPy's views: which elements a region has, where a move takes them."""

from __future__ import annotations

import itertools
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodeploy.dialects.strides import Move, Region, is_row_major, reshape, row_major, span

SHAPES = st.lists(st.integers(1, 4), max_size=4).map(tuple)


def places(region: Region) -> list[int]:
    """List where the elements lie, in row-major order of the region's shape."""
    points = itertools.product(*map(range, region.shape))
    return [
        region.offset + sum(i * s for i, s in zip(point, region.strides, strict=True))
        for point in points
    ]


@st.composite
def views(draw: st.DrawFn, size: int = 24) -> Region:
    """A slice with steps of a dense tensor, its axes in any order."""
    shape = draw(st.sampled_from([(size,), (2, size // 2), (3, 2, size // 6)]))
    spans = [
        slice(draw(st.integers(0, n - 1)), draw(st.integers(0, n)), draw(st.integers(1, 3)))
        for n in shape
    ]
    numbers = np.arange(size).reshape(shape)[tuple(spans)]
    numbers = numbers.transpose(draw(st.permutations(range(len(shape)))))
    strides = tuple(stride // numbers.itemsize for stride in numbers.strides)
    return Region(numbers.shape, strides, int(numbers.flat[0]) if numbers.size else 0)


@given(SHAPES)
def test_row_major(shape: tuple[int, ...]):
    strides = row_major(shape)
    assert places(Region(shape, strides)) == list(range(prod(shape)))
    assert span(shape, strides) == prod(shape)
    assert is_row_major(shape, strides)


@given(views())
def test_a_span_ends_after_the_last_element(region: Region):
    found = places(region)
    assert region.end == (max(found) + 1 if found else region.offset)
    assert is_row_major(region.shape, region.strides) == (
        found == list(range(region.offset, region.offset + len(found)))
    )


@given(views(), views())
def test_regions_that_share_an_element_meet(one: Region, other: Region):
    if set(places(one)) & set(places(other)):
        assert one.meets(other)
        assert other.meets(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Region((8,), (1,)), Region((8,), (1,), 8)),
        (Region((5, 3), (8, 1)), Region((5, 5), (8, 1), 3)),
        (Region((5, 3), (8, 1)), Region((5, 2), (8, 1), 6)),
        (Region((2, 3, 3), (24, 8, 1)), Region((6, 5), (8, 1), 3)),
        (Region((0, 8), (8, 1)), Region((5, 8), (8, 1))),
    ],
)
def test_regions_that_are_known_to_be_disjoint(one: Region, other: Region):
    assert not one.meets(other)
    assert not other.meets(one)


@given(views(), SHAPES)
def test_a_reshape_is_that_of_numpy(region: Region, shape: tuple[int, ...]):
    if 0 in region.shape:
        return
    shape = shape if prod(shape) == prod(region.shape) else (prod(region.shape),)
    found = reshape(region, shape)
    memory = np.arange(64)
    whole = np.lib.stride_tricks.as_strided(
        memory[region.offset :], region.shape, [8 * stride for stride in region.strides]
    )
    try:
        view = whole.view()
        view.shape = shape
    except AttributeError:
        # NumPy does not find all: it does not look at where strides of merged axes agree.
        if found is None:
            return
    assert found is not None
    assert places(found) == [int(number) for number in whole.reshape(shape).flat]


@given(views(), st.permutations(range(3)), st.integers(0, 7), st.integers(0, 5))
def test_a_move_takes_every_element_along(part: Region, order: list[int], gap: int, offset: int):
    """A dense block becomes a wide one with its axes in another order; a part of it follows."""
    shape, old = (3, 2, 4), (8, 4, 1)
    turned = row_major([shape[axis] + gap for axis in order])
    new = tuple(turned[order.index(axis)] for axis in range(3))
    move = Move(shape, old, new, offset)
    before, after = places(Region(shape, old)), places(Region(shape, new, offset))
    moved = dict(zip(before, after, strict=True))
    assert move.keeps_vectors == (new[2] == 1)
    found = move.apply(part)
    if found is not None:
        assert places(found) == [moved[place] for place in places(part)]


def test_a_move_is_of_all_of_a_block():
    with pytest.raises(ValueError, match="is not all of a block"):
        Move((2, 3), (4, 1), (8, 1))
    with pytest.raises(ValueError, match="is not all of a block"):
        Move((0, 3), (3, 1), (8, 1))


def test_rows_of_pixels_stay_one_axis():
    """An image whose pixels grow apart is still a matrix of pixels by channels."""
    move = Move((1, 5, 7, 16), (560, 112, 16, 1), (1680, 336, 48, 1), 32)
    assert move.apply(Region((35, 16), (16, 1))) == Region((35, 16), (48, 1), 32)
    assert move.apply(Region((560,), (1,))) is None
    assert move.apply(Region((5, 7, 8), (112, 16, 1), 8)) == Region((5, 7, 8), (336, 48, 1), 40)
