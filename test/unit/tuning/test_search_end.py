"""How much time a search keeps for its end."""

import time

import pytest
from tuning_tasks import digits

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.measurer import Measurer
from autodeploy.tuning.search import Budget, End, Search

FOUND = ConfigAttr("direct_conv", {"tile": (8, 3)})


@pytest.mark.parametrize(
    ("gains", "kept"),
    [
        ([], 0.0),
        ([1.005, 1.0], 0.0),  # not faster by a hundredth
        ([1.02], 30.0),  # a task and the network
        ([1.2, 1.02, 1.001], 45.0),
        ([1.2, 1.02, 1.3, 1.1], 60.0),  # no more than that
    ],
)
def test_time_is_kept_for_faster_kernels(gains, kept, tmp_path, monkeypatch):
    with Measurer(tmp_path) as measurer:
        search = Search(digits(), measurer, tmp_path / "a.jsonl")
    for state in search.states:
        state.rule_cost = 1.0
        state.add(state.task.rule, 1.0)
    for state, gain in zip(search.states, gains, strict=False):
        state.add(FOUND, 1.0 / gain)
    end = End(15.0, 60.0)
    assert end.of(search.states) == kept
    budget = Budget(seconds=100.0, end=end)
    for seconds, is_over in ((99.0 - kept, False), (101.0 - kept, True)):
        monkeypatch.setattr(search, "start", time.monotonic() - seconds)
        assert (search._left(budget) == 0) == is_over


def test_a_task_that_was_not_measured_is_not_faster(tmp_path):
    with Measurer(tmp_path) as measurer:
        search = Search(digits(), measurer, tmp_path / "a.jsonl")
    assert End(15.0, 60.0).of(search.states) == 0.0
