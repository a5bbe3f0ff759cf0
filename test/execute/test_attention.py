"""Products and the softmax between them in one kernel: extents, masks, stacks, heights of bands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from configured import compile_rewritten
from merged import attention
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.templates.attention.template import may_divide_result
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("attention")
"""What one test has compiled the next one takes from the cache of kernels."""

RNG = OwnNumbers(11)

HEADS = {
    "even": ((1, 2), 16, 32, 16, 16),
    "odd": ((2, 3), 13, 21, 7, 5),
    "batch": ((3, 1), 18, 17, 24, 40),
    "cross": ((1, 5), 9, 70, 33, 20),
    "long_rows": ((2, 1), 30, 300, 8, 16),
    "one_query": ((1, 4), 1, 40, 16, 16),
    "one_channel": ((1, 2), 19, 33, 1, 1),
    "two_keys": ((2, 2), 21, 2, 16, 17),
    "three_keys": ((1, 2), 8, 3, 5, 16),
    "one_matrix": ((), 25, 36, 12, 28),
    "one_stack": ((7,), 15, 15, 4, 12),
}
"""Stack of matrices, queries, keys, channels, channels of the result."""

MASKS = {
    "even": (1, 1, 1, 32),
    "odd": (2, 1, 1, 21),
    "batch": (3, 1, 18, 17),
    "cross": (9, 70),
    "long_rows": (2, 1, 1, 300),
    "two_keys": (2, 2, 21, 2),
    "one_matrix": (25, 36),
    "one_stack": (7, 1, 15),
}
"""What is added to the scores: 0, or minus infinity; never for all keys."""

OTHERS = ("gate", "gate_wide", "gate_turned", "behind", "two_in_row")
"""Chains without a stack, or of a product and its softmax alone."""


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def mask(shape: tuple[int, ...]) -> np.ndarray:
    hidden = RNG.random(shape) < 0.3
    hidden[..., 0] = False
    return np.where(hidden, -np.inf, 0).astype(np.float32)


class Graph:
    """A model of all chains, the inputs that it takes, and its results."""

    def __init__(self) -> None:
        self.nodes, self.weights, self.inputs, self.outputs = [], [], {}, []
        for name, (stack, queries, keys, channels, results) in HEADS.items():
            query = self.input(f"{name}_q", normal(*stack, queries, channels))
            key = self.input(f"{name}_k", normal(*stack, channels, keys))
            value = self.input(f"{name}_v", normal(*stack, keys, results))
            x = self.add("Mul", self.add("MatMul", query, key), self.weight(np.float32(0.3)))
            if name in MASKS:
                x = self.add("Add", x, self.input(f"{name}_m", mask(MASKS[name])))
            x = self.add("MatMul", self.add("Softmax", x, axis=-1), value)
            self.outputs.append(self.add("Relu", x, name=name))
        self.add_others()
        graph = helper.make_graph(
            self.nodes,
            "attention",
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
                for name, value in self.inputs.items()
            ],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in self.outputs],
            self.weights,
        )
        imports = [helper.make_opsetid("", 19)]
        self.model = helper.make_model(graph, opset_imports=imports, ir_version=9)

    def add_others(self) -> None:
        """Add what is ``OTHERS``."""
        x = self.input("gate_x", normal(3, 23, 18))
        scores = self.add("MatMul", x, self.weight(normal(18, 37)))
        scores = self.add("Add", scores, self.weight(normal(37)))
        self.outputs.append(self.add("Softmax", scores, axis=-1, name="gate"))
        x = self.input("gate_wide_x", normal(11, 40))
        scores = self.add("MatMul", x, self.weight(normal(40, 130)))
        self.outputs.append(self.add("Softmax", scores, axis=-1, name="gate_wide"))
        x = self.input("gate_turned_x", normal(18, 23))
        scores = self.add("Gemm", x, self.input("turned", normal(37, 18)), transA=1, transB=1)
        self.outputs.append(self.add("Softmax", scores, axis=-1, name="gate_turned"))
        # What stands behind the softmax stays between it and the product.
        x = self.add("MatMul", self.input("behind_x", normal(17, 6)), self.weight(normal(6, 29)))
        x = self.add("Mul", self.add("Softmax", x, axis=-1), self.input("kept", normal(17, 29)))
        x = self.add("MatMul", x, self.input("behind_v", normal(29, 16)), name="behind")
        self.outputs.append(x)
        # Nothing makes what the first of two softmaxes reads.
        x = self.add("Softmax", self.input("row_x", normal(12, 24)), axis=-1)
        x = self.add("MatMul", x, self.input("row_v", normal(24, 20)))
        self.outputs.append(self.add("Softmax", x, axis=-1, name="two_in_row"))

    def add(self, operator: str, *operands: str, name: str = "", **attributes: object) -> str:
        result = name or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, operands, [result], **attributes))
        return result

    def input(self, name: str, value: np.ndarray) -> str:
        self.inputs[name] = value
        return name

    def weight(self, value: np.ndarray | np.float32) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph()


def reference(graph: Graph, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    model = graph.model.SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return list(session.run(None, inputs))


def compile_in_bands(graph: Graph, folder: Path, rows: int, **options) -> None:
    """Compile with bands of so many rows, and see that all chains are in bands."""
    rewrites = {"fuse-kernels": attention(rows)}
    compile_rewritten(graph.model.SerializeToString(), folder, CompileOptions(**options), rewrites)
    (text,) = (path.read_text() for path in folder.glob("*.mlir"))
    assert text.count("config<attention,") == len(HEADS) + len(OTHERS)
    assert text.count("config<row,") == 1  # the first of two in a row


@pytest.mark.exhaustive
@pytest.mark.parametrize("rows", [1, 2, 5, 8, 14, 100])
def test_bands_of_so_many_rows(rows, graph, tmp_path):
    expected = reference(graph, graph.inputs)
    compile_in_bands(graph, tmp_path / "bundle", rows, threads=2)
    with load_bundle(tmp_path / "bundle") as alone:
        found = alone.run(graph.inputs)
    for (name, ours), theirs in zip(found.items(), expected, strict=True):
        try:
            assert_close(ours, theirs)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
    with load_bundle(tmp_path / "bundle", threads=2) as together:
        for _ in range(5):
            for name, value in together.run(graph.inputs).items():
                np.testing.assert_array_equal(value, found[name], err_msg=name)


def assert_right(bundle, graph, inputs):
    """Run a bundle on inputs, compare with the reference, and return what the bundle computes."""
    with load_bundle(bundle) as session:
        found = list(session.run(inputs).values())
    for ours, theirs in zip(found, reference(graph, inputs), strict=True):
        assert_close(ours, theirs)
    return found


def divide_rows(ctx: Context, module: ModuleOp) -> None:
    """Let all kernels of attention divide the rows of the softmax where they might their result."""
    for kernel in [op for op in module.walk() if isinstance(op, KernelOp)]:
        config = kernel.config
        if config is not None and config.template_name == "attention" and may_divide_result(kernel):
            kernel.config = ConfigAttr("attention", {**config.as_dict(), "divide": ("rows",)})


@pytest.mark.exhaustive
def test_rows_may_be_divided_in_place_of_the_result(graph, tmp_path):
    rewrites = {"fuse-kernels": attention(5), "configure-kernels": divide_rows}
    model, options = graph.model.SerializeToString(), CompileOptions()
    compile_rewritten(model, tmp_path / "bundle", options, rewrites)
    (text,) = (path.read_text() for path in (tmp_path / "bundle").glob("*.mlir"))
    assert text.count("divide = [rows]") == len(HEADS)
    assert_right(tmp_path / "bundle", graph, graph.inputs)


@pytest.mark.exhaustive
def test_values_within_a_factor_of_the_keys_from_the_largest_number(graph, tmp_path):
    """Sums are divided at last. They are finite where each value times the keys is."""
    large = {name: value.copy() for name, value in graph.inputs.items()}
    largest = float(np.finfo(np.float32).max)
    for name, (_, _, keys, _, _) in HEADS.items():
        value = large[f"{name}_v"]
        value *= 0.99 * largest / keys / np.abs(value).max()
    compile_in_bands(graph, tmp_path / "bundle", 8)
    found = assert_right(tmp_path / "bundle", graph, large)
    assert all(np.isfinite(ours).all() for ours in found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["x86-64-avx2", "x86-64-sse41"])
def test_narrower_vectors(target, graph, tmp_path):
    compile_in_bands(graph, tmp_path / "bundle", 7, machine=target)
    assert_right(tmp_path / "bundle", graph, graph.inputs)


@pytest.mark.exhaustive
def test_special_numbers(graph, tmp_path):
    """A nan, an infinity in the operands; rows whose keys are all hidden."""
    marked = {name: value.copy() for name, value in graph.inputs.items()}
    left = [value for name, value in marked.items() if name.endswith(("_q", "_x"))]
    for number, value in enumerate(left):
        value.flat[value.size // 2] = (np.nan, np.inf, -np.inf)[number % 3]
    for name, value in marked.items():
        if name.endswith("_m"):
            value[..., :1, :] = -np.inf
        if name in ("odd_v", "cross_v"):
            value.flat[0] = np.inf
    compile_in_bands(graph, tmp_path / "bundle", 4)
    with load_bundle(tmp_path / "bundle") as session:
        found = session.run(marked)
    expected = reference(graph, marked)
    assert sum(np.isnan(theirs).any() for theirs in expected) > len(expected) // 2
    for (name, ours), theirs in zip(found.items(), expected, strict=True):
        try:
            assert_close(ours, theirs)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
