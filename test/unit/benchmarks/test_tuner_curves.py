"""What is said of searches, and the picture of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.tuner_curves import bests, main, told, trials_to

KERNEL = {
    "network": "net",
    "kernel": "conv 1x8",
    "rule": 4e-6,
    "runs": [
        {"tuner": "random", "seed": 0, "costs": [4e-6, 5e-6, None, 3e-6]},
        {"tuner": "random", "seed": 1, "costs": [4e-6, 3e-6, 5e-6, None]},
        {"tuner": "xgb", "seed": 0, "costs": [4e-6, None, 2e-6]},
        {"tuner": "xgb", "seed": 1, "costs": [4e-6, 3e-6]},
        {"tuner": "xgb", "seed": 2, "costs": [4e-6, 3.5e-6, 3.5e-6]},
    ],
}


def test_trials_that_fail_better_nothing() -> None:
    assert bests(KERNEL, "random")[0] == [4e-6, 4e-6, 4e-6, 3e-6]
    assert bests(KERNEL, "xgb")[0] == [4e-6, 4e-6, 2e-6]


def test_the_trials_of_a_search_count_without_the_rule() -> None:
    assert trials_to(3e-6, [4e-6, 3.5e-6, 3e-6, 2e-6]) == 2
    assert trials_to(4e-6, [4e-6]) == 0
    assert trials_to(1e-6, [4e-6, 2e-6]) is None


def test_a_row_has_the_median_of_the_seeds_and_those_that_never_get_there() -> None:
    *_, random, learned = told(KERNEL)
    assert (random, learned) == ("3 us in 3", "2 (1 to not reached)")


def test_a_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "found.json").write_text(json.dumps({"kernels": [KERNEL, KERNEL]}))
    assert main([str(tmp_path / "found.json"), str(tmp_path / "curves.png")]) == 0
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.count("| net: conv 1x8 | 4 us |") == 2
