"""Types with extents: equal where these are for all numbers, the largest extents elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, TensorType, f32
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from autodeploy.dialects.extent_attr import (
    ExtentsAttr,
    array_extents,
    encoded_type,
    extent_array,
    extents_of,
)
from autodeploy.dialects.extents import Extent, Numbers, ceil_divide
from autodeploy.dialects.open_range import OpenRange

RANGE = OpenRange("n", 1, 8)
NUMBERS = Numbers((RANGE,))
PAIR = Numbers((RANGE, OpenRange("m", 1, 8)))
n = NUMBERS.extent(0)


def values_at(values: Sequence[int], number: int) -> list[int]:
    """Return integers, of extents those for a number."""
    return [value.at((number,)) if isinstance(value, Extent) else value for value in values]


def test_a_type_has_the_largest_extents_and_its_own_for_all_numbers():
    type_ = encoded_type(f32, (n, 4, 2 * n + 1))
    assert type_.get_shape() == (8, 4, 17)
    assert str(type_) == "tensor<8x4x17xf32, #nn.extents<1..8, 4, 3..17>>"
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
    ("one", "other"), [(n, n + 0), (n // 2, (n - 1 + 1) // 2), (ceil_divide(n, 2), (n + 1) // 2)]
)
def test_types_are_equal_where_extents_are_for_all_numbers(one: int, other: int):
    types = encoded_type(f32, (one, 4)), encoded_type(f32, (other, 4))
    assert types[0] == types[1] and hash(types[0]) == hash(types[1])


@pytest.mark.parametrize("other", [n // 2 + 4, 9 - n, PAIR.extent(0), PAIR.extent(1), 8])
def test_types_differ_where_extents_do_for_some_number(other: int):
    # All of them have 8 as their largest extent.
    assert encoded_type(f32, (other, 4)).get_shape() == (8, 4)
    assert encoded_type(f32, (n, 4)) != encoded_type(f32, (other, 4))


def test_extents_are_not_parsed():
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_attr_or_type(ExtentsAttr)
    with pytest.raises(ParseError, match="extents of a conversion are not parsed"):
        Parser(ctx, "tensor<8xf32, #nn.extents<1..8>>").parse_type()


def test_a_property_has_the_integers_for_the_largest_numbers_and_remembers_the_others():
    array = extent_array([0, n - 3, 9 - n])
    assert array.get_values() == (0, 5, 1)
    assert values_at(array_extents(array), 2) == [0, -1, 7]
    assert array_extents(extent_array([1, 2])) == (1, 2)
