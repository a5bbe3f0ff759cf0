"""Quantised convolutions and products: their codes are those of integer sums, on every machine.

A sum is exact, and on its way to a code it is scaled and rounded once, in 32-bit floats, as
onnxruntime does it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import tile_registers
from device_programs import device_text, shared, start
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper, numpy_helper
from opencl import needs_opencl, opencl_library
from ptxas import assembled, ptxas

import autodeploy
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import run_make

Array = np.ndarray

DRIVER = pytest.mark.xdist_group("device-cuda")


@dataclass(frozen=True)
class Layer:
    """A convolution (with a window) or a product of codes, with its scales and zero points."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    stride: int = 1
    pad: int = 0
    dilation: int = 1
    group: int = 1
    codes: type[np.integer] = np.uint8
    weights: type[np.integer] = np.int8
    per_channel: bool = True
    bias: bool = True
    floats: bool = False
    """Whether the bias is one of floats, near the numbers of its codes."""
    relu: bool = False

    @property
    def is_conv(self) -> bool:
        return len(self.w) > 2

    @property
    def outputs(self) -> int:
        return self.w[0] if self.is_conv else self.w[1]


LAYERS = {
    "window": Layer((2, 16, 9, 11), (48, 16, 3, 3), pad=1),
    "stride": Layer((1, 8, 14, 13), (24, 8, 5, 3), stride=2, pad=2),
    "image": Layer((1, 3, 33, 20), (32, 3, 7, 7), stride=2, pad=3),
    "plane": Layer((1, 1, 12, 12), (16, 1, 3, 3), pad=1),
    "pixels": Layer((1, 30, 5, 7), (10, 30, 1, 1)),
    "one dot": Layer((1, 4, 2, 17), (3, 4, 1, 1)),
    "flat": Layer((1, 64, 5, 7), (160, 64, 1, 1)),
    "row": Layer((1, 12, 1, 40), (20, 12, 1, 5), pad=0),
    "line": Layer((1, 12, 40), (20, 12, 3), pad=1, stride=2),
    "apart": Layer((1, 8, 15, 15), (16, 8, 3, 3), dilation=3, pad=3),
    "groups": Layer((1, 24, 8, 8), (36, 8, 3, 3), group=3, pad=1),
    "depthwise": Layer((1, 20, 9, 9), (20, 1, 3, 3), group=20, pad=1),
    "signed": Layer((1, 16, 8, 8), (32, 16, 3, 3), pad=1, codes=np.int8),
    "signed image": Layer((1, 3, 10, 10), (8, 3, 3, 3), pad=1, codes=np.int8),
    "unsigned weights": Layer((1, 16, 8, 8), (32, 16, 3, 3), pad=1, weights=np.uint8),
    "both": Layer((1, 8, 6, 6), (8, 8, 3, 3), codes=np.int8, weights=np.uint8, pad=1),
    "relu": Layer((1, 16, 7, 7), (16, 16, 3, 3), pad=1, relu=True),
    "bias of floats": Layer((1, 16, 7, 7), (16, 16, 3, 3), pad=1, floats=True),
    "bias of floats, relu": Layer((1, 8, 7, 7), (16, 8, 1, 1), floats=True, relu=True),
    "rows, bias of floats": Layer((9, 32), (32, 20), floats=True, per_channel=False),
    "no bias": Layer((1, 4, 6, 6), (64, 4, 2, 2), per_channel=False, bias=False),
    "rows": Layer((19, 64), (64, 100)),
    "one row": Layer((1, 128), (128, 200)),
    "stack": Layer((3, 17, 32), (32, 40)),
    "odd": Layer((7, 30), (30, 50)),
    "tiles of rows": Layer((49, 96), (96, 300)),
    "tiles filled up": Layer((16, 24), (24, 72)),
    "small": Layer((1, 4), (4, 3)),
    "tiles of pixels": Layer((1, 64, 5, 18), (72, 64, 3, 3), pad=1),
    "tiles of pixels, stride": Layer((2, 32, 9, 33), (40, 32, 3, 3), pad=1, stride=2),
    "tiles of pixels, apart": Layer((1, 16, 20, 14), (16, 16, 3, 2), dilation=3, pad=3),
    "tiles of a line": Layer((1, 36, 40), (24, 36, 5), pad=2, codes=np.int8),
    "tiles of few pixels": Layer((1, 192, 3, 7), (130, 192, 2, 1), relu=True),
    "signed rows": Layer((12, 36), (36, 16), codes=np.int8),
    "unsigned rows": Layer((12, 36), (36, 24), weights=np.uint8, per_channel=False),
}


