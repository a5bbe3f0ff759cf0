"""The worth of a rule: its constant is changed wherever it is used, and comes back."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from autodeploy.compiler import CompileOptions
from autodeploy.templates.direct_conv import tile as conv_tile
from autodeploy.templates.gemm import order
from autodeploy.tuning.task import extract_tasks
from benchmarks.ablation import changed, config_without


def test_a_constant_is_changed_for_a_while() -> None:
    with changed("gemm.order:BLOCK_TILES=7"):
        assert order.BLOCK_TILES == 7
    assert order.BLOCK_TILES == 4


def test_an_imported_constant_is_changed_too() -> None:
    old = conv_tile.MAX_COLUMNS
    with changed("tiles:MAX_COLUMNS=3"):
        assert conv_tile.MAX_COLUMNS == 3
    assert old == conv_tile.MAX_COLUMNS


def test_other_names_are_refused() -> None:
    with pytest.raises(SystemExit, match="has no 'NONE'"), changed("gemm.order:NONE=1"):
        pass


def test_rules_choose_without_one_of_them() -> None:
    options = CompileOptions(machine="x86-64-avx2", threads=1, level=3)
    network = extract_tasks(_product(), options)
    (task,) = network.tasks
    assert "block = [4]" in str(task.rule)
    assert "block = [2]" in config_without(network, task, "gemm.order:BLOCK_TILES=2")
    assert "tile = [16, 6]" in str(task.rule)
    assert "tile = [16, 6]" not in config_without(network, task, "costs:idle_accumulator=0.0")
    assert config_without(network, task, "costs:end_cycles=2.5") == str(task.rule)


def test_rules_choose_for_products_of_bfloat16() -> None:
    options = CompileOptions(machine="x86-64-zen4", precision="bf16")
    network = extract_tasks(_product(), options)
    (task,) = [task for task in network.tasks if "dot = [2]" in str(task.rule)]
    assert "block = [4]" in str(task.rule)
    assert "block = [2]" in config_without(network, task, "gemm.order:BLOCK_TILES=2")


def _product() -> bytes:
    """Return a network of one product."""
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (196, 32))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (196, 64))],
        [numpy_helper.from_array(np.ones((32, 64), np.float32), "w")],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
