"""Pointwise ops that are computed by the kernel that reads them: shapes, readers, threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
import onnxruntime
import pytest
from closeness import assert_close
from configured import compile_rewritten
from merged import row_bands, with_prologues
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("prologues")
"""What one test has compiled the next one takes from the cache of kernels."""

RNG = OwnNumbers(7)


class Graph:
    """A model under construction; values are named after the case that they are of."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.inputs: dict[str, np.ndarray] = {}
        self.outputs: list[str] = []
        self.case = ""

    def input(self, *shape: int) -> str:
        name = f"{self.case}_in{len(self.inputs)}"
        self.inputs[name] = RNG.standard_normal(shape, np.float32)
        return name

    def image(self, *shape: int) -> str:
        """An image that is made within the network, and has another reader: the caller."""
        x = self.op("MaxPool", self.input(*shape), kernel_shape=[2, 2], pads=[0, 0, 1, 1])
        self.outputs.append(x)
        return x

    def weight(self, *shape: int) -> str:
        name = f"{self.case}_weight{len(self.weights)}"
        values = RNG.standard_normal(shape, np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def op(self, kind: str, *operands: str, **attributes: object) -> str:
        name = f"{self.case}_{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, operands, [name], **attributes))
        return name

    def norm(self, x: str, channels: int) -> str:
        """Scale, shift and relu of each channel."""
        y = self.op("Mul", x, self.weight(channels, 1, 1))
        return self.op("Relu", self.op("Add", y, self.weight(channels, 1, 1)))

    def batch_norm(self, x: str, channels: int) -> str:
        name = f"{self.case}_variance{len(self.weights)}"
        values = RNG.random(channels, np.float32) + 0.5
        self.weights.append(numpy_helper.from_array(values, name))
        scale, shift, mean = (self.weight(channels) for _ in range(3))
        return self.op("Relu", self.op("BatchNormalization", x, scale, shift, mean, name))

    def conv(
        self,
        x: str,
        channels: int,
        outputs: int,
        window: int = 1,
        *,
        group: int = 1,
        **more: object,
    ) -> str:
        filter_ = self.weight(outputs, channels // group, window, window)
        return self.op("Conv", x, filter_, self.weight(outputs), group=group, **more)

    def model(self) -> bytes:
        graph = helper.make_graph(
            self.nodes,
            "prologues",
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
                for name, value in self.inputs.items()
            ],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in self.outputs],
            self.weights,
        )
        opsets = [helper.make_opsetid("", 19)]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        return made.SerializeToString()


def conv1(batch: int, channels: int, height: int, width: int, outputs: int):
    """A 1x1 convolution, which is a product."""

    def add(g: Graph) -> str:
        x = g.norm(g.image(batch, channels, height, width), channels)
        return g.op("Relu", g.conv(x, channels, outputs))

    return add


def conv(channels: int, height: int, width: int, outputs: int, window: int, **more):
    def add(g: Graph) -> str:
        x = g.norm(g.image(1, channels, height, width), channels)
        return g.conv(x, channels, outputs, window, **more)

    return add


def matmul(left: tuple[int, ...], right: tuple[int, ...], *, constant: bool = True):
    def add(g: Graph) -> str:
        x = g.op("Sigmoid", g.op("Add", g.input(*left), g.input(*left)))
        y = g.op("MatMul", x, (g.weight if constant else g.input)(*right))
        return g.op("Add", y, g.weight(right[-1]))

    return add


def dense_block(g: Graph) -> str:
    """Images that grow by what is made of them: the prologue reads a part of a longer one."""
    x = g.image(1, 24, 9, 13)
    for channels in (24, 40, 56):
        y = g.conv(g.batch_norm(x, channels), channels, 32)
        y = g.conv(g.op("Relu", y), 32, 16, 3, pads=[1] * 4)
        x = g.op("Concat", x, y, axis=1)
    return x


def residual(g: Graph) -> str:
    """What the prologue reads is added to the result as well."""
    x = g.image(1, 48, 7, 11)
    return g.op("Add", g.conv(g.norm(x, 48), 48, 48), x)