@dataclass(frozen=True)
class Numbers:
    """The numbers of a layer: the largest codes of both kinds are among them."""

    x: Array
    x_scale: Array
    x_zero: Array
    w: Array
    w_scale: Array
    w_zero: Array
    bias: Array
    y_scale: Array
    y_zero: Array


def numbers(layer: Layer) -> Numbers:
    draw = np.random.default_rng(len(str(layer)))
    codes, weights = np.iinfo(layer.codes), np.iinfo(layer.weights)
    several = layer.per_channel and layer.weights is np.int8
    scales = draw.uniform(0.001, 0.01, layer.outputs if several else ()).astype(np.float32)
    w = draw.integers(weights.min, weights.max + 1, layer.w).astype(layer.weights)
    zero = 0 if layer.weights is np.int8 else draw.integers(100, 200)
    x = draw.normal(size=layer.x).astype(np.float32)
    x.flat[:2] = -1e30, 1e30
    return Numbers(
        x,
        np.array(0.02, np.float32),
        np.array(draw.integers(codes.min, codes.max + 1), layer.codes),
        w,
        scales,
        np.full(scales.shape, zero, layer.weights),
        draw.integers(-3000, 3000, layer.outputs).astype(np.int32),
        np.array(0.1, np.float32),
        np.array(draw.integers(codes.min, codes.max + 1), layer.codes),
    )


def quantised(x: Array, scale: Array, zero: Array) -> Array:
    limits = np.iinfo(zero.dtype)
    return np.clip(np.rint(x / scale) + zero, limits.min, limits.max).astype(zero.dtype)


def sums(layer: Layer, given: Numbers) -> Array:
    """Return the exact sums, channels last."""
    x = quantised(given.x, given.x_scale, given.x_zero).astype(np.int64) - int(given.x_zero)
    w = given.w.astype(np.int64) - int(given.w_zero.flat[0])
    if not layer.is_conv:
        return x @ w
    spatial = len(layer.w) - 2
    x = np.pad(x, [(0, 0), (0, 0), *[(layer.pad, layer.pad)] * spatial])
    reach = [(n - 1) * layer.dilation + 1 for n in layer.w[2:]]
    axes = tuple(range(2, 2 + spatial))
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    steps = (slice(None), slice(None), *[slice(None, None, layer.stride)] * spatial)
    windows = windows[(*steps, *[slice(None, None, layer.dilation)] * spatial)]
    parts = np.split(windows, layer.group, axis=1)
    filters = np.split(w, layer.group, axis=0)
    letters = "xyz"[:spatial], "ijk"[:spatial]
    rule = f"nc{letters[0]}{letters[1]},oc{letters[1]}->n{letters[0]}o"
    return np.concatenate(
        [np.einsum(rule, *pair) for pair in zip(parts, filters, strict=True)], axis=-1
    )


def expected(layer: Layer, given: Numbers) -> Array:
    total = sums(layer, given) + (given.bias if layer.bias else 0)
    if layer.relu:
        total = np.maximum(total, 0)
    ratio = given.x_scale * given.w_scale / given.y_scale
    codes = quantised(total.astype(np.float32) * ratio, np.float32(1), given.y_zero)
    return np.moveaxis(codes, -1, 1) if layer.is_conv else codes


