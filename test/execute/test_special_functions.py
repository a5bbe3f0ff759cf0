"""Functions of special numbers, of which NumPy says what C and IEEE 754 say: at every level.

The kernels are fused and plain ones, of a vector and of what a vector leaves over.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from onnx import helper, shape_inference
from program_batch import run_once

from autodeploy import CompileOptions
from autodeploy.options import Emit

TYPES = (np.float16, np.float32, np.float64)
NUMBERS = (
    *(0.0, -0.0, 0.5, -2.5, 1.0, -1.0, 3.0, 7.0, 100.0, np.inf, -np.inf, np.nan),
    *(1e-45, -1e-42, 1e-38, 3.4e38, -3.4e38, 65504.0, 6e-8, 1e10),
)


def run(
    op_type: str,
    inputs: dict[str, np.ndarray],
    level: int,
    emit: Emit | None = None,
    **attributes: int,
) -> np.ndarray:
    """Compile a network of one operator and return what it makes of the inputs."""
    node = helper.make_node(op_type, list(inputs), ["y"], **attributes)
    graph = helper.make_graph(
        [node],
        "special",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
            for name, x in inputs.items()
        ],
        [helper.make_empty_tensor_value_info("y")],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8)
    inferred = shape_inference.infer_shapes(model).SerializeToString()
    return run_once(inferred, inputs, CompileOptions(level=level, emit=emit))["y"]


def assert_same(found: np.ndarray, expected: np.ndarray, tolerance: float = 0) -> None:
    """Nans, infinities and signs of zeros are the same, others near; subnormals may be zero."""
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))
    least = float(np.finfo(expected.dtype).tiny) if tolerance else 0
    wide = [array[numbers].astype(np.float64) for array in (found, expected)]
    np.testing.assert_allclose(*wide, tolerance, least)


def pairs(dtype: type) -> dict[str, np.ndarray]:
    """Return all pairs of the numbers as two inputs."""
    with np.errstate(all="ignore"):
        both = np.array(list(itertools.product(NUMBERS, repeat=2))).astype(dtype)
    return {"a": both[:, 0].copy(), "b": both[:, 1].copy()}


def rounding(dtype: type) -> float:
    return 2e-3 if dtype is np.float16 else 1e-6


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize("dtype", TYPES)
def test_fmod_is_exact(dtype: type, level: int) -> None:
    inputs = pairs(dtype)
    with np.errstate(all="ignore"):
        expected = np.fmod(*inputs.values())
    assert_same(run("Mod", inputs, level, fmod=1), expected)


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize("dtype", TYPES)
def test_power(dtype: type, level: int) -> None:
    inputs = pairs(dtype)
    with np.errstate(all="ignore"):
        expected = np.power(*inputs.values())
    assert_same(run("Pow", inputs, level), expected, rounding(dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ("Log", "Exp", "Tanh", "Sqrt", "Abs", "Sign", "Floor", "Ceil"))
def test_function(name: str, dtype: type) -> None:
    with np.errstate(all="ignore"):
        x = np.array(NUMBERS).astype(dtype)
        expected = getattr(np, name.lower())(x)
    assert_same(run(name, {"x": x}, 2), expected, rounding(dtype))


@pytest.mark.parametrize("to", (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64))
@pytest.mark.parametrize("dtype", TYPES)
def test_cast_to_integers(dtype: type, to: type) -> None:
    """Fractions are dropped; what has no place is the nearest integer, and nan is 0."""
    limits = np.iinfo(to)
    far = (127.9, 255.9, -0.9, -128.5, 2147483520.0, 2147483648.0, 1e19, -1e19, 9.2e18)
    with np.errstate(all="ignore"):
        x = np.array((*NUMBERS, *far)).astype(dtype)
    numbers = [0.0 if np.isnan(n) else float(n) for n in x]
    bounded = [min(max(n, limits.min), limits.max) for n in numbers]
    found = run("Cast", {"x": x}, 2, to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))
    assert [int(n) for n in found] == [int(n) for n in bounded]


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ("ArgMax", "ArgMin", "ReduceMax", "ReduceMin", "MaxPool"))
def test_nan_among_numbers(name: str, dtype: type, level: int) -> None:
    """A reduction of nan is nan, and its place is within the row."""
    x = np.array([[1, np.nan, 2], [np.nan] * 3, [3, 2, 1]], dtype)
    if name == "MaxPool":
        found = run(name, {"x": x[:, None]}, level, kernel_shape=[3])
        np.testing.assert_array_equal(found.ravel(), np.array([np.nan, np.nan, 3], dtype))
    elif name.startswith("Arg"):
        found = run(name, {"x": x}, level, axis=1, keepdims=0)
        np.testing.assert_array_equal(found, [1, 0, 0 if name == "ArgMax" else 2])
    else:
        found = run(name, {"x": x}, level, keepdims=0)
        assert np.isnan(found)


@pytest.mark.parametrize("level", (0, 2))
def test_exponentials_keep_their_digits_up_to_the_bounds(level):
    x = np.concatenate([np.linspace(-86.9, 88.72, 99_991), [0.0, -87.0, -200.0, 88.73, 200.0]])
    x = x.astype(np.float32)
    found = run("Exp", {"x": x}, level)
    np.testing.assert_allclose(found[:-5], np.exp(x[:-5].astype(np.float64)), 3e-7)
    assert found[-5] == 1.0
    np.testing.assert_allclose(found[-4], np.exp(-87.0), 3e-7)
    np.testing.assert_array_equal(found[-3:], np.float32([0.0, np.inf, np.inf]))


@pytest.mark.parametrize("level", (0, 2))
def test_exponentials_become_subnormal_by_degrees(level):
    x = np.linspace(-103, -87, 1001, dtype=np.float32)
    found = run("Exp", {"x": x}, level).astype(np.float64)
    np.testing.assert_allclose(found, np.exp(x.astype(np.float64)), 3e-7, 2.0**-149)


@pytest.mark.parametrize(("emit", "tolerance"), [("object", 4.5e-7), ("c", 3e-7)])
def test_sigmoids_keep_their_digits_up_to_the_bounds(emit, tolerance):
    """Object code may have one part of log(2) where products and sums are one instruction."""
    x = np.concatenate([np.linspace(-86.9, 86.9, 99_991), [-200.0, 200.0]]).astype(np.float32)
    found = run("Sigmoid", {"x": x}, 2, emit=emit)
    expected = 1 / (1 + np.exp(-x[:-2].astype(np.float64)))
    np.testing.assert_allclose(found[:-2], expected, tolerance)
    near = np.abs(x[:-2]) < 20
    np.testing.assert_allclose(found[:-2][near], expected[near], 3e-7)
    np.testing.assert_array_equal(found[-2:], np.float32([0, 1]))
