"""What a text says of an extent by other ones."""

from __future__ import annotations

import pytest

from autodeploy.frontend.extent_expressions import parse_extent

NUMBERS = {"past": 3, "length": 5, "a-b": 7, "x:0": 9, "s0": 4, "past_key.0": 2}


@pytest.mark.parametrize(
    ("text", "extent"),
    [
        ("past + 1", 4), ("past+1", 4), (" past  + length ", 8), ("length - past", 2),
        ("2*s0 + 1", 9), ("(past + length)*2", 16), ("past*length", 15), ("x:0+1", 10),
        ("a-b + 1", 8), ("length - 1 - past", 1), ("past_key.0 + 1", 3), ("1 + past", 4),
        ("(past)", 3), ("length - (past - 1)", 3),
    ],
)  # fmt: skip
def test_a_text_states_an_extent(text, extent):
    found = parse_extent(text)
    assert found is not None and found.at(NUMBERS) == extent
    assert found.at({}) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "past", "a-b", "1", "1 + 2", "past length", "past +", "+ past", "past + + 1", "past -1",
        "(past + 1", "past + 1)", "()", "past / 2", "past // 2", "2past", "past + 1..2", "past^2",
        "+".join(["n"] * 60), "(" * 5000 + "n",
    ],
)  # fmt: skip
def test_a_text_states_no_other_extents(text):
    assert parse_extent(text) is None
