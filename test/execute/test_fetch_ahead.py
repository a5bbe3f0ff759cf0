"""Kernels that fetch lines before they need them compute what others do, through the generated C.

A small second-level cache is assumed, so that small matrices come from afar.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, TypeProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(11)

needs_x86 = pytest.mark.skipif(
    not Machine.host().fetches_ahead, reason="nothing is fetched ahead on this kind of machine"
)
needs_cxx = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"
)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32)


def network(rows: int, inner: int, columns: int, stack: tuple[int, ...]) -> ModelProto:
    """A product, a residual added to it, an activation, and a product back to the inner width."""
    weights = {
        "w": normal(inner, columns) / np.float32(inner),
        "b": normal(columns),
        "v": normal(columns, inner) / np.float32(columns),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["q"]),
        helper.make_node("Add", ["q", "r"], ["s"]),
        helper.make_node("Relu", ["s"], ["t"]),
        helper.make_node("MatMul", ["t", "v"], ["u"]),
        helper.make_node("Add", ["u", "x"], ["y"]),
    ]
    shapes = {"x": (*stack, rows, inner), "r": (*stack, rows, columns)}
    graph = helper.make_graph(
        nodes,
        "products",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shapes.items()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shapes["x"])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


@needs_x86
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(
    ("rows", "inner", "columns", "stack"),
    [
        (196, 64, 192, ()),
        (128, 96, 288, (2,)),
        (49, 64, 200, ()),
        (7, 384, 96, ()),
        (169, 40, 250, ()),
        (53, 64, 192, ()),
        (1, 96, 200, ()),
        (384, 64, 192, ()),
    ],
)
def test_products_that_fetch_ahead_are_right(tmp_path, request, rows, inner, columns, stack, cores):
    model = network(rows, inner, columns, stack)
    options = CompileOptions(level=3, machine=f"host:cores={cores}:l2=32K", threads=cores)
    compile_model(model.SerializeToString(), tmp_path / "bundle", options)
    text = next((tmp_path / "bundle").glob("*.mlir")).read_text()
    prefetches = {kernel.prefetches for kernel in Manifest.load(tmp_path / "bundle").kernels}
    if rows in (196, 128, 1, 384) or (rows == 53 and cores == 1):
        assert "halide.prefetch" in text
        # Which instruction it is only shows in an object file.
        assert request.config.getoption("--emit") == "c" or "second_level" in prefetches
    check(model, tmp_path / "bundle", cores)


def convolution(
    batch: int, side: int, inputs: int, outputs: int, stride: int, codes: bool
) -> ModelProto:
    """A padded 3x3 convolution of floats or of codes."""
    shape, kernel = (batch, inputs, side, side), (outputs, inputs, 3, 3)
    result = (batch, outputs, *[-(-side // stride)] * 2)
    weight = normal(*kernel) / np.float32(inputs)
    attributes = {"pads": [1] * 4, "strides": [stride] * 2}
    values = {"w": (RANDOM.integers(-128, 128, kernel).astype(np.int8) if codes else weight)}
    if codes:
        values["zero"] = np.array(77, np.uint8)
        nodes = [
            helper.make_node("ConvInteger", ["x", "w", "zero"], ["c"], **attributes),
            helper.make_node("Cast", ["c"], ["y"], to=TensorProto.FLOAT),
        ]
    else:
        nodes = [helper.make_node("Conv", ["x", "w"], ["y"], **attributes)]
    type_ = TensorProto.UINT8 if codes else TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "convolution",
        [helper.make_tensor_value_info("x", type_, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
        [numpy_helper.from_array(array, name) for name, array in values.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


@needs_x86
@pytest.mark.parametrize("codes", [False, True])
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(
    ("batch", "side", "inputs", "outputs", "stride"),
    [
        (1, 14, 64, 128, 2),
        (2, 7, 64, 64, 1),
        (1, 13, 32, 64, 1),
        (3, 9, 128, 64, 2),
        (1, 12, 16, 96, 1),
    ],
)
def test_convolutions_that_fetch_ahead_are_right(
    tmp_path, batch, side, inputs, outputs, stride, cores, codes
):
    model = convolution(batch, side, inputs, outputs, stride, codes)
    options = CompileOptions(level=3, machine=f"host:cores={cores}:l2=16K", threads=cores)
    compile_model(model.SerializeToString(), tmp_path / "bundle", options)
    text = next((tmp_path / "bundle").glob("*.mlir")).read_text()
    if codes:
        assert "halide.prefetch" in text
    check(model, tmp_path / "bundle", cores)


@pytest.mark.exhaustive
@needs_x86
@needs_cxx
def test_as_source_they_are_right_too(tmp_path):
    model = network(98, 64, 192, ())
    options = CompileOptions(level=3, machine="host:cores=1:l2=32K", emit="c")
    compile_model(model.SerializeToString(), tmp_path / "bundle", options)
    assert any("__builtin_prefetch" in f.read_text() for f in tmp_path.glob("bundle/kernels/*.cpp"))
    check(model, tmp_path / "bundle")


def check(model: ModelProto, bundle: Path, threads: int = 1) -> None:
    inputs = {value.name: drawn(value.type.tensor_type) for value in model.graph.input}
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (expected,) = session.run(None, inputs)
    with load_bundle(bundle, threads=threads) as program:
        assert_close(program.run(inputs)["y"], expected)


def drawn(type_: TypeProto.Tensor) -> np.ndarray:
    shape = [dim.dim_value for dim in type_.shape.dim]
    if type_.elem_type == TensorProto.UINT8:
        return RANDOM.integers(0, 256, shape).astype(np.uint8)
    return normal(*shape)
