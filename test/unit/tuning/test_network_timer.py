"""Whole networks: a limit of time, outputs that are compared, programs that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tuning_tasks import one_convolution

from autodeploy.compiler import CompileOptions
from autodeploy.runner.in_turn import Program, RunResult, run_in_turn
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.network_timer import Compared, NetworkTimer

Change = Callable[[Sequence[Program]], Sequence[RunResult]]


class _Changed(Measurer):
    """Runs programs in another way, or changes what they give."""

    def __init__(self, folder: Path, run: Change):
        super().__init__(folder)
        self._change = run

    def run(self, programs: Sequence[Program], rounds: int) -> Sequence[RunResult]:
        return self._change([replace(p, job=replace(p.job, seconds=60.0)) for p in programs])


def _gain(folder: Path, run: Change) -> Compared:
    with _Changed(folder, run) as measurer:
        options = CompileOptions(level=2)
        return NetworkTimer(measurer, one_convolution(), options, 1e-5).gain([], [])


@pytest.mark.exhaustive
def test_the_same_program_is_no_faster_and_no_error(tmp_path: Path) -> None:
    found = _gain(tmp_path, lambda programs: run_in_turn(programs, 2))
    assert found.error is None
    assert found.gain > 0


@pytest.mark.exhaustive
def test_a_network_that_computes_something_else_is_no_gain(tmp_path: Path) -> None:
    def run(programs: Sequence[Program]) -> Sequence[RunResult]:
        *others, last = run_in_turn(programs)
        wrong = {name: bytes(len(data)) for name, data in last.results.items()}
        return [*others, replace(last, results=wrong)]

    found = _gain(tmp_path, run)
    assert found.gain == 0
    assert str(found.error).startswith("wrong: result 0 differs by")


@pytest.mark.exhaustive
@pytest.mark.parametrize("failing", [1, 2])
def test_a_network_that_hangs_is_no_gain(failing: int, tmp_path: Path) -> None:
    def run(programs: Sequence[Program]) -> Sequence[RunResult]:
        if len(programs) < failing:
            return run_in_turn(programs)
        late = replace(programs[-1], job=replace(programs[-1].job, seconds=1e-4))
        return run_in_turn([*programs[:-1], late])

    assert _gain(tmp_path, run) == Compared(0.0, "no end after 0.0001 s")
