"""The table of README.md is that of the results in docs/performance.md."""

from __future__ import annotations

import pytest

from benchmarks.readme import END, README, RESULTS, START, block, with_block

PAGE = """
`make bench` made these tables on 2026-01-02, at level 3. The load was low.

- machine: A processor (of a kind) with 2 cores, quiet; gcc
- autodeploy 0.1.0, fast 1.2, slow 3.4 (which fails)

### One thread

| model | autodeploy ms | fast | slow |
|-|-:|-:|-:|
| a | 1.0 | 0.90 | failed |
| b | 2.0 | 1.60 | 4.00 |
| geometric mean | | 1.20 | 4.00 |

### Two threads

| model | autodeploy ms | fast | slow |
|-|-:|-:|-:|
| a | 1.0 | 1.00 | failed |
| b | 2.0 | 1.21 | 9.00 |
| geometric mean | | 1.10 | 9.00 |
"""


def test_the_table_follows_from_the_results() -> None:
    assert block(PAGE).split("\n") == [
        "| engine | one thread | two threads |",
        "|-|-|-|",
        "| fast | 1.20 (0.90 to 1.60) | 1.10 (1.00 to 1.21) |",
        "| slow | 4.00 (4.00 to 4.00) | 9.00 (9.00 to 9.00) |",
        "",
        "Measured on 2026-01-02, at level 3, on 2 networks: A processor (of a kind) with 2 cores.",
        "autodeploy 0.1.0, fast 1.2, slow 3.4.",
    ]


def test_the_readme_has_the_table_of_the_results() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_block(text, block(RESULTS.read_text(encoding="utf-8"))) == text


@pytest.mark.parametrize("lost", ["### Two threads", "- machine", "- autodeploy", "on 2026"])
def test_results_that_lack_something(lost: str) -> None:
    with pytest.raises(ValueError, match="in the results"):
        block(PAGE.replace(lost, "lost"))


def test_a_page_has_one_place_for_the_table() -> None:
    assert with_block(f"a{START}old{END}b", "new") == f"a{START}\nnew\n{END}b"
    with pytest.raises(ValueError, match="not found"):
        with_block("no place", "new")
