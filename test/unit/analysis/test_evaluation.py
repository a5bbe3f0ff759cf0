"""Bodies evaluated by NumPy, where integers and conversions have edges."""

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import bf16, f16, i8, i32, i64
from xdsl.utils.test_value import create_ssa_value

from autodeploy.analysis.evaluation import apply_body, evaluate
from autodeploy.dialects.nn.activation import ClipOp, GeluOp, ReluOp
from autodeploy.dialects.nn.arithmetic import AddOp, CastOp, DivOp, MaxOp, NegOp, PowOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import tensor, ui64
from autodeploy.dialects.nn.window import AveragePoolOp
from autodeploy.weights import element_type


def run(build, *arrays):
    """Evaluate the op that ``build`` makes of operands like these arrays."""
    operands = [create_ssa_value(tensor(element_type(x.dtype), x.shape)) for x in arrays]
    op = build(*operands)
    op.verify()
    found = evaluate(op, arrays)
    assert tensor(element_type(found.dtype), found.shape) == op.result.type
    return found


LOWEST = np.iinfo(np.int32).min


@pytest.mark.parametrize(
    ("op", "lhs", "rhs", "expected"),
    [
        (DivOp, [7, -7, 7, -7], [2, 2, -2, -2], [3, -3, -3, 3]),
        (DivOp, [5, 0, LOWEST], [0, 0, -1], [0, 0, LOWEST]),
        (PowOp, [3, -2, 2, 10], [4, 3, 31, 0], [81, -8, LOWEST, 1]),
        (PowOp, [2, 1, -1, -1, 0], [-1, -5, -2, -3, -1], [0, 1, 1, -1, 0]),
        (AddOp, [2**31 - 1], [1], [LOWEST]),
    ],
)
def test_integers(op, lhs, rhs, expected):
    found = run(op, np.array(lhs, np.int32), np.array(rhs, np.int32))
    assert found.tolist() == expected


def test_bounds_of_integers_are_the_nearest_ones():
    x = np.array([-3, 0, 3], np.int8)
    assert run(lambda v: ClipOp(v, -1.5, 1.5), x).tolist() == [-1, 0, 1]
    assert run(lambda v: ClipOp(v, -1e9, 1e9), x).tolist() == x.tolist()
    assert run(ReluOp, x).tolist() == [0, 0, 3]


@pytest.mark.parametrize(
    ("numbers", "element", "expected"),
    [
        ([-0.5, 2.9, np.nan, np.inf, -np.inf], i8, [0, 2, 0, 127, -128]),
        ([2.0**63, -(2.0**63), 1.5e19], i64, [2**63 - 1, -(2**63), 2**63 - 1]),
        ([-1.0, 2.0**64], ui64, [0, 2**64 - 1]),
        ([2147483583.0, 2147483648.0], i32, [2147483520, 2147483647]),
    ],
)
def test_floats_become_the_nearest_integer(numbers, element, expected):
    found = run(lambda v: CastOp(v, element), np.array(numbers, np.float32))
    assert found.tolist() == expected


@pytest.mark.parametrize("element", [f16, bf16], ids=str)
def test_halves_are_rounded_once(element):
    x = np.array([0.3, -1.7, 4.0]).astype(np.float16 if element == f16 else ml_dtypes.bfloat16)
    wide = run(GeluOp, x.astype(np.float32))
    assert run(GeluOp, x).tobytes() == wide.astype(x.dtype).tobytes()


def test_nan_is_kept_on_either_side():
    a, b = np.array([np.nan, 1], np.float32), np.array([1, np.nan], np.float32)
    assert np.isnan(run(MaxOp, a, b)).all()
    assert np.signbit(run(NegOp, np.zeros(1, np.float32))).all()


def test_operands_may_have_a_wider_type():
    x = create_ssa_value(tensor(element_type(np.float32), [2]))
    assert apply_body(AddOp(x, x), [np.array([1e-12, 1.0]), np.ones(2)])[0] == 1 + 1e-12


@pytest.mark.parametrize("kind", list(Reduction))
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions_over_some_axes(kind, keepdims):
    x = np.arange(1, 31, dtype=np.int64).reshape(2, 3, 5) % 7
    found = run(lambda v: ReduceOp(v, kind, [0, 2], keepdims), x)
    expected = getattr(np, kind)(x, axis=(0, 2), keepdims=keepdims)
    np.testing.assert_array_equal(found, np.trunc(expected))


@pytest.mark.parametrize("counted", [False, True])
def test_a_mean_counts_by_its_attribute(counted):
    x = np.ones((1, 1, 3), np.float32)
    window = {"window": [3], "strides": [2], "pads": [1, 1], "dilations": [1]}
    found = run(lambda v: AveragePoolOp(v, **window, count_include_pad=counted), x)
    np.testing.assert_allclose(found[0, 0], [2 / 3, 2 / 3] if counted else [1, 1])
