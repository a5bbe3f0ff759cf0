"""Sizes of memory as people read them."""

import pytest

from autodeploy.analysis.sizes import exact_bytes, readable_bytes


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 KB"),
        (30208, "30.2 KB"),
        (999_949, "999.9 KB"),
        (999_950, "1.0 MB"),
        (102_400_000, "102.4 MB"),
        (7_000_000_000_000, "7000.0 GB"),
    ],
)
def test_sizes_have_units(count, text):
    assert readable_bytes(count) == text


def test_a_short_number_is_not_printed_twice():
    assert exact_bytes(999) == "999 bytes"
    assert exact_bytes(31360) == "31360 bytes (31.4 KB)"
