"""1x1 convolutions with strides, as products of the pixels that they read, through the C code."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from configured import compile_configured
from guarded_kernels import bundle_faults
from onnx import ModelProto, helper, numpy_helper

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.toolchain.session import load_bundle

RELATIVE = 1e-5

RANDOM = np.random.default_rng(5)

FLOAT = helper.np_dtype_to_tensor_dtype(np.dtype(np.float32))

IMAGES = {
    "even sides": ([1, 256, 14, 16], [2, 2]),
    "odd sides": ([1, 256, 13, 15], [2, 2]),
    "a last row that nothing reads": ([1, 256, 24, 25], [3, 4]),
    "one axis": ([1, 256, 17, 9], [2, 1]),
    "several images": ([3, 256, 9, 7], [2, 2]),
    "an odd number of pixels": ([1, 256, 13, 13], [2, 2]),
    "1-D": ([1, 256, 113], [2]),
    "1-D, several images": ([2, 256, 85], [3]),
    "3-D": ([1, 256, 7, 8, 9], [2, 3, 2]),
}


def network(
    image: list[int], strides: list[int], outputs: int = 512, *, residual: bool = False
) -> ModelProto:
    """Return a network whose image has another reader, so that the convolution reads memory."""
    batch, channels, *sides = image
    result = [-(-n // stride) for n, stride in zip(sides, strides, strict=True)]
    ones = [1] * len(sides)
    filter_ = RANDOM.standard_normal((outputs, channels, *ones)) / np.sqrt(channels)
    weights = {"w": filter_.astype(np.float32), "b": np.ones(outputs, np.float32)}
    nodes = [
        helper.make_node("Relu", ["x"], ["i"]),
        helper.make_node("Conv", ["i", "w", "b"], ["c"], strides=strides, kernel_shape=ones),
        *([helper.make_node("Add", ["c", "r"], ["a"])] if residual else []),
        helper.make_node("Relu", ["a" if residual else "c"], ["y"]),
    ]
    inputs = {"x": image} | ({"r": [batch, outputs, *result]} if residual else {})
    returned = {"i": image, "y": [batch, outputs, *result]}
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, FLOAT, dims) for name, dims in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, dims) for name, dims in returned.items()],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def check_results(model: ModelProto, folder, threads: int = 1) -> None:
    values = {
        value.name: RANDOM.standard_normal(
            [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        ).astype(np.float32)
        for value in model.graph.input
    }
    session = onnxruntime.InferenceSession(model.SerializeToString())
    expected = session.run(["y"], values)[0]
    with load_bundle(folder, threads=threads) as program:
        found = program.run(values)["y"]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= RELATIVE * np.abs(expected).max()


def algorithms(folder) -> set[str | None]:
    return {kernel.algorithm for kernel in Manifest.load(folder).kernels}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name, tmp_path):
    model, folder = network(*IMAGES[name]), tmp_path / "out"
    compile_model(model.SerializeToString(), folder, CompileOptions(machine="x86-64-avx2"))
    assert "strassen" in algorithms(folder)
    check_results(model, folder)


def test_epilogue(tmp_path):
    model, folder = network([2, 256, 13, 9], [2, 2], residual=True), tmp_path / "out"
    compile_model(model.SerializeToString(), folder, CompileOptions(machine="x86-64-avx2"))
    assert "strassen" in algorithms(folder)
    check_results(model, folder)


@pytest.mark.parametrize(
    ("image", "outputs"),
    [
        pytest.param([1, 32, 28, 28], 64, id="few channels"),
        pytest.param([1, 256, 3, 3], 512, id="few pixels"),
        pytest.param([1, 255, 14, 14], 512, id="an odd channel"),
        pytest.param([1, 256, 14, 14], 511, id="an odd output"),
    ],
)
def test_what_stays_a_convolution(image, outputs, tmp_path):
    model, folder = network(image, [2, 2], outputs), tmp_path / "out"
    compile_model(model.SerializeToString(), folder, CompileOptions(machine="x86-64-avx2"))
    assert "direct_conv" in algorithms(folder)
    check_results(model, folder)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_levels(level, threads, tmp_path):
    model, folder = network([2, 256, 13, 9], [2, 3], residual=True), tmp_path / "out"
    options = CompileOptions(level=level, threads=threads)
    compile_model(model.SerializeToString(), folder, options)
    check_results(model, folder, threads)


@pytest.mark.parametrize("knobs", ["", ", tile = [16, 4], block = [2]"])
def test_plain_product_copies_its_rows(knobs, tmp_path):
    """As a search for configs, or a record, may want it."""
    model, folder = network([2, 256, 13, 9], [2, 2], residual=True), tmp_path / "out"
    options = CompileOptions(machine="x86-64-avx2")
    config = {MatMulOp: f"#nn.config<gemm{knobs}>"}
    compile_configured(model.SerializeToString(), folder, options, config)
    assert "gemm" in algorithms(folder)
    check_results(model, folder)


@pytest.mark.parametrize("name", ["odd sides", "a last row that nothing reads", "3-D"])
def test_bounds(name, tmp_path):
    model, folder = network(*IMAGES[name]).SerializeToString(), tmp_path / "out"
    compile_model(model, folder, CompileOptions(machine="x86-64-avx2"))
    assert "strassen" in algorithms(folder)
    assert bundle_faults(folder) == {}
