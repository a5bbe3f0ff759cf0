"""Which of several records is used: of the same kernel, machine and version, a choice first."""

from dataclasses import replace

from made_records import TRIAL, failed, trial

from autodeploy.records.best import best_for, grouped


def test_the_fastest_trial_that_works_is_best() -> None:
    records = [trial(3e-6), failed("wrong"), trial(2e-6), trial(4e-6)]
    (group,) = grouped(records).values()
    assert (group.rule, group.best, len(group.trials)) == (records[0], records[2], 4)


def test_the_latest_choice_counts_more_than_trials() -> None:
    first = trial(3e-6, kind="choice", time="2026-01-02T00:00:00+00:00")
    second = trial(4e-6, kind="choice", time="2026-01-03T00:00:00+00:00")
    (group,) = grouped([trial(1e-6), second, first, trial(2e-6)]).values()
    assert group.best == second


def test_a_choice_of_the_rule_counts_more_than_trials() -> None:
    found = trial(3e-6, kind="choice", time="2026-01-02T00:00:00+00:00")
    rule = replace(found, config="rule", time="2026-01-03T00:00:00+00:00")
    (group,) = grouped([trial(1e-6), found, rule]).values()
    assert group.best == rule
    assert (rule.by_rule, found.by_rule) == (True, False)


def test_failures_alone_are_nothing() -> None:
    (group,) = grouped([failed("a"), failed("b")]).values()
    assert (group.rule, group.best) == (None, None)
    assert best_for([failed("a")], TRIAL.machine).records == {}


def test_other_machines_and_versions_do_not_count() -> None:
    old = {**TRIAL.versions, "halide": "1.0"}
    records = [
        trial(1e-6, kernel="a", machine="another"),
        trial(1e-6, kernel="b", versions=old),
        trial(1e-6, kernel="c", versions=old),
        trial(2e-6, kernel="c"),
    ]
    best = best_for(records, TRIAL.machine)
    assert best.records == {"c": records[3]}
    assert best.foreign == {"a": "another machine", "b": "another version"}
