"""Concats, slices and transposes that are places in memory, through the C program at every level.

Sizes are odd, so that parts start at addresses that no vector is aligned to, and rows end in the
middle of one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from node_network import RANDOM, Network, with_shapes

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.pipelines import LEVELS
from autodeploy.toolchain.session import load_bundle


def dense_block() -> Network:
    """Every step appends its channels to all channels so far, and reads all of them."""
    net = Network(x=(1, 3, 9, 7))
    channels, values = 5, net.conv("x", 3, 5, 3)
    for grows in (3, 16, 7, 1):
        new = net.conv(net.conv(values, channels, 8), 8, grows, 3)
        values = net.add("Concat", values, new, axis=1)
        channels += grows
    pooled = net.add("AveragePool", values, kernel_shape=[2, 2], strides=[2, 2])
    net.outputs = [pooled, values]
    return net


def inception() -> Network:
    """Branches of several kinds of kernels; a batch of two; sizes that are aligned and not."""
    net = Network(x=(2, 16, 6, 5))
    branches = [
        net.conv("x", 16, 16),
        net.conv(net.conv("x", 16, 7), 7, 9, 3),
        net.conv("x", 16, 16, 3, group=16),
        net.add("MaxPool", "x", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        net.add("Exp", "x"),
        net.add("Softmax", "x", axis=1),
    ]
    net.outputs = [net.conv(net.add("Concat", *branches, axis=1), 89, 6)]
    return net


def parts_that_stay() -> Network:
    """An input, a constant, a value twice, an output, and values of two concats."""
    net = Network(x=(1, 4, 3, 5), y=(1, 4, 3, 5))
    a, b = net.conv("x", 4, 6), net.conv("y", 4, 6)
    constant = net.constant(RANDOM.standard_normal((1, 2, 3, 5)).astype(np.float32))
    net.outputs = [
        a,
        net.add("Concat", "x", b, constant, axis=1),
        net.add("Concat", b, b, a, axis=1),
        net.add("Relu", net.add("Concat", a, b, axis=1)),
        net.add("Abs", net.add("Concat", b, a, axis=1)),
        net.add("Neg", net.add("Concat", b, net.add("Sin", a), b, axis=2)),
        net.add("Concat", net.add("Cos", a), net.add("Cos", b), axis=0),
        net.add("Concat", net.add("Exp", a), net.add("Tanh", b), axis=3),
    ]
    return net


def slices() -> Network:
    """Parts along all axes, with steps, of values, inputs and parts; one is an output."""
    net = Network(x=(2, 12, 7, 6))
    a = net.conv("x", 12, 12)
    halves = [net.slice(a, 0, 5, 1), net.slice(a, 5, 12, 1)]
    rows = net.slice(net.slice(a, 1, 6, 2), 0, 6, 3, 2)
    back = net.slice(a, -1, -8, 1, -2)
    net.outputs = [
        net.add("Concat", net.conv(halves[1], 7, 4), halves[0], axis=1),
        net.add("Relu", rows),
        net.add("Relu", back),
        net.add("Add", net.slice("x", 2, 4, 1), net.slice(a, 3, 5, 1)),
        net.slice(a, 1, 2, 0),
        net.add("Reshape", net.slice(a, 2, 9, 1), net.shape(2, -1)),
    ]
    return net


def heads() -> Network:
    """Attention: rows are split into heads, which are merged again."""
    net = Network(x=(2, 9, 15), y=(2, 9, 15))

    def split(x: str, *order: int) -> str:
        weights = net.constant(RANDOM.standard_normal((15, 15)).astype(np.float32) / 15)
        apart = net.add("Reshape", net.add("MatMul", x, weights), net.shape(2, 9, 3, 5))
        return net.add("Transpose", apart, perm=order)

    scores = net.add("MatMul", split("x", 0, 2, 1, 3), split("y", 0, 2, 3, 1))
    mixed = net.add("MatMul", net.add("Softmax", scores, axis=-1), split("y", 0, 2, 1, 3))
    merged = net.add("Reshape", net.add("Transpose", mixed, perm=[0, 2, 1, 3]), net.shape(2, 9, 15))
    net.outputs = [net.add("Add", merged, "x"), mixed]
    return net


def transposes() -> Network:
    """Shapes that are multiples of vectors, less than one, and in between, in all orders."""
    net = Network(
        a=(33, 20),
        b=(3, 37),
        c=(37, 3),
        d=(16, 32),
        e=(2, 3, 17, 5),
        f=(1, 1),
        g=(130, 70),
        h=(197, 1152),
    )
    turned = [net.add("Transpose", name, perm=[1, 0]) for name in "abcdfg"]
    orders = [(0, 2, 3, 1), (3, 2, 1, 0), (1, 0, 2, 3), (2, 0, 3, 1)]
    turned += [net.add("Transpose", "e", perm=order) for order in orders]
    # Rows that share sets of a cache: neither extent is a multiple of a vector.
    turned.append(net.add("Transpose", net.slice("h", 3, 384, 1), perm=[1, 0]))
    net.outputs = [*turned, *(net.add("Neg", name) for name in turned)]
    return net


def scaled_rows() -> Network:
    """Rows of channels are turned, scaled channel by channel, and turned back: as in ConvNeXt."""
    net = Network(x=(2, 5, 7, 9), y=(2, 5, 7, 19), z=(2, 19, 5, 7))

    def numbers(*shape: int) -> str:
        return net.constant(RANDOM.standard_normal(shape).astype(np.float32))

    rows = net.add("MatMul", "x", numbers(9, 19))
    scaled = net.add("Mul", net.add("Transpose", rows, perm=[0, 3, 1, 2]), numbers(19, 1, 1))
    back = net.add("Transpose", scaled, perm=[0, 2, 3, 1])
    net.outputs = [net.add("Add", back, "y")]
    return net


def sunk() -> Network:
    """Transposes with pointwise ops behind them: with factors of all kinds, of two, of others."""
    net = scaled_rows()
    turned = [net.add("Transpose", net.add("Exp", "y"), perm=[0, 3, 1, 2]) for _ in range(7)]
    per_place = net.constant(RANDOM.standard_normal((5, 7)).astype(np.float32))
    per_image = net.constant(RANDOM.standard_normal((2, 1, 1, 1)).astype(np.float32))
    net.outputs += [
        net.add("Sub", per_place, turned[0]),
        net.add("Max", turned[1], per_image),
        net.add("Add", turned[2], turned[3]),
        net.add("Add", turned[4], "z"),
        net.add("Mul", turned[5], turned[5]),
        net.add("Softmax", net.add("Sigmoid", turned[6]), axis=1),
    ]
    return net


def shuffles() -> Network:
    """Channels are shuffled between groups, as many as divide vectors and as do not."""
    net = Network(x=(2, 12, 5, 7))
    wide = net.conv("x", 12, 68)
    for value, groups, channels in (("x", 3, 12), (net.conv("x", 12, 12), 4, 12), (wide, 4, 68)):
        factors = (groups, channels // groups)
        shuffled = net.shuffle(value, (2, channels, 5, 7), factors, 1, 0)
        net.outputs.append(net.conv(shuffled, channels, channels, 3, group=channels))
    return net


NETWORKS = {
    make.__name__: make
    for make in (
        dense_block,
        inception,
        parts_that_stay,
        slices,
        heads,
        transposes,
        scaled_rows,
        sunk,
        shuffles,
    )
}


def expected_of(net: Network) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(net.model(), options).run(net.outputs, net.inputs)


@pytest.mark.parametrize("name", NETWORKS)
def test_movements(name: str, tmp_path: Path):
    net = NETWORKS[name]()
    expected = expected_of(net)
    for level in LEVELS:
        bundle = tmp_path / f"O{level}"
        compile_model(with_shapes(net.model(), expected), bundle, CompileOptions(level=level))
        found = load_bundle(bundle).run(net.inputs)
        for output, want in zip(net.outputs, expected, strict=True):
            assert_close(found[output], want)


def test_scaled_rows_copy_nothing(tmp_path: Path):
    net = scaled_rows()
    model = with_shapes(net.model(), expected_of(net))
    compile_model(model, tmp_path / "b", CompileOptions(level=2))
    (kernel,) = Manifest.load(tmp_path / "b").kernels
    assert kernel.algorithm == "gemm"
