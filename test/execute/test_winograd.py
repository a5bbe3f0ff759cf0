"""Winograd convolutions through the generated C: numbers and bounds, whatever tiles are left."""

from __future__ import annotations

import sys

import numpy as np
import onnxruntime
import pytest
from configured import compile_configured
from guarded_kernels import bundle_faults
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from scheduled import lowered
from xdsl.parser import Parser

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.halide.tables import pipelines_of
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.halide.prefetch import PrefetchOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.dialects.registry import new_context
from autodeploy.toolchain.session import Session, load_bundle
from autodeploy.tools.display import show_report

RELATIVE = 1e-4
"""What is promised of Winograd, relative to the largest result."""

RANDOM = OwnNumbers(3)

SHAPES = {
    "whole tiles": (1, 16, 16, 12, 12, (1, 1, 1, 1)),
    "tiles that overhang": (1, 16, 32, 7, 9, (1, 1, 1, 1)),
    "a single pixel": (1, 16, 16, 1, 1, (1, 1, 1, 1)),
    "a row": (1, 16, 16, 1, 13, (1, 1, 1, 1)),
    "no padding": (1, 24, 16, 11, 10, (0, 0, 0, 0)),
    "uneven padding": (1, 16, 48, 6, 8, (2, 0, 1, 3)),
    "input channels between two vectors": (1, 19, 32, 9, 9, (1, 1, 1, 1)),
    "few input channels": (1, 3, 64, 14, 14, (1, 1, 1, 1)),
    "a batch": (3, 16, 32, 8, 6, (1, 1, 1, 1)),
    "a prime number of tiles": (1, 16, 32, 4, 68, (1, 1, 1, 1)),
    "several bands": (1, 64, 64, 64, 60, (1, 1, 1, 1)),
    "several blocks of channels": (1, 128, 128, 28, 28, (1, 1, 1, 1)),
    "products of many inputs": (1, 256, 64, 7, 7, (1, 1, 1, 1)),
    "an odd number of rows of tiles": (2, 64, 32, 28, 28, (1, 1, 1, 1)),
    "rows of tiles that overhang": (1, 64, 32, 25, 27, (1, 1, 1, 1)),
}


def network(shape: tuple, *, residual: bool = False) -> ModelProto:
    batch, channels, outputs, height, width, pads = shape
    weights = RANDOM.standard_normal((outputs, channels, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=pads),
        *([helper.make_node("Add", ["c", "r"], ["s"])] if residual else []),
        helper.make_node("Relu", ["s" if residual else "c"], ["y"]),
    ]
    extents = [height + pads[0] + pads[2] - 2, width + pads[1] + pads[3] - 2]
    result = [batch, outputs, *extents]
    inputs = [("x", [batch, channels, height, width]), *([("r", result)] if residual else [])]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in inputs],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
        [
            numpy_helper.from_array(weights, "w"),
            numpy_helper.from_array(RANDOM.standard_normal(outputs).astype(np.float32), "b"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def winograd(m: int) -> dict[type, str]:
    return {ConvOp: f"#nn.config<winograd, transform = [{m}]>"}


def check_form(model: ModelProto, folder, options: CompileOptions, m: int) -> None:
    module = compile_configured(model.SerializeToString(), folder, options, winograd(m))
    assert f"config<winograd, transform = [{m}]" in str(module)
    check_results(model, folder, options)


def check(model: ModelProto, folder, options: CompileOptions, algorithm: str) -> None:
    compile_model(model.SerializeToString(), folder, options)
    assert algorithm in {kernel.algorithm for kernel in Manifest.load(folder).kernels}
    check_results(model, folder, options)


def check_results(model: ModelProto, folder, options: CompileOptions) -> None:
    values = {
        value.name: RANDOM.standard_normal(
            [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        ).astype(np.float32)
        for value in model.graph.input
    }
    (expected,) = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    ).run(None, values)
    with load_bundle(folder, threads=options.threads) as session:
        found = session.run(values)["y"]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= RELATIVE * np.abs(expected).max()


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("name", SHAPES)
def test_extents(name, m, tmp_path):
    check_form(network(SHAPES[name]), tmp_path / "out", CompileOptions(level=3), m)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    [
        "several bands",
        "several blocks of channels",
        "an odd number of rows of tiles",
        "rows of tiles that overhang",
    ],
)
def test_threads(name, tmp_path):
    options = CompileOptions(level=3, threads=2)
    check_form(network(SHAPES[name]), tmp_path / "out", options, 4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["x86-64-avx2", "x86-64"])
def test_narrow_vectors(target, tmp_path):
    options = CompileOptions(level=3, machine=target)
    check_form(network(SHAPES["tiles that overhang"]), tmp_path / "out", options, 4)


@pytest.mark.exhaustive
def test_the_report_states_the_error(tmp_path, capsys):
    model = network(SHAPES["several bands"]).SerializeToString()
    report = compile_model(model, tmp_path / "out")
    (kernel,) = (k for k in report.manifest.kernels if k.algorithm == "winograd")
    assert kernel.error == WINOGRAD[4].error
    assert Manifest.load(tmp_path / "out").kernels == report.manifest.kernels
    show_report(report, tmp_path / "out", verbose=False)
    assert (
        "kernels by winograd: 1, with rounding errors of up to 1e-4 of the largest product; "
        "-O2 does without\n"
    ) in capsys.readouterr().out
    report = compile_model(model, tmp_path / "exact", CompileOptions(level=2))
    assert {kernel.error for kernel in report.manifest.kernels} == {0.0}
    show_report(report, tmp_path / "out", verbose=False)
    assert "winograd" not in capsys.readouterr().out


@pytest.mark.parametrize("m", [2, 4])
def test_errors_stay_below_the_stated_bound(m, tmp_path):
    model = network((1, 64, 64, 24, 24, (1, 1, 1, 1)))
    compile_configured(model.SerializeToString(), tmp_path, CompileOptions(), winograd(m))
    x = RANDOM.standard_normal((1, 64, 24, 24)).astype(np.float32)
    weights, bias = (numpy_helper.to_array(t) for t in model.graph.initializer)
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3)
    )
    sums = np.einsum("nchwij,ocij->nohw", windows, weights, optimize=True)
    expected = np.maximum(sums + bias[:, None, None], 0)
    with load_bundle(tmp_path) as session:
        error = np.abs(session.run(x)["y"] - expected).max()
    rounding = 2.0**-22 * np.abs(expected).max()
    assert error < WINOGRAD[m].error * np.abs(x).max() * np.abs(weights).max() + rounding


