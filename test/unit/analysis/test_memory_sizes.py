"""The table of the memory of a program."""

import pytest

from autodeploy.analysis.memory_sizes import MemorySizes, exact_bytes, readable_bytes


def test_parts_that_are_known_are_summed() -> None:
    assert list(MemorySizes(26112, 31360, 9959, 64, 1072, 736).lines()) == [
        "flash  36.1 KB: code of kernels 10.0 KB, weights 26.1 KB",
        "RAM    33.2 KB: arena 31.4 KB, states 64 bytes, context 1.1 KB, stack 736 bytes",
    ]


def test_a_total_without_all_parts_is_the_least() -> None:
    assert list(MemorySizes(100, 200).lines()) == [
        "flash  at least 100 bytes: weights 100 bytes",
        "RAM    at least 200 bytes: arena 200 bytes",
    ]
    assert [total for _, total, _ in MemorySizes(100, 200, 5, stack=6).rows()] == [
        "105 bytes",
        "206 bytes",
    ]


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
