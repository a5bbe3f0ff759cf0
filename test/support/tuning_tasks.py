"""Tasks of small networks, and costs that need no measuring."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.tuning.state import TaskState
from autodeploy.tuning.task import Network, extract_tasks

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "mnist" / "mnist.onnx"

OPTIONS = CompileOptions(machine="x86-64-avx2")


@cache
def digits() -> Network:
    """Return the tasks of the network of digits."""
    return extract_tasks(DIGITS, OPTIONS)


def state(number: int = 2) -> TaskState:
    """Return the state of a task; the second convolution has a large space."""
    task = digits().tasks[number]
    found = TaskState(task, rule_cost=invented_cost(task.rule))
    found.add(task.rule, found.rule_cost)
    return found


def invented_cost(config: ConfigAttr) -> float:
    """Return seconds that depend on knobs: small tiles and unrolled loops take longer."""
    if config.template_name == "plain":
        return 1e-3
    first, *more = (*config.ints("tile"), 1)
    unroll = sum(config.ints("unroll"))
    return 1e-6 * (1 + abs(first - 24) / 8 + abs((more or [1])[0] - 4) + unroll / 4)


def one_relu() -> bytes:
    """Return a network of one kernel that has few configs."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "one", [x], [y])
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()


def one_convolution() -> bytes:
    """Return a network of one convolution, which is one kernel."""
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", [1, 8, 12, 12]), ("y", [1, 16, 10, 10]))
    )
    weights = np.random.default_rng(0).standard_normal((16, 8, 3, 3)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        "one",
        [x],
        [y],
        [numpy_helper.from_array(weights, "w")],
    )
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()
