"""Folded nn ops against their definitions."""

import itertools
import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32, i8, i32
from xdsl.dialects.test import TestOp as AnyOp

from autodeploy.analysis.folding_budget import MAX_BYTES
from autodeploy.dialects.nn import activation, arithmetic, logic
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.movement import BroadcastOp, ConcatOp, SliceOp, TransposeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import byte_size
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass
from autodeploy.weights import WeightStore, constant_array


def folded(build, *arrays, **options):
    """Fold the op that ``build`` makes of constants; ``None`` where it stays."""
    ctx = Context()
    constants = [ConstantOp(WeightStore.of(ctx).attribute(array)) for array in arrays]
    op = build(*(constant.result for constant in constants))
    user = AnyOp(operands=[op.result])
    module = ModuleOp([*constants, op, user])
    FoldNnConstantsPass(**options).apply(ctx, module)
    module.verify()
    return constant_array(ctx, user.operands[0])


@settings(max_examples=60)
@given(st.data())
def test_slice_takes_element_start_plus_i_times_step(data):
    shape = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    starts, sizes, steps = [], [], []
    for extent in shape:
        step = data.draw(st.integers(-3, 3).filter(bool))
        start = data.draw(st.integers(0, extent - 1))
        room = (extent - 1 - start) // step if step > 0 else start // -step
        starts.append(start)
        sizes.append(data.draw(st.integers(0, room + 1)))
        steps.append(step)
    x = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    found = folded(lambda v: SliceOp(v, starts, sizes, steps), x)
    assert found.shape == tuple(sizes)
    for index in itertools.product(*map(range, sizes)):
        source = tuple(s + i * t for s, i, t in zip(starts, index, steps, strict=True))
        assert found[index] == x[source]


def test_transpose_takes_axis_i_from_permutation_i():
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    found = folded(lambda v: TransposeOp(v, [2, 0, 1]), x)
    for i, j, k in itertools.product(range(4), range(2), range(3)):
        assert found[i, j, k] == x[j, k, i]


def test_bfloat16_moves_as_it_is():
    x = np.array([[1.5, -0.0], [np.nan, 3.0]], ml_dtypes.bfloat16)
    found = folded(lambda v: ConcatOp([v, v], 0), x)
    assert found.tobytes() == x.tobytes() * 2
    padded = folded(lambda v: PadOp(v, [0, 1, 0, 0], -math.inf), x)
    assert padded.dtype == x.dtype and (padded[:, 0] == -math.inf).all()


def test_equal_elements_take_no_memory():
    x = np.broadcast_to(np.float32(2), (1 << 20, 1 << 20))
    found = folded(lambda v: BroadcastOp(v, (4, 1 << 20, 1 << 20)), x)
    assert found.shape == (4, 1 << 20, 1 << 20) and found.strides == (0, 0, 0)
    doubled = folded(arithmetic.AddOp, x, x)
    assert doubled.strides == (0, 0) and doubled[0, 0] == 4


F = np.array([-2.5, -1.0, -0.0, 0.5, 1.5, 2.5, np.nan, np.inf], np.float32)
UNARY = {
    arithmetic.AbsOp: np.abs,
    arithmetic.NegOp: np.negative,
    arithmetic.SignOp: np.sign,
    activation.ReluOp: lambda x: np.where(x < 0, np.float32(0), x),
    arithmetic.ExpOp: np.exp,
    arithmetic.LogOp: np.log,
    arithmetic.SqrtOp: np.sqrt,
    arithmetic.ReciprocalOp: lambda x: 1 / x,
    arithmetic.SinOp: np.sin,
    arithmetic.CosOp: np.cos,
    activation.TanhOp: np.tanh,
    activation.SigmoidOp: lambda x: 1 / (1 + np.exp(-x)),
    activation.ErfOp: np.vectorize(math.erf),
    arithmetic.FloorOp: np.floor,
    arithmetic.CeilOp: np.ceil,
    arithmetic.RoundOp: np.rint,
}


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("op", UNARY)
def test_unary_ops_agree_with_numpy(op):
    found = folded(op, F)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, UNARY[op](F), rtol=1e-6)


