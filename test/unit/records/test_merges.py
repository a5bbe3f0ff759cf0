"""What records say of merges: the latest that worked, of this machine and version."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_records import TRIAL, trial

from autodeploy.records.merges import merges_for
from autodeploy.records.record import Record

MERGE = replace(TRIAL, kind="merge", config="merged")


def test_the_latest_record_counts() -> None:
    later = replace(MERGE, config="apart", time="2026-01-02T00:00:00+00:00")
    assert merges_for([later, MERGE], MERGE.machine) == {MERGE.kernel: False}
    assert merges_for([MERGE], MERGE.machine) == {MERGE.kernel: True}


def test_trials_failures_and_other_machines_and_versions_do_not() -> None:
    others = [
        trial(1e-6),
        replace(MERGE, costs=(), error="wrong"),
        replace(MERGE, versions={**MERGE.versions, "halide": "1.0"}),
    ]
    assert merges_for(others, MERGE.machine) == {}
    assert merges_for([MERGE], "another machine") == {}


def test_a_merge_has_no_config() -> None:
    assert Record.from_line(MERGE.to_line()) == MERGE
    for wrong in (replace(MERGE, config="#nn.config<plain>"), replace(TRIAL, config="merged")):
        with pytest.raises(ValueError, match=r"a merge with config|not a config"):
            Record.from_line(wrong.to_line())
