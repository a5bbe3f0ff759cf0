"""Types with extents: equal where these are for all numbers, the largest extents elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, TensorType, f32
from xdsl.parser import Parser

from autodeploy.dialects.extents import Extent, Numbers
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.extent_attr import (
    ExtentsAttr,
    axes_of_type,
    encoded_type,
    extents_of,
    integers,
    integers_attr,
)
from autodeploy.dialects.open_range import OpenRange

RANGE = OpenRange("n", 1, 8)
NUMBERS = Numbers((RANGE,))
PAIR = Numbers((RANGE, OpenRange("m", 1, 8)))
STEPS = Numbers((OpenRange("w", 2, 5, 16), OpenRange("h", 1, 3)))
n = NUMBERS.extent(0)
one, other = map(PAIR.extent, range(2))
wide, high = map(STEPS.extent, range(2))


def values_at(values: Sequence[int], number: int) -> list[int]:
    """Return integers, of extents those for a number."""
    return [value.at((number,)) if isinstance(value, Extent) else value for value in values]


def test_a_type_has_the_largest_extents_and_its_own_for_all_numbers():
    type_ = encoded_type(f32, (n, 4, 2 * n + 1))
    assert type_.get_shape() == (8, 4, 17)
    assert values_at(extents_of(type_), 3) == [3, 4, 7]


def test_the_largest_extent_is_not_always_that_for_the_largest_number():
    assert encoded_type(f32, (9 - n,)).get_shape() == (8,)


def test_constant_extents_have_no_encoding():
    type_ = encoded_type(f32, (3, n - n + 4))
    assert type_ == TensorType(f32, [3, 4])
    assert extents_of(type_) == (3, 4)


def test_unknown_extents_stay_negative():
    assert extents_of(TensorType(f32, [-1, 4])) == (-1, 4)


@pytest.mark.parametrize(
    ("one", "other"), [(n, n + 0), (n // 2, (n - 1 + 1) // 2), (-(-n // 2), (n + 1) // 2)]
)
def test_types_are_equal_where_extents_are_for_all_numbers(one: int, other: int):
    types = encoded_type(f32, (one, 4)), encoded_type(f32, (other, 4))
    assert types[0] == types[1] and hash(types[0]) == hash(types[1])


@pytest.mark.parametrize("other", [n // 2 + 4, 9 - n, PAIR.extent(0), PAIR.extent(1), 8])
def test_types_differ_where_extents_do_for_some_number(other: int):
    # All of them have 8 as their largest extent.
    assert encoded_type(f32, (other, 4)).get_shape() == (8, 4)
    assert encoded_type(f32, (n, 4)) != encoded_type(f32, (other, 4))


@pytest.mark.parametrize(
    ("extents", "text"),
    [
        ((n, 4), '[d0, 4], "n", 1 to 8'),
        ((3, 2 * n - 1), '[3, 2 * d0 - 1], "n", 1 to 8'),
        (((n + 1) // 2, n // 4 * 4), '[(d0 + 1) / 2, d0 / 4 * 4], "n", 1 to 8'),
        ((one * (other + 1), one + other), '[d0 * (d1 + 1), d0 + d1], "n", 1 to 8, "m", 1 to 8'),
        ((wide // 4 * high, 7), '[(4 * d0) * d1, 7], "w", 2 to 5 by 16, "h", 1 to 3'),
    ],
)
def test_types_are_printed_as_expressions_and_parsed(extents: tuple[int, ...], text: str):
    type_ = encoded_type(f32, extents)
    shape = "x".join(map(str, type_.get_shape()))
    assert str(type_) == f"tensor<{shape}xf32, #nn.extents<{text}>>"
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_attr_or_type(ExtentsAttr)
    assert Parser(ctx, str(type_)).parse_type() == type_


def test_extents_in_no_known_form_are_printed_by_their_range():
    text = str(encoded_type(f32, (10 - n, 4)))
    assert text == 'tensor<9x4xf32, #nn.extents<[2..9, 4], "n", 1 to 8>>'


@pytest.mark.parametrize(
    ("extents", "axes"),
    [
        ((3, 4), (CONSTANT, CONSTANT)),
        ((n, 4), (Growth(1), CONSTANT)),
        # It differs from n / 2 for odd numbers alone.
        ((4, (n + 1) // 2), (CONSTANT, Growth.of(1, 1, 2))),
        ((one * other,), (Growth.product([Growth(1), Growth(1, place=1)]),)),
    ],
)
def test_a_type_states_the_growth_of_its_axes(extents: tuple[int, ...], axes: tuple[Growth, ...]):
    assert axes_of_type(encoded_type(f32, extents)) == axes


def test_an_extent_in_no_known_form_has_no_axes():
    with pytest.raises(ValueError, match=r"has an extent in no known form"):
        axes_of_type(encoded_type(f32, (n, n * n % 5 + 9)))


def test_a_property_has_the_integers_of_all_numbers():
    attribute = integers_attr([0, n - 3, 9 - n])
    assert values_at(integers(attribute), 2) == [0, -1, 7]
    assert attribute == integers_attr([0, n + 1 - 4, 9 - n]) != integers_attr([0, n - 3, 8])
    assert str(integers_attr([1, 2])) == "array<i64: 1, 2>"
    assert integers(integers_attr([1, 2])) == (1, 2)
    assert integers(integers_attr([])) == ()
