"""How extents follow that an op makes longer or shorter."""

from __future__ import annotations

import pytest

from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.stretch import Stretch


@pytest.mark.parametrize(
    ("growth", "stretch"),
    [
        (Growth(1), Stretch(2)),
        (Growth(3, 1), Stretch(2, -1)),
        (Growth(1, 0, 2), Stretch(2)),
        (Growth(1, -1, 4), Stretch(3)),
        (Growth(4), Stretch(1, 0, 2)),
        (Growth(1, 0, 2), Stretch(3, 0, 6)),
        (Growth(1, 1, 2, 2), Stretch(1, 0, 2)),
    ],
)
def test_the_growth_is_that_of_each_extent(growth: Growth, stretch: Stretch) -> None:
    found = stretch.count(growth)
    assert found is not None
    for number in range(1, 40):
        extent = growth.at(number)
        expected = (stretch.times * extent + stretch.plus) // stretch.over
        assert found.at(number) == expected


def test_what_was_rounded_and_repeated_is_not_added_to() -> None:
    rounded = Growth(1, 0, 2)
    assert Stretch(2, 1).count(rounded) is None
    assert Stretch(3, 0, 2).count(rounded) is None
