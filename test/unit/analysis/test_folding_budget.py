"""Folding is bounded before it computes: models of some hundred bytes may ask for hours."""

from __future__ import annotations

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import ModelProto, helper, numpy_helper
from xdsl.context import Context

from autodeploy.analysis import folding_budget
from autodeploy.analysis.folding_budget import FoldingBudget, steps
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass
from autodeploy.passes.onnx.known_nodes import KnownNode

LONG, WIDE = [1 << 25], [5700, 5700]


def splat(name: str, shape: list[int], value: object, dtype: type) -> tuple[object, object]:
    number = numpy_helper.from_array(np.array([value], dtype))
    node = helper.make_node("ConstantOfShape", [f"{name}_shape"], [name], value=number)
    return node, numpy_helper.from_array(np.array(shape, np.int64), f"{name}_shape")


def model_of(
    op_type: str, operands: list[tuple[list[int], object, type]], **settings
) -> ModelProto:
    pairs = [splat(f"x{i}", *operand) for i, operand in enumerate(operands)]
    names = [f"x{i}" for i in range(len(operands))]
    dtype = np.int32 if op_type == "MatMulInteger" else operands[0][2]
    outputs = ["y", "places"] if op_type == "TopK" else ["y"]
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        [*(node for node, _ in pairs), helper.make_node(op_type, names, outputs, **settings)],
        "bomb",
        [],
        [helper.make_tensor_value_info("y", element, None)],
        [shape for _, shape in pairs],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


BOMBS = {
    "matmul_integers": ("MatMul", [(WIDE, 3, np.int64), (WIDE, 2, np.int64)], {}),
    "matmul_floats": ("MatMul", [([8000, 8000], 3, np.float32)] * 2, {}),
    "matmul_halves": ("MatMul", [([2000, 2000], 3, np.float16)] * 2, {}),
    "matmul_integer": ("MatMulInteger", [([8000, 8000], 3, np.int8)] * 2, {}),
    "gemm": ("Gemm", [(WIDE, 3, np.int64)] * 2, {"transA": 1}),
    "gather_elements": ("GatherElements", [(LONG, 1, np.int8), (LONG, 5, np.int64)], {"axis": 0}),
    "scatter_elements": (
        "ScatterElements",
        [(LONG, 1, np.int8), (LONG, 5, np.int64), (LONG, 2, np.int8)],
        {"axis": 0},
    ),
    "gather_nd": ("GatherND", [(LONG, 1, np.int8), ([1 << 24, 1], 5, np.int64)], {}),
    "scatter_nd": (
        "ScatterND",
        [(LONG, 1, np.int8), ([1 << 24, 1], 5, np.int64), ([1 << 24], 2, np.int8)],
        {},
    ),
    "depth_of_nothing": (
        "OneHot",
        [([0], 0, np.int64), ([1], 1 << 40, np.int64), ([2], 1, np.int64)],
        {},
    ),
    "sort": ("TopK", [(LONG, 3, np.float32), ([1], 1 << 20, np.int64)], {}),
    "no_estimate": ("Det", [([2000, 2000], 1, np.float32)], {}),
}


class ComputedError(Exception):
    """Something was computed."""


@pytest.fixture
def computes_nothing(monkeypatch):
    run = KnownNode.run

    def fail(node, operands):
        if node.proto.op_type == "ConstantOfShape":  # of one element
            return run(node, operands)
        raise ComputedError(node.proto.op_type)

    monkeypatch.setattr(KnownNode, "run", fail)


@pytest.mark.parametrize("name", BOMBS)
def test_long_folding_is_not_begun(name, computes_nothing):
    op_type, operands, settings = BOMBS[name]
    ctx = Context()
    module = import_model_proto(ctx, model_of(op_type, operands, **settings))
    FoldOnnxConstantsPass().apply(ctx, module)
    assert [op.op_type for op in module.walk() if isinstance(op, OnnxOp)] == [op_type]


@pytest.mark.parametrize("name", BOMBS)
def test_the_same_of_a_few_elements_is_computed(name, computes_nothing):
    op_type, operands, settings = BOMBS[name]
    small = [
        ([min(n, 4) for n in shape], 2 if value > 100 else value, dtype)
        for shape, value, dtype in operands
    ]
    ctx = Context()
    module = import_model_proto(ctx, model_of(op_type, small, **settings))
    with pytest.raises(ComputedError, match=op_type):
        FoldOnnxConstantsPass().apply(ctx, module)


def sums(count: int) -> ModelProto:
    """Return a model of sums of a constant with itself that are all outputs."""
    x = numpy_helper.from_array(np.arange(100, dtype=np.float32), "x")
    nodes = [helper.make_node("Add", ["x", "x"], [f"y{i}"]) for i in range(count)]
    outputs = [helper.make_tensor_value_info(f"y{i}", 1, [100]) for i in range(count)]
    graph = helper.make_graph(nodes, "sums", [], outputs, [x])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


@pytest.mark.parametrize(
    ("limit", "value", "folded"),
    [
        ("_TOTAL_STEPS", 7 * 300 * 8, 7),
        ("_TOTAL_BYTES", 3 * 400, 7),  # and four times the bytes of the weight
    ],
)
def test_all_together_is_bounded_too(limit, value, folded, monkeypatch):
    monkeypatch.setattr(folding_budget, limit, value)
    ctx = Context()
    module = import_model_proto(ctx, sums(10))
    FoldOnnxConstantsPass().apply(ctx, module)
    assert sum(isinstance(op, OnnxOp) for op in module.walk()) == 10 - folded
    assert sum(isinstance(op, ConstantOp) for op in module.walk()) == folded + 1


def test_a_budget_counts_its_use():
    budget = FoldingBudget(max_bytes=10, max_steps=100, bytes_left=15, steps_left=150)
    assert not budget.take(11, 1, 1) and not budget.take(1, 101, 1)
    assert budget.take(10, 100, 10) and not budget.take(6, 1, 6) and not budget.take(1, 51, 1)
    assert budget.take(10, 50, 5) and (budget.bytes_left, budget.steps_left) == (0, 0)
    assert budget.excess(11, 1) == "takes 11 bytes, but constants have 10 at most"
    said = budget.excess(1, 101)
    assert said == "takes about 101 steps, but folding has 100 at most"


def test_products_are_counted_by_their_multiplications():
    a, b = np.zeros((30, 40), np.float32), np.zeros((40, 50), np.float32)
    floats = steps("MatMul", [a, b], 30 * 50)
    assert floats - steps("MatMul", [a, b], 0) == 30 * 50 * (8 + 40 // 8)
    assert steps("MatMul", [a.astype(np.int64), b.astype(np.int64)], 30 * 50) > 10 * floats


@pytest.mark.parametrize("op_type", ["Gather", "Slice", "Split"])
def test_an_op_on_a_part_is_counted_by_the_part(op_type):
    table, place = np.zeros((1000, 100), np.float32), np.zeros(1, np.int64)
    assert steps(op_type, [table, place], 100) == 100 * 8
    assert steps("Concat", [table, place], 100) > 100_000 * 8