BINARY = {
    arithmetic.AddOp: np.add,
    arithmetic.SubOp: np.subtract,
    arithmetic.MulOp: np.multiply,
    arithmetic.DivOp: np.divide,
    arithmetic.PowOp: np.power,
    arithmetic.FmodOp: np.fmod,
    arithmetic.MaxOp: np.maximum,
    arithmetic.MinOp: np.minimum,
    logic.EqualOp: np.equal,
    logic.LessOp: np.less,
    logic.LessEqualOp: np.less_equal,
}


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("op", BINARY)
def test_binary_ops_agree_with_numpy(op):
    rhs = np.array([[2.0], [np.nan]], np.float32)
    np.testing.assert_array_equal(folded(op, F, rhs), BINARY[op](F, rhs))


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (logic.AndOp, [False, False, False, True]),
        (logic.OrOp, [False, True, True, True]),
        (logic.XorOp, [False, True, True, False]),
    ],
)
def test_logical_ops_agree_with_numpy(op, expected):
    lhs, rhs = np.array([False, False, True, True]), np.array([False, True, False, True])
    assert folded(op, lhs, rhs).tolist() == expected


def test_not_and_where():
    condition = np.array([True, False])
    assert folded(logic.NotOp, condition).tolist() == [False, True]
    found = folded(logic.WhereOp, condition, np.array([1, 2]), np.array([[3, 4], [5, 6]]))
    assert found.tolist() == [[1, 4], [1, 6]]


@pytest.mark.parametrize(
    ("numbers", "element", "expected"),
    [
        (np.array([127.9, -128.9], np.float32), i8, [127, -128]),
        (np.array([128.0, np.nan], np.float32), i8, [127, 0]),
        (np.array([-129.0, 0.0], np.float32), i8, [-128, 0]),
        (np.array([2147483648.0, 0.0]), i32, [2147483647, 0]),
        (np.array([-2147483648.0, 0.0]), i32, [-2147483648, 0]),
        (np.array([np.inf, 0.0], np.float32), i32, [2147483647, 0]),
        (np.array([300, -1], np.int32), i8, [44, -1]),
        (np.array([1.0, 2.5], ml_dtypes.bfloat16), f32, [1.0, 2.5]),
        (np.array([1.0, 2.5], np.float64), bf16, [1.0, 2.5]),
    ],
)
def test_casts_fold_to_the_nearest_number(numbers, element, expected):
    found = folded(lambda v: arithmetic.CastOp(v, element), numbers)
    assert found.tolist() == expected


@pytest.mark.parametrize("dtype", [np.float32, np.int8, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("more", "fits"), [(15, True), (16, False)])
def test_large_weights_are_filled_up_to_less_than_twice_their_size(more, fits, dtype):
    """Those of a head of words exceed what folding may compute."""
    x = np.arange(128).reshape(8, 16).astype(dtype)
    found = folded(lambda v: PadOp(v, (0, 0, 0, more)), x, max_bytes=64)
    if not fits:
        assert found is None
        return
    assert np.array_equal(found[:, :16], x)
    assert found.shape == (8, 31) and not np.any(found[:, 16:])


@pytest.mark.parametrize(("more", "fits"), [(15, True), (16, False)])
def test_equal_weights_are_filled_up_to_less_than_twice_their_size(more, fits):
    """The store has one element of them, so the limit is their own size."""
    x = np.full((8, 16), 3, np.float32)
    found = folded(lambda v: PadOp(v, (0, 0, 0, more)), x, max_bytes=64)
    if not fits:
        assert found is None
        return
    assert np.array_equal(found[:, :16], x)
    assert found.shape == (8, 31) and not np.any(found[:, 16:])


def test_zeros_are_filled_up_by_zeros_to_any_size():
    found = folded(lambda v: PadOp(v, (0, 0, 0, 99)), np.zeros((8, 16), np.float32), max_bytes=64)
    assert found.shape == (8, 115) and not found.any()


def test_weights_are_not_filled_up_again_and_again():
    """Each step is allowed alone, and 40 of them would make 2^40 bytes of one."""
    ctx = Context()
    constant = ConstantOp(WeightStore.of(ctx).attribute(np.ones((1024, 1024), np.float32)))
    ops, size = [constant], 1024
    for _ in range(40):
        more = size - 1
        ops.append(PadOp(ops[-1].result, (0, 0, more, 0)))
        size += more
    module = ModuleOp([*ops, AnyOp(operands=[ops[-1].result])])
    FoldNnConstantsPass().apply(ctx, module)
    module.verify()
    made = [byte_size(op.result.type) for op in module.walk() if isinstance(op, ConstantOp)]
    assert max(made) <= MAX_BYTES
    assert any(isinstance(op, PadOp) for op in module.walk())