def pixels(g: Graph) -> str:
    """A number for each pixel, and a number for each row and column of a matrix."""
    x = g.op("Exp", g.op("Mul", g.image(1, 20, 8, 9), g.input(1, 1, 8, 9)))
    return g.conv(x, 20, 30)


def rows_and_columns(g: Graph) -> str:
    x = g.op("Mul", g.op("Mul", g.input(37, 21), g.input(37, 1)), g.input(21))
    return g.op("MatMul", g.op("Tanh", x), g.weight(21, 50))


def two_readers_of_one_source(g: Graph) -> str:
    x = g.op("MatMul", g.input(30, 16), g.weight(16, 24))
    return g.op("Add", g.op("MatMul", g.op("Relu", x), g.weight(24, 24)), x)


def transition(g: Graph) -> str:
    y = g.conv(g.norm(g.image(1, 32, 18, 15), 32), 32, 16)
    return g.op("AveragePool", y, kernel_shape=[2, 2], strides=[2, 2])


def line(g: Graph) -> str:
    x = g.op("MaxPool", g.input(1, 12, 50), kernel_shape=[2], pads=[0, 1])
    g.outputs.append(x)
    x = g.op("Relu", g.op("Mul", x, g.weight(12, 1)))
    return g.op("Conv", x, g.weight(20, 12, 3), pads=[1, 1])


def planes(g: Graph) -> str:
    """An image that the caller brings, channels first."""
    x = g.norm(g.input(1, 3, 33, 30), 3)
    return g.conv(x, 3, 32, 3, pads=[1] * 4, strides=[2, 2])


CASES: Mapping[str, Callable[[Graph], str]] = {
    "small": conv1(1, 5, 3, 7, 9),
    "batch": conv1(3, 24, 5, 5, 40),
    "wide": conv1(1, 48, 13, 11, 200),
    "one_panel": conv1(1, 33, 20, 20, 16),
    "sets": conv1(1, 1024, 6, 7, 48),
    "many_rows": conv1(1, 64, 31, 33, 100),
    "one_column": conv1(1, 16, 9, 1, 8),
    "one_output": conv1(1, 19, 8, 8, 1),
    "matrix": matmul((49, 30), (30, 70)),
    "stack": matmul((2, 3, 17, 20), (20, 33)),
    "stacks": matmul((4, 15, 12), (4, 12, 31)),
    "right_input": matmul((40, 24), (24, 36), constant=False),
    "dense_block": dense_block,
    "residual": residual,
    "pixels": pixels,
    "rows_and_columns": rows_and_columns,
    "two_readers_of_one_source": two_readers_of_one_source,
    "padded": conv(16, 15, 14, 40, 3, pads=[1] * 4),
    "padded_unevenly": conv(9, 12, 17, 33, 3, pads=[2, 0, 1, 3]),
    "padded_many": conv(32, 40, 40, 64, 3, pads=[1] * 4),
    "strided": conv(24, 21, 18, 30, 3, pads=[1] * 4, strides=[2, 2]),
    "valid": conv(12, 11, 13, 20, 3),
    "valid_many": conv(12, 41, 43, 20, 5),
    "pointwise_strided": conv(20, 15, 17, 44, 1, strides=[2, 2]),
    "dilated": conv(8, 16, 17, 18, 3, pads=[2] * 4, dilations=[2, 2]),
    "grouped": conv(24, 14, 15, 36, 3, pads=[1] * 4, group=3),
    "grouped_valid": conv(32, 14, 15, 32, 3, group=2),
    "planes": planes,
    "one_pixel": conv(6, 1, 1, 8, 3, pads=[1] * 4),
    "transition": transition,
    "line": line,
}  # fmt: skip
FUSED = {"dense_block": 3}
"""How many prologues a case has, where it is not one."""


@pytest.fixture(scope="module")
def cases() -> tuple[bytes, dict[str, np.ndarray], list[np.ndarray]]:
    """Return the model of all cases, its inputs, and what is right."""
    graph = Graph()
    for graph.case, add in CASES.items():
        graph.outputs.append(add(graph))
    made = graph.model()
    reference = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])
    return made, graph.inputs, list(reference.run(None, graph.inputs))


