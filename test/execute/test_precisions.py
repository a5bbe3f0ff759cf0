"""Weights in fewer bits, and 16-bit models in 32: against float64 sums of the rounded weights."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import autodeploy

Array = npt.NDArray[np.generic]
Rounding = Callable[[Array, int], Array]

RANDOM = np.random.default_rng(0)
NODES = {
    # The weights, their axis of output channels, and the attributes; all read images but the last.
    "Conv": ((13, 5, 3, 3), 0, {"pads": [1, 1, 0, 1]}),
    "Conv depthwise": ((5, 1, 3, 3), 0, {"group": 5, "strides": [2, 1]}),
    "Conv pointwise": ((33, 5, 1, 1), 0, {}),
    "ConvTranspose": ((5, 7, 3, 2), 1, {"strides": [2, 1]}),
    "Gemm": ((37, 5), 0, {"transB": 1}),
    "MatMul": ((5, 70), 1, {}),
    "MatMul stack": ((2, 5, 9), 2, {}),
}
WEIGHTS = {
    name: RANDOM.standard_normal(shape).astype(np.float32) * np.float32(0.1)
    for name, (shape, _, _) in NODES.items()
}
IMAGE = RANDOM.standard_normal((2, 5, 11, 9)).astype(np.float32)
ROWS = RANDOM.standard_normal((1, 5)).astype(np.float32)


def _axes(name: str) -> tuple[int, ...]:
    shape, channel, _ = NODES[name]
    summed = (len(shape) - 2,) if name == "MatMul stack" else range(len(shape))
    return tuple(axis for axis in summed if axis != channel)


def _codes(weights: Array, name: str) -> Array:
    scale = np.abs(weights).max(axis=_axes(name), keepdims=True) / np.float32(127)
    return np.rint(weights / scale) * scale.astype(np.float64)


ROUNDED: dict[str, Rounding] = {
    "f16": lambda weights, _: weights.astype(np.float16),
    "bf16": lambda weights, _: weights.astype(ml_dtypes.bfloat16),
    "s8": _codes,
}


def _model(dtype: type, weights: dict[str, Array]) -> bytes:
    """Return a model of all nodes, whose biases are whole numbers."""
    type_ = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes, constants, outputs = [], [], []
    for name, (shape, channel, attributes) in NODES.items():
        kind = name.split()[0]
        bias = np.arange(shape[channel], dtype=dtype) - 3
        constants.append(numpy_helper.from_array(weights[name].astype(dtype), f"{name} w"))
        inputs = ["x" if kind.startswith("Conv") else "rows", f"{name} w"]
        if kind != "MatMul":
            constants.append(numpy_helper.from_array(bias, f"{name} b"))
            inputs.append(f"{name} b")
        nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        outputs.append(helper.make_tensor_value_info(name, type_, None))
    graph = helper.make_graph(
        nodes,
        "precisions",
        [
            helper.make_tensor_value_info("x", type_, IMAGE.shape),
            helper.make_tensor_value_info("rows", type_, ROWS.shape),
        ],
        outputs,
        constants,
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8
    ).SerializeToString()


def _expected(weights: dict[str, Array], image: Array = IMAGE) -> dict[str, Array]:
    inputs = {"x": image.astype(np.float64), "rows": ROWS.astype(np.float64)}
    results = ReferenceEvaluator(_model(np.float64, weights)).run(None, inputs)
    return dict(zip(NODES, results, strict=True))


def _check(found: dict[str, Array], expected: dict[str, Array], tolerance: float) -> None:
    for name, right in expected.items():
        error = np.abs(found[name].astype(np.float64) - right).max() / np.abs(right).max()
        assert error <= tolerance, name


@pytest.mark.parametrize(
    ("level", "kind"), [(0, "s8"), (1, "bf16"), (2, "f16"), (3, "f16"), (3, "bf16"), (3, "s8")]
)
def test_only_weights_are_rounded(level: int, kind: str) -> None:
    program = autodeploy.compile(
        _model(np.float32, WEIGHTS), level=level, precision=f"weights={kind}", winograd="off"
    )
    found = program.run({"x": IMAGE, "rows": ROWS})
    rounded = {name: ROUNDED[kind](weights, name) for name, weights in WEIGHTS.items()}
    if level == 0:  # it transposes this filter when it runs
        rounded["ConvTranspose"] = WEIGHTS["ConvTranspose"]
    _check(found, _expected(rounded), 2e-6)
    # The rounding of weights is seen.
    exact = _expected(WEIGHTS)
    assert np.abs(found["MatMul"] - exact["MatMul"]).max() > 1e-5


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("level", [0, 2, 3])
def test_models_of_16_bits_are_computed_in_32(dtype: type, level: int) -> None:
    """Only outputs are rounded: by 2^-11, or 2^-8, of the largest at most."""
    program = autodeploy.compile(
        _model(dtype, WEIGHTS), level=level, precision=None if level == 3 else "f32"
    )
    image, rows = IMAGE.astype(dtype), ROWS.astype(dtype)
    found = program.run({"x": image, "rows": rows})
    inputs = {"x": image.astype(np.float64), "rows": rows.astype(np.float64)}
    rounded = {name: weights.astype(dtype) for name, weights in WEIGHTS.items()}
    right = ReferenceEvaluator(_model(np.float64, rounded)).run(None, inputs)
    _check(found, dict(zip(NODES, right, strict=True)), 2.0 ** (-11 if dtype == np.float16 else -8))


def test_odd_numbers_stay_in_their_rows() -> None:
    """Conversions to and from 16 bits keep nan and infinities, also next to contracted sums."""
    type_ = helper.np_dtype_to_tensor_dtype(np.dtype(np.float16))
    weights = RANDOM.standard_normal((8, 8)).astype(np.float16)
    infinite = weights.copy()
    infinite[2, 1], infinite[4, 6] = np.inf, np.nan
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["m"]),
            helper.make_node("Add", ["m", "x"], ["y"]),
            helper.make_node("Clip", ["y", "", "most"], ["z"]),
            helper.make_node("Abs", ["x"], ["a"]),
            helper.make_node("MatMul", ["a", "w"], ["n"]),
            helper.make_node("MatMul", ["x", "v"], ["u"]),
        ],
        "odd",
        [helper.make_tensor_value_info("x", type_, (40, 8))],
        [helper.make_tensor_value_info(name, type_, (40, 8)) for name in "znu"],
        [
            numpy_helper.from_array(weights, "w"),
            numpy_helper.from_array(infinite, "v"),
            numpy_helper.from_array(np.array(100, np.float16), "most"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    x = RANDOM.standard_normal((40, 8)).astype(np.float16)
    x[3, 2], x[7, 1], x[20, 5], x[31] = np.nan, np.inf, -np.inf, 60000
    found = autodeploy.compile(model.SerializeToString()).run({"x": x})
    wide, matrix = x.astype(np.float64), weights.astype(np.float64)
    with np.errstate(all="ignore"):
        sums = wide @ matrix
        expected = {"z": np.minimum(sums + wide, 100), "n": np.abs(wide) @ matrix}
        expected["u"] = wide @ infinite.astype(np.float64)
        for name, right in expected.items():
            right = right.astype(np.float16)
            np.testing.assert_allclose(
                found[name].astype(np.float32), right.astype(np.float32), rtol=2e-3, atol=2e-2
            )
