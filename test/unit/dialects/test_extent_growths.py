"""Forms of extents, against their tables for all numbers of a run."""

from __future__ import annotations

from functools import reduce
from operator import mul

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.extent_growths import check_input, equals, growth_of
from autodeploy.dialects.extents import (
    Extent,
    Numbers,
    extent_of,
    largest,
    largest_of,
    numbers_of,
)
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.extent_attr import Extents
from autodeploy.dialects.open_range import Derived, OpenRange

ONE = Numbers((OpenRange("n", 1, 40),))
STEPS = Numbers((OpenRange("n", 2, 20, 8),))
PAIR = Numbers((OpenRange("h", 1, 9), OpenRange("w", 3, 12)))
TRIPLE = Numbers((OpenRange("b", 1, 4), OpenRange("h", 1, 5), OpenRange("w", 2, 6)))
n, s = ONE.extent(0), STEPS.extent(0)
h, w = PAIR.extent(0), PAIR.extent(1)
a, b, c = map(TRIPLE.extent, range(3))
H, W = Growth(1), Growth(1, place=1)


def extent_of_growth(growth: Growth, numbers: Numbers) -> int:
    """Return the extent that grows so."""
    return extent_of(numbers, growth.over_all(numbers.counts))


def check(extent: int, growth: Growth | None) -> None:
    """A growth has the extent's table, and no other one."""
    assert growth is not None and isinstance(extent, Extent)
    found = extent_of_growth(growth, extent.numbers)
    assert isinstance(found, Extent) and found.key == extent.key
    assert equals(growth, extent) and not equals(growth, extent + 1)


