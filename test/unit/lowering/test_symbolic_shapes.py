"""Extents of all tensors beside symbolic shapes of another project, for several numbers."""

from __future__ import annotations

import onnx
import pytest
from open_decoders import gpt2, llama
from shared_data import shared
from symbolic_shapes import agreement, of_any_batch, with_inputs

DECODER = {"past_sequence_length": (0, 9), "sequence_length": (1, 5)}
BATCH = {"n": (1, 4)}


@pytest.mark.parametrize(
    ("make", "dynamic", "dims", "least"),
    [
        (llama, DECODER, {"batch_size": 1}, 400),
        (gpt2, DECODER, {"batch_size": 1}, 200),
    ],
)
def test_own_graphs(make, dynamic, dims, least):
    found = agreement(make(), dynamic, dims)
    assert not found.different
    assert found.compared > least


MODELS = {
    "models/yunet/yunet_n_dynamic.onnx": (
        {"input": (1, 3, "h", "w")}, {"h": (64, 320, 32), "w": (64, 320, 32)}, 150
    ),
    "models/rapidocr/ch_PP-OCRv4_rec_infer.onnx": (
        {"x": (1, 3, 48, "w")}, {"w": (64, 640, 8)}, 1500
    ),
    "models/rapidocr/ch_ppocr_mobile_v2.0_cls_infer.onnx": (
        {"x": ("n", 3, 48, 192)}, BATCH, 1000
    ),
    "models/silero-vad/silero_vad/data/silero_vad_16k_sequence.onnx": (
        {"input": ("n", 576)}, BATCH, 20
    ),
}  # fmt: skip
# The file of the vision transformer joins a token of a batch of 1.
ZOO = ("unet128", "convnext_t", "regnety", "resnext50", "bert4_384", "effnet_b0")


@pytest.mark.parametrize("path", MODELS)
def test_models_with_open_inputs(path):
    shapes, dynamic, least = MODELS[path]
    found = agreement(with_inputs(onnx.load(shared(path)), **shapes), dynamic, {})
    assert not found.different
    assert found.compared > least


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ZOO)
def test_a_batch_of_networks(name):
    model = of_any_batch(onnx.load(shared(f"zoo/{name}.onnx")))
    found = agreement(with_inputs(model, x=("n",)), BATCH, {})
    assert not found.different
    assert found.compared > 100