ALWAYS = {"fuse-kernels": with_prologues}
"""Fuse whatever can be."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("machine", ["host", "host:l1=4K:l2=16K"])
def test_results(machine, cases, tmp_path):
    """Two threads share the work; programs for one thread stand in the tests below."""
    made, inputs, expected = cases
    options = CompileOptions(level=2, threads=2, machine=machine)
    compile_rewritten(made, tmp_path / "bundle", options, ALWAYS)
    (text,) = (path.read_text() for path in (tmp_path / "bundle").glob("*.mlir"))
    assert text.count('halide.func "prologue"') == sum(FUSED.get(name, 1) for name in CASES)
    with load_bundle(tmp_path / "bundle") as alone:
        found = alone.run(inputs)
    for (name, ours), theirs in zip(found.items(), expected, strict=True):
        try:
            assert_close(ours, theirs)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
    with load_bundle(tmp_path / "bundle", threads=2) as together:
        for _ in range(5):
            for name, value in together.run(inputs).items():
                np.testing.assert_array_equal(value, found[name], err_msg=name)


@pytest.mark.exhaustive
def test_special_numbers(cases, tmp_path):
    made, inputs, _ = cases
    marked = {name: value.copy() for name, value in inputs.items()}
    for number, value in enumerate(marked.values()):
        value.flat[value.size // 2] = (np.nan, np.inf, -np.inf)[number % 3]
    compile_model(made, tmp_path / "apart", CompileOptions(level=1))
    # Winograd's transforms spread a nan over more of a result.
    compile_rewritten(made, tmp_path / "bundle", CompileOptions(level=2), ALWAYS)
    with load_bundle(tmp_path / "apart") as apart, load_bundle(tmp_path / "bundle") as bundle:
        right, found = apart.run(marked), bundle.run(marked)
    for name, value in right.items():
        try:
            assert_close(found[name], value)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None


def run_both(
    graph: Graph, folder, rewrites=ALWAYS, **options
) -> tuple[str, np.ndarray, np.ndarray]:
    """Return the text of a compiled model, its last result, and what is right."""
    made = graph.model()
    reference = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])
    compile_rewritten(made, folder, CompileOptions(**options), rewrites)
    (text,) = (path.read_text() for path in folder.glob("*.mlir"))
    with load_bundle(folder, threads=options.get("threads", 1)) as session:
        found = list(session.run(graph.inputs).values())[-1]
    return text, found, np.asarray(reference.run(None, graph.inputs)[-1])


@pytest.mark.parametrize("rows", [1, 2, 5, 100])
@pytest.mark.parametrize("pads", [0, 1])
def test_the_first_of_those_in_bands(rows, pads, tmp_path):
    graph = Graph()
    x = graph.norm(graph.image(1, 20, 17, 14), 20)
    y = graph.conv(x, 20, 24, 2 * pads + 1, pads=[pads] * 4)
    y = graph.op("AveragePool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    graph.outputs.append(y)

    def rewrite(ctx: Context, module: ModuleOp) -> None:
        with_prologues(ctx, module)
        row_bands(rows)(ctx, module)

    rewrites = {"fuse-kernels": rewrite}
    text, found, expected = run_both(graph, tmp_path / "bundle", rewrites, threads=2)
    (pipeline,) = (p for p in text.split("halide.pipeline ") if 'halide.func "prologue"' in p)
    assert "config<row_bands," in pipeline
    assert_close(found, expected)


@pytest.mark.exhaustive
@pytest.mark.parametrize("threads", [1, 2])
def test_the_transform_of_winograd(threads, tmp_path):
    graph = Graph()
    x = graph.norm(graph.image(1, 64, 29, 30), 64)
    graph.outputs.append(graph.conv(x, 64, 64, 3, pads=[1] * 4))
    text, found, expected = run_both(graph, tmp_path / "bundle", level=3, threads=threads)
    (pipeline,) = (p for p in text.split("halide.pipeline ") if 'halide.func "prologue"' in p)
    assert "config<winograd" in pipeline
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4 * np.abs(expected).max())
