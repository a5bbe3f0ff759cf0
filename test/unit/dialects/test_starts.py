"""Steps to the first element of a part of a block, against plain arithmetic of addresses."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32

from autodeploy.dialects.halide.types import BufferType, steps_before

STRIDES = st.lists(st.integers(-4, 40), max_size=4)


def buffer(strides: list[int]) -> BufferType:
    return BufferType(f32, [2] * len(strides), strides)


def address(strides: list[int], coordinates: tuple[int, ...]) -> int:
    return sum(step * stride for step, stride in zip(coordinates, strides, strict=True))


@given(STRIDES, st.integers(0, 500))
def test_steps_lead_to_the_element_and_are_not_negative(strides, first):
    try:
        steps = steps_before(buffer(strides), first)
    except ValueError:
        assume(False)
        return
    assert min(steps, default=0) >= 0
    assert address(strides, steps) == first


@given(STRIDES, st.integers(1, 40), st.integers(0, 100))
def test_they_are_found_where_the_least_stride_leads_there(others, stride, steps):
    strides = [*others, stride]
    first = steps * min(stride for stride in strides if stride > 0)
    assert address(strides, steps_before(buffer(strides), first)) == first


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_they_are_found_for_each_element_of_a_dense_block(extents, data):
    strides = [1]
    for extent in extents[:-1]:
        strides.append(strides[-1] * extent)
    place = data.draw(st.sampled_from(list(product(*map(range, extents)))))
    first = address(strides, place)
    assert address(strides, steps_before(BufferType(f32, extents, strides), first)) == first


@pytest.mark.parametrize(
    ("strides", "first"), [([], 1), ([2], 1), ([-1], 3), ([0], 1), ([6, 4], 9), ([8, 0], 4)]
)
def test_no_strides_lead_to_these(strides, first):
    with pytest.raises(ValueError, match=f"no strides of .* lead to element {first}"):
        steps_before(buffer(strides), first)


@pytest.mark.parametrize(
    ("strides", "first", "steps"),
    [
        ([], 0, ()),
        ([1, 32], 16, (16, 0)),
        ([1, 32], 70, (6, 2)),
        ([3, 16], 18, (6, 0)),
        ([3, 16], 16, (0, 1)),
    ],
)
def test_larger_strides_come_first_if_they_lead_there(strides, first, steps):
    assert steps_before(buffer(strides), first) == steps
