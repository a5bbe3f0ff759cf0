"""What rules choose for machines that are like one is proposed before anything is drawn."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from tuning_tasks import digits, invented_cost, one_convolution, state

from autodeploy.compiler import CompileOptions
from autodeploy.machine import Machine
from autodeploy.machine.costs import CostModel
from autodeploy.tuning.other_machines import drawn_machine, other_machines
from autodeploy.tuning.points import Points
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.task import Task, extract_tasks
from autodeploy.tuning.tuner import GeneticTuner, TunerName, make_tuners

AVX2 = Machine.named("x86-64-avx2")


def _changed(machine: Machine) -> list[str]:
    names = ("l1_bytes", "l2_bytes")
    found = [name for name in names if getattr(machine, name) != getattr(AVX2, name)]
    costs = [field.name for field in fields(CostModel)]
    return found + [n for n in costs if getattr(machine.costs, n) != getattr(AVX2.costs, n)]


def test_another_machine_has_one_other_number() -> None:
    machines = list(other_machines(AVX2))
    assert all(len(_changed(machine)) == 1 for machine in machines)
    assert {name for machine in machines for name in _changed(machine)} == {
        "l1_bytes",
        "l2_bytes",
        *(field.name for field in fields(CostModel)),
    }
    for machine in machines:
        types = {
            field.name: type(getattr(machine.costs, field.name)) for field in fields(CostModel)
        }
        assert types == {f.name: type(getattr(AVX2.costs, f.name)) for f in fields(CostModel)}


def test_a_machine_that_is_drawn_has_some_other_numbers() -> None:
    random = Random(0)
    counts = [len(_changed(drawn_machine(AVX2, random))) for _ in range(200)]
    assert min(counts) < 2
    assert max(counts) > 5
    one, other = (drawn_machine(AVX2, Random(7)) for _ in range(2))
    assert one == other


def _task(machine: str) -> Task:
    (task,) = extract_tasks(one_convolution(), CompileOptions(machine=machine, level=3)).tasks
    return task


def test_rules_for_another_cache_are_in_the_space() -> None:
    """What the rules choose for a large cache is found from the rules for a small one."""
    small, large = (_task(f"x86-64-avx512:l1={size}K") for size in (16, 32))
    found = list(Points(small, Random(0)).by_rules())
    assert found[0] == small.rule
    assert large.rule in found
    assert {config.template_name for config in found} == set(small.templates)
    assert all(small.completed(config) == config for config in found)


def test_each_form_of_a_template_is_tried() -> None:
    found = Points(_task("x86-64-avx512"), Random(0)).by_rules()
    transforms = {c.values("transform") for c in found if c.template_name == "winograd"}
    assert transforms == {(2,), (4,)}


@pytest.mark.one_case
@pytest.mark.parametrize("name", ["ga", "xgb"])
def test_choices_of_rules_are_proposed_first(name: TunerName) -> None:
    found = state()
    (tuner,) = make_tuners(name, [found], 0)
    expected = list(dict.fromkeys(Points(found.task, Random(1)).by_rules()))
    expected.remove(found.task.rule)
    proposed = []
    while len(proposed) < len(expected):
        for config in tuner.propose(3):
            proposed.append(config)
            found.add(config, invented_cost(config))
    assert proposed[: len(expected)] == expected


@pytest.mark.exhaustive
def test_the_fastest_config_of_a_task_is_tried_for_one_that_is_alike() -> None:
    tasks = [_task("x86-64-avx512") for _ in range(2)]
    states = [TaskState(task, rule_cost=1.0) for task in tasks]
    for one in states:
        one.add(one.task.rule, 1.0)
    first, second = make_tuners("ga", states, 0)
    for config in Points(tasks[1], Random(0)).by_rules():
        states[1].add(config, 1.0)
    best = next(c for c in iter(first.points.anywhere, None) if c not in states[1].costs)
    states[0].add(best, 0.5)
    assert second.propose(1) == [best]


def test_only_tasks_with_the_same_templates_are_alike() -> None:
    states = [state(number) for number in range(len(digits().tasks))]
    found = [
        [other.task.title.split(" ")[0] for other in tuner._alike]
        for tuner in make_tuners("ga", states, 0)
        if isinstance(tuner, GeneticTuner)
    ]
    assert found == [["conv"], ["max_pool"], ["conv"], ["max_pool"], []]
