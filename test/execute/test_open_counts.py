"""Extents that are numbers of a run: where a diagonal lies, how often a loop runs."""

from __future__ import annotations

import pytest
from open_counts import (
    collected,
    diagonals,
    half_collected,
    half_numbered,
    numbered,
    trips,
)
from open_runs import check_range, check_sanitized_range, compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 1, 17)
NETWORKS = (diagonals, trips, collected, numbered)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", NETWORKS)
def test_numbers_of_the_range_are_right(make, level, tmp_path):
    check_range(make, SPEC, tmp_path / "b", (17, *range(1, 18)), level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", NETWORKS)
def test_sanitizers_find_nothing_in_the_c_program(make, tmp_path):
    check_sanitized_range(make, SPEC, tmp_path, (1, 2, 17))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (half_collected, "its steps follow from the number in a way that no row shows"),
        (half_numbered, "a constant is computed from its number"),
    ],
)
def test_what_was_rounded_and_no_value_shows_is_refused(make, text, tmp_path):
    with pytest.raises(UserError, match=text):
        compiled(make, OpenSpec(("n",), 2, 17), tmp_path / "b")
