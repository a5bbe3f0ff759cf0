"""Tuners propose points, none twice; what they are told leads them to faster ones."""

from __future__ import annotations

import sys
from functools import cache

import pytest
from tuning_tasks import OPTIONS, invented_cost, one_relu, state

from autodeploy.diagnostics import UserError
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.task import extract_tasks
from autodeploy.tuning.tuner import TUNERS, TunerName, check_tuner, make_tuners

TRIALS = 32


@cache
def _search(name: TunerName, seed: int = 0, trials: int = TRIALS) -> TaskState:
    found = state()
    (tuner,) = make_tuners(name, [found], seed)
    while len(found.bests) < trials:
        proposed = tuner.propose(8)
        assert len(proposed) == len(set(proposed)) == 8
        for config in proposed:
            assert config not in found.costs
            found.add(config, invented_cost(config))
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TUNERS)
def test_no_point_is_proposed_twice(name: TunerName) -> None:
    found = _search(name)
    assert len(found.costs) == len(found.bests)
    assert found.bests == sorted(found.bests, reverse=True)
    assert found.ranked[0] in found.costs
    assert found.best_cost == invented_cost(found.ranked[0])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TUNERS)
def test_a_seed_gives_the_same_points(name: TunerName) -> None:
    one, other = (list(_search.__wrapped__(name, 0, 16).costs) for _ in range(2))
    assert one == other == list(_search(name).costs)[: len(one)]


@pytest.mark.exhaustive
def test_a_search_that_learns_finds_more_than_one_at_random() -> None:
    for name in ("ga", "xgb"):
        learned = [_search(name, seed).best_cost for seed in range(3)]
        drawn = [_search("random", seed).best_cost for seed in range(3)]
        assert sorted(learned)[1] <= sorted(drawn)[1]


@pytest.mark.parametrize("name", TUNERS)
def test_a_small_space_is_exhausted(name: TunerName) -> None:
    (task,) = extract_tasks(one_relu(), OPTIONS).tasks
    found = TaskState(task, rule_cost=1.0)
    found.add(task.rule, 1.0)
    (tuner,) = make_tuners(name, [found], 0)
    while proposed := tuner.propose(3):
        for config in proposed:
            assert config not in found.costs
            found.add(config, 1.0)
    assert len(found.costs) == 2  # vectors of 32 and of 16 bytes, for three elements


def test_a_model_orders_points() -> None:
    from autodeploy.tuning.xgb import RankingModel

    found = _search("random")
    model = RankingModel([found], 0)
    (tuner,) = make_tuners("random", [found], 9)
    points = tuner.propose(40)
    scores = model.scores(points, found)
    assert scores is not None
    order = sorted(range(40), key=lambda n: -scores[n])
    costs = [invented_cost(points[n]) for n in order]
    assert sum(costs[:10]) < sum(costs[-10:])


def test_a_model_without_trials_predicts_nothing() -> None:
    from autodeploy.tuning.xgb import RankingModel

    assert RankingModel([state()], 0).scores([], state()) is None


def test_single_trials_of_many_tasks_have_no_order() -> None:
    states = [state() for _ in range(20)]
    tuners = make_tuners("xgb", states, 0)
    assert len(tuners[0].propose(8)) == 8


@pytest.mark.exhaustive
def test_failures_are_learned_from_too() -> None:
    found = state()
    (tuner,) = make_tuners("xgb", [found], 0)
    for _ in range(2):
        for config in tuner.propose(8):
            found.add(config, float("inf"))
    assert found.failed == 16
    assert len(tuner.propose(8)) == 8


@pytest.mark.parametrize("name", ["ga", "xgb"])
def test_the_best_of_other_machines_is_tried_first(name: TunerName) -> None:
    other, found = _search("random"), state()
    found.priors = [dict(other.costs), {found.task.rule: float("inf")}]
    (tuner,) = make_tuners(name, [found], 5)
    proposed = tuner.propose(8)
    best = [config for config in other.ranked[:3] if config not in found.costs]
    assert proposed[: len(best)] == best
    assert len(proposed) == len(set(proposed)) == 8
    assert list(found.costs) == [found.task.rule]


def test_trials_of_other_machines_are_learned_from() -> None:
    from autodeploy.tuning.xgb import RankingModel

    other, found = _search("random"), state()
    assert RankingModel([found], 0).scores([found.task.rule], found) is None
    found.priors = [dict(other.costs)]
    (tuner,) = make_tuners("random", [found], 9)
    points = tuner.propose(40)
    scores = RankingModel([found], 0).scores(points, found)
    assert scores is not None
    order = sorted(range(40), key=lambda n: -scores[n])
    costs = [invented_cost(points[n]) for n in order]
    assert sum(costs[:10]) < sum(costs[-10:])


def test_unknown_tuners_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="unknown tuner 'xgbb'; did you mean 'xgb'"):
        check_tuner("xgbb")
    monkeypatch.setitem(sys.modules, "xgboost", None)
    with pytest.raises(UserError, match=r"tuner 'xgb' takes xgboost .*install autodeploy"):
        check_tuner("xgb")
    assert check_tuner("ga") == "ga"


@pytest.mark.exhaustive
def test_trials_go_where_they_promise_most() -> None:
    long, short = state(2), state(0)
    short.rule_cost = long.rule_cost / 100
    short.bests = [short.rule_cost]
    assert long.promise() > short.promise() > 0
    for config in make_tuners("random", [long], 0)[0].propose(120):
        long.add(config, long.rule_cost)
    assert long.stale >= 120
    assert long.promise() < short.promise() * 100
    long.is_done = True
    assert long.promise() == float("-inf")
