"""Products with codes whose blocks have scales, against sums of float64."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession
from quick import QUICK

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

SHAPES = (
    # rows, inner extent, columns, block, bits, and whether there are zero points
    *((1, 64, 40, 16, 4, True), (1, 100, 7, 32, 4, True), (1, 130, 150, 128, 4, False)),
    *((1, 500, 24, 128, 4, True), (7, 128, 12, 128, 2, True)),
    *((5, 300, 33, 256, 8, True), (2, 40, 17, 16, 2, False), (19, 96, 130, 32, 4, True)),
    # weights of a tile of columns that all rows read as floats
    *((50, 100, 70, 32, 4, True), (65, 64, 24, 16, 2, True), (48, 256, 33, 128, 8, False)),
)


def _model(
    rounds: bool, shapes: Sequence[tuple[int, int, int, int, int, bool]] = SHAPES
) -> tuple[ModelProto, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return a model, its inputs, and the results: MatMulNBits, and what standard operators say.

    It may round rows to codes.
    """
    random, nodes, tensors, inputs, right = np.random.default_rng(5), [], {}, {}, {}

    def numbers(codes: np.ndarray, scales: np.ndarray, zeros: np.ndarray | int) -> np.ndarray:
        """Return the numbers of codes columns x blocks x codes of a block."""
        distance = codes.astype(np.float64) - np.asarray(zeros, np.float64)[..., None]
        return (distance * scales[..., None]).reshape(len(codes), -1)

    def add(
        weights: np.ndarray, rows: int, inner: int, block: int, *node: object, **given: object
    ) -> None:
        name = str(len(inputs))
        inputs[f"x{name}"] = x = random.standard_normal((2, rows, inner), np.float32)
        read = _rounded(x, block) if rounds else x.astype(np.float64)
        right[f"y{name}"] = read @ weights[:, :inner].T
        kind, *others = node
        nodes.append(helper.make_node(kind, [f"x{name}", *others], [f"y{name}"], **given))

    def tensor(array: np.ndarray, kind: int | None = None) -> str:
        name = f"w{len(tensors)}"
        kind = kind or helper.np_dtype_to_tensor_dtype(array.dtype)
        tensors[name] = helper.make_tensor(name, kind, array.shape, array.reshape(-1).tolist())
        return name

    for rows, inner, columns, block, bits, has_zeros in shapes:
        blocks = -(-inner // block)
        codes = random.integers(0, 1 << bits, (columns, blocks, block), np.uint8)
        scales = random.uniform(0.5, 1, (columns, blocks)).astype(np.float32)
        zeros = random.integers(0, 1 << bits, (columns, blocks), np.uint8)
        listed = [_bytes(codes, bits), scales]
        if has_zeros:
            listed.append(_bytes(np.pad(zeros, ((0, 0), (0, -blocks % (8 // bits)))), bits))
        middle = zeros if has_zeros else np.full(zeros.shape, 1 << bits - 1)
        add(numbers(codes, scales, middle), rows, inner, block, "MatMulNBits", *map(tensor, listed),
            domain="com.microsoft", K=inner, N=columns, bits=bits, block_size=block)  # fmt: skip
    for kind, low, high in ((TensorProto.INT4, -8, 8), (TensorProto.UINT4, 0, 16)):
        codes = random.integers(low, high, (21, 3, 16))
        scales = random.uniform(0.5, 1, (21, 3)).astype(np.float32)
        zeros = random.integers(low, high, (21, 3))
        weights = numbers(codes, scales, zeros)
        stored = np.moveaxis(codes.reshape(21, 48), 0, 1)
        given = [
            tensor(stored, kind),
            tensor(scales.T),
            tensor(zeros.T, kind),
        ]
        dequantize = {"axis": 0, "block_size": 16}
        nodes.append(helper.make_node("DequantizeLinear", given, [f"{given[0]}n"], **dequantize))
        add(weights, 3, 48, 16, "MatMul", f"{given[0]}n")
    graph = helper.make_graph(
        nodes,
        "products",
        [helper.make_tensor_value_info(name, 1, x.shape) for name, x in inputs.items()],
        [helper.make_tensor_value_info(name, 1, y.shape) for name, y in right.items()],
        list(tensors.values()),
    )
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10), inputs, right


def _bytes(codes: np.ndarray, bits: int) -> np.ndarray:
    """Return codes packed along the last axis, the first one in the low bits."""
    parts = 8 // bits
    shifts = np.arange(parts, dtype=np.uint8) * np.uint8(bits)
    apart = codes.reshape(*codes.shape[:-1], -1, parts)
    return np.bitwise_or.reduce(apart << shifts, axis=-1).astype(np.uint8)


CASES = [
    {"level": 3},
    {"level": 3, "precision": "rows=s8"},
    *(
        pytest.param(given, marks=pytest.mark.exhaustive)
        for given in (
            *({"level": 0}, {"level": 1}, {"level": 2, "machine": "x86-64-avx2"}),
            *({"level": 3, "emit": "c"}, {"level": 1, "precision": "rows=s8"}),
            {"level": 3, "threads": 2, "machine": "host:parallel_work=1"},
            {"level": 2, "machine": "x86-64-avx2", "precision": "rows=s8"},
            {"level": 3, "machine": "x86-64-avx2", "precision": "rows=s8", "emit": "c"},
            {"level": 3, "machine": "x86-64-sse41", "precision": "rows=s8"},
            {"level": 3, "emit": "c", "precision": "rows=s8"},
        )
    ),
]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_sums_are_those_of_the_numbers(given, tmp_path):
    # Vectors of bytes in C++ are long texts, which take a compiler minutes.
    shapes = SHAPES[::5] if "emit" in given or QUICK else SHAPES
    model, inputs, right = _model("precision" in given, shapes)
    compile_model(model.SerializeToString(), tmp_path / "b", CompileOptions(**given))
    with load_bundle(tmp_path / "b") as session:
        found = session.run(inputs)
    for name, expected in right.items():
        assert np.abs(found[name] - expected).max() < 2e-6 * np.abs(expected).max(), name
    kernels = Manifest.load(tmp_path / "b").kernels
    names = [kernel.algorithm for kernel in kernels if "scaled_matmul" in kernel.name]
    wanted = [set(), {"plain"}, {"scaled"}, {"scaled"}]
    assert {*names} == wanted[given["level"]]


def _rounded(rows: np.ndarray, block: int) -> np.ndarray:
    """Return rows whose blocks are rounded to codes of 8 bits."""
    more = -rows.shape[-1] % block
    apart = np.pad(rows, ((0, 0), (0, 0), (0, more))).reshape(*rows.shape[:2], -1, block)
    scale = np.abs(apart).max(-1, keepdims=True) / np.float32(127)
    numbers = np.rint(apart / scale) * scale.astype(np.float64)
    return numbers.reshape(*rows.shape[:2], -1)[..., : rows.shape[-1]]


@pytest.mark.parametrize("most", [7, 50])
@pytest.mark.parametrize("precision", ["f32", "rows=s8"])
def test_tiles_of_open_rows_are_right(precision, most):
    """The last tile has rows that a run lacks, for the largest number of them, too."""
    random = np.random.default_rng(2)
    codes = random.integers(0, 16, (40, 2, 32), np.uint8)
    scales = random.uniform(0.5, 1, (40, 2)).astype(np.float32)
    weights = ((codes - 8.0) * scales[..., None]).reshape(40, 64)
    given = {"K": 64, "N": 40, "block_size": 32, "domain": "com.microsoft"}
    graph = helper.make_graph(
        [helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], **given)],
        "rows",
        [helper.make_tensor_value_info("x", 1, [1, "n", 64])],
        [helper.make_tensor_value_info("y", 1, [1, "n", 40])],
        [numpy_helper.from_array(_bytes(codes, 4), "w"), numpy_helper.from_array(scales, "s")],
    )
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=10)
    with autodeploy.compile(model, dynamic={"n": (2, most)}, precision=precision) as session:
        for rows in (most, 2, 5, 3, most - 3, most):
            x = random.standard_normal((1, rows, 64), np.float32)
            read = x if precision == "f32" else _rounded(x, 32)
            expected = read.astype(np.float64) @ weights.T
            found = session.run({"x": x})["y"]
            assert np.abs(found - expected).max() < 2e-6 * np.abs(expected).max(), rows


@pytest.mark.parametrize(
    ("bits", "block", "has_zeros"), [(4, 32, True), (4, 128, False), (8, 32, False)]
)
def test_rows_of_codes_are_those_of_accuracy_level_4(bits, block, has_zeros):
    """Sums of 8-bit rows are what onnxruntime makes of that level, in another order."""
    random, inner, columns = np.random.default_rng(3), 256, 40
    blocks = inner // block
    tensors = {
        "w": random.integers(0, 256, (columns, blocks, block * bits // 8), np.uint8),
        "s": random.uniform(0.5, 1, (columns, blocks)).astype(np.float32),
    }
    if has_zeros:
        tensors["z"] = random.integers(0, 256, (columns, blocks * bits // 8), np.uint8)
    given = {"K": inner, "N": columns, "bits": bits, "block_size": block}
    models = []
    for level in (0, 4):
        node = helper.make_node(
            "MatMulNBits", ["x", *tensors], ["y"],
            domain="com.microsoft", **given, accuracy_level=level,
        )  # fmt: skip
        graph = helper.make_graph(
            [node],
            "level",
            [helper.make_tensor_value_info("x", 1, [1, "n", inner])],
            [helper.make_tensor_value_info("y", 1, [1, "n", columns])],
            [numpy_helper.from_array(array, name) for name, array in tensors.items()],
        )
        imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        models.append(helper.make_model(graph, opset_imports=imports, ir_version=10))
    x = random.standard_normal((1, 3, inner), np.float32)
    exact, rounded = (
        InferenceSession(model.SerializeToString()).run(None, {"x": x})[0] for model in models
    )
    largest = np.abs(exact).max()
    if np.abs(rounded - exact).max() < 1e-4 * largest:
        pytest.skip("onnxruntime computes with exact rows on this machine")
    for model, precision, right in (
        (models[0], "rows=s8", rounded),
        (models[1], None, rounded),
        (models[0], None, exact),
        (models[1], "f32", exact),
    ):
        with autodeploy.compile(model, precision=precision, dims={"n": 3}) as session:
            assert np.abs(session.run({"x": x})["y"] - right).max() < 1e-6 * largest