def network(names: list[str]) -> onnx.ModelProto:
    """Return a network whose outputs are the codes of all layers."""
    nodes, constants, inputs, outputs = [], [], [], []
    for number, name in enumerate(names):
        layer, given = LAYERS[name], numbers(LAYERS[name])

        def at(part: str, number: int = number) -> str:
            return f"{part}{number}"

        arrays = {
            "xs": given.x_scale, "xz": given.x_zero, "w": given.w, "ws": given.w_scale,
            "wz": given.w_zero, "b": given.bias, "ys": given.y_scale, "yz": given.y_zero,
            "bs": given.x_scale * given.w_scale,
        }  # fmt: skip
        constants += [numpy_helper.from_array(np.asarray(a), at(n)) for n, a in arrays.items()]
        axis = {"axis": 0 if layer.is_conv else 1} if given.w_scale.ndim else {}
        nodes += [
            helper.make_node("QuantizeLinear", [at("x"), at("xs"), at("xz")], [at("q")]),
            helper.make_node("DequantizeLinear", [at("q"), at("xs"), at("xz")], [at("d")]),
            helper.make_node("DequantizeLinear", [at("w"), at("ws"), at("wz")], [at("e")], **axis),
        ]
        if layer.floats:
            floats = (given.bias + np.float32(0.3)) * arrays["bs"]
            constants.append(numpy_helper.from_array(floats.astype(np.float32), at("c")))
        elif layer.bias:
            along = {"axis": 0} if axis else {}
            nodes.append(
                helper.make_node("DequantizeLinear", [at("b"), at("bs")], [at("c")], **along)
            )
        bias = [at("c")] * layer.bias
        if layer.is_conv:
            spatial = len(layer.w) - 2
            nodes.append(
                helper.make_node(
                    "Conv", [at("d"), at("e"), *bias], [at("v")],
                    strides=[layer.stride] * spatial, dilations=[layer.dilation] * spatial,
                    pads=[layer.pad] * 2 * spatial, group=layer.group,
                )
            )  # fmt: skip
        elif len(layer.x) == 2:
            nodes.append(helper.make_node("Gemm", [at("d"), at("e"), *bias], [at("v")]))
        else:
            nodes.append(helper.make_node("MatMul", [at("d"), at("e")], [at("v")]))
        if layer.relu:
            nodes.append(helper.make_node("Relu", [at("v")], [at("r")]))
        last = at("r" if layer.relu else "v")
        nodes.append(helper.make_node("QuantizeLinear", [last, at("ys"), at("yz")], [at("y")]))
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(layer.codes))
        inputs.append(helper.make_tensor_value_info(at("x"), TensorProto.FLOAT, layer.x))
        outputs.append(helper.make_tensor_value_info(at("y"), kind, None))
    graph = helper.make_graph(nodes, "layers", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


LAYERS["stack"] = replace(LAYERS["stack"], bias=False)


@pytest.mark.parametrize(
    ("machine", "level"),
    [
        *(("host", 1), ("host", 3), ("x86-64-avx2", 3), ("x86-64-sse41", 2)),
        ("x86-64-sapphirerapids:l2=4K:amx_rate=1", 3),
        pytest.param("host:device=cuda", 2, marks=[needs_linux, DRIVER, pytest.mark.exhaustive]),
        pytest.param("host:device=opencl", 2, marks=[needs_opencl, pytest.mark.exhaustive]),
        pytest.param("host:device=opencl-amd", 2, marks=[needs_opencl, pytest.mark.exhaustive]),
    ],
)
def test_codes_are_those_of_exact_sums(machine: str, level: int):
    """Also where weights exceed the L2 cache, and are prefetched."""
    if "cuda" in machine:
        fake_cuda()
    obstacle = None if "host" in machine else Machine.host().obstacle(Machine.parse(machine))
    if obstacle is not None:
        pytest.skip(f"kernels for {machine} do not run here: {obstacle}")
    with autodeploy.compile(network(list(LAYERS)), level=level, machine=machine) as session:
        assert not wrong_codes(list(LAYERS), session)


@needs_linux
@pytest.mark.skipif(tile_registers.obstacle() is not None, reason=str(tile_registers.obstacle()))
@pytest.mark.parametrize("threads", [1, 2])
def test_codes_in_tile_registers_are_those_of_exact_sums(threads: int):
    options = autodeploy.CompileOptions(machine=tile_registers.MACHINE, threads=threads)
    before = tile_registers.instructions_done()
    with tile_registers.opened(network(list(LAYERS)).SerializeToString(), options) as session:
        assert not wrong_codes(list(LAYERS), session)
    assert before is None or tile_registers.instructions_done() > before


@needs_linux
@DRIVER
def test_four_products_are_one_instruction_of_cuda(tmp_path: Path):
    device, names = fake_cuda(), ["window", "small"]
    options = autodeploy.CompileOptions(machine="host:device=cuda", jobs=1)
    autodeploy.compile_model(network(names).SerializeToString(), tmp_path, options)
    assert sum("dp4a" in kernel for kernel in device_text(tmp_path).split(".entry ")) == len(names)
    if ptxas() is not None:
        assert {*assembled(device_text(tmp_path), "sm_75").values()} == {(0, 0)}
    with autodeploy.load(tmp_path) as session:
        assert not wrong_codes(names, session)
    assert device.faults == []


@needs_linux
@needs_opencl
@pytest.mark.parametrize("name", ["window", "stride", "signed", "rows"])
def test_four_products_are_one_function_of_opencl(name: str, tmp_path: Path):
    """A compiler without it has the same codes. A function that adds to each sum is called."""
    bundle, given = tmp_path / "b", numbers(LAYERS[name])
    model = network([name])
    model.graph.name = "net"
    options = autodeploy.CompileOptions(machine="host:device=opencl-mali", jobs=1)
    autodeploy.compile_model(model.SerializeToString(), bundle, options)
    text = device_text(bundle)
    assert text.count("// Vector reduce: add") == text.count(" = dot_") > 0
    run_make(bundle)
    np.save(bundle / "x.npy", given.x)
    linked = ("-Wl,--no-as-needed", str(opencl_library()), "-ldl")
    other = {
        "LD_PRELOAD": shared(bundle, "dlopen_of_opencl.c", "-ldl"),
        "OPENCL_IS": shared(bundle, "dots_opencl.c", *linked),
    }
    for variables, is_right in (
        ({}, True),
        ({**other, "DOTS_ADD": "0"}, True),
        ({**other, "DOTS_ADD": "1000"}, False),
    ):
        words = (bundle / "x.npy", "--output", bundle / "y.npy")
        assert start(bundle / "net", *words, **variables)[0] == 0
        found = np.array_equal(np.load(bundle / "y.npy"), expected(LAYERS[name], given))
        assert found == is_right


def wrong_codes(names: list[str], session: autodeploy.Session) -> dict[str, int]:
    """Return how many codes of each layer are wrong, if any are."""
    given = [numbers(LAYERS[name]) for name in names]
    found = session.run({f"x{i}": layer.x for i, layer in enumerate(given)})
    counts = {
        name: int(np.count_nonzero(found[f"y{i}"] != expected(LAYERS[name], given[i])))
        for i, name in enumerate(names)
    }
    return {name: count for name, count in counts.items() if count}


@pytest.mark.exhaustive
def test_codes_without_integer_sums_are_at_most_a_step_off():
    """At level 0 the sums are those of floats."""
    names = list(LAYERS)
    feeds = {f"x{i}": numbers(LAYERS[name]).x for i, name in enumerate(names)}
    with autodeploy.compile(network(names), level=0) as session:
        found = session.run(feeds)
    for i, name in enumerate(names):
        wanted = expected(LAYERS[name], numbers(LAYERS[name])).astype(int)
        steps = np.abs(found[f"y{i}"].astype(int) - wanted)
        assert steps.max() <= 1, name
        assert np.count_nonzero(steps) <= math.ceil(steps.size / 1000), name
