"""Tasks: the distinct kernels of a model, each alone with its weights, and its space."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from small_models import quantised_network, residual_network
from tuning_tasks import DIGITS, OPTIONS, digits
from xdsl.parser import Parser

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.registry import new_context
from autodeploy.records.record import parse_config
from autodeploy.tuning.points import Points
from autodeploy.tuning.task import extract_tasks, weights_file
from autodeploy.weights import WeightStore


def test_kernels_of_the_digits() -> None:
    titles = [task.title for task in digits().tasks]
    assert titles == [
        "conv +1 1x28x28x1, 5x5x1x8 -> 1x28x28x8",
        "max_pool 1x28x28x8 -> 1x14x14x8",
        "conv +1 1x14x14x8, 5x5x8x16 -> 1x14x14x16",
        "max_pool 1x14x14x16 -> 1x4x4x16",
        "matmul 1x256, 256x10 -> 1x10",
    ]
    assert digits().bytes == sum(task.bytes for task in digits().tasks)


def test_equal_kernels_are_one_task() -> None:
    network = extract_tasks(residual_network().SerializeToString(), OPTIONS)
    digests = [task.kernel for task in network.tasks]
    assert len(set(digests)) == len(digests)
    assert sum(task.count for task in network.tasks) >= len(digests)


def test_a_task_is_saved_with_its_weights(tmp_path: Path) -> None:
    task = digits().tasks[2]
    digits().save(task, tmp_path)
    context = new_context()
    WeightStore.of(context).load(weights_file(tmp_path, task.kernel))
    text = (tmp_path / f"{task.kernel}.mlir").read_text()
    Parser(context, text).parse_module().verify()
    assert len(WeightStore.of(context)) >= 1
    assert "x86-64-avx2" in text


def test_levels_without_rules_cannot_be_tuned() -> None:
    with pytest.raises(UserError, match="levels 2 and 3 can be tuned, found 1"):
        extract_tasks(DIGITS, replace(OPTIONS, level=1))


def test_kernels_have_rounded_factors_with_products_of_bfloat16() -> None:
    """Others have the config that told which ones are rounded."""
    options = replace(OPTIONS, machine="x86-64-zen4", precision="bf16")
    tasks = extract_tasks(DIGITS, options).tasks
    assert [task.title for task in tasks][:2] == [
        "cast 1x28x28x1 -> 1x28x28x1",
        "conv +1 1x28x28x1, 5x5x1x8 -> 1x28x28x8",
    ]
    rounded = [task for task in tasks if "dot = [2]" in str(task.rule)]
    assert [task.rule.template_name for task in rounded] == ["direct_conv", "direct_conv", "gemv"]
    assert [str(task.op.config) for task in rounded] == ["#nn.config<direct_conv>"] * 2 + ["None"]
    assert all(task.size > 1 for task in rounded)
    pools = [task for task in tasks if task.title.startswith("max_pool")]
    assert pools
    assert all(task.op.config == task.rule for task in pools)
    assert {task.kernel for task in rounded}.isdisjoint(task.kernel for task in digits().tasks)


def test_points_are_complete_and_read_back() -> None:
    for task in digits().tasks:
        points = Points(task, Random(1))
        drawn = [points.anywhere() for _ in range(20)]
        drawn += [points.near(task.rule) for _ in range(20)]
        assert None not in drawn
        for config in drawn:
            assert config is not None
            assert task.completed(config) == config
            assert parse_config(str(config)) == config


def test_neighbours_and_children_are_of_the_parents_template() -> None:
    task = digits().tasks[2]
    points = Points(task, Random(2))
    one = points.near(task.rule)
    assert one is not None
    assert one != task.rule
    assert one.template_name == task.rule.template_name
    child = points.between(one, task.rule)
    assert child is not None
    assert all(child.values(k) in (one.values(k), task.rule.values(k)) for k in child)


def test_winograd_is_a_choice_where_it_is_allowed() -> None:
    model = residual_network().SerializeToString()
    for level, allowed in ((3, True), (2, False)):
        tasks = extract_tasks(model, replace(OPTIONS, level=level)).tasks
        assert any("winograd" in task.templates for task in tasks) == allowed
    assert all(task.completed(ConfigAttr("winograd")) is None for task in tasks)


def test_templates_need_the_instructions_of_the_machine() -> None:
    def templates(machine: str) -> set[str]:
        options = replace(OPTIONS, machine=machine)
        tasks = extract_tasks(quantised_network().SerializeToString(), options).tasks
        return {name for task in tasks for name in task.templates}

    machine = "x86-64-sapphirerapids"
    assert templates(machine) - templates(f"{machine}:amx_rate=1") == {"amx"}


def test_all_points_come_in_order_and_once() -> None:
    task = digits().tasks[1]
    found = list(Points(task, Random(0)).in_order())
    names = [config.template_name for config in found]
    assert names == ["window"] * names.count("window") + ["plain"] * names.count("plain")
    assert len(set(found)) == len(found) == task.size
    assert task.rule in found
