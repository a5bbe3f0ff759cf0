"""Transposed convolutions of all kinds of strides, windows and rows, against onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from closeness import assert_close
from many_shapes import found_and_expected, network_of
from onnx import helper, numpy_helper
from own_numbers import OwnNumbers

pytestmark = pytest.mark.xdist_group("transposed_tiles")
"""All tests share what one worker has compiled."""

RNG = OwnNumbers(7)

SHAPES = {
    # name: input channels, output channels, window, stride, dilation, pad, height, width
    "stride_2": (8, 32, 2, 2, 1, 0, 3, 16),
    "rows_of_an_odd_number": (8, 16, 3, 2, 1, 1, 3, 13),
    "pads_of_one": (8, 24, 4, 2, 1, 1, 3, 11),
    "window_of_5": (4, 8, 5, 2, 1, 2, 4, 9),
    "stride_3": (8, 40, 3, 3, 1, 0, 2, 7),
    "stride_3_window_of_4": (4, 16, 4, 3, 1, 1, 3, 6),
    "stride_4": (8, 64, 4, 4, 1, 0, 2, 5),
    "longest_stride": (4, 16, 9, 9, 1, 0, 2, 3),
    "window_less_than_stride": (4, 16, 1, 2, 1, 0, 3, 8),
    "dilated": (4, 16, 2, 2, 2, 0, 3, 8),
    "three_outputs": (8, 3, 2, 2, 1, 0, 3, 16),
    "one_pixel": (8, 16, 2, 2, 1, 0, 1, 1),
}


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def model() -> tuple[bytes, dict[str, np.ndarray]]:
    """Return a model of all shapes, each between pointwise ops, and its inputs."""
    nodes, weights, inputs = [], [], {}
    for name, (channels, out, window, stride, dilation, pad, height, width) in SHAPES.items():
        inputs[name] = normal(1, channels, height, width)
        weights += [
            numpy_helper.from_array(normal(channels, out, window, window), f"{name}_w"),
            numpy_helper.from_array(normal(out), f"{name}_b"),
        ]
        nodes += [
            helper.make_node(
                "ConvTranspose",
                [name, f"{name}_w", f"{name}_b"],
                [f"{name}_sum"],
                strides=[stride] * 2,
                dilations=[dilation] * 2,
                pads=[pad] * 4,
            ),
            helper.make_node("Relu", [f"{name}_sum"], [f"{name}_out"]),
        ]
    return network_of(nodes, weights, inputs, [f"{name}_out" for name in SHAPES]), inputs


@pytest.fixture(scope="module", params=[1, 2], ids=["one_thread", "two_threads"])
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return what is found and what is right, by the name of the shape."""
    made, inputs = model()
    folder: Path = tmp_path_factory.mktemp("tiles") / "bundle"
    return found_and_expected(SHAPES, made, inputs, folder, request.param)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SHAPES)
def test_sums_are_right(name, results):
    found, expected = results[name]
    assert_close(found, expected)
