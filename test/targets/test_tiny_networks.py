"""MLPerf Tiny's networks of 8-bit integers: exact codes here and on a board, in few bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from cross import TARGETS, NotHereError, build
from exact_codes import exact_codes
from onnx import ModelProto, save
from shared_data import shared
from tflite_converter import onnx_of_tflite

import autodeploy


@dataclass(frozen=True)
class Network:
    """A file, and the bytes of arena that its program needs at most.

    These are those of the images that are alive at once, which hold a byte an element.
    """

    file: str
    arena: int


NETWORKS = {
    "keywords": Network("kws_ref_model.tflite", 2 * 8000),
    "pictures": Network("pretrainedResnet_quant.tflite", 3 * 16384 + 4096),
    "persons": Network("vww_96_int8.tflite", 48 * 48 * 24),
}


def network(name: str) -> tuple[ModelProto, Path]:
    path = shared(f"models/mlperf_tiny/{NETWORKS[name].file}")
    return onnx_of_tflite(path), path


def codes(model: ModelProto) -> dict[str, np.ndarray]:
    """Return an input of all codes."""
    (given,) = model.graph.input
    shape = [axis.dim_value for axis in given.type.tensor_type.shape.dim]
    return {given.name: np.random.default_rng(1).integers(-128, 128, shape).astype(np.int8)}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NETWORKS)
def test_codes_of_tiny_networks_are_exact(name: str):
    """onnxruntime, which sums floats here, may be a step off."""
    model, _ = network(name)
    given = codes(model)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    floats = onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, given)
    with autodeploy.compile(model) as session:
        found = list(session.run(given).values())
    assert np.array_equal(found, exact_codes(model, given))
    assert np.abs(np.subtract(found, floats, dtype=int)).max() <= 1


@pytest.mark.parametrize("name", NETWORKS)
def test_tiny_networks_run_on_a_board_in_few_bytes(name: str, tmp_path: Path):
    model, path = network(name)
    save(model, tmp_path / "model.onnx")
    try:
        built = build(TARGETS["cortex-m7"], tmp_path / "model.onnx", tmp_path)
    except NotHereError as missing:
        pytest.skip(str(missing))
    given = codes(model)
    found = list(built.run(given).values())
    assert np.array_equal(found, exact_codes(model, given))
    assert built.manifest.weights.bytes <= path.stat().st_size
    assert built.manifest.arena_bytes <= NETWORKS[name].arena