def test_epilogue(tmp_path):
    model = network(SHAPES["tiles that overhang"], residual=True)
    check_form(model, tmp_path / "out", CompileOptions(level=3), 4)


@pytest.mark.parametrize(
    ("level", "winograd", "algorithm"),
    [
        (3, None, "winograd"),
        (3, "off", "direct_conv"),
        (2, None, "direct_conv"),
        (2, "auto", "winograd"),
    ],
)
def test_levels_and_options_that_allow_it(level, winograd, algorithm, tmp_path):
    options = CompileOptions(level=level, winograd=winograd)
    check(network(SHAPES["several blocks of channels"]), tmp_path / "out", options, algorithm)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "m", "threads"),
    [
        ("several blocks of channels", 4, 1),
        ("products of many inputs", 2, 1),
        ("several bands", 4, 1),
        ("several blocks of channels", 4, 2),
        ("rows of tiles that overhang", 2, 2),
    ],
)
def test_lines_of_the_filter_are_fetched_one_at_a_time(name, m, threads, tmp_path):
    machine = f"x86-64-avx512:cores={threads}"
    options = CompileOptions(level=3, machine=machine, threads=threads)
    model = network(SHAPES[name]).SerializeToString()
    compile_configured(model, tmp_path / "out", options, winograd(m))
    text = (tmp_path / "out" / f"{Manifest.load(tmp_path / 'out').prefix}.mlir").read_text()
    (pipeline,) = (
        pipeline
        for pipeline in pipelines_of(Parser(new_context(), text).parse_module())
        if any(isinstance(op, PrefetchOp) for op in pipeline.walk())
    )
    program = lowered(pipeline, machine, tmp_path)
    # Of more than a line, Halide would make a loop over lines.
    assert "prefetch(" in program
    assert "for (prefetch" not in program


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")
@pytest.mark.parametrize(
    ("name", "m", "threads"),
    [
        ("tiles that overhang", 4, 1),
        ("no padding", 2, 1),
        ("uneven padding", 4, 1),
        ("products of many inputs", 2, 1),
        ("an odd number of rows of tiles", 4, 2),
        ("rows of tiles that overhang", 4, 2),
        ("rows of tiles that overhang", 2, 2),
    ],
)
def test_nothing_beyond_the_buffers_is_touched(name, m, threads, tmp_path):
    model = network(SHAPES[name], residual=True)
    folder = tmp_path / "out"
    options = CompileOptions(level=3, threads=threads)
    compile_configured(model.SerializeToString(), folder, options, winograd(m))
    assert bundle_faults(folder) == {}


def differing(session: Session, x: np.ndarray, value: float, row: int, column: int) -> np.ndarray:
    """Return where a pixel of a value changes results that do not read it, to 1e-5."""
    ordinary, odd = session.run({"x": x})["y"].copy(), x.copy()
    odd[:, :, row, column] = value
    error = np.abs(session.run({"x": odd})["y"] - ordinary).max((0, 1)) / np.abs(ordinary).max()
    error[row - 1 : row + 2, column - 1 : column + 2] = 0
    return np.argwhere(~(error <= 1e-5))


def test_an_odd_pixel_reaches_three_pixels_or_none(tmp_path):
    """As docs/floats.md says of tiles of 4x4."""
    model = network((1, 32, 32, 28, 28, (1, 1, 1, 1))).SerializeToString()
    x = RANDOM.random((1, 32, 28, 28), np.float32)
    counts: set[int] = set()
    places = [(12 + i, 12 + j) for i in range(4) for j in range(4)]
    with autodeploy.compile(model, tmp_path / "on", machine="x86-64-avx2") as session:
        assert Manifest.load(tmp_path / "on").kernels[0].algorithm == "winograd"
        for value in (np.nan, np.inf, 1e20):
            for place in places:
                found = differing(session, x, value, *place)
                counts.add(len(found))
                assert np.abs(found - place).max() <= 3
    assert (min(counts), max(counts)) == (7, 16)
    off = tmp_path / "off"
    with autodeploy.compile(model, off, machine="x86-64-avx2", winograd="off") as session:
        assert all(not len(differing(session, x, np.nan, *place)) for place in places)
