"""Products by Strassen's algorithm through the generated C: numbers and bounds."""

from __future__ import annotations

import sys

import numpy as np
import onnxruntime
import pytest
from configured import compile_configured
from guarded_kernels import bundle_faults
from onnx import ModelProto, helper, numpy_helper

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.strassen import STRASSEN
from autodeploy.toolchain.session import load_bundle

RELATIVE = 1e-5

RANDOM = np.random.default_rng(7)

SHAPES = {
    "whole tiles": ((48, 64, 64), ""),
    "a single row": ((1, 16, 32), ""),
    "two rows": ((2, 16, 32), ""),
    "an odd row": ((17, 64, 48), ""),
    "tiles that overhang": ((27, 40, 96), ""),
    "a step to a half": ((9, 2, 32), ""),
    "steps between two vectors": ((9, 38, 32), ""),
    "a column to a half": ((9, 16, 2), ""),
    "columns that no vector divides": ((9, 16, 6), ""),
    "columns that fill up a tile": ((27, 40, 100), ", tile = [8, 3], block = [5]"),
    "columns that fill up a wide tile": ((27, 40, 130), ", tile = [24, 4], block = [4]"),
    "fewer columns than a tile": ((27, 40, 34), ", tile = [24, 4], block = [4]"),
    "half of a vector at the end": ((27, 40, 104), ", tile = [16, 4]"),
    "filled up and fetched": ((96, 64, 88), ", tile = [16, 4], block = [6], fetch = [4]"),
    "several blocks": ((49, 32, 32), ", tile = [8, 3], block = [3]"),
    "a last block of one pair": ((25, 32, 32), ", tile = [8, 2], block = [3]"),
    "a last block of one row": ((25, 32, 32), ", tile = [8, 4], block = [1]"),
    "lines that are fetched": ((96, 64, 64), ", tile = [16, 4], block = [6], fetch = [4]"),
    "fetches in a last block": ((91, 64, 64), ", tile = [16, 4], block = [5], fetch = [2]"),
    "nothing fetched": ((96, 64, 64), ", tile = [16, 4], block = [12], fetch = []"),
    "thirds": ((27, 36, 96), ""),
    "thirds of odd extents": ((9, 15, 33), ", tile = [8, 2], block = [2]"),
    "thirds that fill up a tile": ((27, 36, 102), ", tile = [8, 3], block = [4], fetch = [2]"),
}

CASES = [
    (name, parts)
    for name, ((_, inner, columns), _) in SHAPES.items()
    for parts in STRASSEN
    if inner % parts[0] == 0 and columns % parts[1] == 0
]


def of_parts(parts: tuple[int, ...], knobs: str = "") -> str:
    """Return knobs with those that name an algorithm."""
    return f", parts = {list(parts)}{knobs}"


