"""Kernels whose output runs into an input that is read from front to back, through generated C."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.analysis.live_ranges import live_ranges
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.driver import ProgramOp
from autodeploy.dialects.registry import new_context
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(11)

Node = tuple[str, list[str], dict[str, object]]


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[-2]))


def network(
    shape: tuple[int, ...], nodes: list[Node], weights: dict[str, np.ndarray]
) -> ModelProto:
    """Return a chain of nodes. Of their inputs, ``*`` is the result of the node before."""
    value, made = "x", []
    for number, (kind, inputs, attributes) in enumerate(nodes):
        name = "y" if number == len(nodes) - 1 else f"v{number}"
        names = [value if i == "*" else i for i in inputs]
        made.append(helper.make_node(kind, names, [name], **attributes))
        value = name
    graph = helper.make_graph(
        made,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def perceptron(rows: int, width: int) -> ModelProto:
    """Products of more and of fewer columns, with a residual that outlives them."""
    wide = 4 * width
    weights = {
        "w0": normal(width, width), "w1": normal(width, wide), "w2": normal(wide, width),
        "s": np.ones(width, np.float32), "w3": normal(width, 3), "b": normal(1, wide)[0],
    }  # fmt: skip
    nodes: list[Node] = [
        ("MatMul", ["*", "w0"], {}),
        ("LayerNormalization", ["*", "s"], {}),
        ("MatMul", ["*", "w1"], {}),
        ("Add", ["*", "b"], {}),
        ("Relu", ["*"], {}),
        ("MatMul", ["*", "w2"], {}),
        ("Add", ["*", "v0"], {}),
        ("MatMul", ["*", "w3"], {}),
    ]
    return network((rows, width), nodes, weights)


def images(size: int, kind: str) -> ModelProto:
    """A convolution, then what reads its large image around each pixel, and makes a smaller one."""
    around: dict[str, object] = {"strides": [2, 2], "pads": [1, 1, 1, 1]}
    pool: Node = ("MaxPool", ["*"], {"kernel_shape": [3, 3], **around})
    weights = {
        "w": normal(64, 3, 7, 7), "d": normal(64, 1, 3, 3), "p": normal(64, 64, 3, 3),
        "last": np.array([-1]), "first": np.array([-(10**6)]),
        "height": np.array([2]), "back": np.array([-1]),
    }  # fmt: skip
    steps: dict[str, list[Node]] = {
        "depthwise": [("Conv", ["*", "d"], {"group": 64, **around})],
        "pool": [pool],
        "upside down": [("Slice", ["*", "last", "first", "height", "back"], {}), pool],
    }
    nodes: list[Node] = [
        ("Conv", ["*", "w"], {"strides": [2, 2], "pads": [3, 3, 3, 3]}),
        ("Relu", ["*"], {}),
        *steps[kind],
        ("Conv", ["*", "p"], {"pads": [1, 1, 1, 1]}),
        ("Relu", ["*"], {}),
        ("Conv", ["*", "p"], {"pads": [1, 1, 1, 1]}),
    ]
    return network((1, 3, size, size), nodes, weights)


def overlapping(text: str) -> int:
    """Count the pairs of buffers of a bundle's IR that are alive together and share bytes."""
    module = Parser(new_context(), text).parse_module()
    assert isinstance(module, ModuleOp)
    (program,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    blocks = [
        (buffer.offset.value.data, block)
        for buffer, block in live_ranges(program).items()
        if buffer.offset is not None
    ]
    return sum(
        one.meets(other) and low < high + other.bytes and high < low + one.bytes
        for number, (low, one) in enumerate(blocks)
        for high, other in blocks[:number]
    )


CASES = {
    "products of a tail": (perceptron(131, 130), None),
    "depthwise": (images(112, "depthwise"), None),
    "depthwise of odd rows": (images(109, "depthwise"), None),
    "pool": (images(224, "pool"), True),
    "pool of odd rows": (images(221, "pool"), True),
    "rows from the last one on": (images(112, "upside down"), None),
}
"""Networks, and whether buffers of them overlap; ``None`` where a planner may do without."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_overwritten_elements_have_been_read(tmp_path, name: str, threads: int):
    model, overlaps = CASES[name]
    path = tmp_path / "chain.onnx"
    path.write_bytes(model.SerializeToString())
    options = CompileOptions(machine="x86-64-avx2", threads=threads)
    compile_model(path, tmp_path / "bundle", options)
    found = overlapping((tmp_path / "bundle" / "chain.mlir").read_text())
    if threads == 1 and overlaps is not None:
        assert bool(found) == overlaps
    session = onnxruntime.InferenceSession(path)
    data = normal(*session.get_inputs()[0].shape)
    (expected,) = session.run(None, {"x": data})
    with load_bundle(tmp_path / "bundle") as loaded:
        for _ in range(2):  # what the first run leaves in the arena is nothing to the second
            result = loaded.run({"x": data})["y"]
            largest = np.abs(expected).max()
            assert_close(result / largest, expected / largest)
