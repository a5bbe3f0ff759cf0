"""Networks as people use them, against onnxruntime and reference runs.

They are here for their operators: resampling (YuNet, YOLOX), normalisation across channels
(Inception), squeeze and excitation (the text direction classifier), attention, lookups and layer
normalisation (the encoder).
"""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from encoder_model import TOKENS, VOCABULARY, encoder
from light_models import light_model
from shared_data import reference_run, shared

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model


@pytest.fixture(autouse=True)
def _quick_build(monkeypatch):
    """The driver does no work to speak of: compiling it without optimisation saves time."""
    monkeypatch.setenv("CFLAGS", "-O0")


def check_against_onnxruntime(model: bytes, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    expected = onnxruntime.InferenceSession(model, options).run(None, inputs)
    with autodeploy.compile(model) as session:
        found = session.run(inputs)
    for ours, theirs in zip(found.values(), expected, strict=True):
        assert_close(ours, theirs)


def run(model, inputs, **options):
    with autodeploy.compile(model, **options) as session:
        return session.run(inputs)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["squeezenet", "inception_v1"])
def test_zoo_networks_with_random_weights(name):
    image = np.random.default_rng(1).standard_normal((1, 3, 224, 224)).astype(np.float32)
    check_against_onnxruntime(light_model(name).SerializeToString(), {"data_0": image})


@pytest.mark.exhaustive
@pytest.mark.parametrize("in_parts", [False, True], ids=["operators", "in_parts"])
def test_encoder(in_parts):
    ids = np.random.default_rng(1).integers(0, VOCABULARY, (1, TOKENS))
    check_against_onnxruntime(encoder(in_parts).SerializeToString(), {"ids": ids})


@pytest.mark.exhaustive
def test_an_encoder_in_parts_becomes_the_same_kernels(tmp_path):
    names = []
    for in_parts in (False, True):
        folder = tmp_path / str(in_parts)
        options = CompileOptions()
        manifest = compile_model(encoder(in_parts).SerializeToString(), folder, options).manifest
        names.append(sorted(kernel.name for kernel in manifest.kernels))
    assert names[0] == names[1]
    assert any("layer_norm" in name for name in names[0])
    assert any("gelu" in name for name in names[0])


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", ["yunet_n_320_320.onnx", "yunet_n_dynamic.onnx"])
def test_yunet(model):
    """Its scores are compared as parts of 1: onnxruntime's small sigmoids are not exact."""
    inputs, expected = reference_run("models/yunet/ref_yunet_n_320.npz")
    shapes = {name: array.shape for name, array in inputs.items()}
    found = run(shared(f"models/yunet/{model}"), inputs, shapes=shapes)
    assert list(found) == list(expected)
    for name, numbers in expected.items():
        scale = max(1, np.abs(numbers).max())
        np.testing.assert_allclose(found[name], numbers, rtol=0, atol=1e-5 * scale)


@pytest.mark.exhaustive
def test_text_direction():
    inputs, expected = reference_run("models/rapidocr/ref_cls_48x192.npz")
    model = shared("models/rapidocr/ch_ppocr_mobile_v2.0_cls_infer.onnx")
    found = run(model, inputs, shapes={"x": (1, 3, 48, 192)})
    for ours, theirs in zip(found.values(), expected.values(), strict=True):
        assert_close(ours, theirs)


@pytest.mark.exhaustive
def test_text_of_any_width():
    """Attention over the columns, behind convolutions that halve the width three times."""
    model = shared("models/rapidocr/ch_PP-OCRv4_rec_infer.onnx")
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    dynamic = {"x:3": (64, 320, 8)}
    random = np.random.default_rng(0)
    with autodeploy.compile(model, shapes={"x": (1, 3, 48, 320)}, dynamic=dynamic) as program:
        for width in (320, 64, 72, 104, 312):
            image = random.standard_normal((1, 3, 48, width)).astype(np.float32)
            (found,) = program.run(image).values()
            (right,) = session.run(None, {"x": image})
            assert found.shape == right.shape == (1, width // 8, 6625)
            assert_close(found, right)


@pytest.mark.exhaustive
def test_yolox():
    """Its 113 convolutions magnify rounding: single precision is 3e-5 from double in any order."""
    inputs, expected = reference_run("tmfile/ref_yolox_nano_relu_withoutf.npz")
    found = run(shared("tmfile/yolox_nano_relu_s_withoutf.onnx"), inputs)
    for ours, theirs in zip(found.values(), expected.values(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-4 * np.abs(theirs).max())
