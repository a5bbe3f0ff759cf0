"""The table of the memory of a program."""

from autodeploy.analysis.memory_sizes import MemorySizes


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
