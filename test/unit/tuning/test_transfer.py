"""Kernels that have no record start from those of the kernels that are most like them."""

from __future__ import annotations

import pytest
from made_records import failed, trial

from autodeploy.records.best import grouped
from autodeploy.tuning.transfer import configs_of_similar, most_alike

RULE = "#nn.config<plain>"


def _groups(*kernels: tuple[str, str]):
    """Return the records of kernels by their titles and best configs; the rule's is ``RULE``."""
    records = [
        trial(seconds, kernel=f"{number}", title=title, config=config)
        for number, (title, best) in enumerate(kernels)
        for seconds, config in ((2e-6, RULE), (1e-6, best))
    ]
    return grouped(records).values()


def _found(title: str, *kernels: tuple[str, str]) -> list[str]:
    return list(map(str, configs_of_similar("another", title, _groups(*kernels))))


def test_the_nearest_shapes_come_first() -> None:
    kernels = [
        (f"matmul +{rows} {rows}x64, 64x32 -> {rows}x32", f"#nn.config<gemm, tile = [8, {rows}]>")
        for rows in (100, 4, 33, 31)
    ]
    found = _found("matmul +1 30x64, 64x32 -> 30x32", *kernels)
    assert found == [f"#nn.config<gemm, tile = [8, {rows}]>" for rows in (31, 33)]


@pytest.mark.parametrize(
    "title",
    [
        "conv +1 30x64, 64x32 -> 30x32",
        "matmul +1 1x30x64, 64x32 -> 30x32",  # more axes
        "matmul +1 30x64 -> 30x32",
    ],
)
def test_other_kernels_are_not_alike(title: str) -> None:
    kernel = title, "#nn.config<gemm, tile = [8, 3]>"
    assert _found("matmul +1 30x64, 64x32 -> 30x32", kernel) == []
    assert len(_found(title, kernel)) == 1


def test_kernels_that_are_best_by_the_rules_are_left_out() -> None:
    title = "softmax 4x10 -> 4x10"
    assert _found(title, (title, RULE)) == []
    by_rule = trial(1e-6, kernel="0", title=title, config="rule", kind="choice")
    only_failed = failed("crashed", kernel="1", title=title)
    groups = grouped([trial(2e-6, kernel="0", title=title), by_rule, only_failed]).values()
    assert configs_of_similar("another", title, groups) == []


def test_a_kernel_is_not_like_itself() -> None:
    title = "softmax 4x10 -> 4x10"
    groups = _groups((title, "#nn.config<row>"))
    assert configs_of_similar("0", title, groups) == []
    assert len(configs_of_similar("1", title, groups)) == 1


def test_extents_are_compared_by_their_ratio() -> None:
    titles = ["softmax 4x100 -> 4x100", "softmax 99x99 -> 99x99", "softmax 1x120 -> 1x120"]
    assert most_alike("softmax 1x100 -> 1x100", titles) == [2, 0]
    assert most_alike("softmax 1x100 -> scalar", titles) == []