@pytest.mark.parametrize(
    ("extent", "growth"),
    [
        (n, Growth.of(1)),
        (3 * n, Growth.of(3)),
        (n - 1, Growth.of(1, -1)),
        (2 * n + 5, Growth.of(2, 5)),
        (n // 2, Growth.of(1, 0, 2)),
        ((n - 1) // 2 + 1, Growth.of(1, 1, 2)),
        ((n + 7) // 8, Growth.of(1, 7, 8)),
        (2 * n // 3, Growth.of(2, 0, 3)),
        (n // 4 * 4, Growth.of(1, 0, 4, 4)),
        ((n + 3) // 4 * 4, Growth.of(1, 3, 4, 4)),
        (s, Growth.of(8)),
        (s // 16, Growth.of(1, 0, 2)),
        (s - 3, Growth.of(8, -3)),
        (h + w, Growth.sum_of({0: 1, 1: 1})),
        (2 * h + 3 * w - 1, Growth.sum_of({0: 2, 1: 3}, -1)),
        (w + 1, Growth.of(1, 1, place=1)),
        ((h + w) // 2, Growth.sum_of({0: 1, 1: 1}, 0, 2)),
        ((h + 3 * w) // 4, Growth.sum_of({0: 1, 1: 3}, 0, 4)),
        ((5 * h + 2 * w + 3) // 7 * 3, Growth.sum_of({0: 5, 1: 2}, 3, 7, 3)),
        ((a + 2 * b + c) // 3, Growth.sum_of({0: 1, 1: 2, 2: 1}, 0, 3)),
        (h * w, Growth.product([H, W])),
        (3 * h * w, Growth.product([H, W]).scaled(3)),
        (h * (w - 2), Growth.product([H, Growth.of(1, -2, place=1)])),
        (h // 2 * w + w, Growth.product([Growth.of(1, 2, 2), W])),
        (a + b + c, Growth.sum_of({0: 1, 1: 1, 2: 1})),
        (a + 2 * c, Growth.sum_of({0: 1, 2: 2})),
        (a * b * c, Growth.product([H, W, Growth(1, place=2)])),
        (a * c, Growth.product([H, Growth(1, place=2)])),
        (n * n, Growth.product([H, H])),
        (h * h * w, Growth.product([H, H, W])),
        (2 * n * n * n, Growth.product([H, H, H]).scaled(2)),
    ],
)
def test_an_extent_has_the_form_of_its_table(extent: int, growth: Growth):
    check(extent, growth)
    found = growth_of(extent)
    check(extent, found)
    # Equal tables have one form, however it is found.
    numbers = numbers_of(extent)
    assert numbers is not None and found == growth_of(extent_of_growth(growth, numbers))


@pytest.mark.parametrize(
    ("extent", "growth"),
    [
        (n, H),
        (n - 1, Growth.of(1, -1)),
        (3 * n, Growth.of(3)),
        (s, Growth.of(8)),
        (h + w, Growth.sum_of({0: 1, 1: 1})),
        (h * w, Growth.product([H, W])),
        (a * b * c, Growth.product([H, W, Growth(1, place=2)])),
        (n * n, Growth.product([H, H])),
        (h * h * w, Growth.product([H, H, W])),
    ],
)
def test_even_sums_products_and_powers_are_found_in_lowest_terms(extent: int, growth: Growth):
    assert growth_of(extent) == growth


@pytest.mark.parametrize(
    "extent",
    [
        10 * n % 7,
        50 - n,
        n * n + 1,
        n * n % 11 + n,
        extent_of(ONE, np.minimum(np.arange(1, 41), 20)),
        h * w + 1,
        (h + 1) * (w + 1) * h,
        h * w // 2,
        w - h,
        a * b + c,
    ],
)
def test_other_extents_have_no_form(extent: int):
    assert growth_of(extent) is None


def test_a_plain_integer_is_constant():
    assert growth_of(7) is CONSTANT


def test_forms_over_large_ranges_are_those_of_all_numbers():
    pair = Numbers((OpenRange("h", 64, 640), OpenRange("w", 64, 640)))
    height, width = pair.extent(0), pair.extent(1)
    check(extent := (3 * height + 2 * width) // 8, growth_of(extent))
    bent = extent.table.copy()
    bent[300, 400] += 1  # off all edges
    assert growth_of(extent_of(pair, bent)) is None
    assert growth_of(largest(height, width)) is None


def test_a_form_by_a_number_that_there_is_not_is_none_of_the_extent():
    assert not equals(W, n)
    assert not equals(CONSTANT, n)
    assert not equals(H, 8)


def test_the_extents_of_an_input_have_a_form():
    check_input("x", (h, 3, 2 * w, h * w))
    with pytest.raises(ModelError, match=r"an extent of input 'x' is 2\.\.1601, which is no sum"):
        check_input("x", (3, n * n + 1))


@st.composite
def grids(draw: st.DrawFn) -> Numbers:
    count = draw(st.integers(1, 3))
    sides = [(draw(st.integers(0, 9)), draw(st.integers(1, 40 // count))) for _ in range(count)]
    return Numbers(tuple(OpenRange("bhw"[i], at, at + k) for i, (at, k) in enumerate(sides)))


@given(st.data(), grids())
def test_every_form_has_the_table_of_the_extent(data: st.DataObject, numbers: Numbers):
    times = [data.draw(st.integers(0, 6)) for _ in numbers.ranges]
    plus, over, by = (data.draw(st.integers(*ends)) for ends in ((0, 20), (1, 9), (1, 5)))
    sums = sum(t * numbers.extent(place) for place, t in enumerate(times))
    extent = (sums + plus) // over * by
    found = growth_of(extent)
    if not isinstance(extent, Extent):
        assert found is CONSTANT
    elif found is not None:
        check(extent, found)


@given(st.integers(1, 6), st.integers(-9, 20), st.integers(1, 9), st.integers(1, 5), grids())
def test_a_rounded_sum_of_one_number_is_found(
    times: int, plus: int, over: int, by: int, numbers: Numbers
):
    extent = (times * numbers.extent(0) + plus) // over * by
    assume(isinstance(extent, Extent))
    check(extent, growth_of(extent))


@given(st.data(), grids())
def test_a_product_of_a_sum_of_each_number_is_found(data: st.DataObject, numbers: Numbers):
    factors = [
        numbers.extent(place) * data.draw(st.integers(1, 3)) + data.draw(st.integers(1, 4))
        for place in range(len(numbers.ranges))
    ]
    extent = reduce(mul, factors) * data.draw(st.integers(1, 3))
    check(extent, growth_of(extent))


@given(st.integers(0, 1 << 32), grids())
def test_a_random_table_has_a_form_only_if_it_is_of_all_numbers(seed: int, numbers: Numbers):
    random = np.random.default_rng(seed)
    extent = extent_of(numbers, random.integers(0, 4, numbers.shape))
    if isinstance(extent, Extent) and (found := growth_of(extent)) is not None:
        check(extent, found)


def scaled_sizes() -> tuple[Numbers, list[int]]:
    """Return heights and widths that are scaled as torchvision's detectors do it, as extents."""
    ranges = (OpenRange("h", 10, 42, 32), OpenRange("w", 10, 42, 32))
    sides = np.meshgrid(*[32 * np.arange(10, 43)] * 2, indexing="ij")
    scale = np.minimum(800 / np.minimum(*sides), 1333 / np.maximum(*sides))
    tables = [(side * scale).astype(np.int64) for side in sides]
    derived = tuple(Derived.of(t.shape, t.reshape(-1).tolist()) for t in tables)
    numbers = Numbers(ranges, derived)
    return numbers, [extent_of(numbers, table) for table in tables]


def test_extents_grow_with_derived_numbers():
    numbers, (p, q) = scaled_sizes()
    first, second = Growth(1, place=2), Growth(1, place=3)
    assert (growth_of(p), growth_of(q)) == (first, second)
    rows, columns = (p + 31) // 32, (q + 31) // 32
    up, across = Growth.of(1, 31, 32, place=2), Growth.of(1, 31, 32, place=3)
    assert growth_of(rows * 32) == up.scaled(32)
    assert growth_of(p - 1) == Growth.of(1, -1, place=2)
    assert growth_of(9 * (rows * 4) * (columns * 4)) == Growth.product([up, across]).scaled(144)
    assert growth_of(p * q) == Growth.product([first, second])
    assert growth_of(12 * rows * rows) == Growth.product([up, up]).scaled(12)
    assert growth_of(numbers.extent(0) * q) == Growth.product([Growth.of(32), second])
    levels = (rows * columns, ((rows + 1) // 2) * ((columns + 1) // 2))
    assert growth_of(sum(levels)) is None
    assert growth_of(numbers.extent(0)) == Growth.of(32)


def test_a_product_has_factors_that_no_line_shows_alone():
    sides = np.meshgrid(*[8 * np.arange(8, 21)] * 2, indexing="ij")
    scale = np.minimum(96 / np.minimum(*sides), 160 / np.maximum(*sides))
    tables = [np.floor(side * scale).astype(np.int64) for side in sides]
    rows, columns = ((table + 31) // 32 for table in tables)
    more = rows * columns * 19 + 23
    ranges = (OpenRange("h", 8, 20, 8), OpenRange("w", 8, 20, 8))
    derived = (Derived.of(t.shape, t.reshape(-1).tolist()) for t in (*tables, more))
    numbers = Numbers(ranges, tuple(derived))
    p, q, area = (extent_of(numbers, t) for t in (rows, columns, 128 * rows * columns))
    parts = [growth_of(p), growth_of(q)]
    assert None not in parts
    # The third number decides it, too, but the product follows from the first ones.
    assert growth_of(area) == Growth.product(part for part in parts if part).scaled(128)


def test_a_product_of_derived_numbers_has_room_for_the_largest_of_each():
    _, (p, q) = scaled_sizes()
    assert isinstance(p, Extent) and isinstance(q, Extent)
    area = Extents((p * q, p))
    assert area.bounds == (p.most * q.most, p.most)
    assert area.bounds[0] > largest_of(p * q)


def test_digests_tell_tables_apart():
    one, other = Derived.of((2, 2), (1, 2, 3, 4)), Derived.of((4, 1), (1, 2, 3, 4))
    assert one.digest != other.digest
    assert Derived.of((2, 2), (1, 2, 3, 4)) is one
    assert [Derived.of((2,), (0, n)).element_bytes for n in (255, 256, 1 << 16)] == [1, 2, 4]