def network(
    rows: int,
    inner: int,
    columns: int,
    element: type = np.float32,
    *,
    stack: tuple[int, ...] = (),
    residual: bool = False,
) -> ModelProto:
    number = helper.np_dtype_to_tensor_dtype(np.dtype(element))
    weights = {
        "w": RANDOM.standard_normal((inner, columns)).astype(element),
        "b": RANDOM.standard_normal(columns).astype(element),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["s"]),
        *([helper.make_node("Add", ["s", "r"], ["a"])] if residual else []),
        helper.make_node("Relu", ["a" if residual else "s"], ["y"]),
    ]
    result = [*stack, rows, columns]
    inputs = [("x", [*stack, rows, inner]), *([("r", result)] if residual else [])]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, number, dims) for name, dims in inputs],
        [helper.make_tensor_value_info("y", number, result)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def machine_of(knobs: str) -> str:
    """Return the machine for which a case is: tiles are written down for vectors of 8 numbers."""
    return "x86-64-avx2" if "tile" in knobs else "host"


def check(
    model: ModelProto, folder, knobs: str = "", options: CompileOptions | None = None
) -> None:
    options = options or CompileOptions(machine=machine_of(knobs))
    config = {MatMulOp: f"#nn.config<strassen{knobs}>"}
    module = compile_configured(model.SerializeToString(), folder, options, config)
    assert "strassen" in {kernel.algorithm for kernel in Manifest.load(folder).kernels}
    assert "config<strassen" in str(module)
    check_results(model, folder, options)


def check_results(model: ModelProto, folder, options: CompileOptions) -> None:
    values = {}
    for value in model.graph.input:
        type_ = value.type.tensor_type
        drawn = RANDOM.standard_normal([dim.dim_value for dim in type_.shape.dim])
        values[value.name] = drawn.astype(helper.tensor_dtype_to_np_dtype(type_.elem_type))
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (expected,) = session.run(None, values)
    with load_bundle(folder, threads=options.threads) as program:
        found = program.run(values)["y"]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= RELATIVE * np.abs(expected).max()


@pytest.mark.parametrize(("name", "parts"), CASES)
def test_extents(name, parts, tmp_path):
    sizes, knobs = SHAPES[name]
    check(network(*sizes), tmp_path / "out", of_parts(parts, knobs))


@pytest.mark.parametrize("parts", STRASSEN)
@pytest.mark.parametrize("machine", ["x86-64", "x86-64-avx2"])
def test_narrow_vectors(machine, parts, tmp_path):
    options = CompileOptions(machine=machine)
    check(network(27, 48, 96), tmp_path / "out", of_parts(parts), options)


@pytest.mark.parametrize("parts", STRASSEN)
def test_matrix_in_a_stack_of_one(parts, tmp_path):
    check(network(27, 48, 96, stack=(1, 1)), tmp_path / "out", of_parts(parts))


@pytest.mark.parametrize("parts", STRASSEN)
def test_epilogue(parts, tmp_path):
    check(network(27, 48, 96, residual=True), tmp_path / "out", of_parts(parts))


@pytest.mark.parametrize("parts", STRASSEN)
def test_64_bits(parts, tmp_path):
    check(network(27, 48, 96, np.float64), tmp_path / "out", of_parts(parts))


SHARED = {
    "blocks": "block = [3], parallel = [blocks]",
    "columns": "block = [3], parallel = [blocks, columns], group = [8]",
    "columns of all rows": "block = [12], parallel = [blocks, columns], group = [8]",
    "a last group of columns": "block = [5], parallel = [blocks, columns], group = [3]",
    "single tiles": "block = [1], fetch = [], parallel = [blocks, columns], group = [1]",
    "lines that are fetched": "block = [5], fetch = [4], parallel = [blocks, columns], group = [6]",
}


@pytest.mark.parametrize(("rows", "parts"), [(48, (2, 2)), (45, (2, 2)), (45, (4, 4))])
@pytest.mark.parametrize("name", SHARED)
def test_threads(name, rows, parts, tmp_path):
    options = CompileOptions(threads=2, machine="x86-64-avx2")
    knobs = of_parts(parts, f", tile = [8, 2], {SHARED[name]}")
    check(network(rows, 64, 128 * parts[1]), tmp_path / "out", knobs, options)


@pytest.mark.parametrize(
    "parallel", ["[blocks]", "[blocks, columns], group = [3]", "[blocks, columns], group = [4]"]
)
def test_threads_fill_up_columns(parallel, tmp_path):
    """Half of the columns are 65: nine tiles of 8, the last one of a single column.

    Four tiles to a group leave that one alone in the last group.
    """
    options = CompileOptions(threads=2, machine="x86-64-avx2")
    config = of_parts((2, 2), f", tile = [8, 2], block = [5], parallel = {parallel}")
    check(network(49, 64, 130), tmp_path / "out", config, options)


@pytest.mark.parametrize(("rows", "parallel"), [(49, "[blocks, columns]"), (97, "[blocks]")])
def test_threads_by_the_rule(rows, parallel, tmp_path):
    options = CompileOptions(threads=2, machine="x86-64-avx2", winograd="auto")
    inner, columns = (1024, 2048) if rows == 49 else (256, 512)
    model = network(rows, inner, columns, residual=True)
    module = compile_configured(model.SerializeToString(), tmp_path / "out", options, {})
    assert "strassen" in {kernel.algorithm for kernel in Manifest.load(tmp_path / "out").kernels}
    assert f"parallel = {parallel}" in str(module)
    check_results(model, tmp_path / "out", options)


@pytest.mark.parametrize(
    ("level", "winograd", "taken"),
    [(3, None, True), (3, "off", False), (2, None, False), (2, "auto", True)],
)
def test_who_allows_it(level, winograd, taken, tmp_path):
    options = CompileOptions(level=level, winograd=winograd, machine="x86-64-avx2")
    model = network(197, 384, 384, residual=True)
    compile_model(model.SerializeToString(), tmp_path / "out", options)
    (kernel,) = Manifest.load(tmp_path / "out").kernels
    assert (kernel.algorithm == "strassen") == taken
    assert kernel.error == (STRASSEN[2, 2].error if taken else 0)
    check_results(model, tmp_path / "out", options)


@pytest.mark.parametrize("parts", STRASSEN)
def test_errors_stay_below_what_is_stated(parts, tmp_path):
    """Of rows and columns of any size, too, since rows are added up in pairs."""
    inner = 252
    model = network(64, inner, 120)
    weights, bias = (numpy_helper.to_array(t) for t in model.graph.initializer)
    config = {MatMulOp: f"#nn.config<strassen{of_parts(parts)}>"}
    compile_configured(model.SerializeToString(), tmp_path, CompileOptions(), config)
    for scale in (1, 1e4):
        x = RANDOM.standard_normal((64, inner)).astype(np.float32)
        x[::2] *= np.float32(scale)
        expected = np.maximum(x.astype(np.float64) @ weights + bias, 0)
        with load_bundle(tmp_path) as session:
            error = np.abs(session.run(x)["y"] - expected).max()
        rounding = 2.0**-22 * np.abs(expected).max()
        largest = inner * np.abs(x).max() * np.abs(weights).max()
        assert error < STRASSEN[parts].error * largest + rounding


@pytest.mark.parametrize("parts", [(2, 2), (4, 4)])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_stays_in_its_pair_of_rows(odd, parts, tmp_path):
    model = network(18, 64, 64)
    config = {MatMulOp: f"#nn.config<strassen{of_parts(parts)}, tile = [8, 4]>"}
    options = CompileOptions(machine="x86-64-avx2")
    compile_configured(model.SerializeToString(), tmp_path, options, config)
    x = RANDOM.standard_normal((18, 64)).astype(np.float32)
    with load_bundle(tmp_path) as session:
        finite = session.run(x)["y"].copy()
        x[5, 3] = odd
        found = session.run(x)["y"]
    others = [row for row in range(18) if row not in (4, 5)]
    assert np.array_equal(found[others], finite[others])
    # A clamp of nan is 0 or nan.
    assert not np.array_equal(found[5], finite[5])


@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a single row", (2, 2)),
        ("tiles that overhang", (2, 2)),
        ("a last block of one row", (4, 4)),
        ("fetches in a last block", (4, 4)),
        ("columns that fill up a wide tile", (2, 2)),
        ("fewer columns than a tile", (2, 2)),
        ("thirds that fill up a tile", (3, 3)),
        ("columns that fill up a tile", (4, 4)),
    ],
)
def test_nothing_beyond_the_buffers_is_touched(name, parts, tmp_path):
    sizes, knobs = SHAPES[name]
    config = {MatMulOp: f"#nn.config<strassen{of_parts(parts, knobs)}>"}
    model = network(*sizes, residual=True).SerializeToString()
    options = CompileOptions(machine=machine_of(knobs))
    compile_configured(model, tmp_path / "out", options, config)
    assert bundle_faults(tmp_path / "out") == {}
