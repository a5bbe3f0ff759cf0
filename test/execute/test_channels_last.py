"""Windows over channels and pixels of images that lie channels last, with nan and inf in them.

A depthwise convolution that changes nothing stands before each operator and has the image laid out
so. Channels fill no vector, one, several, or several and a part.
"""

from __future__ import annotations

import numpy as np
import pytest
from closeness import assert_close
from onnx import helper, numpy_helper

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("channels_last")
"""All tests share what one worker has compiled."""

CHANNELS = (3, 16, 50, 64)
HEIGHT, WIDTH = 5, 9

POOLS = {
    "max_3_by_2": ("MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "max_3_by_1": ("MaxPool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
    "max_2": ("MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "mean_3": ("AveragePool", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
    "mean_all": ("GlobalAveragePool", {}),
}

NORMS = {
    "lrn": {"size": 5, "alpha": 0.3, "beta": 0.75, "bias": 1.0},
    "lrn_even": {"size": 4, "alpha": 0.3, "beta": 0.5, "bias": 2.0},
    "lrn_wide": {"size": 19, "alpha": 0.1, "beta": 0.6, "bias": 1.0},
}

NODES = {**POOLS, **{name: ("LRN", attributes) for name, attributes in NORMS.items()}}


def image(channels: int) -> np.ndarray:
    """Return an image of one number that is none, two infinite ones, and large ones."""
    random = np.random.default_rng(channels)
    x = random.standard_normal((1, channels, HEIGHT, WIDTH)).astype(np.float32)
    x[0, 0, 0, 0], x[0, -1, 2, 3], x[0, 1, 4, 8] = np.nan, np.inf, -np.inf
    x[0, :, 1, 5] *= 100
    return x


def lrn(x: np.ndarray, size: int, alpha: float, beta: float, bias: float) -> np.ndarray:
    before = (size - 1) // 2
    sides = ((0, 0), (before, size - 1 - before), (0, 0), (0, 0))
    squares = np.pad(x.astype(np.float64) ** 2, sides)
    total = sum(squares[:, i : i + x.shape[1]] for i in range(size))
    return (x / (bias + alpha / size * total) ** beta).astype(np.float32)


@pytest.fixture(scope="module", params=[2, 0], ids=lambda level: f"O{level}")
def results(request, tmp_path_factory):
    nodes, inputs, constants, outputs = [], {}, [], []
    for c in CHANNELS:
        inputs[f"x{c}"] = image(c)
        constants.append(numpy_helper.from_array(np.ones((c, 1, 1, 1), np.float32), f"w{c}"))
        nodes.append(helper.make_node("Conv", [f"x{c}", f"w{c}"], [f"same{c}"], group=c))
        for name, (operator, attributes) in NODES.items():
            outputs.append(f"{name}_{c}")
            nodes.append(helper.make_node(operator, [f"same{c}"], [outputs[-1]], **attributes))
    graph = helper.make_graph(
        nodes,
        "channels_last",
        [helper.make_tensor_value_info(name, 1, x.shape) for name, x in inputs.items()],
        [helper.make_tensor_value_info(name, 1, None) for name in outputs],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    bundle = tmp_path_factory.mktemp("channels") / "bundle"
    compile_model(model.SerializeToString(), bundle, CompileOptions(level=request.param))
    with load_bundle(bundle) as session:
        return session.run(inputs)


@pytest.mark.exhaustive
@pytest.mark.parametrize("channels", CHANNELS)
@pytest.mark.parametrize("name", NODES)
def test_numbers(results, name, channels):
    operator, attributes = NODES[name]
    x = image(channels)
    with np.errstate(all="ignore"):
        if operator == "LRN":
            expected = lrn(x, **attributes)
        elif operator == "GlobalAveragePool":
            expected = x.mean((2, 3), keepdims=True)
        elif operator == "MaxPool":
            expected = windows(x, -np.inf, **attributes).max((-2, -1))
        else:
            count = windows(np.ones_like(x), 0, **attributes).sum((-2, -1))
            expected = windows(x, 0, **attributes).sum((-2, -1)) / count
    assert_close(results[f"{name}_{channels}"], expected)


def windows(x: np.ndarray, around: float, kernel_shape, strides=(1, 1), pads=(0, 0, 0, 0)):
    """Return the elements of each window, of ``x`` with a number around it."""
    low, high = pads[:2], pads[2:]
    sides = ((0, 0), (0, 0), (low[0], high[0]), (low[1], high[1]))
    wide = np.pad(x, sides, constant_values=around)
    found = np.lib.stride_tricks.sliding_window_view(wide, kernel_shape, (2, 3))
    return found[:, :, :: strides[0], :: strides[1]]
