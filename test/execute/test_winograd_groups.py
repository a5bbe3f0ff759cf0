"""Winograd convolutions of several groups through the generated C, against onnxruntime."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import onnxruntime
import pytest
from configured import compile_configured
from guarded_kernels import bundle_faults
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

RELATIVE = 1e-4
"""What is promised of Winograd, relative to the largest result."""

RANDOM = OwnNumbers(11)


@dataclass(frozen=True)
class Shape:
    groups: int
    inputs: int
    """Channels of a group."""
    outputs: int
    """Channels of the result, of a group."""
    height: int
    width: int
    pads: tuple[int, int, int, int] = (1, 1, 1, 1)
    batch: int = 1

    @property
    def image(self) -> tuple[int, int, int, int]:
        return self.batch, self.groups * self.inputs, self.height, self.width

    @property
    def result(self) -> tuple[int, int, int, int]:
        top, left, bottom, right = self.pads
        rows, columns = self.height + top + bottom - 2, self.width + left + right - 2
        return self.batch, self.groups * self.outputs, rows, columns


SHAPES = {
    "whole tiles": Shape(4, 16, 16, 12, 12),
    "tiles that overhang": Shape(6, 16, 16, 7, 7),
    "few rows": Shape(3, 16, 16, 5, 9),
    "a single pixel": Shape(4, 16, 16, 1, 1),
    "a single row": Shape(2, 16, 16, 1, 13),
    "no padding": Shape(3, 16, 16, 11, 10, (0, 0, 0, 0)),
    "tiles without padding": Shape(3, 16, 16, 10, 10, (0, 0, 0, 0)),
    "uneven padding": Shape(3, 16, 16, 6, 8, (2, 0, 1, 2)),
    "wide padding": Shape(2, 16, 16, 3, 4, (2, 2, 2, 2)),
    "two groups a line": Shape(6, 8, 8, 14, 13),
    "groups that blocks do not divide": Shape(5, 8, 8, 9, 9),
    "narrow groups": Shape(8, 4, 4, 9, 9),
    "groups of several tiles": Shape(3, 40, 48, 7, 9),
    "inputs between two vectors": Shape(4, 5, 16, 9, 9),
    "more inputs than outputs": Shape(3, 24, 8, 9, 9),
    "outputs between two tiles": Shape(2, 16, 24, 9, 9),
    "a batch": Shape(4, 16, 16, 8, 6, batch=3),
    "many rows": Shape(2, 16, 16, 50, 46),
}


def network(shape: Shape, *, residual: bool = False) -> ModelProto:
    outputs = shape.groups * shape.outputs
    weights = RANDOM.standard_normal((outputs, shape.inputs, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=shape.pads, group=shape.groups),
        *([helper.make_node("Add", ["c", "r"], ["s"])] if residual else []),
        helper.make_node("Relu", ["s" if residual else "c"], ["y"]),
    ]
    inputs = [("x", shape.image), *([("r", shape.result)] if residual else [])]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape.result)],
        [
            numpy_helper.from_array(weights, "w"),
            numpy_helper.from_array(RANDOM.standard_normal(outputs).astype(np.float32), "b"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def check(model: ModelProto, folder, options: CompileOptions, knobs: str) -> None:
    config = {ConvOp: f"#nn.config<winograd, {knobs}>"}
    module = compile_configured(model.SerializeToString(), folder, options, config)
    assert f"config<winograd, {knobs.partition(']')[0]}]" in str(module)
    check_results(model, folder, options.threads)


def check_results(model: ModelProto, folder, threads: int) -> None:
    values = {
        value.name: RANDOM.standard_normal(
            [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        ).astype(np.float32)
        for value in model.graph.input
    }
    expected = reference(model, values)
    with load_bundle(folder, threads=threads) as session:
        found = session.run(values)["y"]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= RELATIVE * np.abs(expected).max()


def reference(model: ModelProto, values: dict[str, np.ndarray]) -> np.ndarray:
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    (expected,) = session.run(["y"], values)
    return expected


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("name", SHAPES)
def test_extents(name, m, tmp_path):
    check(network(SHAPES[name]), tmp_path, CompileOptions(), f"transform = [{m}]")


@pytest.mark.parametrize(
    ("name", "knobs"),
    [
        ("whole tiles", "transform = [4], rows = [1], channels = [32]"),
        ("two groups a line", "transform = [2], rows = [2], channels = [24], group = [5]"),
        ("groups of several tiles", "transform = [2], channels = [144], tile = [8]"),
        ("tiles that overhang", "transform = [2], rows = [3], fetch = []"),
        ("many rows", "transform = [4], rows = [5]"),
        ("many rows", "transform = [4], rows = [2], fetch = [2], group = [4]"),
    ],
)
def test_other_blocks(name, knobs, tmp_path):
    check(network(SHAPES[name]), tmp_path, CompileOptions(), knobs)


@pytest.mark.exhaustive
@pytest.mark.parametrize("shared", ["c", "y"])
@pytest.mark.parametrize(
    "name", ["tiles that overhang", "two groups a line", "a batch", "many rows"]
)
def test_threads(name, shared, tmp_path):
    options = CompileOptions(threads=2)
    check(network(SHAPES[name]), tmp_path, options, f"transform = [4], parallel = [{shared}]")


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["x86-64-avx2:l2=64k", "x86-64"])
def test_machines(target, tmp_path):
    """Narrow vectors, and a cache in which the image of a block does not stay."""
    check(network(SHAPES["many rows"]), tmp_path, CompileOptions(machine=target), "transform = [4]")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["few rows", "two groups a line", "many rows"])
def test_epilogue(name, threads, tmp_path):
    model = network(SHAPES[name], residual=True)
    check(model, tmp_path, CompileOptions(threads=threads), "transform = [4]")


def test_an_infinity_stays_in_its_group_and_its_tile(tmp_path):
    shape = SHAPES["whole tiles"]
    model = network(shape)
    config = {ConvOp: "#nn.config<winograd, transform = [4]>"}
    compile_configured(model.SerializeToString(), tmp_path, CompileOptions(), config)
    x = RANDOM.standard_normal(shape.image).astype(np.float32)
    whole = reference(model, {"x": x})
    x[0, 16, 1, 1] = np.inf
    with load_bundle(tmp_path) as session:
        found = session.run({"x": x})["y"]
    touched = np.zeros(shape.result, bool)
    touched[:, 16:32, :4, :4] = True
    assert not np.isfinite(found[touched]).all()
    error = np.abs(found - whole)[~touched].max()
    assert error <= RELATIVE * np.abs(whole).max()


@pytest.mark.parametrize("m", [2, 4])
def test_errors_stay_below_the_stated_bound(m, tmp_path):
    shape = Shape(4, 16, 16, 24, 24)
    model = network(shape)
    config = {ConvOp: f"#nn.config<winograd, transform = [{m}]>"}
    compile_configured(model.SerializeToString(), tmp_path, CompileOptions(), config)
    x = RANDOM.standard_normal(shape.image).astype(np.float32)
    weights, bias = (numpy_helper.to_array(t) for t in model.graph.initializer)
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3)
    )
    grouped = windows.reshape(1, 4, 16, 24, 24, 3, 3), weights.reshape(4, 16, 16, 3, 3)
    sums = np.einsum("ngchwij,gocij->ngohw", *grouped, optimize=True).reshape(shape.result)
    expected = np.maximum(sums + bias[:, None, None], 0)
    with load_bundle(tmp_path) as session:
        error = np.abs(session.run(x)["y"] - expected).max()
    rounding = 2.0**-22 * np.abs(expected).max()
    assert error < WINOGRAD[m].error * np.abs(x).max() * np.abs(weights).max() + rounding


@pytest.mark.parametrize(
    ("options", "algorithm"),
    [
        (CompileOptions(), "winograd"),
        (CompileOptions(winograd="off"), "grouped_conv"),
        (CompileOptions(level=2), "grouped_conv"),
        (CompileOptions(level=2, winograd="auto"), "winograd"),
    ],
)
def test_levels_and_options_that_allow_it(options, algorithm, tmp_path):
    compile_model(network(Shape(8, 16, 16, 28, 28)).SerializeToString(), tmp_path, options)
    (kernel,) = (k for k in Manifest.load(tmp_path).kernels if k.name.startswith("conv"))
    assert kernel.algorithm == algorithm
    assert kernel.error == (WINOGRAD[4].error if algorithm == "winograd" else 0)


@pytest.mark.exhaustive
def test_open_pixels_are_summed_directly(tmp_path):
    """Tiles of groups are for constant extents; an open batch changes nothing."""
    for name, algorithm in (("H", "grouped_conv"), ("N", "winograd")):
        model = network(Shape(8, 16, 16, 28, 28))
        axis = {"N": 0, "H": 2}[name]
        for value in (*model.graph.input, *model.graph.output):
            value.type.tensor_type.shape.dim[axis].dim_param = name
        folder = tmp_path / name
        spec = OpenSpec((name,), *((1, 2) if name == "N" else (24, 28)))
        options = CompileOptions(dynamic=spec)
        compile_model(model.SerializeToString(), folder, options)
        assert algorithm in {kernel.algorithm for kernel in Manifest.load(folder).kernels}


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")
@pytest.mark.parametrize(
    ("name", "m", "threads"),
    [
        ("tiles that overhang", 4, 1),
        ("no padding", 2, 1),
        ("uneven padding", 4, 1),
        ("inputs between two vectors", 4, 1),
        ("many rows", 4, 2),
    ],
)
def test_nothing_beyond_the_buffers_is_touched(name, m, threads, tmp_path):
    model = network(SHAPES[name], residual=True)
    options = CompileOptions(threads=threads)
    config = {ConvOp: f"#nn.config<winograd, transform = [{m}]>"}
    compile_configured(model.SerializeToString(), tmp_path, options, config)
    assert bundle_faults(tmp_path) == {}
