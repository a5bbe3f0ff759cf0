"""Winograd's filtering of codes: the very sums of the convolution, also of the largest codes."""

from __future__ import annotations

import numpy as np
import pytest
from configured import compile_configured
from onnx import ModelProto, TensorProto, helper, numpy_helper

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.machine import Machine
from autodeploy.toolchain.session import load_bundle

CONFIG = {ConvOp: "#nn.config<winograd, transform = [2]>"}
SHAPES = {
    "whole tiles": (1, 16, 16, 12, 12, (1, 1, 1, 1)),
    "tiles that overhang": (1, 16, 32, 7, 9, (1, 1, 1, 1)),
    "a single pixel": (1, 16, 16, 1, 1, (1, 1, 1, 1)),
    "a row": (2, 16, 16, 1, 13, (1, 1, 1, 1)),
    "no padding": (1, 24, 16, 11, 10, (0, 0, 0, 0)),
    "uneven padding": (1, 16, 48, 6, 8, (2, 0, 1, 3)),
    "an odd number of channels": (1, 19, 32, 9, 9, (1, 1, 1, 1)),
    "few channels": (1, 3, 8, 14, 14, (1, 1, 1, 1)),
    "several bands": (1, 64, 64, 36, 30, (1, 1, 1, 1)),
    "the most channels": (1, 512, 16, 6, 6, (1, 1, 1, 1)),
}


def layers(draw: np.random.Generator) -> tuple[ModelProto, dict[str, np.ndarray], list[np.ndarray]]:
    """Return a network of all shapes, its inputs, and the sums of its layers."""
    nodes, constants, inputs, outputs = [], [], [], []
    feeds: dict[str, np.ndarray] = {}
    sums: list[np.ndarray] = []
    kinds = [np.uint8] * len(SHAPES) + [np.int8] * (len(SHAPES) - 1)
    for i, (shape, kind) in enumerate(
        zip([*SHAPES.values(), *SHAPES.values()], kinds, strict=False)
    ):
        batch, channels, count, height, width, pads = shape
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        codes = draw.choice(
            [low, high, *draw.integers(low, high, 9)], (batch, channels, height, width)
        )
        weights = draw.choice([-128, 127, *draw.integers(-128, 128, 9)], (count, channels, 3, 3))
        # Of some outputs every product is the largest, in all rows of a transform.
        weights[0], weights[1] = -128, 127
        weights[2] = np.where(np.arange(9).reshape(3, 3) % 2, -128, 127)
        codes[:, :, : height // 2] = high
        zero = int(draw.integers(low, high + 1))
        arrays = {
            "s": np.array(1, np.float32), "z": np.array(zero, kind), "w": weights.astype(np.int8),
        }  # fmt: skip
        constants += [
            numpy_helper.from_array(array, f"{name}{i}") for name, array in arrays.items()
        ]
        nodes += [
            helper.make_node("QuantizeLinear", [f"x{i}", f"s{i}", f"z{i}"], [f"q{i}"]),
            helper.make_node("ConvInteger", [f"q{i}", f"w{i}", f"z{i}"], [f"y{i}"], pads=pads),
        ]
        feeds[f"x{i}"] = (codes - zero).astype(np.float32)
        inputs.append(helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, codes.shape))
        outputs.append(helper.make_tensor_value_info(f"y{i}", TensorProto.INT32, None))
        top, left, bottom, right = pads
        wide = np.pad(codes - zero, [(0, 0), (0, 0), (top, bottom), (left, right)])
        windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), (2, 3))
        sums.append(np.einsum("ncyxij,ocij->noyx", windows, weights))
    graph = helper.make_graph(nodes, "layers", inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8), feeds, sums


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("machine", "threads"), [("x86-64-avx2", 1), ("x86-64-avx2", 2), ("x86-64", 1)]
)
def test_sums_are_those_of_the_convolution(machine: str, threads: int, tmp_path):
    obstacle = Machine.host().obstacle(Machine.parse(machine))
    if obstacle is not None:
        pytest.skip(f"kernels for {machine} do not run here: {obstacle}")
    model, feeds, sums = layers(np.random.default_rng(11))
    options = CompileOptions(level=3, machine=machine, threads=threads)
    module = compile_configured(model.SerializeToString(), tmp_path / "out", options, CONFIG)
    # Without pads two layers are one kernel, since only that tells their codes apart.
    assert str(module).count("config<winograd") == len(sums) - 1
    with load_bundle(tmp_path / "out", threads=threads) as session:
        found = session.run(feeds)
    for i, wanted in enumerate(sums):
        assert np.array_equal(found[f"y{i}"], wanted), i


def test_zero_points_of_a_run(tmp_path):
    """Distances from a zero point that only a run knows are codes of 9 bits."""
    draw = np.random.default_rng(3)
    weights = draw.integers(-128, 128, (16, 64, 3, 3)).astype(np.int8)
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        helper.make_node("ConvInteger", ["q", "w", "z"], ["y"], pads=[1, 1, 1, 1]),
    ]
    graph = helper.make_graph(
        nodes,
        "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64, 9, 8])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, None)],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = CompileOptions(level=3, machine="x86-64")
    compile_configured(model.SerializeToString(), tmp_path / "out", options, CONFIG)
    x = draw.choice([-2.0, 3.0, 0.5], (1, 64, 9, 8)).astype(np.float32)
    scale = np.float32(5) / np.float32(255)
    zero = np.rint(np.float32(2) / scale)
    codes = np.clip(np.rint(x / scale) + zero, 0, 255) - zero
    wide = np.pad(codes.astype(np.int64), [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), (2, 3))
    with load_bundle(tmp_path / "out") as session:
        found = session.run({"x": x})["y"]
    assert np.array_equal(found, np.einsum("ncyxij,ocij->noyx", windows, weights))
