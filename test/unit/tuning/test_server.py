"""When the measuring process builds candidates, and when it runs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tuning_tasks import digits

from autodeploy.runner.program import Limits
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.search import Search
from autodeploy.tuning.server import Outcome, Request, _Server

LAUNCHER = """#!/bin/sh
built() { ls ../candidate*/description.json | wc -l; }
built >> "$(dirname "$0")/built.txt"
for i in $(seq 1000); do
    if [ $(built) -ge 2 ]; then exec "$@"; fi
    sleep 0.01
done
exit 1
"""
"""A launcher that notes how many programs are built, and waits until there are two."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("overlap", [True, False])
def test_others_are_built_while_one_is_measured(overlap: bool, tmp_path: Path) -> None:
    task = digits().tasks[1]
    digits().save(task, tmp_path)
    launcher, rule = tmp_path / "launcher", str(task.rule)
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o700)
    server = _Server(tmp_path, tmp_path, ())
    (outcome,) = server.outcomes(Request(task.kernel, (rule,), reference=True))
    assert outcome.error is None
    request = Request(
        task.kernel, ("#nn.config<gemm>", *[rule] * 3), launcher=(str(launcher),), overlap=overlap
    )
    found = {outcome.index: outcome.error is None for outcome in server.outcomes(request)}
    assert found == {0: False, 1: True, 2: True, 3: True}
    built = [int(line) for line in (tmp_path / "built.txt").read_text().split()]
    assert len(built) == 3
    assert built[0] < 3 if overlap else built[0] == 3


def test_slow_candidates_are_left_unless_programs_run_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Limits] = []

    def outcomes(self: Measurer, request: Request):
        asked.append(request.limits)
        yield from (Outcome(n, (2e-6,)) for n in range(len(request.configs)))

    monkeypatch.setattr(Measurer, "outcomes", outcomes)
    with Measurer(tmp_path) as measurer:
        search = Search(digits(), measurer, tmp_path / "a.jsonl")
        search.measure_rules()
        state = search.states[1]
        list(search.compare(state, [state.task.rule], 0))
        state.add(state.task.rule, 1e-6)
        list(search.compare(state, [state.task.rule], 0))
        list(search.compare(state, [state.task.rule], 5))
    assert [limits.batch for limits in asked[-3:]] == pytest.approx([2.4e-6, 1.2e-6, float("inf")])
    assert asked[-1].call == pytest.approx(6e-6)
