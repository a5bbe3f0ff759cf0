"""Graphs that are far deeper or wider than a network: they compile in seconds and are right."""

from __future__ import annotations

import math
from itertools import cycle, islice

import numpy as np
import pytest
from closeness import assert_close
from onnx import TensorProto, helper

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model

SHAPE = (3, 7)
LEVELS = pytest.mark.parametrize("level", [0, 2], ids=lambda level: f"O{level}")


@pytest.fixture(autouse=True)
def _quick_build(monkeypatch):
    monkeypatch.setenv("CFLAGS", "-O0")


def chain(op_types, count, operands=1, element=TensorProto.FLOAT):
    """Return a model that applies operators to ``x`` in turn, so many times in all."""
    names = ["x", *(f"t{i}" for i in range(count - 1)), "y"]
    nodes = [
        helper.make_node(op_type, [names[i]] * operands, [names[i + 1]])
        for i, op_type in enumerate(islice(cycle(op_types), count))
    ]
    tensors = [helper.make_tensor_value_info(name, element, SHAPE) for name in "xy"]
    graph = helper.make_graph(nodes, "chain", tensors[:1], tensors[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return model.SerializeToString()


def run(model, level, x):
    with autodeploy.compile(model, level=level) as session:
        return session.run({"x": x})["y"]


@pytest.fixture
def x():
    return np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)


@LEVELS
def test_sums_of_a_value_with_itself(level, x):
    assert np.array_equal(run(chain(["Add"], 60, operands=2), level, x), x * np.float32(2.0**60))


@pytest.mark.exhaustive
@LEVELS
def test_sigmoids_of_sigmoids(level, x):
    expected = x.astype(np.float64)
    for _ in range(400):
        expected = 1 / (1 + np.exp(-expected))
    assert_close(run(chain(["Sigmoid"], 400), level, x), expected.astype(np.float32))


def test_error_functions_of_doubles(x):
    """Each is a series, which reads its operand more than 200 times."""
    expected = x.astype(np.float64)
    for _ in range(12):
        expected = np.vectorize(math.erf)(expected)
    found = run(chain(["Erf"], 12, element=TensorProto.DOUBLE), 2, x.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("op_type", ["Softsign", "Reciprocal"])
def test_error_functions_of_doubles_as_divisors(x, op_type):
    """Halide computes the bounds of divisors, term by term."""
    expected = np.vectorize(math.erf)(x.astype(np.float64))
    expected = 1 / expected if op_type == "Reciprocal" else expected / (1 + np.abs(expected))
    model = chain(["Erf", op_type], 2, element=TensorProto.DOUBLE)
    np.testing.assert_allclose(run(model, 2, x.astype(np.float64)), expected, rtol=1e-12)


def test_swishes_of_swishes(x):
    """A swish is two nodes, and reads its operand twice."""
    expected = x.astype(np.float64)
    for _ in range(20):
        expected = expected / (1 + np.exp(-expected))
    nodes, last = [], "x"
    for i in range(20):
        nodes.append(helper.make_node("Sigmoid", [last], [f"s{i}"]))
        nodes.append(helper.make_node("Mul", [last, f"s{i}"], ["y" if i == 19 else f"m{i}"]))
        last = f"m{i}"
    tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in "xy"]
    graph = helper.make_graph(nodes, "swishes", tensors[:1], tensors[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    assert_close(run(model.SerializeToString(), 2, x), expected.astype(np.float32))


def test_absolute_values_as_source(tmp_path):
    """Halide writes an absolute value as a choice, in which its operand stands three times."""
    options = CompileOptions(emit="c", cache=False)
    report = compile_model(chain(["Abs", "Sin", "Neg"], 64), tmp_path / "b", options)
    assert len(report.manifest.kernels) > 1


@pytest.mark.exhaustive
@LEVELS
def test_a_chain_of_two_thousand(level, x):
    """Deeper than Python's stack."""
    expected = x.astype(np.float64)
    for function in islice(cycle([np.sin, np.tanh, np.negative]), 2000):
        expected = function(expected)
    found = run(chain(["Sin", "Tanh", "Neg"], 2000), level, x)
    assert_close(found, expected.astype(np.float32))


def model_of(node, shapes, outputs):
    """Return a model of one node on inputs ``x0``, ``x1`` and so on."""
    inputs = [
        helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, shape)
        for i, shape in enumerate(shapes)
    ]
    graph = helper.make_graph([node], "wide", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return model.SerializeToString()


def inputs_of(count, *shape):
    random = np.random.default_rng(1)
    return {f"x{i}": random.standard_normal(shape).astype(np.float32) for i in range(count)}


@pytest.mark.exhaustive
def test_a_concat_of_a_thousand():
    inputs = inputs_of(1000, 2, 3)
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3000])
    node = helper.make_node("Concat", list(inputs), ["y"], axis=1)
    with autodeploy.compile(model_of(node, [(2, 3)] * 1000, [out])) as session:
        found = session.run(inputs)["y"]
    assert np.array_equal(found, np.concatenate(list(inputs.values()), axis=1))


@pytest.mark.exhaustive
def test_a_split_into_five_hundred():
    inputs = inputs_of(1, 2, 1000)
    names = [f"y{i}" for i in range(500)]
    outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 2]) for name in names]
    node = helper.make_node("Split", ["x0"], names, axis=1, num_outputs=500)
    with autodeploy.compile(model_of(node, [(2, 1000)], outs)) as session:
        found = session.run(inputs)
    parts = np.split(inputs["x0"], 500, axis=1)
    assert all(np.array_equal(found[n], part) for n, part in zip(names, parts, strict=True))


@pytest.mark.exhaustive
@LEVELS
def test_a_sum_of_two_thousand(level):
    inputs = inputs_of(2000, 2, 3)
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    node = helper.make_node("Sum", list(inputs), ["y"])
    with autodeploy.compile(model_of(node, [(2, 3)] * 2000, [out]), level=level) as session:
        found = session.run(inputs)["y"]
    expected = np.sum(list(inputs.values()), axis=0, dtype=np.float64)
    assert_close(found, expected.astype(np.float32))
