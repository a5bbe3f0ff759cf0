"""Channel shuffles that are moved, merged and looked for: results are those of the shuffled image.

Channels of a group are odd in number here and not there, and a multiple of the groups or not.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from guarded_kernels import bundle_faults
from node_network import RANDOM, Network, with_shapes

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle


def units(groups: int, each: int) -> Network:
    """Two units of ShuffleNet with so many groups of so many channels: one adds, one appends."""
    channels, shape = groups * each, (2, groups * each, 7, 9)
    net = Network(x=shape)
    conv = partial(net.conv, channels=channels, outputs=channels, group=groups)

    def branch(x: str, stride: int) -> str:
        shuffled = net.shuffle(conv(x), shape, (groups, each), 1, 0)
        deep = net.conv(shuffled, channels, channels, 3, group=channels, stride=stride)
        return conv(deep)

    added = net.add("Relu", net.add("Add", branch("x", 1), "x"))
    pooled = net.add("AveragePool", added, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    net.outputs = [net.add("Concat", branch(added, 2), pooled, axis=1)]
    return net


def pools() -> Network:
    """Behind pools, activations and normalisations a matrix product takes the shuffle in."""
    net = Network(x=(2, 15, 9, 8))
    shuffled = net.shuffle(net.conv("x", 15, 15), (2, 15, 9, 8), (3, 5), 1, 0)
    largest = net.add("MaxPool", shuffled, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
    parameters = (net.constant(RANDOM.random(15, np.float32) + 1) for _ in range(4))
    slopes = net.constant(RANDOM.standard_normal((15, 1, 1)).astype(np.float32))
    bent = net.add("PRelu", net.add("BatchNormalization", largest, *parameters), slopes)
    mean = net.add("Flatten", net.add("GlobalAveragePool", bent))
    weights = net.constant(RANDOM.standard_normal((15, 4)).astype(np.float32))
    flat = net.add("Flatten", net.add("AveragePool", bent, kernel_shape=[5, 4], strides=[5, 4]))
    more = net.constant(RANDOM.standard_normal((30, 3)).astype(np.float32))
    net.outputs = [net.add("MatMul", mean, weights), net.add("MatMul", flat, more)]
    return net


def three_factors() -> Network:
    """In front of convolutions over all channels, and of one in groups with a window."""
    net, shape = Network(x=(1, 24, 6, 5)), (1, 24, 6, 5)
    for factors, order in (((2, 3, 4), (2, 0, 1)), ((4, 3, 2), (2, 1, 0)), ((2, 6, 2), (1, 0, 2))):
        shuffled = net.shuffle(net.conv("x", 24, 24), shape, factors, *order)
        net.outputs += [
            net.conv(shuffled, 24, 5, 3),
            net.conv(shuffled, 24, 20, 3, group=4, pad=0, stride=2),
        ]
    return net


def meeting() -> Network:
    """Two that cancel behind one another, two that become one, two that cannot."""
    net, shape = Network(x=(2, 12, 4, 7)), (2, 12, 4, 7)
    for first, second in (((3, 4), (4, 3)), ((3, 4), (2, 6)), ((3, 4), (3, 4))):
        shuffled = net.shuffle(net.conv("x", 12, 12), shape, first, 1, 0)
        deep = net.conv(shuffled, 12, 12, 3, group=12)
        net.outputs.append(net.add("Sin", net.shuffle(deep, shape, second, 1, 0)))
    return net


def staying() -> Network:
    """Readers that need the shuffled image, alone and beside one that does not."""
    net, shape = Network(x=(1, 12, 7, 5)), (1, 12, 7, 5)
    padded = net.shuffle(net.conv("x", 12, 12), shape, (3, 4), 1, 0)
    several = net.shuffle(net.conv("x", 12, 12), shape, (4, 3), 1, 0)
    added = net.add("Add", net.shuffle(net.conv("x", 12, 12), shape, (3, 4), 1, 0), "x")
    net.outputs = [
        net.conv(padded, 12, 18, 3, group=3),
        net.conv(several, 12, 8, group=2),
        net.add("Softmax", several, axis=1),
        net.conv(added, 12, 6),
        net.conv(net.conv(several, 12, 24, 3, group=12), 24, 8, group=4),
    ]
    return net


def other_ranks() -> Network:
    """Lines and solids, with a window in groups, and a depthwise one with two outputs a channel."""
    net = Network(line=(2, 12, 19), solid=(1, 12, 3, 5, 4))
    for name, places in (("line", (19,)), ("solid", (3, 5, 4))):

        def conv(
            x: str, channels: int, outputs: int, window: int, group: int, rank: int = len(places)
        ) -> str:
            shape = (outputs, channels // group, *((window,) * rank))
            weights = net.constant(RANDOM.standard_normal(shape).astype(np.float32))
            return net.add("Conv", x, weights, group=group)

        batch = net.inputs[name].shape[0]
        shuffled = net.shuffle(conv(name, 12, 12, 1, 3), (batch, 12, *places), (3, 4), 1, 0)
        wide = conv(shuffled, 12, 24, 2, 12)
        net.outputs += [
            conv(wide, 24, 9, 2, 3),
            conv(shuffled, 12, 8, 3, 4),
            conv(wide, 24, 5, 1, 1),
        ]
    return net


NETWORKS = {
    **{
        f"units-{groups}x{each}": partial(units, groups, each)
        for groups, each in ((2, 3), (2, 16), (3, 7), (3, 20), (4, 17), (4, 8), (8, 5), (8, 24))
    },
    **{make.__name__: make for make in (pools, three_factors, meeting, staying, other_ranks)},
}


@pytest.fixture(scope="module", params=NETWORKS)
def network(request: pytest.FixtureRequest) -> Network:
    return NETWORKS[request.param]()


def expected_of(net: Network) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(net.model(), options).run(net.outputs, net.inputs)


def bundle_of(net: Network, folder: Path, options: CompileOptions) -> Path:
    compile_model(with_shapes(net.model(), expected_of(net)), folder, options)
    return folder


@pytest.mark.parametrize(("level", "threads"), [(2, 1), (3, 2)])
def test_results(network: Network, level: int, threads: int, tmp_path: Path):
    bundle = bundle_of(network, tmp_path / "b", CompileOptions(level=level, threads=threads))
    with load_bundle(bundle, threads=threads) as session:
        found = session.run(network.inputs)
    for name, want in zip(network.outputs, expected_of(network), strict=True):
        assert_close(found[name], want)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("needs_objects")
@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")
def test_kernels_stay_within_their_buffers(network: Network, tmp_path: Path):
    bundle = bundle_of(network, tmp_path / "b", CompileOptions())
    assert bundle_faults(bundle) == {}


def test_units_copy_nothing(tmp_path: Path):
    net = units(4, 17)
    manifest = Manifest.load(bundle_of(net, tmp_path / "b", CompileOptions()))
    copies = [kernel.name for kernel in manifest.kernels if kernel.algorithm == "copy"]
    # The input and the output lie as ONNX says: these two are turned round.
    assert len(copies) == 2


@pytest.mark.exhaustive
def test_special_numbers_stay_in_their_channels(tmp_path: Path):
    net = units(3, 4)
    net.inputs["x"][0, 5, 2, 3], net.inputs["x"][1, 7, 0, 0] = np.nan, np.inf
    with load_bundle(bundle_of(net, tmp_path / "b", CompileOptions())) as session:
        found = session.run(net.inputs)
    for name, want in zip(net.outputs, expected_of(net), strict=True):
        assert np.isnan(want).any() and not np.isnan(want).all()
        assert_close(found[name], want)
