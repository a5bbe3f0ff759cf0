"""How extents grow, against what they are for numbers."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.growth import CONSTANT, Growth, solved, sum_of_growths
from autodeploy.dialects.nn.open_extent import axes_attr, axes_of
from autodeploy.dialects.nn.window_steps import WindowSteps, window_extents

NUMBERS = range(1, 40)
SMALL = st.integers(1, 6)
GROWTHS = st.builds(Growth.of, SMALL, st.integers(-9, 9), SMALL, st.integers(1, 4))
STEPS = st.builds(
    WindowSteps, st.integers(1, 9), SMALL, st.integers(0, 6), st.integers(0, 6), st.booleans()
)


@given(GROWTHS, GROWTHS)
def test_growths_are_equal_where_extents_are(one: Growth, other: Growth):
    # The extents of all numbers between two common multiples of what they are rounded to.
    assert (one == other) == all(one.at(n) == other.at(n) for n in range(60))


@given(GROWTHS, st.integers(-7, 7), SMALL)
def test_an_extent_is_moved_and_divided_by_a_stride(growth: Growth, plus: int, stride: int):
    moved = growth.moved(plus, stride)
    assume(moved is not None)
    assert [moved.at(n) for n in NUMBERS] == [(growth.at(n) + plus) // stride for n in NUMBERS]
    # So what a kernel makes follows from what it reads.
    found = growth.move_to(moved)
    assert found is not None and growth.moved(*found) == moved


@given(GROWTHS, GROWTHS)
def test_an_extent_follows_from_another_one_by_a_move(growth: Growth, other: Growth):
    found = growth.move_to(other)
    if found is not None:
        plus, stride = found
        assert all((growth.at(n) + plus) // stride == other.at(n) for n in NUMBERS)


def test_a_rounded_and_repeated_extent_is_not_moved():
    twice = Growth.of(1, 0, 2).scaled(2)
    assert twice.text(lambda _: "n") == "n / 2 * 2"
    assert twice.moved(1, 1) is None and twice.moved(0, 4) == Growth.of(1, 0, 4)
    assert twice.moved(0, 1) == twice


@given(GROWTHS, SMALL)
def test_an_extent_is_scaled_and_divided(growth: Growth, factor: int):
    assert [growth.scaled(factor).at(n) for n in NUMBERS] == [
        factor * growth.at(n) for n in NUMBERS
    ]
    assert growth.scaled(factor).divided(factor) == growth
    part = growth.divided(factor)
    if part is not None:
        assert part.scaled(factor) == growth
    divides = all(growth.at(n) % factor == 0 for n in range(60))
    assert (part is not None) == divides == (growth.multiple % factor == 0)


@given(GROWTHS)
def test_text_and_expression_state_the_extent(growth: Growth):
    assert Growth.from_expression(growth.expression) == growth
    text = growth.text(lambda _: "n").replace("/", "//")
    assert all(eval(text, {"n": n}) == growth.at(n) for n in NUMBERS)


PLACED = st.builds(
    Growth.of, SMALL, st.integers(-9, 9), SMALL, st.integers(1, 4), st.integers(0, 1)
)


@given(st.lists(PLACED, min_size=1, max_size=3), SMALL)
def test_a_product_is_that_of_its_factors(growths: list[Growth], factor: int):
    product = Growth.product(growths)
    pairs = [(n, m) for n in range(1, 30, 4) for m in range(1, 30, 5)]
    assert product == Growth.product(growths[::-1])
    for numbers in pairs:
        right = prod(growth.at(numbers) for growth in growths)
        assert product.at(numbers) == right
        assert product.scaled(factor).at(numbers) == factor * right
        n, m = numbers
        text = product.text(lambda place: "nm"[place]).replace("/", "//")
        assert eval(text, {"n": n, "m": m}) == right
    assert product.scaled(factor).divided(factor) == product
    assert axes_of(axes_attr((product, CONSTANT, growths[0]))) == (product, CONSTANT, growths[0])
    assert product.told([1, 0]).told([1, 0]) == product


def test_a_product_of_several_is_moved_by_nothing():
    product = Growth.product([Growth(2), Growth(1, place=1)])
    assert str(product) == "(2 * n) * n1" and product.multiple == 2 and not product.is_proportional
    assert product.moved(1, 1) is None and product.moved(0, 2) == Growth.product(
        [Growth(1), Growth(1, place=1)]
    )
    assert product.move_to(Growth(1)) is None and Growth(1).move_to(product) is None
    assert Growth.product([Growth(1), CONSTANT]) == CONSTANT == Growth.product([])


def test_a_constant_does_not_grow():
    assert not CONSTANT and Growth.of(0, 3, 2, 5) == CONSTANT and CONSTANT.multiple == 0
    assert Growth(1).move_to(CONSTANT) is None and CONSTANT.move_to(Growth(1)) is None


@given(STEPS, GROWTHS)
def test_windows_are_counted_as_the_op_does(steps: WindowSteps, growth: Growth):
    count, beyond = growth.moved(steps.plus, steps.stride), []
    for number in NUMBERS:
        extent = growth.at(number)
        if extent < 1:
            continue
        given_ = [extent], [steps.reach], [steps.stride], [steps.before, steps.after], [1]
        try:
            (windows,) = window_extents(*given_, ceil_mode=steps.ceil)
        except VerifyException:
            assert extent + steps.before + steps.after < steps.reach
            continue
        assert windows == (extent + steps.plus) // steps.stride
        assert count is None or count.at(number) == windows
        beyond.append((windows - 1) * steps.stride - steps.before + steps.reach - extent)
    assert max(beyond, default=-99) <= steps.beyond(growth)


@pytest.mark.parametrize(
    ("growth", "steps", "beyond"),
    [
        (Growth(1), WindowSteps(3, 2, 0, 0), 0),
        (Growth(2), WindowSteps(3, 2, 0, 0), -1),
        (Growth(1), WindowSteps(3, 2, 0, 0, ceil=True), 1),
        (Growth.of(2, 1), WindowSteps(3, 2, 0, 0, ceil=True), 0),
        (Growth(1), WindowSteps(3, 2, 1, 1), 1),
        (Growth.of(1, 1, 2), WindowSteps(2, 3, 0, 1), 1),
    ],
)
def test_the_end_of_the_last_window(growth: Growth, steps: WindowSteps, beyond: int):
    assert steps.beyond(growth) == beyond


SUMS = st.builds(
    lambda terms, *rest: Growth.sum_of(dict(enumerate(terms)), *rest),
    st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any),
    st.integers(-9, 9),
    SMALL,
    st.integers(1, 4),
)
TRIPLES = [(n, m, k) for n in (1, 2, 5, 24) for m in (1, 3, 25) for k in (1, 4, 30)]


@given(SUMS, st.integers(-7, 7), SMALL)
def test_a_sum_of_numbers_is_an_extent_like_others(growth: Growth, plus: int, factor: int):
    assert Growth.from_expression(growth.expression) == growth
    text = growth.text(lambda place: f"n[{place}]").replace("/", "//")
    assert all(eval(text, {"n": n}) == growth.at(n) for n in TRIPLES)
    assert all(growth.scaled(factor).at(n) == factor * growth.at(n) for n in TRIPLES)
    assert growth.scaled(factor).divided(factor) == growth
    moved = growth.moved(plus, factor)
    if moved is not None:
        assert all(moved.at(n) == (growth.at(n) + plus) // factor for n in TRIPLES)
        found = growth.move_to(moved)
        assert found is not None and growth.moved(*found) == moved
    steps = (2, 3, 1)
    counted = growth.by_numbers(steps)
    numbers = [tuple(n * step for n, step in zip(counts, steps, strict=True)) for counts in TRIPLES]
    pairs = zip(TRIPLES, numbers, strict=True)
    assert all(counted.at(n) == growth.at(counts) for counts, n in pairs)
    moved_places = growth.told((2, 0, 1))
    assert all(moved_places.at((m, k, n)) == growth.at((n, m, k)) for n, m, k in TRIPLES)


@given(SUMS, SUMS, st.integers(-3, 3))
def test_extents_are_added(one: Growth, other: Growth, plus: int):
    found = sum_of_growths([one, CONSTANT, other], plus)
    if found is not None:
        assert all(found.at(n) == one.at(n) + other.at(n) + plus for n in TRIPLES)


def test_numbers_follow_from_extents():
    past, length = Growth.of(1), Growth.of(1, place=1)
    total = Growth.sum_of({0: 1, 1: 1})
    assert solved([total, Growth.of(1, 1, 2)]) == []
    assert solved([total, length]) == [(length, 1), (total, 0)]
    assert solved([total, past, length]) == [(past, 0), (total, 1)]
