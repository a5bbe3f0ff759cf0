"""Kernels for CUDA and NVIDIA's assembler: it takes them for each device, and their sums fit into
registers."""

from __future__ import annotations

from pathlib import Path

import pytest
from device_programs import device_text, network
from onnx import TensorProto, helper
from ptxas import assembled, knows, needs_ptxas

from autodeploy import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.machine.devices import DEVICES

pytestmark = needs_ptxas

DIGITS = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"
NAMES = [name for name, device in DEVICES.items() if device.api == "cuda"]


def kernels(model: bytes, device: str, folder: Path, *dynamic: OpenSpec) -> str:
    """Return the text of the kernels of a network."""
    options = CompileOptions(machine=f"x86-64:device={device}", jobs=1, dynamic=dynamic)
    compile_model(model, folder / device, options)
    return device_text(folder / device)


def padded(channels: int = 16, rows: int = 56) -> bytes:
    """Return a convolution of padded pictures, whose rows are whole tiles of 7 pixels."""
    value = helper.make_tensor_value_info
    w = [64, channels, 3, 3]
    shapes = {"x": [1, channels, rows, rows], "w": w, "y": [1, 64, rows, rows]}
    x, w, y = (value(name, TensorProto.FLOAT, shape) for name, shape in shapes.items())
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    graph = helper.make_graph([node], "padded", [x, w], [y])
    opset = [helper.make_opsetid("", 22)]
    return helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


def means(rows: int) -> bytes:
    """Return the means of the channels of pictures, whose rows are added up one by one."""
    value = helper.make_tensor_value_info
    x, y = value("x", TensorProto.FLOAT, [1, rows, 128, 32]), value("y", TensorProto.FLOAT, None)
    node = helper.make_node("ReduceMean", ["x"], ["y"], axes=[1, 2], keepdims=0)
    graph = helper.make_graph([node], "means", [x], [y])
    opset = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


@pytest.mark.parametrize("device", NAMES)
@pytest.mark.parametrize(
    ("model", "dynamic"),
    [
        (DIGITS.read_bytes(), ()),
        (network(), ()),
        (padded(), ()),
        (padded(64, 7), ()),
        (means(16), ()),
        (means(28), ()),
        (network(), (OpenSpec(("x:0",), 1, 40),)),
        (padded(), (OpenSpec(("x:2",), 8, 56), OpenSpec(("x:3",), 8, 64))),
    ],
    ids=["digits", "sides", "padded", "parts", "few-rows", "rows", "open-sides", "open-padded"],
)
def test_the_assembler_takes_all_kernels(
    model: bytes, dynamic: tuple[OpenSpec, ...], device: str, tmp_path: Path
):
    architecture = device.removeprefix("cuda-") if "-" in device else "sm_75"
    if not knows(architecture):
        pytest.skip(f"this ptxas does not know {architecture}")
    text = kernels(model, device, tmp_path, *dynamic)
    found = assembled(text, architecture)
    assert len(found) == text.count(".entry ")
    assert {*found.values()} == {(0, 0)}
