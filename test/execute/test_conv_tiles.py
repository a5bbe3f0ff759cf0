"""Convolutions whose tiles do not fit: channels that are not whole vectors, groups, odd extents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from closeness import assert_close
from many_shapes import found_and_expected, network_of
from onnx import helper, numpy_helper
from own_numbers import OwnNumbers

pytestmark = pytest.mark.xdist_group("conv_tiles")
"""All tests share what one worker has compiled."""

RNG = OwnNumbers(11)

SHAPES = {
    # name: input channels, output channels, groups, window, stride, pad, height, width
    "one_output": (5, 1, 1, 3, 1, 1, 6, 7),
    "three_outputs": (8, 3, 1, 3, 1, 1, 9, 5),
    "seven_outputs": (2, 7, 1, 5, 2, 2, 11, 13),
    "half_a_tile": (3, 24, 1, 3, 2, 1, 17, 19),
    "planes": (3, 32, 1, 3, 2, 1, 18, 33),
    "planes_without_pads": (4, 16, 1, 2, 1, 0, 7, 18),
    "vector_and_a_half": (16, 40, 1, 3, 1, 0, 6, 6),
    "overlapping_tiles": (16, 208, 1, 3, 1, 1, 5, 9),
    "prime_outputs": (4, 97, 1, 3, 1, 1, 4, 15),
    "two_pixels_of_a_vector": (1, 8, 1, 5, 1, 2, 11, 28),
    "tiles_of_pixels_that_overlap": (1, 8, 1, 3, 1, 0, 6, 37),
    "four_pixels_of_a_vector": (1, 4, 1, 3, 1, 0, 6, 35),
    "eight_pixels_of_a_vector": (1, 2, 1, 2, 1, 1, 5, 40),
    "vectors_of_pixels": (1, 1, 1, 3, 1, 1, 9, 33),
    "rows_of_fewer_pixels": (1, 4, 1, 3, 1, 1, 7, 5),
    "one_pixel": (6, 10, 1, 3, 1, 1, 1, 1),
    "groups_of_17": (34, 34, 2, 1, 1, 0, 7, 7),
    "groups_of_34": (136, 136, 4, 1, 1, 0, 5, 28),
    "groups_in_two_parts": (24, 272, 2, 1, 1, 0, 3, 7),
    "groups_of_whole_tiles": (12, 64, 2, 5, 1, 2, 10, 13),
    "groups_of_overlapping_tiles": (6, 224, 2, 3, 2, 1, 9, 9),
    "groups_of_one_output": (12, 4, 4, 3, 1, 1, 6, 6),
    "groups_of_two_outputs": (4, 8, 4, 3, 1, 1, 6, 6),
    "groups_of_a_prime": (4, 194, 2, 1, 2, 0, 6, 6),
    "groups_of_4": (64, 64, 16, 3, 1, 1, 9, 11),
    "groups_of_4_in_halves_of_vectors": (24, 24, 6, 3, 2, 1, 8, 9),
    "groups_of_4_in_bands": (128, 128, 32, 3, 2, 1, 61, 35),
    "groups_of_4_without_pads": (64, 64, 16, 2, 1, 0, 5, 8),
    "groups_of_5": (80, 80, 16, 3, 1, 1, 6, 5),
    "groups_of_8": (96, 96, 12, 5, 2, 2, 7, 12),
    "groups_of_8_without_a_window": (64, 64, 8, 1, 1, 0, 6, 17),
    "groups_of_2_to_4": (32, 64, 16, 3, 1, 1, 4, 18),
    "groups_of_12_to_8": (48, 32, 4, 3, 1, 1, 7, 5),
    "groups_of_16": (64, 64, 4, 3, 2, 1, 15, 13),
    "groups_of_16_in_bands": (256, 256, 16, 3, 1, 1, 23, 31),
    "groups_of_24": (96, 96, 4, 3, 1, 1, 7, 7),
    "groups_of_32_of_one_pixel": (64, 64, 2, 3, 1, 1, 1, 1),
}


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def model() -> tuple[bytes, dict[str, np.ndarray]]:
    """Return a model of all shapes, each with a bias, an addition and a relu, and its inputs."""
    nodes, weights, inputs, outputs = [], [], {}, []
    for name, (channels, out, groups, window, stride, pad, height, width) in SHAPES.items():
        inputs[name] = normal(1, channels, height, width)
        places = [(extent + 2 * pad - window) // stride + 1 for extent in (height, width)]
        inputs[f"{name}_more"] = normal(1, out, *places)
        weights += [
            numpy_helper.from_array(normal(out, channels // groups, window, window), f"{name}_w"),
            numpy_helper.from_array(normal(out), f"{name}_b"),
        ]
        nodes += [
            helper.make_node(
                "Conv",
                [name, f"{name}_w", f"{name}_b"],
                [f"{name}_sum"],
                group=groups,
                strides=[stride] * 2,
                pads=[pad] * 4,
            ),
            helper.make_node("Add", [f"{name}_sum", f"{name}_more"], [f"{name}_added"]),
            helper.make_node("Relu", [f"{name}_added"], [f"{name}_out"]),
        ]
        outputs.append(f"{name}_out")
    return network_of(nodes, weights, inputs, outputs), inputs


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
