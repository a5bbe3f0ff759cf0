"""Subnormal numbers are kept, or taken for zero where an option says so, in all threads."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64", "aarch64", "arm64"),
    reason="this machine always keeps subnormal numbers, or always flushes them",
)

ROWS, COLUMNS, INNER = 64, 512, 64
TYPES = {
    "float32": (TensorProto.FLOAT, np.float32),
    "float64": (TensorProto.DOUBLE, np.float64),
    "float16": (TensorProto.FLOAT16, np.float16),
    "bfloat16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
}


def small(dtype: type) -> float:
    """Return a power of two whose quarter is subnormal."""
    return float(ml_dtypes.finfo(dtype).smallest_normal) * 2


def network(kind: str) -> bytes:
    """Return a product of matrices, a product of elements and a sum of subnormal weights.

    Each has enough elements to be shared by threads. The first two make subnormal numbers of
    normal ones; the weights of the third are subnormal, and so is what it adds.
    """
    element, dtype = TYPES[kind]
    quarter = np.full((INNER, COLUMNS), 0.25, dtype)
    quarter[1:] = 0
    tiny = np.array(small(dtype) / 8 * np.arange(1, COLUMNS + 1) / COLUMNS, dtype)
    nodes = [
        helper.make_node("MatMul", ["x", "quarter"], ["product"]),
        helper.make_node("Mul", ["z", "fourth"], ["scaled"]),
        helper.make_node("Add", ["z", "tiny"], ["sum"]),
    ]
    shapes = {"x": [ROWS, INNER], "z": [ROWS, COLUMNS]}
    weights = {"quarter": quarter, "fourth": np.array(0.25, dtype), "tiny": tiny}
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(n, element, shape) for n, shape in shapes.items()],
        [helper.make_tensor_value_info(n, element, None) for n in ("product", "scaled", "sum")],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return made.SerializeToString()


def inputs(kind: str) -> dict[str, np.ndarray]:
    """Return small normal numbers, and zeros in the second half of the rows."""
    _, dtype = TYPES[kind]
    values = {"x": np.zeros((ROWS, INNER), dtype), "z": np.zeros((ROWS, COLUMNS), dtype)}
    for value in values.values():
        value[: ROWS // 2] = small(dtype)
    return values


def expected(kind: str, *, flushed: bool) -> dict[str, np.ndarray]:
    _, dtype = TYPES[kind]
    scaled = np.zeros((ROWS, COLUMNS), dtype)
    scaled[: ROWS // 2] = 0 if flushed else small(dtype) / 4
    sums = inputs(kind)["z"]
    if not flushed:
        tiny = small(dtype) / 8 * np.arange(1, COLUMNS + 1) / COLUMNS
        sums = (sums.astype(np.float64) + np.array(tiny, dtype).astype(np.float64)).astype(dtype)
    return {"product": scaled, "scaled": scaled, "sum": sums}


def check(found: dict[str, np.ndarray], kind: str, *, flushed: bool) -> None:
    for name, value in expected(kind, flushed=flushed).items():
        # As bits: a thread of NumPy may flush, too.
        bits = f"u{value.dtype.itemsize}"
        np.testing.assert_array_equal(found[name].view(bits), value.view(bits), err_msg=name)


def weights_of(bundle: Path, dtype: type) -> np.ndarray:
    (file,) = bundle.glob("*.weights")
    return np.frombuffer(file.read_bytes()[64:], dtype)


def subnormals(values: np.ndarray) -> int:
    magnitudes = values.view(f"u{values.dtype.itemsize}") << 1 >> 1
    normal = np.array(ml_dtypes.finfo(values.dtype).smallest_normal, values.dtype)
    return int(np.count_nonzero((magnitudes > 0) & (magnitudes < normal.view(magnitudes.dtype))))


@pytest.mark.parametrize("kind", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize("level", [0, 2])
def test_flushed_and_kept(kind: str, level: int, tmp_path: Path) -> None:
    _, dtype = TYPES[kind]
    bundle = tmp_path / "kept"
    compile_model(network(kind), bundle, CompileOptions(level=level, threads=2))
    assert subnormals(weights_of(bundle, dtype)) > 0
    for threads in (1, 2):
        for flush in (None, False, True):
            with load_bundle(bundle, threads=threads, flush_subnormals=flush) as session:
                check(session.run(inputs(kind)), kind, flushed=bool(flush))
    bundle = tmp_path / "flushed"
    options = CompileOptions(level=level, threads=2, flush_subnormals=True)
    compile_model(network(kind), bundle, options)
    assert subnormals(weights_of(bundle, dtype)) == 0
    options = json.loads((bundle / "manifest.json").read_text())["options"]
    assert options["flush_subnormals"] == "true"
    for threads in (1, 2):
        with load_bundle(bundle, threads=threads) as session:
            check(session.run(inputs(kind)), kind, flushed=True)
        with load_bundle(bundle, threads=threads, flush_subnormals=False) as session:
            found = session.run(inputs(kind))
            # What the weights were is gone, what is computed from others is not.
            wanted = expected(kind, flushed=False) | {"sum": expected(kind, flushed=True)["sum"]}
            for name, value in wanted.items():
                np.testing.assert_array_equal(found[name], value, err_msg=name)


def test_float16_keeps_its_subnormal_numbers(tmp_path: Path) -> None:
    options = CompileOptions(threads=2, flush_subnormals=True, precision="model")
    compile_model(network("float16"), tmp_path / "b", options)
    assert subnormals(weights_of(tmp_path / "b", np.float16)) > 0
    for threads in (1, 2):
        with load_bundle(tmp_path / "b", threads=threads) as session:
            check(session.run(inputs("float16")), "float16", flushed=False)


@pytest.mark.exhaustive
def test_kernels_as_source(tmp_path: Path) -> None:
    compile_model(network("float32"), tmp_path / "b", CompileOptions(emit="c", threads=2))
    for threads in (1, 2):
        for flush in (False, True):
            with load_bundle(tmp_path / "b", threads=threads, flush_subnormals=flush) as session:
                check(session.run(inputs("float32")), "float32", flushed=flush)


def test_weights_that_the_compiler_computes(tmp_path: Path) -> None:
    """Filters of 2e-38 are normal, fractions of them, as Winograd's algorithm takes, are not."""
    weights = numpy_helper.from_array(np.full((64, 64, 3, 3), 2e-38, np.float32), "w")
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 64, 56, 56])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    graph = helper.make_graph([node], "filters", [x], [y], [weights])
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=10).SerializeToString()
    for flush in (False, True):
        options = CompileOptions(level=3, flush_subnormals=flush)
        manifest = compile_model(model, tmp_path / "b", options).manifest
        assert any("winograd" in (kernel.algorithm or "") for kernel in manifest.kernels)
        assert (subnormals(weights_of(tmp_path / "b", np.float32)) == 0) == flush


def test_compile_in_one_call() -> None:
    with autodeploy.compile(network("float32"), flush_subnormals=True) as session:
        check(session.run(inputs("float32")), "float32", flushed=True)
