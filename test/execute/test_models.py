"""Whole networks through the generated C, against reference runs, and how they are divided up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from PIL import Image
from shared_data import reference_run, shared, zoo_test_set
from small_models import residual_block, residual_network, upsampling_network

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "mnist"
LEVELS = pytest.mark.parametrize("level", range(4), ids=lambda level: f"O{level}")


@pytest.fixture(autouse=True)
def _quick_build(monkeypatch):
    """The driver does no work to speak of: compiling it without optimisation saves time."""
    monkeypatch.setenv("CFLAGS", "-O0")


def onnxruntime_outputs(model: bytes, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options)
    return session.run(None, inputs)


def check(model, inputs, expected, **options):
    """Compile a model, run it on inputs by name, compare outputs by name."""
    with autodeploy.compile(model, **options) as session:
        found = session.run(inputs)
    assert list(found) == list(expected)
    for name, numbers in expected.items():
        assert_close(found[name], numbers)
    return found


@LEVELS
def test_the_digits_of_the_example(level):
    path = EXAMPLE / "mnist.onnx"
    with autodeploy.compile(path, level=level) as session:
        (given,) = session.inputs
        for digit in range(10):
            with Image.open(EXAMPLE / "digits" / f"{digit}.png") as picture:
                pixels = np.asarray(picture.convert("L"), np.float32) / np.float32(255)
            inputs = {given.name: pixels.reshape(given.shape)}
            (logits,) = session.run(inputs).values()
            (expected,) = onnxruntime_outputs(path.read_bytes(), inputs)
            assert_close(logits, expected)
            assert logits.argmax() == digit


@LEVELS
def test_a_residual_network(level):
    model = residual_network().SerializeToString()
    x = np.random.default_rng(0).standard_normal((2, 3, 20, 18)).astype(np.float32)
    (expected,) = onnxruntime_outputs(model, {"x": x})
    with autodeploy.compile(model, level=level) as session:
        (found,) = session.run({"x": x}).values()
    assert_close(found, expected)


@pytest.mark.exhaustive
@LEVELS
@pytest.mark.parametrize("threads", [1, 2])
def test_a_network_that_scales_down_and_up(level, threads):
    model = upsampling_network().SerializeToString()
    x = np.random.default_rng(0).standard_normal((1, 3, 26, 22)).astype(np.float32)
    (expected,) = onnxruntime_outputs(model, {"x": x})
    with autodeploy.compile(model, level=level, threads=threads) as session:
        (found,) = session.run({"x": x}).values()
    tolerance = 1e-4 if level == 3 else 1e-5  # of probabilities; with Winograd convolutions
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


def test_mnist_of_the_model_zoo():
    with autodeploy.compile(shared("mnist/model.onnx")) as session:
        for number in range(3):
            image, expected = zoo_test_set(f"mnist/test_data_set_{number}")
            (found,) = session.run({"Input3": image}).values()
            assert_close(found, expected)


def test_published_logits_of_a_six():
    image = np.fromfile(shared("auto_deploy/input_6.bin"), np.float32).reshape(1, 1, 28, 28)
    with autodeploy.compile(shared("auto_deploy/mnist-8.onnx")) as session:
        (found,) = session.run({"Input3": image}).values()
    published = [2.797004, -12.441699, 0.206829, -3.550967, 0.014401,
                 5.138205, 17.518187, -16.953455, 2.517180, -5.376605]  # fmt: skip
    np.testing.assert_allclose(found, [published], rtol=0, atol=1e-4)
    assert found.argmax() == 6


@pytest.mark.exhaustive
def test_align_mnist():
    check(shared("tmfile/align_mnist.onnx"), *reference_run("tmfile/ref_align_mnist.npz"))


@pytest.mark.exhaustive
def test_super_resolution():
    model = shared("models/super_resolution/super-resolution-10.onnx")
    image, expected = zoo_test_set("models/super_resolution/test_data_set_0", "output_0.ort.pb")
    check(model, {"input": image}, {"output": expected}, shapes={"input": (1, 1, 224, 224)})


@pytest.mark.exhaustive
def test_efficientnet_lite0():
    model = shared("models/efficientnet_lite0/efficientnet_lite0_bn.onnx")
    found = check(model, *reference_run("models/efficientnet_lite0/ref_cat.npz"))
    assert found["output"].argmax() == 281  # tabby cat


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["RFB-320", "slim-320"])
def test_ultraface(name):
    model = shared(f"models/ultraface/version-{name}.onnx")
    check(model, *reference_run(f"models/ultraface/ref_{name}.npz"))


@pytest.mark.exhaustive
def test_ultraface_without_the_decoding_of_boxes():
    model = shared("models/ultraface/version-RFB-320_simplified.onnx")
    image, _ = reference_run("models/ultraface/ref_RFB-320.npz")
    outputs = onnxruntime_outputs(model.read_bytes(), image)
    check(model, image, dict(zip(("scores", "boxes"), outputs, strict=True)))


def test_mnist_takes_few_kernels_and_a_tight_arena(tmp_path):
    model = EXAMPLE / "mnist.onnx"
    manifest = compile_model(model, tmp_path / "bundle", CompileOptions()).manifest
    assert calls(tmp_path / "bundle", manifest) <= 7
    assert manifest.arena_lower_bound is not None
    assert manifest.arena_bytes <= 1.2 * manifest.arena_lower_bound


def test_a_residual_sum_with_its_relu_is_part_of_the_convolution(tmp_path):
    model = residual_block().SerializeToString()
    manifest = compile_model(model, tmp_path / "bundle", CompileOptions()).manifest
    # The copy lays the image out channels last, once.
    names = sorted(kernel.name.rstrip("_0123456789") for kernel in manifest.kernels)
    assert names == ["conv_add_relu", "copy", "reduce"]


def calls(bundle: Path, manifest: Manifest) -> int:
    """Count the kernel calls of a bundle's program."""
    return (bundle / f"{manifest.prefix}.mlir").read_text().count("driver.call ")
