"""Nan and the infinities in sums go through what is computed from them in the same kernel.

A sum is computed as fast as can be, for which the code generator assumes that it is a number. What
follows in the kernel must come out right all the same.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from closeness import assert_close
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator
from onnx_case import SPECIAL

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("special_numbers")
"""All tests share what one worker has compiled."""

NUMBERS = np.concatenate([SPECIAL, np.array([1.0, 3e38, -3e38], np.float32)])
COUNT = len(NUMBERS)

SUM = "the sum again"
"""An operand that is the sum, too."""

OPERATORS = {
    **{
        name.lower(): (name, ())
        for name in (
            *("Relu", "Exp", "Log", "Sqrt", "Reciprocal", "Abs", "Neg", "Sign", "Floor", "Ceil"),
            *("Round", "Sin", "Tanh", "Sigmoid", "Erf", "Elu", "LeakyRelu", "HardSigmoid"),
            *("Gelu", "HardSwish"),
        )
    },
    **{name.lower(): (name, (1.0,)) for name in ("Max", "Min", "Add", "Mul", "Div", "PRelu")},
    **{name.lower(): (name, ()) for name in ("IsNaN", "IsInf")},
    **{f"{name.lower()}_itself": (name, (SUM,)) for name in ("Equal", "LessOrEqual", "Div", "Sub")},
    "times_zero": ("Mul", (0.0,)),
    "equal_nan": ("Equal", (np.nan,)),
    "max_of_infinity": ("Max", (-np.inf,)),
    "square": ("Pow", (2.0,)),
    "cube": ("Pow", (3.0,)),
    "power": ("Pow", (5.0,)),
    "power_near_zero": ("Pow", (7e-45,)),
    "clip": ("Clip", (0.0, 6.0)),
}


def matmul(x: str, y: str):
    """Sum one of the numbers and zeros."""
    rows = np.zeros((COUNT, 5), np.float32)
    rows[:, 2] = NUMBERS
    return helper.make_node("MatMul", [x, "ones"], [y]), rows, np.ones((5, 16), np.float32)


def conv(x: str, y: str):
    image = np.zeros((1, 4, 3, 3 * COUNT), np.float32)
    image[0, 1, 1, 1::3] = NUMBERS
    node = helper.make_node("Conv", [x, "ones"], [y], strides=[1, 3])
    return node, image, np.ones((32, 4, 3, 3), np.float32)


def reduce(x: str, y: str):
    rows = np.stack([NUMBERS, np.zeros(COUNT, np.float32)], axis=1)
    return helper.make_node("ReduceSum", [x, "axes"], [y]), rows, None


SUMS = {"matmul": matmul, "conv": conv, "reduce": reduce}


@pytest.fixture(scope="module", params=SUMS)
def results(request, tmp_path_factory):
    """Compile a network in which each operator has a sum of its own, so that both are one kernel.

    Returns what it and the reference find for each operator, and the names of the kernels.
    """
    nodes, inputs, constants = [], {}, {"axes": np.array([1])}
    for name, (op_type, operands) in OPERATORS.items():
        node, x, weights = SUMS[request.param](f"{name}_x", f"{name}_sum")
        inputs[f"{name}_x"] = x
        if weights is not None:
            constants["ones"] = weights
        names = [f"{name}_sum" if n is SUM else f"{name}_{i}" for i, n in enumerate(operands)]
        for given, number in zip(names, operands, strict=True):
            if number is not SUM:
                constants[given] = np.array(number, np.float32)
        nodes += [node, helper.make_node(op_type, [f"{name}_sum", *names], [name])]
    graph = helper.make_graph(
        nodes,
        f"special_{request.param}",
        [helper.make_tensor_value_info(name, 1, x.shape) for name, x in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in OPERATORS],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    imports = [helper.make_opsetid("", 20)]
    model = shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=imports, ir_version=9)
    )
    with np.errstate(all="ignore"):
        expected = ReferenceEvaluator(model).run(None, inputs)
    bundle = tmp_path_factory.mktemp("special") / "bundle"
    compile_model(model.SerializeToString(), bundle, CompileOptions(level=2))
    with load_bundle(bundle) as session:
        found = session.run(inputs)
    kernels = json.loads((bundle / "manifest.json").read_text())["kernels"]
    pairs = {k: (found[k], v) for k, v in zip(OPERATORS, expected, strict=True)}
    return request.param, pairs, [kernel["name"].rstrip("_0123456789") for kernel in kernels]


@pytest.mark.exhaustive
@pytest.mark.parametrize("operator", OPERATORS)
def test_numbers_and_others(results, operator):
    _, pairs, _ = results
    found, expected = pairs[operator]
    if expected.dtype == np.bool_:
        np.testing.assert_array_equal(found, expected)
        return
    # A large finite number would hide the errors of all others.
    near = np.abs(np.nan_to_num(expected, posinf=0, neginf=0)) < 1000
    assert_close(np.where(near, found, 0), np.where(near, expected, 0))
    assert_close(np.where(near, 0, found), np.where(near, 0, expected))


@pytest.mark.exhaustive
def test_sum_and_operator_are_one_kernel(results):
    kind, _, kernels = results
    assert {f"{kind}_{name}" for name in ("exp", "log", "max", "min", "pow")} <= set(kernels)
