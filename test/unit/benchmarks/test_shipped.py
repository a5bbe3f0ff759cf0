"""The worth of shipped records: programs with them and without, by processor time."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_records import trial
from shipped_records import ship
from tuning_tasks import DIGITS

from autodeploy.compiler import CompileOptions
from autodeploy.machine import Machine
from autodeploy.machine.nearest import nearest_preset
from autodeploy.machine.presets import PRESETS
from autodeploy.tuning.task import extract_tasks
from benchmarks.measure import Timing
from benchmarks.shipped import main, processor_ratio


def test_the_ratio_is_the_worse_estimate_by_processor_seconds() -> None:
    base = Timing([9.0, 1.0, 5.0], [2.0, 4.0, 1.0])
    assert processor_ratio(Timing([1.0, 9.0, 5.0], [1.0, 4.0, 3.0]), base) == 1.0
    assert processor_ratio(Timing([], [1.0, 2.0, 0.9]), base) == pytest.approx(0.9)
    assert processor_ratio(Timing([], [4.0, 8.0, 0.5]), base) == 2.0


def test_networks_without_records_are_no_part_of_the_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    preset = nearest_preset(Machine.host(), PRESETS)
    assert preset is not None
    ship(monkeypatch, tmp_path, preset=preset)
    main(["digit", "--rounds", "1"])
    assert capsys.readouterr().out == "| digit | none | 1.000 | 0.0e+00 |\n"


@pytest.mark.exhaustive
def test_a_network_with_records_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    preset = nearest_preset(Machine.host(), PRESETS)
    assert preset is not None
    tasks = extract_tasks(DIGITS, CompileOptions()).tasks
    task = next(task for task in tasks if task.rule.template_name == "direct_conv")
    pair = (
        trial(2e-6, kernel=task.kernel, config=str(task.rule)),
        trial(1e-6, kernel=task.kernel, kind="choice"),
    )
    ship(monkeypatch, tmp_path, *pair, preset=preset)
    main(["digit", "--rounds", "3"])
    row, mean = capsys.readouterr().out.splitlines()
    name, taken, ratio, error = row.strip("| ").split(" | ")
    assert (name, taken) == ("digit", f"{preset}: 1 kernel")
    assert float(ratio) > 1  # of plain loops
    assert float(error) < 1e-4
    assert ratio in mean
